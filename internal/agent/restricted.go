package agent

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/internal/tools"
)

// restricted is what a child has of a toolset.
type restricted struct {
	toolset
	role role
}

// withheld lists the tools that children do not have: they speak to nobody but to the
// agent that sent them, and have no children of their own.
var withheld = []string{taskTool, "question", "plan_enter", "plan_done", "todo"}

// has reports whether a child may have a tool.
func (r restricted) has(tool string) bool {
	return !slices.Contains(withheld, tool) && !(r.role.reads() && (tool == "write" || tool == "edit"))
}

// Specs lists the tools of the child.
func (r restricted) Specs() []tools.Spec {
	return slices.DeleteFunc(slices.Clone(r.toolset.Specs()), func(s tools.Spec) bool { return !r.has(s.Name) })
}

// Prepare reads a call; one to a tool that the child does not have is to a tool that
// there is not.
func (r restricted) Prepare(name, arguments string) tools.Prepared {
	p := r.toolset.Prepare(name, arguments)
	unknown := p.Early != nil && p.Early.Status == tools.Unknown
	if !unknown && r.has(p.Tool) {
		return p
	}
	var names []string
	for _, s := range r.Specs() {
		names = append(names, s.Name)
	}
	return tools.Prepared{Tool: p.Tool, Args: p.Args, Early: &tools.Outcome{
		Status: tools.Unknown,
		Text:   fmt.Sprintf("there is no tool %q\nThe tools are: %s.", capped(strings.ToValidUTF8(name, "\uFFFD"), 80, "…"), strings.Join(names, ", ")),
	}}
}
