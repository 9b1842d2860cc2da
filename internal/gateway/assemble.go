package gateway

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// An assembler joins the deltas of a stream into one message. It takes what
// servers are known to send: calls without index, calls that share one, arguments
// as objects, ids that are missing, errors in either shape, a whole message
// instead of deltas.
type assembler struct {
	reply  Reply
	text   strings.Builder
	reason strings.Builder
	calls  []*partialCall
	usage  json.RawMessage
	size   int64     // bytes of text, reasoning and arguments
	began  bool      // something of the message has come
	first  time.Time // when
}

type partialCall struct {
	index    *int
	id, name string
	args     strings.Builder
}

// inChunk is a chat.completion.chunk, a chat.completion, or an error.
type inChunk struct {
	Error       json.RawMessage `json:"error"`
	Object      string          `json:"object"`
	ID          string          `json:"id"`
	Created     float64         `json:"created"`
	Model       string          `json:"model"`
	Fingerprint string          `json:"system_fingerprint"`
	Choices     []struct {
		Index   int             `json:"index"`
		Delta   json.RawMessage `json:"delta"`
		Message json.RawMessage `json:"message"`
		Finish  string          `json:"finish_reason"`
		Error   json.RawMessage `json:"error"`
	} `json:"choices"`
	Usage json.RawMessage `json:"usage"`
	Groq  struct {
		Usage json.RawMessage `json:"usage"`
	} `json:"x_groq"`
}

// add takes one JSON object of the stream.
func (a *assembler) add(data []byte) *Fault {
	var c inChunk
	if err := json.Unmarshal(data, &c); err != nil {
		return NewFault(Garbage, "a part of the answer is no chat completion: %v: %s", err, clip(string(data), longestRaw))
	}
	if isSet(c.Error) {
		return streamFault(c.Error)
	}
	a.head(c)
	for _, choice := range c.Choices {
		if choice.Index != 0 {
			continue // nobody asked for a second answer
		}
		if isSet(choice.Error) {
			return streamFault(choice.Error)
		}
		if choice.Finish == "error" {
			return NewFault(Server, "the endpoint ended the message with an error, and does not say which")
		}
		for _, part := range []json.RawMessage{choice.Delta, choice.Message} {
			if !isSet(part) {
				continue
			}
			if f := a.delta(part); f != nil {
				return f
			}
		}
		if choice.Finish != "" {
			a.reply.Finish = choice.Finish
		}
	}
	return nil
}

func (a *assembler) head(c inChunk) {
	set := func(to *string, from string) {
		if from != "" {
			*to = from
		}
	}
	set(&a.reply.ID, c.ID)
	set(&a.reply.Model, c.Model)
	set(&a.reply.Fingerprint, c.Fingerprint)
	if c.Created > 0 {
		a.reply.Created = int64(c.Created)
	}
	if isSet(c.Usage) {
		a.usage = c.Usage
	} else if isSet(c.Groq.Usage) {
		a.usage = c.Groq.Usage
	}
}

// delta takes one part of the message. Of the fields it does not know the last
// value is kept, and lists and strings are joined.
func (a *assembler) delta(raw json.RawMessage) *Fault {
	var d wireMessage
	if err := json.Unmarshal(raw, &d); err != nil {
		return NewFault(Garbage, "a part of the message is not in the protocol: %v: %s", err, clip(string(raw), longestRaw))
	}
	m := d.message()
	a.text.WriteString(m.Text)
	a.reason.WriteString(m.Reasoning)
	a.size += int64(len(m.Text) + len(m.Reasoning))
	for _, c := range d.ToolCalls {
		a.call(c)
	}
	if m.Text != "" || m.Reasoning != "" || len(m.Calls) > 0 {
		a.begin()
	}
	a.extra(raw)
	return nil
}

// call finds the call that a delta goes on with, or begins one.
func (a *assembler) call(c wireToolCall) {
	var current *partialCall
	switch n := len(a.calls); {
	case c.Index != nil:
		for _, p := range a.calls {
			if p.index != nil && *p.index == *c.Index {
				current = p // the last of those that share an index
			}
		}
	case n > 0 && c.Function.Name == "" || n > 0 && c.ID != "" && c.ID == a.calls[n-1].id:
		current = a.calls[n-1]
	}
	// A new id with a name of its own is another call, whatever its index: some
	// servers give every call the index 0.
	if current == nil || c.ID != "" && current.id != "" && c.ID != current.id && c.Function.Name != "" {
		current = &partialCall{index: c.Index}
		a.calls = append(a.calls, current)
	}
	if current.id == "" {
		current.id = c.ID
	}
	if current.name == "" {
		current.name = c.Function.Name
	}
	current.args.WriteString(string(c.Function.Arguments))
	a.size += int64(len(c.Function.Arguments))
}

// known are the fields of a message that have a place of their own.
var known = map[string]bool{
	"role": true, "content": true, "reasoning_content": true, "reasoning": true, "tool_calls": true,
	"function_call": true, "refusal": true,
}

func (a *assembler) extra(raw json.RawMessage) {
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(raw, &fields) // it was decoded before
	for name, v := range fields {
		switch {
		case name == "refusal":
			a.refusal(v)
		case known[name] || !isSet(v):
		default:
			if a.reply.Message.Extra == nil {
				a.reply.Message.Extra = make(map[string]json.RawMessage)
			}
			joined := join(a.reply.Message.Extra[name], v)
			a.size += int64(len(v))
			a.reply.Message.Extra[name] = joined
		}
	}
}

// refusal is what a model says in another field when it will not answer.
func (a *assembler) refusal(v json.RawMessage) {
	var s content
	if json.Unmarshal(v, &s) == nil && s != "" {
		a.text.WriteString(string(s))
		a.size += int64(len(s))
		a.begin()
	}
}

func (a *assembler) begin() {
	if !a.began {
		a.began, a.first = true, time.Now()
	}
}

func join(a, b json.RawMessage) json.RawMessage {
	if len(a) == 0 {
		return b
	}
	var s, t string
	if json.Unmarshal(a, &s) == nil && json.Unmarshal(b, &t) == nil {
		return text(s + t)
	}
	var l, m []json.RawMessage
	if json.Unmarshal(a, &l) == nil && json.Unmarshal(b, &m) == nil {
		return mustJSON(append(l, m...))
	}
	return b
}

// done returns the whole message. Every call has an id of its own.
func (a *assembler) done() *Reply {
	r := a.reply
	r.Message.Role = "assistant"
	r.Message.Text = a.text.String()
	r.Message.Reasoning = a.reason.String()
	ids := make(map[string]bool)
	for i, p := range a.calls {
		id := p.id
		if id == "" {
			id = fmt.Sprintf("call_%d", i+1)
		}
		for n := 2; ids[id]; n++ {
			id = fmt.Sprintf("%s_%d", strings.TrimSuffix(id, fmt.Sprintf("_%d", n-1)), n)
		}
		ids[id] = true
		r.Message.Calls = append(r.Message.Calls, Call{ID: id, Name: p.name, Arguments: p.args.String()})
	}
	r.Usage = ParseUsage(a.usage)
	return &r
}

// empty reports whether the message has nothing in it.
func (m Message) empty() bool {
	return m.Text == "" && m.Reasoning == "" && len(m.Calls) == 0 && len(m.Extra) == 0
}

func isSet(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }
