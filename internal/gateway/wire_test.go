package gateway_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/gateway"
)

const secret = "sk-very-real-0123456789"

// endpoint is a real server of a model, with the given ways to answer, one after
// the other; the last is repeated.
func endpoint(t *testing.T, ways ...http.HandlerFunc) (*gateway.Live, *atomic.Int64) {
	t.Helper()
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer "+secret {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		n := int(asked.Add(1)) - 1
		ways[min(n, len(ways)-1)](w, r)
	}))
	t.Cleanup(server.Close)
	live, err := gateway.NewLive(gateway.LiveConfig{
		BaseURL: server.URL + "/v1/", Key: secret,
		Idle:  300 * time.Millisecond,
		Retry: gateway.Retry{Tries: 3, First: time.Millisecond},
	})
	require.NoError(t, err)
	return live, &asked
}

func stream(w http.ResponseWriter, chunks ...string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, c := range chunks {
		fmt.Fprintf(w, "data: %s\n\n", c)
	}
	_ = http.NewResponseController(w).Flush()
}

const (
	part = `{"model":"big","choices":[{"index":0,"delta":{"content":"the key is ` + secret + `"}}]}`
	end  = `{"model":"big","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`
)

func whole(w http.ResponseWriter, _ *http.Request) { stream(w, part, end, "[DONE]") }

// TestOverTheWire has an agent, the gateway and an endpoint that breaks in the
// ways that real connections do.
func TestOverTheWire(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		way  http.HandlerFunc
	}{
		{"whole", whole},
		{"ends quietly", func(w http.ResponseWriter, _ *http.Request) { stream(w, part) }},
		{"reset", func(w http.ResponseWriter, _ *http.Request) {
			stream(w, part)
			panic(http.ErrAbortHandler)
		}},
		{"reset at once", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }},
		{"short of its length", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			stream(w, part)
		}},
		{"hangs", func(w http.ResponseWriter, r *http.Request) {
			stream(w, part)
			<-r.Context().Done()
		}},
		{"busy", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "busy", http.StatusServiceUnavailable) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			live, asked := endpoint(t, tt.way, whole)
			s := openSession(t, live)
			status, body := post(t, s, ask)
			require.Equal(t, 200, status)
			require.NotEmpty(t, events(t, body))
			require.NotContains(t, body, secret)
			require.Contains(t, body, "the key is [redacted]")

			x := s.Exchanges()[0]
			require.Equal(t, int(asked.Load()), x.Tries)
			require.Equal(t, tt.name != "whole", x.Tries == 2)
			require.NotContains(t, fmt.Sprintf("%+v %s %s", x, x.Request, x.Response), secret)
			require.Equal(t, "big", x.Model)
			require.LessOrEqual(t, x.First, x.Took)
		})
	}
}

func TestOverTheWireGivesUp(t *testing.T) {
	t.Parallel()
	live, asked := endpoint(t, func(w http.ResponseWriter, _ *http.Request) { stream(w, part) })
	s := openSession(t, live)
	status, body := post(t, s, ask)
	require.Equal(t, 502, status)
	require.True(t, strings.HasPrefix(body, `{"error":`), body)
	require.Equal(t, int64(3), asked.Load())
	require.Equal(t, gateway.CutStream, s.Fault().Kind)
	require.Equal(t, 2, s.Fault().Retries)
	require.Equal(t, 3, s.Exchanges()[0].Tries)
}
