// Package tools holds the tools of the built-in agent: what each takes, what it
// does, and what it answers. A tool acts on an [Env] and on nothing else.
package tools

import (
	"context"
	"encoding/json"
	"io"
	"time"

	"github.com/spf13/afero"
)

// A Mode is the mode in which tools are called.
type Mode string

// The modes.
const (
	Build Mode = "build"
	Plan  Mode = "plan"
)

// Env is the world that tools act on.
type Env struct {
	Dir   string   // absolute path of the workspace, as shown to the model
	Files afero.Fs // the workspace; paths are relative to it
	Shell Shell    // nil: no shell
	Mode  Mode     // the mode to begin in; the zero value means [Build]
	Todos []Todo
	// Watch is called before a command that may change files; what it returns is
	// called after, and lists the workspace files that were created, changed or
	// removed in between, as sorted slash paths. Nil: nobody knows.
	Watch func() func() []string

	// Scratch is a folder outside the workspace for files that nobody asked for, as
	// absolute path, and ScratchFiles what lies there. Nil: there is none.
	Scratch      string
	ScratchFiles afero.Fs
	// Memory is the home folder, in which notes are kept that outlive a conversation.
	// Nil: there is none, and no memory tool.
	Memory afero.Fs
	// Skills are the skills there are, see [FindSkills].
	Skills []Skill
	// Extra are more tools, of servers or of the user's own.
	Extra []Extra
	// Delegate runs a child agent. Nil: there is no task tool.
	Delegate func(ctx context.Context, t Task) Outcome
	// Background bounds the waits for commands in the background.
	Background Background
	// Around runs every call that is carried out; it may let it fail. Nil: it is run.
	Around func(ctx context.Context, tool string, args map[string]any, run func(context.Context) Outcome) Outcome
	// Observe is told what happens to commands in the background and to skills. It
	// may be called from any goroutine, and must not call tools; events of commands
	// come one at a time. Nil: nobody is.
	Observe func(Event)
}

// A Task is an assignment for a child agent.
type Task struct {
	Assignment string
	Agent      string // worker, explore or review; "" where a child goes on and none was named
	ID         string // of the child that is to go on; "" is a new one
}

// An Extra is a tool that is not built in.
type Extra struct {
	Spec
	// Mutates says that a call may change what its siblings see: it is not offered in
	// plan mode, and runs alone.
	Mutates bool
	Run     func(ctx context.Context, args map[string]any) Outcome
}

// Background bounds waits. Zero fields are the defaults.
type Background struct {
	Promote time.Duration // a command in the foreground goes to the background after it (60 s)
	Wait    time.Duration // the longest single wait for output (60 s)
}

// An Event is something that happens beside the calls.
type Event struct {
	Kind  string // background or skill
	ID    string // of the command or the skill
	State string // of a command: started, promoted, ended, timed-out, killed or withdrawn
	Text  string // the command, or the skill's arguments
	Exit  *int
	// Changed lists the workspace files that changed while a command ran, where the
	// event is its end: by whom is not known.
	Changed []string
}

// A Shell starts commands in the workspace.
type Shell interface {
	// Start begins bash -c script and returns at once. Standard output and error
	// go to output, in the order they come.
	Start(ctx context.Context, script string, output io.Writer) (Process, error)
}

// A Process is a command that was started.
type Process interface {
	// Wait returns the exit status when the command has ended; 128+n for one
	// ended by signal n. When ctx ends first, Wait kills the command and all of
	// its descendants, and returns the error of ctx.
	Wait(ctx context.Context) (exit int, err error)
	// Kill ends the command and all of its descendants.
	Kill() error
}

// A Todo is one item of the todo list.
type Todo struct {
	Content  string `json:"content"`
	Status   string `json:"status"`
	Priority string `json:"priority,omitempty"`
}

// A Spec is what a model is told about a tool.
type Spec struct {
	Name        string
	Description string
	Parameters  json.RawMessage // JSON Schema
}

// A Status says how a call ended.
type Status string

// How a call can end.
const (
	OK        Status = "ok"
	Failed    Status = "error"
	Refused   Status = "refused"
	Malformed Status = "malformed"
	Unknown   Status = "unknown"
	Cut       Status = "cut"
)

// An Outcome is what a call came to.
type Outcome struct {
	Status  Status
	Text    string // the answer to the model; never empty
	Exit    *int
	Changed []string // workspace files created, changed or removed, sorted slash paths
	Signal  Signal   // what it means for the conversation
	Images  []Image  // what the model is to look at
}

// An Image is a picture for the model.
type Image struct {
	MIME string
	Data []byte
}

// A Signal is what a call changes in the conversation, beside its answer.
type Signal struct {
	Kind  SignalKind
	Text  string // the questions, the reason or the summary
	Path  string // PlanReady: the plan file, as slash path in the workspace
	Todos []Todo // TodosSet: the whole list as it now stands
}

// A SignalKind says what a signal is; the zero value is none.
type SignalKind string

// The signals.
const (
	AskedUser   SignalKind = "question" // the turn ends until the user answers
	AskedToPlan SignalKind = "plan-enter"
	PlanReady   SignalKind = "plan-done"
	TodosSet    SignalKind = "todo"
)
