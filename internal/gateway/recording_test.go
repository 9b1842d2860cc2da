package gateway_test

import (
	"context"
	"strings"
	"testing"
	"time"

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
	rec, err := gateway.NewRecording(recorded(t), gateway.RecordingConfig{Replace: []string{"/old", "/new"}})
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

	require.ErrorContains(t, rec.Divergence(), "1 of 2 requests on record did not come again; the first is request 1, with 1 messages")
	reply, err = answered(t, rec, ask)
	require.NoError(t, err)
	require.Equal(t, "hm", reply.Message.Reasoning)
	require.Equal(t, []gateway.Call{{ID: "call_1_1", Name: "read", Arguments: `{"path":"/new/a"}`}}, reply.Message.Calls)
	require.Equal(t, "tool_calls", reply.Finish)
	require.Nil(t, rec.Divergence(), "all was asked that was recorded, and no more")

	// An answer is given once.
	_, err = answered(t, rec, ask)
	require.ErrorContains(t, err, "request 1 comes once more than it was recorded")
	_, err = answered(t, rec, strings.Replace(ask, `"hi"`, `"what?"`, 1))
	require.ErrorContains(t, err, "all answers on record are given, and one more is asked for; its last message\nis  {\"content\":\"what?\"")
	require.ErrorContains(t, rec.Divergence(), "once more", "the first divergence is the one that is told")
}

func TestRecordingDiverges(t *testing.T) {
	t.Parallel()
	exchanges := recorded(t)
	tests := []struct{ name, body, want string }{
		{"another result", strings.Replace(second, "1: in /old", "1: in /older", 1),
			"request 2, message 3 differs from the recorded one:\nwas {\"content\":\"1: in /old\",\"role\":\"tool\",\"tool_call_id\":\"call_1_1\"}\nis  {\"content\":\"1: in /older\",\"role\":\"tool\",\"tool_call_id\":\"call_1_1\"}"},
		{"another prompt", strings.Replace(ask, `"hi"`, `"`+strings.Repeat("x", 500)+`"`, 1),
			"request 1, message 1 differs from the recorded one:\nwas {\"content\":\"hi\",\"role\":\"user\"}\nis  {\"content\":\"xxxxx"},
		{"one more", strings.Replace(second, `}],"tools"`, `},{"role":"user","content":"more"}],"tools"`, 1),
			"request 2, message 4 was not there when it was recorded:\nis  {\"content\":\"more\",\"role\":\"user\"}"},
		{"other tools", strings.Replace(ask, `"read"`, `"ls"`, 1),
			"request 1 offers other tools than the recorded one:\nwas [{\"function\":{\"name\":\"read\""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rec, err := gateway.NewRecording(exchanges, gateway.RecordingConfig{})
			require.NoError(t, err)
			_, err = answered(t, rec, tt.body)
			var f *gateway.Fault
			require.ErrorAs(t, err, &f)
			require.Equal(t, gateway.Diverged, f.Kind)
			require.Contains(t, f.Message, tt.want)
			require.Less(t, len(f.Message), 600)
			require.Equal(t, f, rec.Divergence())
		})
	}
	big := strings.Replace(ask, `"content":"hi"`, `"content":"hi","n":12345678901234567890`, 1)
	exact, err := gateway.NewRecording([]gateway.Exchange{{Request: []byte(big), Response: []byte(`{"content":"x"}`)}}, gateway.RecordingConfig{})
	require.NoError(t, err)
	_, err = answered(t, exact, big)
	require.NoError(t, err)
	_, err = answered(t, exact, strings.Replace(big, "67890}", "67891}", 1))
	require.Error(t, err, "large numbers are not rounded")

	empty, err := gateway.NewRecording(nil, gateway.RecordingConfig{})
	require.NoError(t, err)
	_, err = answered(t, empty, ask)
	require.ErrorContains(t, err, "no answers")
}

// Requests that cannot be told apart have each an answer of its own: repeats of one are
// never all given the first.
func TestRecordingOfARepeatedRequest(t *testing.T) {
	t.Parallel()
	x := func(text string, f *gateway.Fault) gateway.Exchange {
		e := gateway.Exchange{Request: []byte(ask), Finish: "stop", Fault: f}
		if f == nil {
			e.Response = []byte(`{"role":"assistant","content":"` + text + `"}`)
		}
		return e
	}
	rec, err := gateway.NewRecording([]gateway.Exchange{x("", gateway.NewFault(gateway.Cancelled, "x")), x("one", nil), x("two", nil)}, gateway.RecordingConfig{})
	require.NoError(t, err)
	for _, want := range []string{"one", "two"} {
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
		_, err := gateway.NewRecording([]gateway.Exchange{x}, gateway.RecordingConfig{})
		require.Error(t, err)
	}
	_, err := gateway.NewRecording(nil, gateway.RecordingConfig{Replace: []string{"odd"}})
	require.Error(t, err)
}

