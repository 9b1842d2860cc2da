package gateway

import (
	"bytes"
	"encoding/json"
)

// The answer to the agent is built from the whole message, not passed on delta
// by delta: every agent is given the same well-formed answer, whatever oddities
// the endpoint's own stream had.

type wireChunk struct {
	ID          string          `json:"id"`
	Object      string          `json:"object"`
	Created     int64           `json:"created"`
	Model       string          `json:"model"`
	Fingerprint string          `json:"system_fingerprint,omitempty"`
	Choices     []wireChoice    `json:"choices"`
	Usage       json.RawMessage `json:"usage,omitempty"`
}

type wireChoice struct {
	Index   int             `json:"index"`
	Delta   json.RawMessage `json:"delta,omitempty"`
	Message json.RawMessage `json:"message,omitempty"`
	Finish  *string         `json:"finish_reason"`
}

type outCall struct {
	Index    *int        `json:"index,omitempty"`
	ID       string      `json:"id"`
	Type     string      `json:"type"`
	Function outFunction `json:"function"`
}

type outFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// JSON returns the message as the protocol has it, provider's fields included.
func (m Message) JSON() json.RawMessage {
	fields := m.head()
	fields["content"] = text(m.Text)
	if m.Text == "" && len(m.Calls) > 0 {
		fields["content"] = json.RawMessage("null")
	}
	if m.CallID != "" {
		fields["tool_call_id"] = text(m.CallID)
	}
	if len(m.Calls) > 0 {
		calls := make([]outCall, len(m.Calls))
		for i, c := range m.Calls {
			calls[i] = c.out(nil)
		}
		fields["tool_calls"] = mustJSON(calls)
	}
	return mustJSON(fields)
}

// head holds the role, the reasoning and the provider's own fields.
func (m Message) head() map[string]json.RawMessage {
	fields := make(map[string]json.RawMessage, len(m.Extra)+4)
	for k, v := range m.Extra {
		fields[k] = v
	}
	fields["role"] = text(m.Role)
	if m.Reasoning != "" {
		fields["reasoning_content"] = text(m.Reasoning)
	}
	return fields
}

func (c Call) out(index *int) outCall {
	return outCall{Index: index, ID: c.ID, Type: "function", Function: outFunction{Name: c.Name, Arguments: c.Arguments}}
}

// Chunks returns the reply as a stream of chat.completion.chunk objects: the
// role and the reasoning, the words, each call, the end, and the usage if asked.
func (r *Reply) Chunks(usage bool) []json.RawMessage {
	var chunks []json.RawMessage
	delta := func(d json.RawMessage, finish *string) {
		chunks = append(chunks, mustJSON(r.chunk("chat.completion.chunk", wireChoice{Delta: d, Finish: finish})))
	}
	head := r.Message.head()
	head["content"] = text("")
	delta(mustJSON(head), nil)
	if r.Message.Text != "" {
		delta(mustJSON(map[string]json.RawMessage{"content": text(r.Message.Text)}), nil)
	}
	for i, c := range r.Message.Calls {
		delta(mustJSON(map[string][]outCall{"tool_calls": {c.out(&i)}}), nil)
	}
	delta(json.RawMessage("{}"), &r.Finish)
	if u := r.Usage.JSON(); usage && len(u) > 0 {
		c := r.chunk("chat.completion.chunk")
		c.Usage = u
		chunks = append(chunks, mustJSON(c))
	}
	return chunks
}

// Completion returns the reply as one chat.completion object.
func (r *Reply) Completion() json.RawMessage {
	c := r.chunk("chat.completion", wireChoice{Message: r.Message.JSON(), Finish: &r.Finish})
	c.Usage = r.Usage.JSON()
	return mustJSON(c)
}

func (r *Reply) chunk(object string, choices ...wireChoice) wireChunk {
	if choices == nil {
		choices = []wireChoice{}
	}
	return wireChunk{ID: r.ID, Object: object, Created: r.Created, Model: r.Model, Fingerprint: r.Fingerprint, Choices: choices}
}

// text encodes a string without escaping what only HTML minds.
func text(s string) json.RawMessage { return mustJSON(s) }

// mustJSON encodes values that cannot fail to encode: strings, numbers and raw
// JSON that was decoded before.
func mustJSON(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return json.RawMessage("null")
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
