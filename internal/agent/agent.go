// Package agent is a complete coding agent: a loop that gives a model tools,
// runs what the model calls, and goes on until the model has said its last word.
// It knows nothing of who watches it.
package agent

import (
	"context"
	"encoding/json"
	"time"

	"github.com/deeds-evals/deeds/internal/tools"
)

// A Model answers a conversation with the next message.
type Model interface {
	// Next returns the assistant's next message, whole. A model that could not
	// be reached, or whose answer broke off, is an error, never a short message.
	Next(ctx context.Context, r Request) (Message, error)
}

// A Request is what a model is asked.
type Request struct {
	Model    string
	Messages []Message
	Tools    []tools.Spec
}

// A Role says whose message it is.
type Role string

// The roles.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool"
)

// A Message is one message of the conversation.
type Message struct {
	Role      Role
	Text      string
	Reasoning string     // assistant only; never sent back unless the model needs it
	Calls     []ToolCall // assistant only
	CallID    string     // tool only: the call it answers
	Stop      string     // assistant only: "stop", "tool_calls", "length", "content_filter"

	Usage       Usage  // assistant only
	Model       string // what the endpoint says it is
	Fingerprint string
}

// A ToolCall is a call as the model made it.
type ToolCall struct {
	ID        string
	Name      string
	Arguments string // JSON as sent; may be anything
}

// Usage counts tokens as the endpoint reported them.
type Usage struct {
	Prompt, Completion, Cached, Reasoning int
	Cost                                  float64
	CostReported                          bool
}

// Config is all that an agent needs to run.
type Config struct {
	Model     Model
	ModelName string
	Tools     tools.Env // the world its tools act on
	Plan      *Plan     // a plan that exists already
	Limits    Limits
	// Observe is told what happens, as it happens. Never nil.
	Observe func(Event)
	// Now is the clock. Nil is the real one.
	Now func() time.Time
}

// A Plan is a plan file that exists before the agent starts.
type Plan struct {
	Path     string // slash path in the workspace, plans/NAME.md
	Approved bool
}

// Limits bound one run; zero means no limit.
type Limits struct {
	Turns  int
	Time   time.Duration // the agent's own time: waiting for the model is not counted
	Tokens int
	Cost   float64
}

// A Stop says why a run ended.
type Stop string

// Why a run ends.
const (
	Done     Stop = "stop"
	Asked    Stop = "question"
	Planned  Stop = "plan"
	TooMany  Stop = "limit-turns"
	TooLong  Stop = "limit-time"
	TooLarge Stop = "limit-tokens"
	TooDear  Stop = "limit-cost"
	Length   Stop = "length"
	Filtered Stop = "refusal"
)

// An EventKind says what an event is.
type EventKind string

// The kinds of events.
const (
	Said         EventKind = "message" // Message
	Called       EventKind = "call"    // Call, Outcome: emitted when the call has ended
	ModeEntered  EventKind = "mode"    // Mode
	PlanState    EventKind = "plan"    // State: "asked" or "ready"; Text is the reason or the summary
	Questioned   EventKind = "question"
	TodosUpdated EventKind = "todo"
	Noticed      EventKind = "notice" // Text
)

// An Event is one thing that happened in a run.
type Event struct {
	Kind    EventKind
	Turn    int
	Begun   time.Time
	Message Message
	Call    ToolCall
	Tool    string          // the tool that ran; the name as called if there is none
	Args    map[string]any  // as understood
	Raw     json.RawMessage // reserved for arguments that differ from Args
	Outcome tools.Outcome
	Took    time.Duration
	Mode    tools.Mode
	State   string
	Text    string
	Todos   []tools.Todo
}
