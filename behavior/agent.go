package behavior

import (
	"context"

	"github.com/spf13/afero"

	"github.com/deeds-evals/deeds/internal/tools"
)

// An Agent is a whole harness under test: system prompt, tools, loop and model
// protocol. The built-in agent is one; anything with a Run method is another.
//
// An agent that asks a model asks it at task.BaseURL, in a rehearsal too: there the
// case's script answers, with calls by the names of the built-in agent's tools. An
// agent whose own tools are called otherwise notes them under those names, and its
// own in [Call.RawTool]. One that asks no model can be played live, and not be
// rehearsed.
//
// Run works on the task until the agent has ended its turn, and reports what
// happens to task.Record as it happens. It returns nil when the agent ended by
// itself, however badly it behaved: an error means that the harness is broken,
// and makes the attempt void. Run must return soon after ctx ends.
type Agent interface {
	Run(ctx context.Context, task Task) error
}

// A Task is what an agent is given to do, and the world it is given to do it in.
// Nothing in it says that this is an evaluation.
type Task struct {
	Prompt string
	Mode   Mode
	Draft  *Draft // the plan that exists, if any; its file lies in the workspace
	Todos  []Todo

	// Dir is the workspace, Files the same as a file system that cannot be left.
	Dir   string
	Files afero.Fs
	// Shell runs a command in the workspace, contained.
	Shell Shell

	// Model is the model's name. BaseURL is where it answers, in the OpenAI chat
	// protocol; Key is what to send it there, and is worth nothing elsewhere.
	Model   string
	BaseURL string
	Key     string

	Limits Limits

	// Record notes an event. It may be called from any goroutine.
	Record func(Event)

	// What the built-in agent's tools need besides.
	shell tools.Shell
	watch func() func() []string
}

// A Shell runs one command line with bash in the workspace, contained as the
// attempt is, and returns its standard output and error together and its exit
// status. The error is for a command that could not be run or was cut by ctx.
type Shell func(ctx context.Context, command string) (output string, exit int, err error)
