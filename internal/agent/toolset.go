package agent

import (
	"context"

	"github.com/deeds-evals/deeds/internal/tools"
)

// A toolset is the part of [tools.Set] that the loop needs.
type toolset interface {
	Specs() []tools.Spec
	Mode() tools.Mode
	SetMode(tools.Mode)
	Todos() []tools.Todo
	Prepare(name, arguments string) tools.Prepared
	Run(context.Context, tools.Prepared) tools.Outcome
}

var _ toolset = (*tools.Set)(nil)
