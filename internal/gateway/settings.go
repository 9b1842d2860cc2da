package gateway

import (
	"encoding/json"
	"fmt"
	"maps"
)

// Settings are put into every request, instead of what the agent sent: the model
// is asked what the run says it is asked.
type Settings struct {
	Model       string // the model to ask, whatever the agent calls it
	Temperature *float64
	Seed        *int64
	Reasoning   string // reasoning_effort
	// Extra are other fields of the body. A null takes the field out.
	Extra map[string]json.RawMessage
}

// apply writes the settings into a request body, and asks for a stream with usage
// at its end, since only a stream shows when the first token came.
func (s Settings) apply(body []byte, usage bool) ([]byte, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		return nil, fmt.Errorf("the request is not a JSON object: %w", err)
	}
	if s.Model != "" {
		fields["model"] = text(s.Model)
	}
	if s.Temperature != nil {
		fields["temperature"] = mustJSON(*s.Temperature)
	}
	if s.Seed != nil {
		fields["seed"] = mustJSON(*s.Seed)
	}
	if s.Reasoning != "" {
		fields["reasoning_effort"] = text(s.Reasoning)
	}
	maps.Copy(fields, s.Extra)
	maps.DeleteFunc(fields, func(name string, v json.RawMessage) bool {
		_, ours := s.Extra[name]
		return ours && (v == nil || string(v) == "null")
	})
	fields["stream"] = json.RawMessage("true")
	delete(fields, "stream_options")
	if usage {
		fields["stream_options"] = json.RawMessage(`{"include_usage":true}`)
	}
	return mustJSON(fields), nil
}
