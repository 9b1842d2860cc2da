// Package tools holds the tools of the built-in agent: what each takes, what it
// does, and what it answers. A tool acts on an [Env] and on nothing else.
package tools

import (
	"context"
	"encoding/json"
	"io"

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
