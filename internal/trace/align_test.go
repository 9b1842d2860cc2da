package trace_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/internal/trace"
	"github.com/deeds-evals/deeds/results"
)

func says(turn int, text string) behavior.Event {
	return behavior.Event{Kind: behavior.KindMessage, Turn: turn, Text: text, Stop: "stop"}
}

func tool(turn int, name, path, result string) behavior.Event {
	return behavior.Event{Kind: behavior.KindCall, Turn: turn, Call: &behavior.Call{
		Tool: name, Args: map[string]any{"path": path}, Status: behavior.OK, Result: result, Took: time.Duration(len(path)) * time.Millisecond,
	}}
}

// spell writes an alignment as "1=1 2~2 3- +3", with "!" before the first difference.
func spell(a trace.Alignment) string {
	var all []string
	for i, p := range a.Pairs {
		word := map[string]string{
			trace.Equal: "%d=%d", trace.Reworded: "%d~%d", trace.Differs: "%d≠%d", trace.Left: "%d-%.0d", trace.Right: "%.0d+%d",
		}[p.Same]
		word = fmt.Sprintf(word, p.A, p.B)
		if i == a.First {
			word = "!" + word
		}
		all = append(all, word)
	}
	return strings.Join(all, " ")
}

func TestAlign(t *testing.T) {
	t.Parallel()
	user := behavior.Event{Kind: behavior.KindUser, Text: "Do it."}
	read, edit := tool(1, "read", "a", "x"), tool(2, "edit", "a", "ok")
	for name, tt := range map[string]struct {
		a, b []behavior.Event
		want string
	}{
		"nothing":     {nil, nil, ""},
		"alike":       {[]behavior.Event{user, read}, []behavior.Event{user, read}, "1=1 2=2"},
		"other words": {[]behavior.Event{user, says(1, "a"), read}, []behavior.Event{user, says(1, "b"), read}, "1=1 2~2 3=3"},
		"thoughts for words": {
			[]behavior.Event{says(1, "a")},
			[]behavior.Event{{Kind: behavior.KindMessage, Turn: 1, Reasoning: "b"}}, "1~1",
		},
		"only one ended early": {
			[]behavior.Event{says(1, "a")},
			[]behavior.Event{{Kind: behavior.KindMessage, Turn: 1, Text: "a", Stop: "length"}}, "!1≠1",
		},
		"a call more": {
			[]behavior.Event{user, says(1, "a"), read, says(2, "b"), edit, says(3, "Done.")},
			[]behavior.Event{user, says(1, "c"), tool(1, "edit", "a", "ok"), says(2, "Done.")},
			"1=1 2~2 !3- 4- 5=3 6=4",
		},
		"another result":   {[]behavior.Event{read}, []behavior.Event{tool(1, "read", "a", "y")}, "!1≠1"},
		"another argument": {[]behavior.Event{read}, []behavior.Event{tool(1, "read", "b", "x")}, "!1≠1"},
		"another tool":     {[]behavior.Event{read}, []behavior.Event{tool(1, "grep", "a", "x")}, "!1- +1"},
		"another agent": {
			[]behavior.Event{says(1, "a")},
			[]behavior.Event{{Kind: behavior.KindMessage, Turn: 1, Text: "a", Agent: "worker-1"}}, "!1- +1",
		},
		"one ends sooner": {[]behavior.Event{user, read}, []behavior.Event{user}, "1=1 !2-"},
		"other durations": {
			[]behavior.Event{tool(1, "bash", "a", "ok  \tm\t0.012s\n in 3 ms")},
			[]behavior.Event{tool(1, "bash", "a", "ok  \tm\t1.5s\n in 12 ms")}, "1=1",
		},
		"the likest of two": {
			[]behavior.Event{tool(1, "read", "a", "x")},
			[]behavior.Event{tool(1, "read", "b", "x"), tool(1, "read", "a", "x")}, "!+1 1=2",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, spell(trace.Align(of(tt.a...), of(tt.b...))))
		})
	}
}

// Each attempt has its workspace in a place of its own. That is no difference.
func TestAlignKnowsTheWorkspace(t *testing.T) {
	t.Parallel()
	in := func(dir string) trace.Trace {
		return trace.Of(&results.Run{}, &results.Attempt{}, nil, behavior.Evidence{
			Workspace: dir, Timeline: []behavior.Event{tool(1, "read", dir+"/a", "is "+dir+"/a")},
		})
	}
	require.Equal(t, "1=1", spell(trace.Align(in("/w/one"), in("/w/other"))))
}

// What is drawn for each attempt is no difference, and what hangs on nothing that was drawn
// still is.
func TestAlignKnowsWhatWasDrawn(t *testing.T) {
	t.Parallel()
	of := func(facts map[string]string, events ...behavior.Event) trace.Trace {
		return trace.Of(&results.Run{}, &results.Attempt{}, nil, behavior.Evidence{Facts: facts, Timeline: events})
	}
	call := func(turn int, amount float64) behavior.Event {
		return behavior.Event{Kind: behavior.KindCall, Turn: turn, Call: &behavior.Call{Tool: "credit", Args: map[string]any{"amount": amount}, Status: behavior.OK}}
	}
	one, other := map[string]string{"amount": "95.07", "who": "Ada", "no": "7"}, map[string]string{"amount": "1078.50", "who": "Ada", "no": "3"}
	long := func(amount string) behavior.Event {
		return tool(1, "read", "a", strings.Repeat("x ", 200)+"amount: "+amount+".")
	}
	for name, tt := range map[string]struct {
		a, b behavior.Event
		want string
	}{
		"in a result":                {tool(1, "look", "a", `{"amount": 95.07}`), tool(1, "look", "a", `{"amount": 1078.50}`), "1=1"},
		"as a number":                {call(1, 95.07), call(1, 1078.5), "1=1"},
		"in words":                   {says(1, "It is $95.07."), says(1, "It is $1,078.50."), "1=1"},
		"far in a long text":         {long("95.07"), long("1,078.50"), "1=1"},
		"in a text that is cut":      {says(1, "95.07"+strings.Repeat(" and", 100)), says(1, "1078.50"+strings.Repeat(" and", 100)), "1=1"},
		"of a size that goes by it":  {tool(1, "read", strings.Repeat("a", 200)+"\n95.07", ""), tool(1, "read", strings.Repeat("a", 200)+"\n1078.50", ""), "1=1"},
		"the value of the other one": {call(1, 95.07), call(1, 95.07), "1=1"},
		"another value":              {call(1, 95.07), call(1, 15), "!1≠1"},
		"only as a part":             {tool(1, "look", "a", "295.07"), tool(1, "look", "a", "21078.50"), "!1≠1"},
		"only as a part of a number": {tool(1, "look", "a", "version 7.1"), tool(1, "look", "a", "version 3.1"), "!1≠1"},
		"as a word":                  {tool(1, "look", "a", "room 7, please"), tool(1, "look", "a", "room 3, please"), "1=1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := trace.Align(of(one, tt.a), of(other, tt.b))
			require.Equal(t, tt.want, spell(got))
			require.Equal(t, []string{"amount", "no"}, got.Drawn)
		})
	}
	got := trace.Align(of(one, call(1, 95.07)), of(one, call(1, 95.07)))
	require.Empty(t, got.Drawn)
	require.Equal(t, "!1≠1", spell(trace.Align(of(one, call(1, 95.07)), of(nil, call(1, 1078.5)))), "a fact that only one of them has")
}

// Attempts too long for a table are still told apart where they part.
func TestAlignLong(t *testing.T) {
	t.Parallel()
	var a, b []behavior.Event
	for i := range 5000 {
		a = append(a, tool(i, "read", fmt.Sprint("a", i), ""))
		b = append(b, tool(i, "read", fmt.Sprint("a", i), ""))
	}
	require.Equal(t, -1, trace.Align(of(a...), of(b...)).First)
	b[7] = tool(7, "edit", "a7", "")
	got := trace.Align(of(a...), of(b...))
	require.Equal(t, 7, got.First)
	require.Equal(t, trace.Pair{A: 8, Same: trace.Left}, got.Pairs[7])
	require.Equal(t, trace.Pair{B: 8, Same: trace.Right}, got.Pairs[8])
	require.Equal(t, trace.Pair{A: 5000, B: 5000, Same: trace.Equal}, got.Pairs[5000])
	b = b[1:]
	require.Equal(t, 0, trace.Align(of(a...), of(b...)).First)
}
