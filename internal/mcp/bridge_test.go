package mcp

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/fixtures"
	"github.com/deeds-evals/deeds/internal/tools"
)

// A stub is the same over standard input and output as over HTTP.
func TestStubOverStdio(t *testing.T) {
	t.Parallel()
	h, err := NewHost()
	require.NoError(t, err)
	t.Cleanup(h.Close)
	url, stop := h.Open(Stub{
		Server: fixtures.Server{
			Name:      "desk",
			Tools:     []fixtures.Tool{{Name: "find", About: "finds", Args: []fixtures.Arg{{Name: "what"}}}},
			Resources: []fixtures.Resource{{URI: "desk://a", Name: "a", Text: "the\ndocument"}},
		},
		Call: func(_ context.Context, tool string, args map[string]any) fixtures.Answer {
			if args["what"] == "nothing" {
				return fixtures.Error("there is none")
			}
			return fixtures.OK("%s: %v", tool, args["what"])
		},
	})
	t.Cleanup(stop)

	program, args, env, err := Stdio(url)
	require.NoError(t, err)
	clients := DialAll(t.Context(), []Remote{{Name: "desk", Program: program, Args: args, Env: env}})
	t.Cleanup(clients[0].Close)
	call := make(map[string]tools.Extra)
	for _, x := range Tools(t.Context(), clients) {
		call[x.Name] = x
	}
	require.Contains(t, call, "mcp_desk_find")
	require.Equal(t, tools.Outcome{Status: tools.OK, Text: "find: a boat"}, call["mcp_desk_find"].Run(t.Context(), map[string]any{"what": "a boat"}))
	require.Equal(t, tools.Failed, call["mcp_desk_find"].Run(t.Context(), map[string]any{"what": "nothing"}).Status)
	require.Contains(t, call["mcp_resources"].Run(t.Context(), map[string]any{"uri": "desk://a"}).Text, "the\ndocument")

	dead := DialAll(t.Context(), []Remote{{Name: "gone", Program: "/no/such/program", Args: []string{"x"}}})
	t.Cleanup(dead[0].Close)
	for _, x := range Tools(t.Context(), dead) {
		require.Equal(t, "mcp_resources", x.Name, "it says what is wrong")
	}
}
