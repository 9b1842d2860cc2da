package script_test

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/gateway"
	"github.com/deeds-evals/deeds/internal/script"
)

// history builds a request after a number of assistant messages, with the results
// of their tools.
func history(steps int, results ...string) *gateway.Request {
	r := &gateway.Request{Model: "m", Body: make([]byte, 400), Tools: []string{"read"}}
	r.Messages = append(r.Messages, gateway.Message{Role: "user", Text: "go"})
	for range steps {
		r.Messages = append(r.Messages, gateway.Message{Role: "assistant"})
	}
	for _, text := range results {
		r.Messages = append(r.Messages, gateway.Message{Role: "tool", Text: text})
	}
	return r
}

func answer(t testing.TB, p *script.Player, r *gateway.Request) gateway.Message {
	t.Helper()
	reply, err := p.Complete(context.Background(), r)
	require.NoError(t, err)
	require.Equal(t, "m", reply.Model)
	require.Equal(t, "assistant", reply.Message.Role)
	return reply.Message
}

func TestPlayerFollowsTheHistory(t *testing.T) {
	t.Parallel()
	p := script.NewPlayer(messages(t, "think hm\nread path=a\nread path=b\n\nsay Done.\n"))
	require.Equal(t, 2, p.Left())
	first := answer(t, p, history(0))
	require.Equal(t, gateway.Message{Role: "assistant", Reasoning: "hm", Calls: []gateway.Call{
		{ID: "call_1_1", Name: "read", Arguments: `{"path":"a"}`},
		{ID: "call_1_2", Name: "read", Arguments: `{"path":"b"}`},
	}}, first)
	require.Equal(t, 1, p.Left())
	require.Equal(t, first, answer(t, p, history(0)), "asking again changes nothing")
	require.Equal(t, "Done.", answer(t, p, history(1)).Text)
	require.Equal(t, 0, p.Left())
	answer(t, p, history(0))
	require.Equal(t, 0, p.Left(), "what was played stays played")
	require.False(t, p.RanOut())
	require.Empty(t, p.Problems())
}

func TestPlayerRunsOut(t *testing.T) {
	t.Parallel()
	p := script.NewPlayer(messages(t, "say Done.\n"))
	require.Equal(t, gateway.Message{Role: "assistant"}, answer(t, p, history(1)))
	require.True(t, p.RanOut())
	require.Equal(t, 1, p.Left())
}

func TestPlayerAnswersSideRequests(t *testing.T) {
	t.Parallel()
	p := script.NewPlayer(messages(t, "read path=a\n"))
	side := history(0)
	side.Tools = nil
	require.Equal(t, "OK.", answer(t, p, side).Text)
	require.Equal(t, 1, p.Left(), "the script was not played")
	p.ToolLess = true
	require.Len(t, answer(t, p, side).Calls, 1)
}

func TestPlayerExpands(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, script, want string }{
		{"group", `pay id="${id (\\w+)}"`, `{"id":"b2"}`},
		{"whole match", `pay id="${id \\w+}"`, `{"id":"id b2"}`},
		{"older result", `pay id="${only (\\w+)}"`, `{"id":"here"}`},
		{"quoted stays a string", `pay n="${total (\\d+)}"`, `{"n":"250"}`},
		{"bare becomes a number", `pay n=${total (\d+)}`, `{"n":250}`},
		{"bare stays a word", `pay n=x${total (\d+)}`, `{"n":"x250"}`},
		{"back quotes", "pay n=`${total (\\d+)}`", `{"n":"250"}`},
		{"braces", `pay n=${total (\d{2})}`, `{"n":25}`},
		{"nested", `pay all=[{"id":"<${id (\\w+)}>"},1.50]`, `{"all":[{"id":"<b2>"},1.50]}`},
		{"object", `pay {"b":"${id (\\w+)}","a":1}`, `{"b":"b2","a":1}`},
		{"escaped", `pay sh="echo \\${HOME}"`, `{"sh":"echo ${HOME}"}`},
		{"raw is left alone", `pay !{"id": ${id (\w+)}`, `{"id": ${id (\w+)}`},
		{"no arguments", `pay`, `{}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := script.NewPlayer(messages(t, tt.script+"\n"))
			got := answer(t, p, history(0, "id a1 only here", "id b2\ntotal 250 EUR"))
			require.Equal(t, tt.want, got.Calls[0].Arguments)
			require.Empty(t, p.Problems())
		})
	}
}

func TestPlayerReportsWhatNothingMatches(t *testing.T) {
	t.Parallel()
	p := script.NewPlayer(messages(t, "say ${nothing (\\d+)} here\npay n=${none}\n"))
	for range 2 {
		got := answer(t, p, history(0, "a result"))
		require.Equal(t, `${nothing (\d+)} here`, got.Text)
		require.Equal(t, `{"n":"${none}"}`, got.Calls[0].Arguments)
	}
	require.Equal(t, []string{
		`message 1: no tool result so far matches ${nothing (\d+)}, and no word of the user`,
		`message 1: no tool result so far matches ${none}, and no word of the user`,
	}, p.Problems())
}

func TestPlayerLatency(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := script.NewPlayer(messages(t, "say Done.\n"))
		p.Latency = 200 * time.Millisecond
		begun := time.Now()
		answer(t, p, history(0))
		require.Equal(t, 200*time.Millisecond, time.Since(begun))

		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		_, err := p.Complete(ctx, history(0))
		var f *gateway.Fault
		require.ErrorAs(t, err, &f)
		require.Equal(t, gateway.Cancelled, f.Kind)
	})
}

func TestPlayerUsageIsPlausible(t *testing.T) {
	t.Parallel()
	p := script.NewPlayer(messages(t, "read path=a\n"))
	reply, err := p.Complete(context.Background(), history(0))
	require.NoError(t, err)
	require.True(t, reply.Usage.Reported)
	require.Equal(t, 101, reply.Usage.Prompt)
	require.Positive(t, reply.Usage.Completion)
	require.Equal(t, "tool_calls", reply.Finish)
	require.True(t, json.Valid(reply.Completion()))
}
