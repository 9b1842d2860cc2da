package provider

import (
	"encoding/json"
	"strings"
)

// A chunk is one event of a stream, or a whole answer that was not streamed.
type chunk struct {
	Model       text            `json:"model"`
	Fingerprint text            `json:"system_fingerprint"`
	Choices     []choice        `json:"choices"`
	Usage       json.RawMessage `json:"usage"`
	Error       json.RawMessage `json:"error"`
	Groq        json.RawMessage `json:"x_groq"`
}

type choice struct {
	Index   number          `json:"index"`
	Delta   *delta          `json:"delta"`
	Message *delta          `json:"message"` // an answer that was not streamed
	Finish  text            `json:"finish_reason"`
	Error   json.RawMessage `json:"error"`
}

// A delta is a piece of a message.
type delta struct {
	Content json.RawMessage `json:"content"`
	Refusal text            `json:"refusal"`

	// The fields in which reasoning comes. A server that fills several of them
	// says the same thing in each.
	ReasoningContent json.RawMessage `json:"reasoning_content"`
	Reasoning        json.RawMessage `json:"reasoning"`
	Thinking         json.RawMessage `json:"thinking"`
	ReasoningDetails json.RawMessage `json:"reasoning_details"`
	ThinkingBlocks   json.RawMessage `json:"thinking_blocks"`

	Calls    []callDelta    `json:"tool_calls"`
	Function *functionDelta `json:"function_call"` // the form before tool_calls
}

type callDelta struct {
	Index        number          `json:"index"`
	ID           text            `json:"id"`
	Function     functionDelta   `json:"function"`
	ExtraContent json.RawMessage `json:"extra_content"`
}

// A functionDelta is a piece of a call. Arguments that come as an object are
// taken as its JSON.
type functionDelta struct {
	Name      text `json:"name"`
	Arguments text `json:"arguments"`
}

// empty reports whether a delta says nothing.
func (d *delta) empty() bool {
	if d == nil {
		return true
	}
	said, thought := d.text()
	return said == "" && thought == "" && len(d.Calls) == 0 && d.Function == nil
}

// text is what a delta adds to the text and to the reasoning.
func (d *delta) text() (said, thought string) {
	said, thought = parts(d.Content)
	said += string(d.Refusal)
	for _, field := range []json.RawMessage{
		d.ReasoningContent, d.Reasoning, d.Thinking, d.ReasoningDetails, d.ThinkingBlocks,
	} {
		if !present(field) {
			continue
		}
		text, more := parts(field)
		if text += more; text != "" {
			return said, thought + text
		}
	}
	return said, thought
}

// parts reads a field that holds text: a string, an object with a text, or a
// list of such, some of which may be reasoning.
func parts(raw json.RawMessage) (said, thought string) {
	if !present(raw) {
		return "", ""
	}
	switch raw[0] {
	case '"':
		return unquote(raw), ""
	case '[':
		var list []json.RawMessage
		_ = json.Unmarshal(raw, &list)
		var s, t strings.Builder
		for _, item := range list {
			a, b := parts(item)
			s.WriteString(a)
			t.WriteString(b)
		}
		return s.String(), t.String()
	case '{':
		var part struct {
			Type                             text
			Text, Content, Summary, Thinking json.RawMessage
		}
		if json.Unmarshal(raw, &part) != nil {
			return "", ""
		}
		for _, field := range []json.RawMessage{part.Text, part.Content, part.Summary} {
			if s, t := parts(field); s != "" || t != "" {
				if strings.Contains(string(part.Type), "reasoning") || strings.Contains(string(part.Type), "thinking") {
					return "", s + t
				}
				return s, t
			}
		}
		s, t := parts(part.Thinking)
		return "", s + t
	}
	return "", ""
}
