package provider

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/internal/agent"
)

// An assembly puts a message together from the chunks of a stream.
type assembly struct {
	text, thought strings.Builder
	calls         []*slot
	finish        string
	single        bool // it came in one piece
	usage         agent.Usage
	model         string
	fingerprint   string

	reasoningContent strings.Builder
	details          details
}

// A slot is a call that is being put together.
type slot struct {
	index     int // as the server gave it; -1 if it gave none
	id, name  string
	arguments strings.Builder
	extra     json.RawMessage
}

// add takes a chunk in.
func (a *assembly) add(raw []byte) error {
	var c chunk
	if err := json.Unmarshal(raw, &c); err != nil {
		return fmt.Errorf("%w: %w: %s", ErrGarbled, err, excerpt(raw))
	}
	if present(c.Error) {
		return streamError(c.Error, raw)
	}
	if c.Model != "" {
		a.model = string(c.Model)
	}
	if c.Fingerprint != "" {
		a.fingerprint = string(c.Fingerprint)
	}
	a.count(c)
	for _, ch := range c.Choices {
		if present(ch.Error) {
			return streamError(ch.Error, raw)
		}
		if ch.Index.count() > 0 {
			continue // one answer was asked for
		}
		d := ch.Delta
		if d.empty() && !a.began() && ch.Message != nil {
			d, a.single = ch.Message, true
		}
		if d != nil {
			a.addDelta(d)
		}
		if f := finishReason(string(ch.Finish)); f == "error" {
			return streamError(json.RawMessage(`{"message":"the server ended the message with an error"}`), raw)
		} else if f != "" {
			a.finish = f
		}
	}
	return nil
}

// began reports whether there is anything of a message yet.
func (a *assembly) began() bool {
	return a.text.Len() > 0 || a.thought.Len() > 0 || len(a.calls) > 0
}

// count takes the usage in. Servers that report it more than once report the
// sum so far.
func (a *assembly) count(c chunk) {
	raw := c.Usage
	if !present(raw) && present(c.Groq) {
		var g struct{ Usage json.RawMessage }
		_ = json.Unmarshal(c.Groq, &g) // if there is none, there is none
		raw = g.Usage
	}
	if !present(raw) {
		return
	}
	if u, ok := readUsage(raw); ok {
		a.usage = u
	}
}

func (a *assembly) addDelta(d *delta) {
	said, thought := d.text()
	a.text.WriteString(said)
	a.thought.WriteString(thought)
	if s, t := parts(d.ReasoningContent); s+t != "" {
		a.reasoningContent.WriteString(s + t)
	}
	a.details.add(d.ReasoningDetails)
	for _, c := range d.Calls {
		a.addCall(c)
	}
	if f := d.Function; f != nil {
		s := a.slot(callDelta{Index: number{0, true}, Function: *f})
		s.add(callDelta{Function: *f})
	}
}

func (a *assembly) addCall(c callDelta) {
	if c.ID == "" && c.Function.Name == "" && c.Function.Arguments == "" && !present(c.ExtraContent) {
		return
	}
	a.slot(c).add(c)
}

// slot finds the call that a delta continues, or begins a new one. Servers
// differ in how they tell the two apart: most give an index, some only an id,
// some neither, and some the same index to every call.
func (a *assembly) slot(c callDelta) *slot {
	index := -1
	if c.Index.ok && c.Index.value >= 0 {
		index = c.Index.count()
	}
	for _, s := range slices.Backward(a.calls) {
		switch {
		case index >= 0 && s.index != index:
		case index < 0 && c.ID != "" && s.id != string(c.ID):
		case s.followedBy(c):
			// A second call in the place of the first.
			return a.begin(index)
		default:
			return s
		}
	}
	return a.begin(index)
}

func (a *assembly) begin(index int) *slot {
	s := &slot{index: index}
	a.calls = append(a.calls, s)
	return s
}

// followedBy reports whether a delta that seems to continue a call is really the
// beginning of the next.
func (s *slot) followedBy(c callDelta) bool {
	name, id := string(c.Function.Name), string(c.ID)
	switch {
	case name == "":
		return false
	case id != "" && s.id != "":
		return id != s.id
	case s.name == "":
		return false
	case id == "" && s.id != "" && s.index >= 0:
		return false // the server repeats the name
	case json.Valid([]byte(s.arguments.String())):
		return true // there is nothing left to continue
	}
	return s.index < 0 && name != s.name
}

// add takes a piece of the call in.
func (s *slot) add(c callDelta) {
	if s.id == "" {
		s.id = string(c.ID)
	}
	// A name comes whole, and some servers repeat it with every piece.
	if s.name == "" || s.arguments.Len() == 0 && string(c.Function.Name) != s.name {
		s.name += string(c.Function.Name)
	}
	s.arguments.WriteString(string(c.Function.Arguments))
	if present(c.ExtraContent) {
		s.extra = c.ExtraContent
	}
}

// message returns the message that was put together. ended says whether the
// server marked the end of the stream.
func (a *assembly) message(ended bool) (agent.Message, error) {
	if a.finish == "" && !((ended || a.single) && a.whole()) {
		return agent.Message{}, ErrCut
	}
	m := agent.Message{
		Role: agent.Assistant, Text: a.text.String(), Reasoning: a.thought.String(), Stop: a.finish,
		Usage: a.usage, Model: a.model, Fingerprint: a.fingerprint,
	}
	a.order()
	for _, s := range a.calls {
		m.Calls = append(m.Calls, agent.ToolCall{
			ID: s.id, Name: s.name, Arguments: s.arguments.String(),
			Extra: extra{ExtraContent: s.extra}.write(),
		})
	}
	if len(m.Calls) > 0 {
		m.Extra = extra{ReasoningContent: a.reasoningContent.String(), ReasoningDetails: a.details.write()}.write()
	}
	return m, nil
}

// whole reports whether a message that has no finish reason can be taken for
// complete: it says something, and its calls make sense.
func (a *assembly) whole() bool {
	for _, s := range a.calls {
		if s.arguments.Len() > 0 && !json.Valid([]byte(s.arguments.String())) {
			return false
		}
	}
	return a.text.Len() > 0 || len(a.calls) > 0
}

// order puts the calls in the order of their indexes, if these are of use.
func (a *assembly) order() {
	seen := make(map[int]bool)
	for _, s := range a.calls {
		if s.index < 0 || seen[s.index] {
			return
		}
		seen[s.index] = true
	}
	slices.SortStableFunc(a.calls, func(x, y *slot) int { return x.index - y.index })
}

// finishReason puts a server's word for why a message ended into the protocol's.
func finishReason(s string) string {
	switch l := strings.ToLower(s); l {
	case "", "null":
		return ""
	case "eos", "eos_token", "end_turn", "stop_sequence":
		return "stop"
	case "tool_use", "tool_call", "function_call":
		return "tool_calls"
	case "max_tokens", "model_length":
		return "length"
	case "safety", "content-filter", "recitation":
		return "content_filter"
	case "abort", "insufficient_system_resource":
		return "error"
	default:
		return l
	}
}
