package gateway_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/gateway"
	"github.com/deeds-evals/deeds/internal/script"
)

// gatewayFor starts a gateway that ends with the test.
func gatewayFor(t testing.TB, c gateway.Config) *gateway.Gateway {
	t.Helper()
	g, err := gateway.Start(c)
	require.NoError(t, err)
	t.Cleanup(g.Close)
	return g
}

// openSession opens a session that ends with the test.
func openSession(t testing.TB, u gateway.Upstream) *gateway.Session {
	t.Helper()
	s, err := gatewayFor(t, gateway.Config{}).Open(gateway.SessionConfig{Upstream: u, Model: "m"})
	require.NoError(t, err)
	return s
}

// play returns a player of the pass section of a script.
func play(t testing.TB, text string) *script.Player {
	t.Helper()
	s, err := script.Parse([]byte(text))
	require.NoError(t, err)
	return script.NewPlayer(s.Sections[0].Messages)
}

// post sends one chat request and returns the status and the body.
func post(t testing.TB, s *gateway.Session, body string) (int, string) {
	t.Helper()
	return send(t, http.MethodPost, s.BaseURL()+"/chat/completions", s.Key(), body)
}

func send(t testing.TB, method, url, key, body string) (int, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer "+key)
	resp, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(b)
}

// events takes a stream of server-sent events apart.
func events(t testing.TB, body string) []map[string]any {
	t.Helper()
	var all []map[string]any
	require.True(t, strings.HasSuffix(body, "data: [DONE]\n\n"), body)
	for e := range strings.SplitSeq(strings.TrimSuffix(body, "data: [DONE]\n\n"), "\n\n") {
		if e == "" {
			continue
		}
		var chunk map[string]any
		require.NoError(t, json.Unmarshal([]byte(strings.TrimPrefix(e, "data: ")), &chunk), e)
		all = append(all, chunk)
	}
	return all
}

const ask = `{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"read"}}]}`

func TestScriptedStream(t *testing.T) {
	t.Parallel()
	s := openSession(t, play(t, "-- pass --\nthink hm\nsay Looking.\nread path=a.txt\n\nsay Done.\n"))

	status, body := post(t, s, ask)
	require.Equal(t, 200, status)
	chunks := events(t, body)
	require.Len(t, chunks, 5)
	require.JSONEq(t, `{"index":0,"delta":{"role":"assistant","content":"","reasoning_content":"hm"},"finish_reason":null}`, choice(t, chunks[0]))
	require.JSONEq(t, `{"index":0,"delta":{"content":"Looking."},"finish_reason":null}`, choice(t, chunks[1]))
	require.JSONEq(t, `{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_1_1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\"}"}}]},"finish_reason":null}`, choice(t, chunks[2]))
	require.JSONEq(t, `{"index":0,"delta":{},"finish_reason":"tool_calls"}`, choice(t, chunks[3]))
	require.Empty(t, chunks[4]["choices"])
	require.NotNil(t, chunks[4]["usage"])

	x := s.Exchanges()
	require.Len(t, x, 1)
	require.JSONEq(t, ask, string(x[0].Request))
	require.JSONEq(t, `{"role":"assistant","content":"Looking.","reasoning_content":"hm","tool_calls":[{"id":"call_1_1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\"}"}}]}`, string(x[0].Response))
	require.Equal(t, "tool_calls", x[0].Finish)
	require.Equal(t, 1, x[0].Tries)
	require.Nil(t, s.Fault())
}

// choice returns the only choice of a chunk as JSON.
func choice(t testing.TB, chunk map[string]any) string {
	t.Helper()
	list, _ := chunk["choices"].([]any)
	require.Len(t, list, 1)
	b, err := json.Marshal(list[0])
	require.NoError(t, err)
	return string(b)
}

func TestScriptedWhole(t *testing.T) {
	t.Parallel()
	s := openSession(t, play(t, "-- pass --\nsay Hello.\n"))
	status, body := post(t, s, strings.Replace(ask, `"stream":true`, `"stream":false`, 1))
	require.Equal(t, 200, status)
	var got struct {
		Object  string
		Choices []struct {
			Message map[string]any
			Finish  string `json:"finish_reason"`
		}
		Usage map[string]any
	}
	require.NoError(t, json.Unmarshal([]byte(body), &got))
	require.Equal(t, "chat.completion", got.Object)
	require.Equal(t, map[string]any{"role": "assistant", "content": "Hello."}, got.Choices[0].Message)
	require.Equal(t, "stop", got.Choices[0].Finish)
	require.NotEmpty(t, got.Usage)
}
