package trace_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/internal/trace"
	"github.com/deeds-evals/deeds/results"
)

// of is the trace of an attempt that did nothing but these events.
func of(events ...behavior.Event) trace.Trace {
	return trace.Of(&results.Run{}, &results.Attempt{}, nil, behavior.Evidence{Timeline: events})
}

func called(c behavior.Call) behavior.Event {
	return behavior.Event{Kind: behavior.KindCall, Turn: 1, Call: &c}
}

func TestEvents(t *testing.T) {
	t.Parallel()
	one, zero := 1, 0
	long := strings.Repeat("é", 200)
	lines := strings.Repeat("a line\n", 20)
	for name, tt := range map[string]struct {
		event behavior.Event
		want  trace.Event
	}{
		"user": {
			behavior.Event{Kind: behavior.KindUser, Text: "Do it.\n"},
			trace.Event{Kind: "user", Title: "Do it.", Lead: "Do it."},
		},
		"user, several lines": {
			behavior.Event{Kind: behavior.KindUser, Text: "Do it.\nPlease.", State: "meanwhile"},
			trace.Event{Kind: "user", Title: "meanwhile: Do it.", Lead: "meanwhile", Parts: []trace.Part{{Name: "text", Text: "Do it.\nPlease."}}},
		},
		"a long line": {
			behavior.Event{Kind: behavior.KindMessage, Text: long},
			trace.Event{Kind: "says", Title: strings.Repeat("é", 150) + "…", Parts: []trace.Part{{Name: "text", Text: long}}},
		},
		"words and thinking": {
			behavior.Event{Kind: behavior.KindMessage, Text: "Hm.", Reasoning: "one\ntwo", Stop: "tool_calls"},
			trace.Event{Kind: "says", Title: "Hm.", Lead: "Hm.", Parts: []trace.Part{{Name: "thinking", Text: "one\ntwo", Folded: true}}},
		},
		"thinking": {
			behavior.Event{Kind: behavior.KindMessage, Reasoning: "one\ntwo"},
			trace.Event{Kind: "thinks", Title: "one", Parts: []trace.Part{{Name: "thinking", Text: "one\ntwo", Folded: true}}},
		},
		"a line of thinking": {
			behavior.Event{Kind: behavior.KindMessage, Reasoning: "one"},
			trace.Event{Kind: "thinks", Title: "one", Lead: "one"},
		},
		"nothing": {
			behavior.Event{Kind: behavior.KindMessage, Stop: "length"},
			trace.Event{Kind: "says", Title: "(nothing)", Status: "ended by length", Bad: true},
		},
		"call": {
			called(behavior.Call{Tool: "read", Args: map[string]any{"path": "a.txt", "offset": 3.0}, Status: behavior.OK, Result: "hello", Took: 1500 * time.Microsecond}),
			trace.Event{
				Kind: "call", Title: `read offset=3 path="a.txt"`, Lead: `read offset=3 path="a.txt"`, Status: "ok, 1 ms",
				Parts: []trace.Part{{Name: "result", Text: "hello"}},
			},
		},
		"call with a long argument and result": {
			called(behavior.Call{Tool: "write", Args: map[string]any{"path": "a", "content": "one\n\ttwo\n", "z": []any{long}}, Status: behavior.Refused, Result: lines, Changed: []string{"b", "c\nd"}}),
			trace.Event{
				Kind: "call", Title: `write content=(2 lines) path="a" z=(404 bytes)`, Lead: `write path="a"`, Status: "refused", Bad: true,
				Parts: []trace.Part{
					{Name: "arguments", Text: "content:\n  one\n  \ttwo\nz:\n  [\"" + long + "\"]"},
					{Name: "changed", Text: "b\nc\\nd"},
					{Name: "result", Text: lines, Folded: true},
				},
			},
		},
		"shell": {
			called(behavior.Call{Tool: "bash", Args: map[string]any{"command": "false"}, Status: behavior.Failed, Exit: &one}),
			trace.Event{Kind: "call", Title: `bash command="false"`, Lead: `bash command="false"`, Status: "error, exit status 1", Bad: true},
		},
		"no JSON": {
			called(behavior.Call{Tool: "read", Raw: `{"path": `, Status: behavior.Malformed}),
			trace.Event{Kind: "call", Title: `read {"path":`, Lead: `read {"path":`, Status: "malformed", Bad: true},
		},
		"another spelling": {
			called(behavior.Call{Tool: "read", RawTool: "read_file", Args: map[string]any{"path": "a"}, Raw: `{"file_path":"a"}`, Status: behavior.OK}),
			trace.Event{
				Kind: "call", Title: `read path="a"`, Lead: `read path="a"`, Status: "ok",
				Parts: []trace.Part{{Name: "sent as", Text: `read_file {"file_path":"a"}`}},
			},
		},
		"no call": {
			behavior.Event{Kind: behavior.KindCall},
			trace.Event{Kind: "call", Title: "(the record has no call here)", Lead: "(the record has no call here)", Bad: true},
		},
		"served": {
			behavior.Event{Kind: behavior.KindServed, ID: "crm", Call: &behavior.Call{Tool: "find", Status: behavior.OK}},
			trace.Event{Kind: "served", Title: "crm/find", Lead: "crm/find", Status: "ok"},
		},
		"mode": {
			behavior.Event{Kind: behavior.KindMode, Mode: behavior.Plan},
			trace.Event{Kind: "mode", Title: "plan", Lead: "plan"},
		},
		"plan": {
			behavior.Event{Kind: behavior.KindPlan, State: "ready", Text: "# Plan\n1. read"},
			trace.Event{Kind: "plan", Title: "ready: # Plan", Lead: "ready", Parts: []trace.Part{{Name: "text", Text: "# Plan\n1. read"}}},
		},
		"background": {
			behavior.Event{Kind: behavior.KindBackground, ID: "bg-1", State: "ended", Text: "make", Exit: &one, Changed: []string{"out"}},
			trace.Event{Kind: "background", Title: "bg-1 ended, exit status 1: make", Lead: "bg-1 ended, exit status 1: make", Bad: true, Parts: []trace.Part{{Name: "changed", Text: "out"}}},
		},
		"background that went well": {
			behavior.Event{Kind: behavior.KindBackground, ID: "bg-1", State: "ended", Exit: &zero},
			trace.Event{Kind: "background", Title: "bg-1 ended, exit status 0", Lead: "bg-1 ended, exit status 0"},
		},
		"todo": {
			behavior.Event{Kind: behavior.KindTodo, Todos: []behavior.Todo{{Content: "a", Status: "completed"}, {Content: "b", Status: "in_progress"}, {Content: "c", Status: "odd"}}},
			trace.Event{Kind: "todo", Title: "1 of 3 done", Parts: []trace.Part{{Name: "text", Text: "[x] a\n[>] b\n[odd] c"}}},
		},
		"no todo": {
			behavior.Event{Kind: behavior.KindTodo},
			trace.Event{Kind: "todo", Title: "(empty)", Lead: "(empty)"},
		},
		"a kind of a later version": {
			behavior.Event{Kind: "la\nter", Text: "what\rit says"},
			trace.Event{Kind: `la\nter`, Title: "what", Parts: []trace.Part{{Name: "text", Text: "what\rit says"}}},
		},
		"a name over several lines": {
			called(behavior.Call{Tool: "a\nb", Args: map[string]any{"n\nm": "x"}, Status: "o\nk"}),
			trace.Event{Kind: "call", Title: `a\nb n\nm="x"`, Lead: `a\nb n\nm="x"`, Status: `o\nk`, Bad: true},
		},
		"no kind, no text": {
			behavior.Event{},
			trace.Event{Title: "(nothing)"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := of(tt.event).Events[0]
			tt.want.N, tt.want.Turn = 1, tt.event.Turn
			require.Equal(t, tt.want, got)
			require.NotContains(t, got.Title, "\n")
		})
	}
}

