package provider

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"maps"

	openai "github.com/sashabaranov/go-openai"

	"github.com/deeds-evals/deeds/internal/agent"
)

// A request is the body of a request.
type request struct {
	Model           string        `json:"model"`
	Messages        []message     `json:"messages"`
	Tools           []tool        `json:"tools,omitempty"`
	Stream          bool          `json:"stream"`
	StreamOptions   streamOptions `json:"stream_options"`
	Temperature     *float64      `json:"temperature,omitempty"`
	Seed            *int64        `json:"seed,omitempty"`
	ReasoningEffort string        `json:"reasoning_effort,omitempty"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type message struct {
	Role string `json:"role"`
	// Content is always there, since servers ask for it: a text, parts if there are
	// pictures, or null in a message that only calls.
	Content any    `json:"content"`
	Calls   []call `json:"tool_calls,omitempty"`
	CallID  string `json:"tool_call_id,omitempty"`

	ReasoningContent string          `json:"reasoning_content,omitempty"`
	ReasoningDetails json.RawMessage `json:"reasoning_details,omitempty"`
}

type call struct {
	ID           string          `json:"id"`
	Type         string          `json:"type"`
	Function     function        `json:"function"`
	ExtraContent json.RawMessage `json:"extra_content,omitempty"`
}

type function struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type tool struct {
	Type     string     `json:"type"`
	Function definition `json:"function"`
}

type definition struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters"`
}

var noParameters = json.RawMessage(`{"type":"object","properties":{}}`)

// body writes the body of a request.
func (c Config) body(r agent.Request) ([]byte, error) {
	w := request{
		Model: r.Model, Messages: wireMessages(r.Messages),
		Stream: true, StreamOptions: streamOptions{IncludeUsage: true},
		Temperature: c.Temperature, Seed: c.Seed, ReasoningEffort: c.ReasoningEffort,
	}
	for _, t := range r.Tools {
		d := definition{Name: t.Name, Description: t.Description, Parameters: t.Parameters}
		if len(d.Parameters) == 0 {
			d.Parameters = noParameters
		}
		w.Tools = append(w.Tools, tool{Type: "function", Function: d})
	}
	b, err := encode(w)
	if err != nil || len(c.Extra) == 0 {
		return b, err
	}
	fields := make(map[string]any)
	var own map[string]json.RawMessage
	if err := json.Unmarshal(b, &own); err != nil {
		return nil, err
	}
	for name, value := range own {
		fields[name] = value
	}
	maps.Copy(fields, c.Extra)
	return encode(fields)
}

// wireMessages writes a conversation. What an endpoint wants to see again is
// sent within the turn in which it came, and not after the user has spoken again:
// that is what those endpoints ask for.
func wireMessages(all []agent.Message) []message {
	turn := 0
	for i, m := range all {
		if m.Role == agent.User {
			turn = i
		}
	}
	wire := make([]message, 0, len(all))
	for i, m := range all {
		w := message{Role: string(m.Role), Content: content(m), CallID: m.CallID}
		if i > turn {
			e := readExtra(m.Extra)
			w.ReasoningContent, w.ReasoningDetails = e.ReasoningContent, e.ReasoningDetails
		}
		for _, c := range m.Calls {
			w.Calls = append(w.Calls, call{
				ID: c.ID, Type: "function",
				Function:     function{Name: c.Name, Arguments: c.Arguments},
				ExtraContent: readExtra(c.Extra).ExtraContent,
			})
		}
		wire = append(wire, w)
	}
	return wire
}

// content is the content of a message. Servers refuse an empty one in several
// places, so it never is.
func content(m agent.Message) any {
	if len(m.Images) > 0 {
		return pictured(m)
	}
	s := m.Text
	if s == "" {
		switch {
		case len(m.Calls) > 0:
			return nil
		case m.Role == agent.Tool:
			s = "(no output)"
		case m.Role == agent.Assistant:
			s = "(no text)"
		}
	}
	return s
}

// pictured is the content of a message with pictures. They are part of the request, since
// no server could fetch them.
func pictured(m agent.Message) []openai.ChatMessagePart {
	var all []openai.ChatMessagePart
	if m.Text != "" {
		all = append(all, openai.ChatMessagePart{Type: openai.ChatMessagePartTypeText, Text: m.Text})
	}
	for _, i := range m.Images {
		all = append(all, openai.ChatMessagePart{
			Type:     openai.ChatMessagePartTypeImageURL,
			ImageURL: &openai.ChatMessageImageURL{URL: "data:" + i.MIME + ";base64," + base64.StdEncoding.EncodeToString(i.Data)},
		})
	}
	return all
}

// extra is what an endpoint put beside a message or a call and wants to see
// again.
type extra struct {
	ReasoningContent string          `json:"reasoning_content,omitempty"`
	ReasoningDetails json.RawMessage `json:"reasoning_details,omitempty"`
	ExtraContent     json.RawMessage `json:"extra_content,omitempty"`
}

func readExtra(raw json.RawMessage) (e extra) {
	if len(raw) == 0 || json.Unmarshal(raw, &e) != nil {
		return extra{}
	}
	return e
}

// write is the form in which it travels in an [agent.Message]; nil if there is
// nothing.
func (e extra) write() json.RawMessage {
	if e.ReasoningContent == "" && e.ReasoningDetails == nil && e.ExtraContent == nil {
		return nil
	}
	b, err := encode(e)
	if err != nil {
		return nil // it was read from JSON, so it can be written
	}
	return b
}

// encode writes JSON as a person would: without escapes for HTML.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
