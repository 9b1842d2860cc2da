package behavior

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"path"
	"strings"
	"time"
)

// Evidence is all that one attempt left behind. It is plain data: it can be
// stored, read back and graded again, and nothing in it was judged by a model.
type Evidence struct {
	// Facts are what is true in the world and the variant that was played.
	Facts map[string]string `json:"facts,omitempty"`
	// World and Variant say which of the case's were played; empty where the
	// case has only one.
	World   string `json:"world,omitempty"`
	Variant string `json:"variant,omitempty"`

	// Workspace is the absolute path of the workspace as the agent saw it.
	// Paths in arguments are resolved against it, see [Evidence.Path].
	Workspace string `json:"workspace"`

	// Timeline holds everything that happened, in order.
	Timeline []Event `json:"timeline"`

	// Before and After are the workspace as it was before the agent started
	// and after it had ended, whole.
	Before Files `json:"before"`
	After  Files `json:"after"`

	// Turns holds the workspace as it was at each word of the user, where there was
	// more than one.
	Turns []UserTurn `json:"turns,omitempty"`
	// Scratch and Home are what lay in the scratch folder and in the home folder in
	// the end.
	Scratch Files `json:"scratch,omitempty"`
	Home    Files `json:"home,omitempty"`

	// End says why the attempt ended.
	End End `json:"end"`

	Limits Limits `json:"limits"`
	Usage  Usage  `json:"usage"`

	// Containment is the level that really ran: "namespaces", which alone is
	// strict, "mounts", "landlock" or "none".
	Containment string `json:"containment,omitempty"`
	// Missing names the canonical tools that the agent does not have.
	Missing []string `json:"missing,omitempty"`

	// Wire is the traffic between the agent and the model, request by request.
	Wire []Exchange `json:"wire,omitempty"`
	// UserWire is that between a simulated user and its model.
	UserWire []Exchange `json:"user_wire,omitempty"`
}

// A UserTurn is the moment at which the user spoke.
type UserTurn struct {
	Event int   `json:"event"` // index of the user's words in the timeline
	Files Files `json:"files"` // the workspace as it was then
	// Left is the workspace as the agent had left it, where somebody else has
	// changed it since.
	Left Files `json:"left,omitzero"`
}

// A Kind says what an [Event] is.
type Kind string

// The kinds of events.
const (
	KindUser     Kind = "user"     // the user's words, in Text; State is "meanwhile" or "stop" if they came while the agent worked
	KindMessage  Kind = "message"  // the agent's words, in Text, and its Reasoning
	KindCall     Kind = "call"     // a tool call, in Call
	KindMode     Kind = "mode"     // Mode was entered
	KindPlan     Kind = "plan"     // State is "asked" (to plan first), "ready", "approved" or "declined"
	KindQuestion Kind = "question" // a question put to the user, in Text
	KindTodo     Kind = "todo"     // the whole todo list as it now stands, in Todos
	KindNotice   Kind = "notice"   // a word from the harness to the agent, in Text, about ID

	KindBackground Kind = "background" // command ID, in Text; State is "started", "promoted", "ended", "timed-out", "killed" or "withdrawn" (its notice)
	KindChild      Kind = "child"      // child ID; State is "started", "continued", "ended" or "failed"; Text is its role, assignment or report
	KindSkill      Kind = "skill"      // the skill ID was loaded, with the arguments in Text
	KindRule       Kind = "rule"       // the rules file ID came into force; State is "always", "nested" or "listed"
	KindCompaction Kind = "compaction" // the conversation was replaced by the summary in Text
	KindSession    Kind = "session"    // a new conversation began
	KindServed     Kind = "served"     // a stub was called: what it was asked and answered, in Call; ID is the server
	KindFault      Kind = "fault"      // something went wrong on purpose: what, in Text; ID is the tool
	KindOutside    Kind = "outside"    // the workspace was changed by nobody that the agent knows, in Text
)

// An Event is one thing that happened during an attempt.
type Event struct {
	Kind Kind `json:"kind"`
	// Turn counts the agent's messages from 1. What comes before the first
	// message has turn 0; calls and what they cause have the turn of the message
	// that made them.
	Turn int `json:"turn"`
	// Agent is empty for the main agent, else the id of the child.
	Agent string `json:"agent,omitempty"`
	// At is when it began, since the start of the attempt.
	At time.Duration `json:"at"`

	// ID names what the event is about, where it is about something with a name.
	ID        string `json:"id,omitempty"`
	Text      string `json:"text,omitempty"`
	Reasoning string `json:"reasoning,omitempty"`
	// Exit is the exit status of a background command that ended.
	Exit *int `json:"exit,omitempty"`
	// Changed lists the workspace files that changed while a background command ran,
	// at its end, less those that calls of the same agent account for; or those that
	// were changed from outside.
	Changed []string `json:"changed,omitempty"`
	// Stop is why the model ended the message: "stop", "tool_calls", "length", …
	Stop  string `json:"stop,omitempty"`
	State string `json:"state,omitempty"`
	Mode  Mode   `json:"mode,omitempty"`
	Call  *Call  `json:"call,omitempty"`
	Todos []Todo `json:"todos,omitempty"`
}

