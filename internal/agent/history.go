package agent

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/deeds-evals/deeds/internal/tools"
)

// A history is the conversation as it is sent to the model. What is added to it
// is made well-formed first, because endpoints refuse a conversation in which a
// model once made a malformed call, and then the call would be the end of it.
type history struct {
	messages []Message
	ids      map[string]bool
	named    int
}

// receive takes a message of the model as it came and makes of it what the loop
// works on: reasoning in its own place, and call ids that are unique.
func (h *history) receive(m Message) Message {
	m.Role, m.CallID = Assistant, ""
	rest, thought := splitReasoning(m.Text)
	m.Text = rest
	if thought != "" {
		m.Reasoning = strings.TrimSpace(m.Reasoning + "\n" + thought)
	}
	calls := make([]ToolCall, len(m.Calls))
	copy(calls, m.Calls)
	if h.ids == nil {
		h.ids = make(map[string]bool)
	}
	for i := range calls {
		calls[i].ID = h.unique(calls[i].ID)
	}
	m.Calls = calls
	if len(calls) == 0 {
		m.Calls = nil
	}
	return m
}

// unique returns id, or another if it is empty or taken.
func (h *history) unique(id string) string {
	for id == "" || h.ids[id] {
		h.named++
		id = fmt.Sprintf("call_%d", h.named)
	}
	h.ids[id] = true
	return id
}

// add appends a message.
func (h *history) add(m Message) {
	if len(m.Calls) > 0 {
		calls := make([]ToolCall, len(m.Calls))
		for i, c := range m.Calls {
			c.Name, c.Arguments = wireName(c.Name), wireArguments(c.Arguments)
			calls[i] = c
		}
		m.Calls = calls
	}
	h.messages = append(h.messages, m)
}

// answer appends the answer to a call.
func (h *history) answer(c ToolCall, o tools.Outcome) {
	h.messages = append(h.messages, Message{Role: Tool, CallID: c.ID, Text: o.Text})
}

// wireName turns the name of a call into one that every endpoint takes: letters,
// digits, "_" and "-", at most 64 of them.
func wireName(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, name)
	if name == "" {
		return "unnamed"
	}
	return name[:min(len(name), 64)]
}

// wireArguments turns the arguments of a call into ones that every endpoint
// takes: a JSON object. Many parse what they are sent back, to put it into the
// model's own syntax, and fail on anything else.
func wireArguments(arguments string) string {
	if !isObject(arguments) {
		return "{}"
	}
	return arguments
}

func isObject(s string) bool {
	var object map[string]json.RawMessage
	return json.Unmarshal([]byte(s), &object) == nil && object != nil
}
