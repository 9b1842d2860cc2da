package gateway

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// A Request is one request of an agent, as sent and as far as it was understood.
type Request struct {
	Model    string
	Body     []byte
	Messages []Message
	Tools    []string // the names of the tools it offers
	Stream   bool
	Usage    bool // it asks for usage at the end of the stream
}

// A Message is one message of a conversation.
type Message struct {
	Role      string
	Text      string // parts of several kinds are joined; what is no text is left out
	Reasoning string
	Calls     []Call // of an assistant
	CallID    string // of a tool: the call it answers
	// Extra holds fields of an assistant's message that only its provider knows.
	Extra map[string]json.RawMessage
}

// A Call is one tool call of a message.
type Call struct {
	ID        string
	Name      string
	Arguments string // as sent: usually JSON, but it may be anything
}

// ParseRequest reads the body of a chat completion request. It takes whatever
// an endpoint would take.
func ParseRequest(body []byte) (*Request, error) {
	var in struct {
		Model    string        `json:"model"`
		Messages []wireMessage `json:"messages"`
		Tools    []struct {
			Function struct {
				Name string `json:"name"`
			} `json:"function"`
		} `json:"tools"`
		Stream        bool `json:"stream"`
		StreamOptions struct {
			IncludeUsage bool `json:"include_usage"`
		} `json:"stream_options"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, fmt.Errorf("the request is not a chat completion request: %w", err)
	}
	if len(in.Messages) == 0 {
		return nil, errors.New("the request has no messages")
	}
	r := &Request{Model: in.Model, Body: body, Stream: in.Stream, Usage: in.StreamOptions.IncludeUsage}
	for _, m := range in.Messages {
		r.Messages = append(r.Messages, m.message())
	}
	for _, t := range in.Tools {
		r.Tools = append(r.Tools, t.Function.Name)
	}
	return r, nil
}

// Problems lists what is wrong with the conversation although it is well-formed:
// a result without its call, a call without its result, two calls of one id.
// Endpoints differ in which of these they refuse.
func (r *Request) Problems() []string {
	var problems []string
	open := make(map[string]string) // id of a call that waits for its result → name
	var order []string
	settle := func() {
		for _, id := range order {
			if name, ok := open[id]; ok {
				problems = append(problems, fmt.Sprintf("call %s of %s has no result", id, name))
			}
		}
		clear(open)
		order = order[:0]
	}
	for i, m := range r.Messages {
		if m.Role == "tool" {
			if _, ok := open[m.CallID]; !ok {
				problems = append(problems, fmt.Sprintf("message %d is the result of call %q, which nobody made", i+1, m.CallID))
			}
			delete(open, m.CallID)
			continue
		}
		settle()
		for _, c := range m.Calls {
			if _, ok := open[c.ID]; ok {
				problems = append(problems, fmt.Sprintf("message %d has two calls of id %q", i+1, c.ID))
			}
			open[c.ID] = c.Name
			order = append(order, c.ID)
		}
	}
	settle()
	return problems
}

// wireMessage is a message in the chat protocol, read leniently.
type wireMessage struct {
	Role             string         `json:"role"`
	Content          content        `json:"content"`
	ReasoningContent content        `json:"reasoning_content"`
	Reasoning        content        `json:"reasoning"`
	ToolCalls        []wireToolCall `json:"tool_calls"`
	ToolCallID       string         `json:"tool_call_id"`
}

func (w wireMessage) message() Message {
	m := Message{Role: w.Role, Text: string(w.Content), CallID: w.ToolCallID, Reasoning: string(w.ReasoningContent)}
	if m.Reasoning == "" {
		m.Reasoning = string(w.Reasoning)
	}
	for _, c := range w.ToolCalls {
		m.Calls = append(m.Calls, Call{ID: c.ID, Name: c.Function.Name, Arguments: string(c.Function.Arguments)})
	}
	return m
}

type wireToolCall struct {
	Index    *int   `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name      string    `json:"name"`
		Arguments arguments `json:"arguments"`
	} `json:"function"`
}

// content is text that may come as a string, as null or as a list of parts.
type content string

// UnmarshalJSON never fails on valid JSON: what is no text counts as none.
func (c *content) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*c = content(s)
		return nil
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(b, &parts) == nil {
		var all strings.Builder
		for _, p := range parts {
			all.WriteString(p.Text)
		}
		*c = content(all.String())
	}
	return nil
}

// arguments are a string in the protocol, and an object from some servers.
type arguments string

// UnmarshalJSON takes the string, or any other value as its JSON text.
func (a *arguments) UnmarshalJSON(b []byte) error {
	var s string
	switch {
	case json.Unmarshal(b, &s) == nil:
		*a = arguments(s)
	case string(b) != "null":
		*a = arguments(b)
	}
	return nil
}