func TestChildren(t *testing.T) {
	t.Parallel()
	tr := of(
		behavior.Event{Kind: behavior.KindChild, ID: "worker-1", State: "started", Text: "worker: do it"},
		behavior.Event{Kind: behavior.KindMessage, Agent: "worker-1", Turn: 1, Text: "a", At: 1200 * time.Millisecond},
		behavior.Event{Kind: behavior.KindChild, Agent: "worker-1", ID: "explore-2", State: "started"},
		behavior.Event{Kind: behavior.KindMessage, Agent: "explore-2", Turn: 1, Text: "b"},
		behavior.Event{Kind: behavior.KindMessage, Agent: "stray", Turn: 1, Text: "c"},
		behavior.Event{Kind: behavior.KindChild, ID: "worker-1", State: "failed"},
	)
	var depths []int
	for _, e := range tr.Events {
		depths = append(depths, e.Depth)
	}
	require.Equal(t, []int{0, 1, 1, 2, 1, 0}, depths)
	require.True(t, tr.Events[5].Bad)
	require.Equal(t, "turn 1 of child worker-1, at 1.2 s", tr.Events[1].TurnTitle())
	require.Equal(t, "before the first turn", tr.Events[0].TurnTitle())
	require.Equal(t, "turn 2, at 1 ms", of(behavior.Event{Turn: 2, At: time.Microsecond}).Events[0].TurnTitle())
	require.True(t, tr.Events[1].SameTurn(tr.Events[1]))
	require.False(t, tr.Events[3].SameTurn(tr.Events[4]))
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	a := &results.Attempt{Verdicts: []results.Verdict{
		{Signal: "tool-chain", Name: "reads first", Outcome: "fail", Got: "it did not", Events: []int{1, 99, -1}, Where: "x_test.go:9"},
		{Signal: "plan-safety", Name: "plans", Outcome: "pass", Events: []int{0}, Conditional: true},
		{Signal: "required-tool", Name: "reads", Outcome: "fail", Events: []int{2, 1}},
	}}
	tr := trace.Of(&results.Run{}, a, nil, behavior.Evidence{Timeline: make([]behavior.Event, 3)})
	require.Equal(t, []trace.Verdict{
		{Signal: "tool-chain", Name: "reads first", Outcome: "fail", Got: "it did not", Events: []int{2}, Where: "x_test.go:9"},
		{Signal: "plan-safety", Name: "plans", Outcome: "pass", Events: []int{1}, Conditional: true},
		{Signal: "required-tool", Name: "reads", Outcome: "fail", Events: []int{3, 2}},
	}, tr.Verdicts)
	require.Nil(t, tr.Events[0].Blames, "nobody is guilty of what passed")
	require.Equal(t, []int{0, 2}, tr.Events[1].Blames)
	require.Equal(t, []int{2}, tr.Events[2].Blames)
	require.Equal(t, []int{2, 3}, tr.Guilty())
}

