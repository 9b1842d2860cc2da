package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/agent"
)

// sse writes events as most servers do.
func sse(data ...string) string {
	var b strings.Builder
	for _, d := range data {
		fmt.Fprintf(&b, "data: %s\n\n", d)
	}
	return b.String()
}

// piece is a chunk with one delta.
func piece(delta string) string { return `{"choices":[{"index":0,"delta":` + delta + `}]}` }

// finish is a chunk that ends a message.
func finish(reason string) string {
	return `{"choices":[{"index":0,"delta":{},"finish_reason":"` + reason + `"}]}`
}

const done = "[DONE]"

// newClient returns a client of a server on loopback.
func newClient(t testing.TB, c Config, h http.HandlerFunc) *Client {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	c.BaseURL, c.HTTP = server.URL+"/v1", server.Client()
	return New(c)
}

// answering is a server that gives one answer to everything.
func answering(contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", contentType)
		_, _ = io.WriteString(w, body)
	}
}

// ask sends a small conversation to a server that answers with an event stream.
func ask(t *testing.T, stream string) (agent.Message, error) {
	t.Helper()
	c := newClient(t, Config{}, answering("text/event-stream", stream))
	return c.Next(context.Background(), hello)
}

var hello = agent.Request{Model: "m", Messages: []agent.Message{{Role: agent.User, Text: "hello"}}}

// sent returns what a request looks like on the wire.
func sent(t *testing.T, c Config, r agent.Request) map[string]any {
	t.Helper()
	var body []byte
	client := newClient(t, c, func(w http.ResponseWriter, r *http.Request) {
		body, _ = io.ReadAll(r.Body)
		_, _ = io.WriteString(w, sse(piece(`{"content":"hi"}`), finish("stop"), done))
	})
	_, err := client.Next(context.Background(), r)
	require.NoError(t, err)
	var fields map[string]any
	require.NoError(t, json.Unmarshal(body, &fields))
	return fields
}
