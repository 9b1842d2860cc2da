package behavior

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

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
//
// An agent is known by what its Name method says, if it has one, else by its type:
// "errand.Agent". Records, comparisons and the scoreboard tell agents apart by it.
type Agent interface {
	Run(ctx context.Context, task Task) error
}

// agentsOf lists the agents that entries are played by.
func agentsOf(entries []*entry) (all []string) {
	for _, e := range entries {
		for _, s := range e.slots {
			if !slices.Contains(all, s.Agent) {
				all = append(all, s.Agent)
			}
		}
	}
	return all
}

// nameOf is the name by which the record has the agent of a case.
func nameOf(a Agent, builtin string) string {
	if a == nil {
		return builtin
	}
	if named, ok := a.(interface{ Name() string }); ok && named.Name() != "" {
		return named.Name()
	}
	return strings.TrimPrefix(fmt.Sprintf("%T", a), "*")
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
	// Changed returns the workspace files that were created, changed or removed since
	// it was last asked, and at first since the task was given, by slash path, sorted.
	// An agent that asks after every call, whatever the tool, has what belongs into
	// [Call.Changed]. Of calls that run at the same time nobody can tell apart what
	// each of them changed: all of it goes to whichever asks first.
	//
	// It looks at directory entries and reads no file: one that was written again counts,
	// with what it held before too, and the .git of a repository is one file. What the
	// case changes from outside is not among them. It may be called from any goroutine.
	Changed func() []string

	// Model is the model's name. BaseURL is where it answers, in the OpenAI chat
	// protocol; Key is what to send it there, and is worth nothing elsewhere.
	Model   string
	BaseURL string
	Key     string

	// Tools are what the agent has beside its own, Servers what it reaches over MCP.
	Tools   []Tool
	Servers []Server
	// Scratch is a folder outside the workspace for files that nobody asked for,
	// Home what outlives a conversation.
	Scratch, Home string
	Background    Background

	Limits Limits

	// Next is called when the agent has ended its turn, and waits for what the user
	// says then. It returns false when the conversation is over. An agent that
	// never calls it takes one turn only, and cannot be judged by a case of more.
	Next func(ctx context.Context) (Word, bool)
	// Heard returns what the user has said meanwhile, each word once. An agent asks
	// between two messages.
	Heard func() []Word

	// Record notes an event. It may be called from any goroutine. What the user says
	// and decides, what reaches a stub, faults, new conversations and changes from
	// outside are noted already: the agent's word on them does not count.
	Record func(Event)

	// What the built-in agent's tools need besides.
	shell   tools.Shell
	watch   func() func() []string
	scratch afero.Fs
	home    afero.Fs
	around  func(ctx context.Context, tool string, args map[string]any, run func(context.Context) tools.Outcome) tools.Outcome
}

// A Tool is one that the agent has beside its own.
type Tool struct {
	Name   string
	About  string
	Schema json.RawMessage // of its arguments, as JSON Schema
	Writes bool            // it changes something
	Call   func(ctx context.Context, args map[string]any) (text string, failed bool)
}

// A Server is one that speaks MCP: over HTTP, or over the standard input and output of
// a command that the agent starts.
type Server struct {
	Name string
	URL  string
	// Program is started instead, with Args, its name first, and the environment Env.
	Program   string
	Args, Env []string
}

// A Shell runs one command line with bash in the workspace, contained as the
// attempt is, and returns its standard output and error together and its exit
// status. The error is for a command that could not be run or was cut by ctx.
type Shell func(ctx context.Context, command string) (output string, exit int, err error)
