package gateway_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/gateway"
)

const second = `{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":null,"tool_calls":[{"id":"call_1_1","type":"function","function":{"name":"read","arguments":"{\"path\":\"/old/a\"}"}}]},{"role":"tool","tool_call_id":"call_1_1","content":"1: in /old"}],"tools":[{"type":"function","function":{"name":"read"}}]}`

// recorded plays a session and returns its record.
func recorded(t *testing.T) []gateway.Exchange {
	t.Helper()
	s := openSession(t, play(t, "-- pass --\nthink hm\nread path=/old/a\n\nsay Done in /old.\n"))
	post(t, s, ask)
	post(t, s, second)
	return s.Exchanges()
}

func answered(t *testing.T, u gateway.Upstream, body string) (*gateway.Reply, error) {
	t.Helper()
	r, err := gateway.ParseRequest([]byte(body))
	require.NoError(t, err)
	return u.Complete(context.Background(), r)
}

func TestRecordingAnswersByMeaning(t *testing.T) {
	t.Parallel()
	rec, err := gateway.NewRecording(recorded(t), "/old", "/new")
	require.NoError(t, err)

	// The second request comes first, with its keys in another order, other
	// settings, and the workspace of today.
	moved := strings.ReplaceAll(second, "/old", "/new")
	moved = strings.Replace(moved, `{"role":"user","content":"hi"}`, `{"content":"hi", "role":"user"}`, 1)
	moved = strings.Replace(moved, `"model":"m"`, `"model":"other","temperature":0`, 1)
	reply, err := answered(t, rec, moved)
	require.NoError(t, err)
	require.Equal(t, "Done in /new.", reply.Message.Text)
	require.Equal(t, "stop", reply.Finish)
	require.True(t, reply.Usage.Reported)

	for range 2 {
		reply, err = answered(t, rec, ask)
		require.NoError(t, err)
		require.Equal(t, "hm", reply.Message.Reasoning)
		require.Equal(t, []gateway.Call{{ID: "call_1_1", Name: "read", Arguments: `{"path":"/new/a"}`}}, reply.Message.Calls)
		require.Equal(t, "tool_calls", reply.Finish)
	}
}

func TestRecordingDiverges(t *testing.T) {
	t.Parallel()
	rec, err := gateway.NewRecording(recorded(t))
	require.NoError(t, err)
	tests := []struct{ name, body, want string }{
		{"another result", strings.Replace(second, "1: in /old", "1: in /older", 1),
			"message 3 differs from the recorded one:\n- {\"content\":\"1: in /old\",\"role\":\"tool\",\"tool_call_id\":\"call_1_1\"}\n+ {\"content\":\"1: in /older\",\"role\":\"tool\",\"tool_call_id\":\"call_1_1\"}"},
		{"another prompt", strings.Replace(ask, `"hi"`, `"`+strings.Repeat("x", 500)+`"`, 1),
			"message 1 differs from the recorded one:\n- {\"content\":\"hi\",\"role\":\"user\"}\n+ {\"content\":\"xxxxx"},
		{"one more", strings.Replace(second, `}],"tools"`, `},{"role":"user","content":"more"}],"tools"`, 1),
			"message 4 was not there when it was recorded:\n+ {\"content\":\"more\",\"role\":\"user\"}"},
		{"other tools", strings.Replace(ask, `"read"`, `"ls"`, 1),
			"the tools differ from the recorded ones:\n- [{\"function\":{\"name\":\"read\""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := answered(t, rec, tt.body)
			var f *gateway.Fault
			require.ErrorAs(t, err, &f)
			require.Equal(t, gateway.Diverged, f.Kind)
			require.Contains(t, f.Message, tt.want)
			require.Less(t, len(f.Message), 600)
		})
	}
	big := strings.Replace(ask, `"content":"hi"`, `"content":"hi","n":12345678901234567890`, 1)
	exact, err := gateway.NewRecording([]gateway.Exchange{{Request: []byte(big), Response: []byte(`{"content":"x"}`)}})
	require.NoError(t, err)
	_, err = answered(t, exact, big)
	require.NoError(t, err)
	_, err = answered(t, exact, strings.Replace(big, "67890}", "67891}", 1))
	require.Error(t, err, "large numbers are not rounded")

	empty, err := gateway.NewRecording(nil)
	require.NoError(t, err)
	_, err = answered(t, empty, ask)
	require.ErrorContains(t, err, "no answers")
}

func TestRecordingOfARepeatedRequest(t *testing.T) {
	t.Parallel()
	x := func(text string, f *gateway.Fault) gateway.Exchange {
		e := gateway.Exchange{Request: []byte(ask), Finish: "stop", Fault: f}
		if f == nil {
			e.Response = []byte(`{"role":"assistant","content":"` + text + `"}`)
		}
		return e
	}
	rec, err := gateway.NewRecording([]gateway.Exchange{x("", gateway.NewFault(gateway.Cancelled, "x")), x("one", nil), x("two", nil)})
	require.NoError(t, err)
	for _, want := range []string{"one", "two", "two"} {
		reply, err := answered(t, rec, ask)
		require.NoError(t, err)
		require.Equal(t, want, reply.Message.Text)
	}
}

func TestRecordingThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for _, x := range []gateway.Exchange{
		{Request: []byte("{"), Response: []byte("{}")},
		{Request: []byte(ask), Response: []byte("{")},
	} {
		_, err := gateway.NewRecording([]gateway.Exchange{x})
		require.Error(t, err)
	}
	_, err := gateway.NewRecording(nil, "odd")
	require.Error(t, err)
}
