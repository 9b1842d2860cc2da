package agent

import (
	"encoding/json"
	"fmt"
	"slices"
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

	weight    int // how many tokens the first weighedAt messages take; 0: nobody has counted
	weighedAt int
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

// show appends what calls want the model to look at. Endpoints take pictures from the
// user only, and so they come in a message of their own behind all the answers.
func (h *history) show(results []result) {
	m := Message{Role: User}
	var from []string
	for _, r := range results {
		if len(r.outcome.Images) > 0 {
			m.Images = append(m.Images, r.outcome.Images...)
			from = append(from, fmt.Sprintf("%s (%s)", r.call.ID, wireName(r.tool)))
		}
	}
	if len(m.Images) > 0 {
		m.Text = "What there is to see in the results above: " + strings.Join(from, ", ")
		h.messages = append(h.messages, m)
	}
}

// weighed notes how many tokens the conversation takes, as an endpoint counted them.
func (h *history) weighed(u Usage) {
	if u.Prompt > 0 {
		h.weight, h.weighedAt = u.Prompt+u.Completion, len(h.messages)
	}
}

// seam is where a conversation can be cut in two, so that its end is enough to go on
// from: before the message that ended the last turn or, if a turn is under way, before
// the last so many messages of the model. It never parts a call from its answer.
func (h *history) seam(keep int) int {
	cut := 0
	for i, m := range slices.Backward(h.messages) {
		if m.Role != Assistant {
			continue
		}
		cut = i
		if keep--; keep <= 0 || len(m.Calls) == 0 {
			break
		}
	}
	return cut
}

// spoken reports whether the model has said anything before the cut.
func (h *history) spoken(cut int) bool {
	return slices.ContainsFunc(h.messages[:cut], func(m Message) bool { return m.Role == Assistant })
}

// restart puts other messages in the place of those there are.
func (h *history) restart(messages []Message) {
	h.messages, h.weight, h.weighedAt = messages, 0, 0
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