func TestFiles(t *testing.T) {
	t.Parallel()
	big := []byte(strings.Repeat("x\n", 1<<18))
	tr := trace.Of(&results.Run{}, &results.Attempt{}, nil, behavior.Evidence{
		Before: behavior.Files{
			"gone": {Data: []byte("bye\n")}, "mode": {Mode: 0o644}, "same": {Data: []byte("x")}, "text": {Data: []byte("a\nb\n")},
			"bin": {Data: []byte{0xff}}, "huge": {Size: 1 << 30, Digest: "aa"}, "link": {Link: "a"}, "big": {Data: big},
		},
		After: behavior.Files{
			"mode": {Mode: 0o755}, "new": {Data: []byte("hello\n")}, "same": {Data: []byte("x")}, "text": {Data: []byte("a\nc\n")},
			"bin": {Data: []byte{0xff, 1}}, "huge": {Data: []byte("small")}, "link": {}, "big": {Data: append(big, 'y')},
		},
	})
	require.Equal(t, []trace.File{
		{Path: "big", Change: "changed", Note: "texts of 524288 and 524289 bytes differ from line 262145 on"},
		{Path: "bin", Change: "changed", Note: "binary, 1 → 2 bytes"},
		{Path: "gone", Change: "removed", Diff: "@@ -1 +0,0 @@\n-bye\n"},
		{Path: "huge", Change: "changed", Note: "1073741824 → 5 bytes, kept by digest alone"},
		{Path: "link", Change: "link: a → no link"},
		{Path: "mode", Change: "mode: -rw-r--r-- → -rwxr-xr-x"},
		{Path: "new", Change: "created", Diff: "@@ -0,0 +1 @@\n+hello\n"},
		{Path: "text", Change: "changed", Diff: "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"},
	}, tr.Files)
}