// A Status says how a call ended.
type Status string

// How a call can end. Only a call with status [OK] succeeded.
const (
	OK        Status = "ok"
	Failed    Status = "error"     // the tool ran, and reports failure
	Refused   Status = "refused"   // the harness would not run it: mode, policy
	Malformed Status = "malformed" // the arguments are no JSON, or not what the tool takes
	Unknown   Status = "unknown"   // there is no such tool
	Cut       Status = "cut"       // it was still running when the attempt ended
)

// A Call is one tool call in canonical form: the tool names and arguments of the
// built-in agent. What another agent really sent stands beside it in Raw.
type Call struct {
	ID   string         `json:"id,omitempty"`
	Tool string         `json:"tool"`
	Args map[string]any `json:"args,omitempty"`

	// RawTool and Raw are the name and the arguments as sent, where they differ
	// from Tool and Args.
	RawTool string `json:"raw_tool,omitempty"`
	Raw     string `json:"raw,omitempty"`

	Status Status `json:"status"` // an agent that leaves it empty means OK
	Result string `json:"result,omitempty"`
	// Exit is the exit status of a shell command that ended.
	Exit *int          `json:"exit,omitempty"`
	Took time.Duration `json:"took,omitempty"`
	// Changed lists the workspace files that were created, changed or removed
	// while the call ran, by slash path, sorted. [Task.Changed] knows them: expect.Changing
	// never happens in the record of an agent that leaves it out.
	Changed []string `json:"changed,omitempty"`
}

// Arg returns the argument as text: a string as it is, anything else as JSON,
// "" where it is absent.
func (c Call) Arg(name string) string {
	v, ok := c.Args[name]
	if !ok || v == nil {
		return ""
	}
	if s, ok := v.(string); ok {
		return s
	}
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(b)
}

// A Todo is one item of the agent's todo list.
type Todo struct {
	Content  string `json:"content"`
	Status   string `json:"status"`             // pending, in_progress, completed or cancelled
	Priority string `json:"priority,omitempty"` // high, medium or low
}

// An EndReason is one of a closed list of reasons why an attempt ended.
type EndReason string

// Why an attempt can end.
const (
	EndStop     EndReason = "stop"     // the agent said its last word
	EndQuestion EndReason = "question" // it waits for an answer
	EndPlan     EndReason = "plan"     // it waits for a word on its plan, or on planning first

	// The limits. An attempt that meets one is a fail, whatever it had done.
	EndTurns  EndReason = "limit-turns"
	EndTime   EndReason = "limit-time"
	EndTokens EndReason = "limit-tokens"
	EndCost   EndReason = "limit-cost"

	// The agent's own faults that end it early; each is a fail.
	EndLength  EndReason = "length"  // the model was cut at its output limit and nothing could follow
	EndRefusal EndReason = "refusal" // the model's content filter stopped it

	// Everything else broke; each makes the attempt void.
	EndProvider EndReason = "provider" // the model could not be reached, or broke off, after every retry
	EndHarness  EndReason = "harness"  // the agent's own code failed: an error or a panic
	EndStopped  EndReason = "stopped"  // the run was interrupted
)

// End says why an attempt ended.
type End struct {
	Reason EndReason `json:"reason"`
	Detail string    `json:"detail,omitempty"`
}

// Limited reports whether the agent met one of its limits.
func (e End) Limited() bool {
	switch e.Reason {
	case EndTurns, EndTime, EndTokens, EndCost, EndLength, EndRefusal:
		return true
	}
	return false
}

// Orderly reports whether the agent ended its turn by itself.
func (e End) Orderly() bool {
	switch e.Reason {
	case EndStop, EndQuestion, EndPlan:
		return true
	}
	return false
}

// Limits bound what the agent may use. A zero field means the default.
type Limits struct {
	Turns  int           `json:"turns,omitempty"`  // messages of the agent (40)
	Time   time.Duration `json:"time,omitempty"`   // its own time, waiting for the model not counted (120 s)
	Tokens int           `json:"tokens,omitempty"` // prompt and completion together (no limit)
	Cost   float64       `json:"cost,omitempty"`   // US dollars (no limit)
	// Window is the size of the model's context window in tokens as the agent is
	// told it (not told).
	Window int `json:"window,omitempty"`
}

