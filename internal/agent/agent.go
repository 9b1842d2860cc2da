// Package agent is a complete coding agent: a loop that gives a model tools,
// runs what the model calls, and goes on until the model has said its last word.
// It knows nothing of who watches it.
//
// [Run] plays one user turn; a [Session] takes several. However a run ends, its
// events are a well-formed timeline: every call that the model made is told of
// exactly once, in the order in which it was made, and has exactly one answer in
// the history.
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
	// An error with a method ContextExceeded() bool that reports true says that the
	// conversation no longer fits. Next must not change what the request holds.
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
	Reasoning string        // assistant only; never sent back unless the model needs it
	Calls     []ToolCall    // assistant only
	Images    []tools.Image // user only: what the model is to look at
	CallID    string        // tool only: the call it answers
	Stop      string        // assistant only: "stop", "tool_calls", "length", "content_filter"

	Usage       Usage  // assistant only
	Model       string // what the endpoint says it is
	Fingerprint string

	// Extra holds what the endpoint put beside the message and wants to see
	// again with it, a JSON object. Only the model that wrote it reads it.
	Extra json.RawMessage
}

// A ToolCall is a call as the model made it.
type ToolCall struct {
	ID        string
	Name      string
	Arguments string // JSON as sent; may be anything

	Extra json.RawMessage // as in [Message]
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
	// Window is the size of the model's context window in tokens, near which the
	// conversation is compacted. Zero: it is not known, and the model says when it
	// is full.
	Window int
	// Idle is how long the end of a background command is waited for when the agent
	// has ended its turn and nothing else is left to do (10 s).
	Idle time.Duration
	// Heard returns what the user has said while the agent worked, each word once.
	// It is asked before each call and each message, from any goroutine. Nil: nothing.
	Heard func() []Word
	// Refresh returns the tools that are not built in, at the beginning of each turn
	// of the user. Nil: those of Tools.Extra, always.
	Refresh func(ctx context.Context) []tools.Extra
	// Observe is told what happens, as it happens. Nil: nobody is.
	Observe func(Event)
	// Now is the clock. Nil is the real one.
	Now func() time.Time
	// Date is today's date as the model is told it. Empty: it is not told.
	Date string
}

// A Word is what the user says while the agent works.
type Word struct {
	Text string
	Stop bool // the turn ends here, and Text begins the next
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
	TooWide  Stop = "limit-context" // the conversation outgrew the model's context window
	Length   Stop = "length"        // the model was cut at its output limit, and nothing could follow
	Filtered Stop = "refusal"       // the model's content filter stopped it
)

// An EventKind says what an event is.
type EventKind string

// The kinds of events.
const (
	Said         EventKind = "message" // Message
	Called       EventKind = "call"    // Call, Outcome: emitted when the call has ended
	PlanState    EventKind = "plan"    // State: "asked" or "ready"; Text is the reason or the summary, Path the plan
	Questioned   EventKind = "question"
	TodosUpdated EventKind = "todo"
	Noticed      EventKind = "notice"     // Text, about ID
	Background   EventKind = "background" // ID, State, Text, Exit
	Child        EventKind = "child"      // ID, State ("started", "continued", "ended" or "failed"), Text
	SkillLoaded  EventKind = "skill"      // ID, Text
	RuleFound    EventKind = "rule"       // ID (a path), State ("always", "nested", "matched" or "listed")
	Compacted    EventKind = "compaction" // Text
)

// An Event is one thing that happened in a run. Events are told one at a time, from
// whatever goroutine; what a call means for the conversation is told at once after it.
type Event struct {
	Kind    EventKind
	Agent   string    // the child that it happened to; "" is the agent itself
	ID      string    // what it is about
	Exit    *int      // of a command in the background that ended
	Changed []string  // workspace files that changed while it ran
	Turn    int       // counts the messages of the agent, or of the child, from 1; 0 before the first
	Begun   time.Time // for a message: when the model was asked
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
	Path    string // the plan file that is ready, as slash path in the workspace
	Todos   []tools.Todo
}
