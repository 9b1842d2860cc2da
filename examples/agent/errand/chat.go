package errand

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// message is one message of the OpenAI chat protocol.
type message struct {
	Role      string       `json:"role"`
	Content   string       `json:"content"`
	Reasoning string       `json:"reasoning_content,omitempty"`
	Calls     []wantedCall `json:"tool_calls,omitempty"`
	CallID    string       `json:"tool_call_id,omitempty"`
}

type wantedCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

type choice struct {
	Message message `json:"message"`
	Finish  string  `json:"finish_reason"`
}

// maxAnswer bounds what is read of an answer.
const maxAnswer = 16 << 20

// complete asks the model for its next message.
func (r *Runner) complete(ctx context.Context) (choice, error) {
	offered := make([]any, len(r.tools))
	for i, t := range r.tools {
		offered[i] = map[string]any{"type": "function", "function": map[string]any{
			"name": t.Name, "description": t.About, "parameters": t.Schema,
		}}
	}
	body, err := json.Marshal(map[string]any{"model": r.config.Model, "messages": r.history, "tools": offered})
	if err != nil {
		return choice{}, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.config.BaseURL+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return choice{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+r.config.Key)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return choice{}, err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return choice{}, err
	}
	if res.StatusCode != http.StatusOK {
		return choice{}, fmt.Errorf("the model answers %s: %.200s", res.Status, data)
	}
	var answer struct {
		Choices []choice `json:"choices"`
	}
	if err := json.Unmarshal(data, &answer); err != nil {
		return choice{}, fmt.Errorf("the model's answer cannot be read: %w", err)
	}
	if len(answer.Choices) == 0 {
		return choice{}, fmt.Errorf("the model's answer has no message")
	}
	return answer.Choices[0], nil
}