// A limit that the agent met is met again. A request that nobody waited for to be
// answered has no answer, and need not come again.
func TestRecordingOfWhatWasNotAnswered(t *testing.T) {
	t.Parallel()
	limit := gateway.FaultOf("context-length (HTTP 400): too long, also when asked again")
	other := strings.Replace(ask, `"hi"`, `"ho"`, 1)
	exchanges := []gateway.Exchange{
		{Request: []byte(ask), Fault: limit},
		{Request: []byte(other), Fault: gateway.NewFault(gateway.Cancelled, "stopped")},
	}
	rec, err := gateway.NewRecording(exchanges, gateway.RecordingConfig{})
	require.NoError(t, err)
	require.ErrorContains(t, rec.Divergence(), "1 of 2 requests")
	_, err = answered(t, rec, ask)
	var f *gateway.Fault
	require.ErrorAs(t, err, &f)
	require.Equal(t, gateway.ContextLength, f.Kind)
	require.Nil(t, rec.Divergence())
	_, err = answered(t, rec, other)
	require.ErrorContains(t, err, "request 2 has no answer on record")
	require.NotNil(t, rec.Divergence())
}

// What is redacted in the record is redacted in what is asked, so that the one matches
// the other (symfony/ai#2409), in names as well as in texts; and nothing else is.
func TestRecordingRedactsBothSides(t *testing.T) {
	t.Parallel()
	secret := "sk-0123456789"
	redactor := gateway.NewRedactor(secret)
	asked := strings.Replace(ask, `"content":"hi"`, `"content":"the key is `+secret+`","`+secret+`":"x"`, 1)
	for name, request := range map[string][]byte{"redacted": redactor.Redact([]byte(asked)), "as it was": []byte(asked)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rec, err := gateway.NewRecording([]gateway.Exchange{{Request: request, Response: []byte(`{"content":"x"}`)}}, gateway.RecordingConfig{Redact: redactor.Redact})
			require.NoError(t, err)
			_, err = answered(t, rec, strings.Replace(asked, "the key", "a key", 1))
			require.ErrorContains(t, err, "message 1 differs")
			require.NotContains(t, err.Error(), secret)
			_, err = answered(t, rec, asked)
			require.NoError(t, err)
		})
	}
}

func TestFaultOf(t *testing.T) {
	t.Parallel()
	for _, kind := range gateway.FaultKinds() {
		f := gateway.NewFault(kind, "what: it said")
		require.Equal(t, f, gateway.FaultOf(f.Error()))
		f.Status = 418
		require.Equal(t, f, gateway.FaultOf(f.Error()))
	}
	require.Equal(t, gateway.Internal, gateway.FaultOf("whatever: it was").Kind)
}

// The times of a play are other ones when it is played again, and no divergence; the
// times that something else has are.
func TestRecordingKnowsTimesOfThePlay(t *testing.T) {
	t.Parallel()
	then := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	listing := func(at time.Time, rest string) string {
		return strings.Replace(second, "1: in /old", at.UTC().Format("a.txt Jan _2 15:04, b.txt ")+rest, 1)
	}
	exchanges := []gateway.Exchange{{Request: []byte(listing(then, "Jan  2  2031")), Response: []byte(`{"content":"x"}`)}}
	for name, test := range map[string]struct {
		asked string
		same  bool
	}{
		"now":          {listing(time.Now(), "Jan  2  2031"), true},
		"then":         {listing(then, "Jan  2  2031"), true},
		"another time": {listing(then.Add(time.Hour), "Jan  2  2031"), false},
		"another file": {listing(time.Now(), "Jan  3  2031"), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rec, err := gateway.NewRecording(exchanges, gateway.RecordingConfig{Then: gateway.Span{From: then, To: then.Add(time.Second)}})
			require.NoError(t, err)
			_, err = answered(t, rec, test.asked)
			require.Equal(t, test.same, err == nil, "%v", err)
		})
	}
}
