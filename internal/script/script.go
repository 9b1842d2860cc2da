package script

import (
	"encoding/json"
)

// Scripts is a whole script file.
type Scripts struct {
	Comment  string
	Sections []Section
	// Harmless gives the reason why a mutant may survive, by the mutant's name.
	Harmless map[string]string
}

// A Kind says what a section must do to its case.
type Kind string

// The kinds of sections.
const (
	Pass Kind = "pass"
	Fail Kind = "fail"
)

// A Section is one script.
type Section struct {
	Kind     Kind
	Signals  []string // of a fail: exactly those that must fail
	World    string   // the world it is for; "" is every world
	Note     string
	Messages []Message // of the agent and its children
	Summary  []string  // what is answered to a request for a summary, one after the other
	User     []string  // what the simulated user says, one after the other
	Line     int       // of its header
}

// A Message is one message of the assistant.
type Message struct {
	Comments []string // the lines that began with "#"
	Child    int      // the child that says it, counted from 1; 0 is the agent itself
	Fresh    bool     // it is the first of a new conversation of the agent
	Think    string
	Say      string
	Calls    []Call
}

// A Call is one tool call.
type Call struct {
	Tool string
	Args []Arg
	// Raw is sent instead of Args if IsRaw, whatever it is.
	Raw   string
	IsRaw bool
	// Optional is the reason why the call may be left out, if it may.
	Optional string
	// Fails is the reason why the call does not succeed, if that is meant.
	Fails string
}

// An Arg is one argument, in the order it was written.
type Arg struct {
	Name  string
	Value json.RawMessage
	// Bare marks an unquoted value with ${…} in it, whose type shows only once
	// it is expanded. Value is the string as written.
	Bare bool
}

// spare reports whether the deed does not rest on the call: it may be left out, or
// does not succeed.
func (c Call) spare() bool { return c.Optional != "" || c.Fails != "" }

// Optional reports whether the message has calls and the deed rests on none of
// them.
func (m Message) Optional() bool {
	for _, c := range m.Calls {
		if !c.spare() {
			return false
		}
	}
	return len(m.Calls) > 0
}