func TestHeadAndEnding(t *testing.T) {
	t.Parallel()
	cost := 0.5
	a := &results.Attempt{
		Slot: results.Slot{Case: "core/x", World: "big", Variant: "v1", Model: "m", Agent: "builtin", Attempt: 2}, Play: 3, Reroll: true,
		Outcome: "void", Reason: "provider", Detail: "503", End: "provider", DurationMS: 5, AgentMS: 2, ProviderMS: 3, Turns: 1, Calls: 4,
		Usage: results.Usage{Prompt: 10, Completion: 20, Unreported: 1, Cost: &cost, CostSource: "reported"}, Containment: "none",
	}
	run := &results.Run{ID: "20261129T224301Z-3f9c1a", Plans: []results.Plan{{Kind: results.Simulated, Claims: map[string]string{"core/x": "It holds."}}}}
	of := []results.SlotResult{{Slot: results.Slot{Attempt: 1}, Outcome: "not run"}, {Slot: a.Slot, Outcome: "void", Decided: a}}
	tr := trace.Of(run, a, of, behavior.Evidence{Facts: map[string]string{"limit": "200"}})
	require.Equal(t, trace.Head{
		Run: run.ID, Case: "core/x", Claim: "It holds.", World: "big", Variant: "v1", Model: "m", Agent: "builtin", Kind: "simulated",
		Attempt: 2, Play: 3, Reroll: true, Outcome: "void", Reason: "provider", Detail: "503",
		Siblings: []trace.Sibling{{Attempt: 1, Outcome: "not run"}, {Attempt: 2, Outcome: "void", Reason: "provider"}},
		Facts:    map[string]string{"limit": "200"},
	}, tr.Head)
	require.Equal(t, trace.Ending{
		Reason: "provider", DurationMS: 5, AgentMS: 2, ProviderMS: 3, Turns: 1, Calls: 4,
		Prompt: 10, Completion: 20, Unreported: 1, Cost: &cost, CostSource: "reported", Containment: "none",
	}, tr.Ending)
	tr = trace.Of(run, a, of, behavior.Evidence{End: behavior.End{Reason: behavior.EndTurns, Detail: "40 turns"}})
	require.Equal(t, "limit-turns", tr.Ending.Reason)
	require.Equal(t, "40 turns", tr.Ending.Detail)
}

// An empty trace is lists that are empty, not null: a page walks over them.
func TestJSON(t *testing.T) {
	t.Parallel()
	data, err := json.Marshal(of())
	require.NoError(t, err)
	require.Contains(t, string(data), `"siblings":[]`)
	require.Contains(t, string(data), `"events":[],"verdicts":[],"files":[]`)
}

func TestRead(t *testing.T) {
	t.Parallel()
	run, err := results.Load("../../results/testdata/v1/20261129T224301Z-3f9c1a")
	require.NoError(t, err)
	slots := run.Slots()
	var a *results.Attempt
	for i := range run.Attempts {
		if run.Attempts[i].Outcome == results.Fail {
			a = &run.Attempts[i]
		}
	}
	tr, err := trace.Read(run, a, trace.Siblings(slots, a.Slot.Unit()))
	require.NoError(t, err)
	require.Len(t, tr.Events, 4)
	require.Equal(t, []int{2, 3}, tr.Guilty())
	require.Len(t, tr.Head.Siblings, 3)
	require.Equal(t, "live", tr.Head.Kind)

	lost := *a
	lost.Evidence = ""
	_, err = trace.Read(run, &lost, nil)
	require.ErrorContains(t, err, "was kept")
}
