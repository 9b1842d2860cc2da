package provider_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/spf13/afero"
	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/agent"
	"github.com/deeds-evals/deeds/internal/provider"
	"github.com/deeds-evals/deeds/internal/tools"
)

// server plays a conversation as a strict endpoint does: it refuses a history in
// which something is missing. The step is chosen from the history.
func server(t *testing.T, steps ...string) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var request struct {
			Messages []struct {
				Role    string
				Content *string
				CallID  string `json:"tool_call_id"`
				Calls   []struct {
					ID       string
					Function struct{ Name, Arguments string }
				} `json:"tool_calls"`
			}
		}
		if err := json.Unmarshal(body, &request); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		step := 0
		open := make(map[string]bool)
		for _, m := range request.Messages {
			if m.Content == nil && len(m.Calls) == 0 || m.Content != nil && *m.Content == "" {
				http.Error(w, "a message without content", http.StatusBadRequest)
				return
			}
			if m.Role == "assistant" {
				step++
			}
			for _, c := range m.Calls {
				var arguments map[string]any
				if c.ID == "" || open[c.ID] || json.Unmarshal([]byte(c.Function.Arguments), &arguments) != nil {
					http.Error(w, "a malformed call", http.StatusBadRequest)
					return
				}
				open[c.ID] = true
			}
			if m.Role == "tool" {
				if !open[m.CallID] {
					http.Error(w, "an answer to nothing", http.StatusBadRequest)
					return
				}
				delete(open, m.CallID)
			}
		}
		if len(open) > 0 || step >= len(steps) {
			http.Error(w, "calls without an answer", http.StatusBadRequest)
			return
		}
		fmt.Fprintf(w, "data: %s\n\ndata: [DONE]\n\n", strings.ReplaceAll(steps[step], "\n", ""))
	}))
	t.Cleanup(s.Close)
	return s
}

// The loop, the tools and the protocol together, with a model that makes every
// mistake on its way.
func TestAgentOverTheWire(t *testing.T) {
	t.Parallel()
	s := server(t,
		`{"choices":[{"delta":{"content":"<think>look first</think>","tool_calls":[{"index":0,"id":"","function":{"name":"read","arguments":"{\"path\":\"a.txt\"}"}},
			{"index":1,"id":"","function":{"name":"ls","arguments":{}}},
			{"index":2,"id":"x","function":{"name":"reed<|x|>","arguments":"{\"path\""}}]},"finish_reason":"tool_calls"}]}`,
		`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"x","function":{"name":"edit","arguments":"{\"path\":\"a.txt\",\"old\":\"draft\",\"new\":\"published\"}"}}]},"finish_reason":"stop"}],
			"usage":{"prompt_tokens":10,"completion_tokens":5,"cost":0.5}}`,
		`{"choices":[{"delta":{"content":"It is published."},"finish_reason":"stop"}]}`,
	)
	files := afero.NewMemMapFs()
	require.NoError(t, afero.WriteFile(files, "a.txt", []byte("channel=draft\n"), 0o644))
	var got []string
	stop, err := agent.Run(context.Background(), agent.Config{
		Model: provider.New(provider.Config{BaseURL: s.URL + "/v1", HTTP: s.Client()}), ModelName: "m",
		Tools:  tools.Env{Dir: "/w/project", Files: files},
		Limits: agent.Limits{Turns: 10},
		Observe: func(ev agent.Event) {
			switch ev.Kind {
			case agent.Said:
				got = append(got, fmt.Sprintf("%d said %q, thought %q", ev.Turn, ev.Message.Text, ev.Message.Reasoning))
			case agent.Called:
				got = append(got, fmt.Sprintf("%d %s#%s %s", ev.Turn, ev.Tool, ev.Call.ID, ev.Outcome.Status))
			}
		},
	}, "Publish it.")
	require.NoError(t, err)
	require.Equal(t, agent.Done, stop)
	require.Equal(t, []string{
		`1 said "", thought "look first"`,
		"1 read#call_1 ok", "1 ls#call_2 ok", "1 reed<|x|>#x unknown",
		`2 said "", thought ""`,
		"2 edit#call_3 ok",
		`3 said "It is published.", thought ""`,
	}, got)
	text, err := afero.ReadFile(files, "a.txt")
	require.NoError(t, err)
	require.Equal(t, "channel=published\n", string(text))
}