// Usage is what an attempt consumed.
type Usage struct {
	Requests   int `json:"requests"`
	Retries    int `json:"retries,omitempty"`
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Cached     int `json:"cached_tokens,omitempty"`
	Reasoning  int `json:"reasoning_tokens,omitempty"`
	// Unreported counts the answers whose usage the endpoint did not tell: with
	// any, the tokens are not known.
	Unreported int `json:"unreported,omitempty"`
	// Cost is in US dollars, and CostSource says where it comes from:
	// "reported" by the endpoint, or "" for unknown. Unknown is not zero.
	Cost       float64 `json:"cost,omitempty"`
	CostSource string  `json:"cost_source,omitempty"`

	Total    time.Duration `json:"total"`    // wall time of the attempt
	Provider time.Duration `json:"provider"` // of which waiting for the model
	// FirstToken is the median time to the first token of a request.
	FirstToken time.Duration `json:"first_token,omitempty"`

	// Model and Fingerprint are what the endpoint said it was.
	Model       string `json:"model,omitempty"`
	Fingerprint string `json:"fingerprint,omitempty"`
}

// tokens is how many were used, or -1 if the endpoint did not always say.
func (u Usage) tokens() int {
	if u.Unreported > 0 {
		return -1
	}
	return u.Prompt + u.Completion
}

// An Exchange is one request of the agent to the model, and what came back.
type Exchange struct {
	// Request is as it was sent, less what the request before it had too: Repeats
	// messages at its beginning, and the fields that were equal. See
	// [Evidence.Requests].
	Request  json.RawMessage `json:"request,omitempty"`
	Repeats  int             `json:"repeats,omitempty"`
	Response json.RawMessage `json:"response,omitempty"` // the assistant message, assembled
	Finish   string          `json:"finish,omitempty"`
	Status   int             `json:"status,omitempty"`
	Tries    int             `json:"tries,omitempty"`
	Fault    string          `json:"fault,omitempty"`
	Usage    json.RawMessage `json:"usage,omitempty"` // as the endpoint reported it
	At       time.Duration   `json:"at"`
	First    time.Duration   `json:"first,omitempty"`
	Took     time.Duration   `json:"took"`
}

// Files is a recorded file tree: slash path to file, without directories that
// hold something.
type Files map[string]File

// A File is one recorded file, link or empty directory.
type File struct {
	Mode fs.FileMode `json:"mode"`
	Link string      `json:"link,omitempty"` // target of a symbolic link
	Data []byte      `json:"data,omitempty"` // nil where the file is kept by digest alone
	Size int64       `json:"size,omitempty"`
	// Digest is the SHA-256 of the content in hex, set where Data was left out
	// because the file is large.
	Digest string `json:"digest,omitempty"`
}

// Same reports whether both are the same kind of file with the same content and
// permission bits.
func (f File) Same(g File) bool {
	return f.Mode == g.Mode && f.Link == g.Link && f.Size == g.Size && f.Digest == g.Digest && bytes.Equal(f.Data, g.Data)
}

// Changed lists the paths whose files differ between Before and After, sorted.
func (e Evidence) Changed() []string { return diffFiles(e.Before, e.After) }

// Path turns a path as the agent wrote it into a clean slash path relative to
// the workspace: "./a/../b.txt" and the absolute spelling are both "b.txt". A
// place outside the workspace stays absolute, the workspace itself is ".".
func (e Evidence) Path(p string) string {
	p = strings.ReplaceAll(p, `\`, "/")
	root := strings.ReplaceAll(e.Workspace, `\`, "/")
	if root == "" {
		return path.Clean(p)
	}
	root = path.Clean("/" + root)
	if !path.IsAbs(p) {
		p = path.Join(root, p)
	}
	p = path.Clean(p)
	switch {
	case p == root:
		return "."
	case strings.HasPrefix(p, root+"/"):
		return p[len(root)+1:]
	}
	return p
}

// Answer is what the main agent said last: the text of its last message that
// has any, since the user last spoke.
func (e Evidence) Answer() string {
	for i := len(e.Timeline) - 1; i >= 0; i-- {
		switch ev := e.Timeline[i]; {
		case ev.Agent != "":
		case ev.Kind == KindUser:
			return ""
		case ev.Kind == KindMessage && strings.TrimSpace(ev.Text) != "":
			return ev.Text
		}
	}
	return ""
}

// Said is everything that the main agent said since the user last spoke, one
// message after the other.
func (e Evidence) Said() string {
	var said []string
	for _, ev := range e.Timeline {
		switch {
		case ev.Agent != "":
		case ev.Kind == KindUser:
			said = nil
		case ev.Kind == KindMessage && strings.TrimSpace(ev.Text) != "":
			said = append(said, ev.Text)
		}
	}
	return strings.Join(said, "\n")
}
