package provider

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/agent"
	"github.com/deeds-evals/deeds/internal/tools"
)

func TestWhatIsNotSetIsNotSent(t *testing.T) {
	t.Parallel()
	require.Equal(t, map[string]any{
		"model":          "m",
		"messages":       []any{map[string]any{"role": "user", "content": "hello"}},
		"stream":         true,
		"stream_options": map[string]any{"include_usage": true},
	}, sent(t, Config{}, hello))
}

func TestSettingsAreSentAsTheyAre(t *testing.T) {
	t.Parallel()
	zero, seed := 0.0, int64(0)
	body := sent(t, Config{
		Temperature: &zero, Seed: &seed, ReasoningEffort: "high",
		Extra: map[string]any{"top_k": 1, "stream_options": map[string]any{}},
	}, hello)
	require.Equal(t, 0.0, body["temperature"])
	require.Equal(t, 0.0, body["seed"])
	require.Equal(t, "high", body["reasoning_effort"])
	require.Equal(t, 1.0, body["top_k"])
	require.Equal(t, map[string]any{}, body["stream_options"])
}

// go-openai refuses these before it sends anything.
func TestNoModelIsRefusedHere(t *testing.T) {
	t.Parallel()
	half := 0.5
	for _, model := range []string{"o1-mini", "o3", "gpt-5", "gpt-6-sol", "gpt-6-astra", "text-davinci-003", "", "a/b:c <d>"} {
		r := hello
		r.Model, r.Tools = model, []tools.Spec{{Name: "read"}}
		body := sent(t, Config{Temperature: &half, ReasoningEffort: "none", Extra: map[string]any{"max_tokens": 5}}, r)
		require.Equal(t, model, body["model"])
		require.Equal(t, 0.5, body["temperature"])
	}
}

func TestConversationOnTheWire(t *testing.T) {
	t.Parallel()
	body := sent(t, Config{}, agent.Request{
		Model: "m",
		Messages: []agent.Message{
			{Role: agent.System, Text: "be good"},
			{Role: agent.User, Text: "look & <see>"},
			{
				Role: agent.Assistant, Reasoning: "never sent",
				Calls: []agent.ToolCall{{ID: "a", Name: "ls", Arguments: "{}"}, {ID: "b", Name: "read", Arguments: `{"path":"x"}`}},
			},
			{Role: agent.Tool, CallID: "a"},
			{Role: agent.Tool, CallID: "b", Text: "1: \xff"},
			{Role: agent.Assistant},
		},
		Tools: []tools.Spec{
			{Name: "ls", Description: "lists"},
			{Name: "read", Parameters: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},"anyOf":[{}]}`)},
		},
	})
	call := func(id, name, arguments string) map[string]any {
		return map[string]any{"id": id, "type": "function", "function": map[string]any{"name": name, "arguments": arguments}}
	}
	require.Equal(t, []any{
		map[string]any{"role": "system", "content": "be good"},
		map[string]any{"role": "user", "content": "look & <see>"},
		map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{call("a", "ls", "{}"), call("b", "read", `{"path":"x"}`)}},
		map[string]any{"role": "tool", "content": "(no output)", "tool_call_id": "a"},
		map[string]any{"role": "tool", "content": "1: \uFFFD", "tool_call_id": "b"},
		map[string]any{"role": "assistant", "content": "(no text)"},
	}, body["messages"])
	require.Equal(t, []any{
		map[string]any{"type": "function", "function": map[string]any{
			"name": "ls", "description": "lists", "parameters": map[string]any{"type": "object", "properties": map[string]any{}},
		}},
		map[string]any{"type": "function", "function": map[string]any{
			"name": "read", "parameters": map[string]any{
				"type": "object", "properties": map[string]any{"path": map[string]any{"type": "string"}}, "anyOf": []any{map[string]any{}},
			},
		}},
	}, body["tools"])
}

// What an endpoint must see again goes back to it, within the turn it came in.
func TestExtraGoesBack(t *testing.T) {
	t.Parallel()
	got, err := ask(t, sse(
		piece(`{"reasoning_content":"let me "}`),
		piece(`{"reasoning_content":"look","reasoning_details":[{"type":"reasoning.text","index":0,"text":"a"}]}`),
		piece(`{"reasoning_details":[{"type":"reasoning.text","index":0,"text":"b","signature":"s"},{"type":"reasoning.encrypted","index":1,"data":"x"}]}`),
		piece(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"ls","arguments":"{}"},"extra_content":{"google":{"thought_signature":"t"}}}]}`),
		finish("tool_calls"), done))
	require.NoError(t, err)
	require.Equal(t, "let me lookb", got.Reasoning, "one field is read of each chunk")

	history := []agent.Message{{Role: agent.User, Text: "go"}, got, {Role: agent.Tool, CallID: "a", Text: "x"}}
	wire := sent(t, Config{}, agent.Request{Messages: history})["messages"].([]any)[1].(map[string]any)
	require.Equal(t, "let me look", wire["reasoning_content"])
	require.Equal(t, []any{
		map[string]any{"type": "reasoning.text", "index": 0.0, "text": "ab", "signature": "s"},
		map[string]any{"type": "reasoning.encrypted", "index": 1.0, "data": "x"},
	}, wire["reasoning_details"])
	require.Equal(t, map[string]any{"google": map[string]any{"thought_signature": "t"}},
		wire["tool_calls"].([]any)[0].(map[string]any)["extra_content"])

	history = append(history, agent.Message{Role: agent.User, Text: "and now?"})
	wire = sent(t, Config{}, agent.Request{Messages: history})["messages"].([]any)[1].(map[string]any)
	require.NotContains(t, wire, "reasoning_content")
	require.NotContains(t, wire, "reasoning_details")
}

func TestKeyAndPath(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{"": "", "k": "Bearer k"} {
		c := newClient(t, Config{Key: key}, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != want || r.Header.Get("Content-Type") != "application/json" {
				w.WriteHeader(http.StatusTeapot)
			}
			_, _ = io.WriteString(w, sse(finish("stop"), done))
		})
		_, err := c.Next(context.Background(), hello)
		require.NoError(t, err)
	}
}

func TestRequestThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	r := hello
	r.Tools = []tools.Spec{{Name: "x", Parameters: json.RawMessage("{")}}
	_, err := New(Config{BaseURL: "http://127.0.0.1:1"}).Next(context.Background(), r)
	require.ErrorContains(t, err, "write the request")
}

func TestPicturesOnTheWire(t *testing.T) {
	t.Parallel()
	body := sent(t, Config{}, agent.Request{Model: "m", Messages: []agent.Message{
		{Role: agent.User, Text: "look", Images: []tools.Image{{MIME: "image/png", Data: []byte("\x89P")}, {MIME: "image/gif", Data: []byte("G")}}},
		{Role: agent.User, Images: []tools.Image{{MIME: "image/png", Data: []byte("x")}}},
		{Role: agent.User, Text: "none"},
	}})
	picture := func(url string) map[string]any {
		return map[string]any{"type": "image_url", "image_url": map[string]any{"url": url}}
	}
	require.Equal(t, []any{
		map[string]any{"role": "user", "content": []any{
			map[string]any{"type": "text", "text": "look"},
			picture("data:image/png;base64,iVA="), picture("data:image/gif;base64,Rw=="),
		}},
		map[string]any{"role": "user", "content": []any{picture("data:image/png;base64,eA==")}},
		map[string]any{"role": "user", "content": "none"},
	}, body["messages"])
}
