package behavior

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/script"
)

// keep shortens requests as evidence keeps them.
func keep(requests ...string) Evidence {
	var e Evidence
	var last conversation
	for _, r := range requests {
		var x Exchange
		x.Request, x.Repeats, last = last.shorten(json.RawMessage(r))
		e.Wire = append(e.Wire, x)
	}
	return e
}

func TestWireKeepsWhatIsNew(t *testing.T) {
	t.Parallel()
	requests := []string{
		`{"model":"m","tools":[1,2],"messages":[{"role":"system"},{"role":"user","content":"a"}]}`,
		`{"model":"m","tools":[1,2],"messages":[{"role":"system"},{"role":"user","content":"a"},{"role":"assistant"},{"role":"tool"}]}`,
		`{"model":"m","tools":[1],"seed":1,"messages":[{"role":"system"},{"role":"user","content":"a"},{"role":"assistant"},{"role":"tool"},{"role":"assistant"}]}`,
		`{"model":"m","messages":[{"role":"system"},{"role":"user","content":"a"}]}`, // fields are dropped
		`{"model":"m","messages":[{"role":"user","content":"a title"}]}`,             // another thread
		`not JSON`,
		`{"model":"m","messages":[{"role":"user","content":"a title"},{"role":"assistant"}]}`,
		`{"messages":null}`,
		`{"messages":[]}`,
	}
	e := keep(requests...)
	require.Equal(t, `{"messages":[{"role":"assistant"},{"role":"tool"}]}`, string(e.Wire[1].Request))
	require.Equal(t, 2, e.Wire[1].Repeats)
	require.JSONEq(t, `{"tools":[1],"seed":1,"messages":[{"role":"assistant"}]}`, string(e.Wire[2].Request))
	for i, whole := range e.Requests() {
		if !json.Valid([]byte(requests[i])) {
			require.Equal(t, requests[i], string(whole))
			continue
		}
		require.JSONEq(t, requests[i], string(whole), "request %d", i+1)
	}
	e.Wire = e.Wire[2:]
	require.Nil(t, e.Requests()[0], "what it repeats is gone")
}

func TestWireGrowsWithWhatIsSaid(t *testing.T) {
	t.Parallel()
	var messages []string
	var requests []string
	for i := range 200 {
		messages = append(messages, fmt.Sprintf(`{"role":"user","content":"%d %s"}`, i, strings.Repeat("x", 100)))
		requests = append(requests, `{"model":"m","messages":[`+strings.Join(messages, ",")+`]}`)
	}
	size := 0
	for _, x := range keep(requests...).Wire {
		size += len(x.Request)
	}
	require.Less(t, size, 2*len(requests[199]))
}

func FuzzWire(f *testing.F) {
	f.Add(`{"a":1,"messages":[1,2]}`, `{"a":1,"messages":[1,2,3]}`)
	f.Add(`{"a":1,"messages":[1]}`, `{"b":1,"messages":[1,{}]}`)
	f.Add(`{"messages":[null]}`, `{"messages":[null,null],"messages":[]}`)
	f.Fuzz(func(t *testing.T, a, b string) {
		for i, whole := range keep(a, b).Requests() {
			request := []string{a, b}[i]
			var want, got any
			if json.Unmarshal([]byte(request), &want) != nil {
				require.Equal(t, request, string(whole))
				continue
			}
			require.NoError(t, json.Unmarshal(whole, &got))
			require.Equal(t, want, got)
		}
	})
}

func TestAttemptKeepsItsRequests(t *testing.T) {
	t.Parallel()
	st := testStage(t)
	s, err := script.Parse([]byte("-- pass --\nwrite path=done content=x\n\nls\n\nsay Done.\n"))
	require.NoError(t, err)
	c := Case{Claim: "c", Prompt: "Do it.", Expect: BySignal{FilesystemSafety: {exists("done")}}}
	a := st.play(t.Context(), c.units("core/x")[0], "m", script.NewPlayer(s.Sections[0].Messages))
	require.Equal(t, Pass, a.outcome, "%s %s", a.reason, a.detail)
	requests := a.evidence.Requests()
	require.Len(t, requests, 3)
	require.Less(t, len(a.evidence.Wire[2].Request), len(requests[2])/4)
	for i, want := range []int{2, 4, 6} {
		var r struct{ Messages []any }
		require.NoError(t, json.Unmarshal(requests[i], &r))
		require.Len(t, r.Messages, want)
	}
}
