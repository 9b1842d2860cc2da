package agent

import (
	"context"

	"github.com/deeds-evals/deeds/internal/tools"
)

// taskTool is the tool that starts children.
const taskTool = "task"

// A toolset is the part of [tools.Set] that the loop needs.
type toolset interface {
	Specs() []tools.Spec
	Mode() tools.Mode
	SetMode(tools.Mode)
	SetExtra([]tools.Extra)
	Todos() []tools.Todo
	Prepare(name, arguments string) tools.Prepared
	Run(context.Context, tools.Prepared) tools.Outcome

	// Commands in the background.
	Running() []string
	Notices() []tools.Notice
	WaitEnd(context.Context) bool
	Close()
}

var _ toolset = (*tools.Set)(nil)
