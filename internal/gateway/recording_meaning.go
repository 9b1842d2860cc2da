package gateway

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
)

// A meaning reads requests for what they mean. It is used by one goroutine at a time.
type meaning struct {
	redact func([]byte) []byte
	spans  []Span // whose times mean nothing
	// known are texts and what is left of them: a request says all that the one before
	// it said again.
	known map[string]string
}

// A canonicalMessage is the text of one message with sorted keys.
type canonicalMessage string

// of returns the messages and the tools of a request with sorted keys, without what
// must not be kept and without the times that mean nothing.
func (m meaning) of(body []byte) (messages []canonicalMessage, tools string, err error) {
	var in struct {
		Messages []any `json:"messages"`
		Tools    any   `json:"tools"`
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := d.Decode(&in); err != nil {
		return nil, "", fmt.Errorf("the request is not a chat completion request: %w", err)
	}
	for _, message := range in.Messages {
		messages = append(messages, canonicalMessage(mustJSON(m.clean(message))))
	}
	if in.Tools != nil {
		tools = string(mustJSON(m.clean(in.Tools)))
	}
	return messages, tools, nil
}

// clean cleans every text in a JSON value, names included, as the record is redacted.
func (m meaning) clean(value any) any {
	switch v := value.(type) {
	case string:
		return m.text(v)
	case []any:
		for i := range v {
			v[i] = m.clean(v[i])
		}
	case map[string]any:
		fields := make(map[string]any, len(v))
		for name, inner := range v {
			fields[m.text(name)] = m.clean(inner)
		}
		return fields
	}
	return value
}

func (m meaning) text(s string) string {
	clean, ok := m.known[s]
	if ok {
		return clean
	}
	clean = s
	if m.redact != nil {
		clean = string(m.redact([]byte(clean)))
	}
	if len(m.spans) > 0 {
		clean = timeless(clean, m.spans...)
	}
	m.known[s] = clean
	return clean
}

// A digest stands for the meaning of a request.
type digest [sha256.Size]byte

func digestOf(messages []canonicalMessage, tools string) (sum digest) {
	h := sha256.New()
	for _, m := range messages {
		fmt.Fprintf(h, "%d:%s", len(m), m)
	}
	fmt.Fprintf(h, "tools:%s", tools)
	h.Sum(sum[:0])
	return sum
}
