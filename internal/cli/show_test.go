package cli

import (
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/results"
)

func TestRuns(t *testing.T) {
	t.Parallel()
	withSample(t).golden(t, "runs", "runs")
	newModule(t).golden(t, "runs-none", "runs")
}

func TestRunsJSON(t *testing.T) {
	t.Parallel()
	out, _, status := withSample(t).deeds("runs", "--json")
	require.Zero(t, status)
	runs := decode(t, out)["runs"].([]any)
	require.Len(t, runs, 1)
	run := runs[0].(map[string]any)
	require.Equal(t, sampleID, run["id"])
	require.Equal(t, "live", run["kind"])
	require.Equal(t, []any{"provider/model:free"}, run["models"])
	totals := run["totals"].([]any)[0].(map[string]any)
	require.EqualValues(t, 2, totals["units"])
	require.EqualValues(t, 2, totals["not_run"])
	out, _, status = newModule(t).deeds("runs", "--json")
	require.Zero(t, status)
	require.Equal(t, []any{}, decode(t, out)["runs"])
}

func TestShow(t *testing.T) {
	t.Parallel()
	m := withSample(t)
	for file, args := range map[string]string{
		"show-run":    "show",
		"show-case":   "show chain/read-before-edit",
		"show-full":   "show read-before-edit --full",
		"show-void":   "show read-before-edit --attempt 3 --world big",
		"show-reroll": "show read-before-edit --attempt 2 --world big --play 2",
		"show-small":  "show --world small",
	} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			m.golden(t, file, strings.Fields(args)...)
		})
	}
	t.Run("however it is named", func(t *testing.T) {
		t.Parallel()
		want, _, _ := m.deeds("show", "chain/read-before-edit")
		for _, args := range []string{
			"show read-before-edit", "show last read-before-edit", "show 3f9 chain/read-before-edit", "show " + sampleID + " read-before-edit",
			"show --attempt 2 3f9c1a chain/read-before-edit", "show results/runs/" + sampleID + " read-before-edit", "show --model provider/model:free",
		} {
			got, errs, status := m.deeds(strings.Fields(args)...)
			require.Zero(t, status, "%s: %s", args, errs)
			require.Equal(t, want, got, args)
		}
	})
}

func TestShowWithoutRuns(t *testing.T) {
	t.Parallel()
	newModule(t).golden(t, "show-none", "show")
	newModule(t).golden(t, "show-none", "show", "core/x")
}

func TestShowJSON(t *testing.T) {
	t.Parallel()
	m := withSample(t)
	out, _, status := m.deeds("show", "read-before-edit", "--json")
	require.Zero(t, status)
	v := decode(t, out)
	require.Equal(t, sampleID, v["run"])
	require.Equal(t, "fail", v["attempt"].(map[string]any)["outcome"])
	require.Len(t, v["evidence"].(map[string]any)["timeline"], 4)
	out, _, status = m.deeds("show", "--json")
	require.Zero(t, status)
	v = decode(t, out)
	require.Len(t, v["slots"], 6)
	require.Equal(t, []any{"core"}, v["missing"])
}

func slot(id string) results.Attempt {
	return results.Attempt{Slot: results.Slot{Case: id, Model: "m", Agent: "builtin", Attempt: 1}, Play: 1, Outcome: "fail", End: "stop", Containment: "none"}
}

// Every kind of event, call and file.
func TestTrace(t *testing.T) {
	t.Parallel()
	m := newModule(t)
	one, zero := 1, 0
	call := func(c behavior.Call) behavior.Event {
		return behavior.Event{Kind: behavior.KindCall, Turn: 2, Call: &c, At: time.Second}
	}
	var long strings.Builder
	for range 40 {
		long.WriteString("a line of a long result\n")
	}
	a := slot("core/everything")
	a.Reason, a.Detail = "limit-turns", "40 turns"
	a.Verdicts = []results.Verdict{
		{Signal: "tool-chain", Name: "it reads first", Outcome: "fail", Got: "it did not", Events: []int{4}, Where: "x_test.go:9"},
		{Signal: "plan-safety", Name: "if it plans", Outcome: "n/a", Got: "it never planned", Conditional: true},
		{Signal: "required-tool", Name: "read", Outcome: "pass"},
	}
	m.record(t, a, behavior.Evidence{
		Timeline: []behavior.Event{
			{Kind: behavior.KindUser, Text: "Do it.\nPlease."},
			{Kind: behavior.KindMode, Mode: behavior.Plan},
			{Kind: behavior.KindNotice, Text: "the task has ended"},
			{Kind: behavior.KindMessage, Turn: 1, At: 90 * time.Second, Reasoning: "one\ntwo\nthree", Text: strings.Repeat("word ", 200), Stop: "tool_calls"},
			call(behavior.Call{Tool: "read", Args: map[string]any{"path": "a.txt", "offset": 3.0}, Status: behavior.OK, Result: long.String(), Took: 1500 * time.Microsecond}),
			call(behavior.Call{Tool: "write", Args: map[string]any{"path": "a.txt", "content": "one\n\ttwo\n"}, Status: behavior.Refused, Result: "plan mode"}),
			call(behavior.Call{Tool: "bash", Args: map[string]any{"command": "false"}, Status: behavior.Failed, Exit: &one, Changed: []string{"b.txt"}}),
			call(behavior.Call{Tool: "bash", Status: behavior.OK, Exit: &zero}),
			call(behavior.Call{Tool: "read", Raw: `{"path": `, Status: behavior.Malformed, Result: "the arguments are no JSON"}),
			call(behavior.Call{Tool: "edit", RawTool: "str_replace", Status: behavior.Cut}),
			{Kind: behavior.KindCall, Turn: 2},
			{Kind: behavior.KindPlan, Turn: 2, State: "ready", Text: "the plan"},
			{Kind: behavior.KindQuestion, Turn: 2, Text: "Which one?"},
			{Kind: behavior.KindTodo, Turn: 2, Todos: []behavior.Todo{{Content: "a", Status: "completed"}, {Content: "b", Status: "in_progress"}, {Content: "c", Status: "pending"}, {Content: "d", Status: "odd"}}},
			{Kind: behavior.KindTodo, Turn: 2},
			{Kind: behavior.KindMessage, Turn: 1, Agent: "child-1", Text: "from a child", Stop: "stop"},
			{Kind: behavior.KindMessage, Turn: 3, Stop: "length"},
			{Kind: behavior.KindMessage, Turn: 4, Stop: "stop"},
			{Kind: "later", Turn: 4, Text: "a kind of a later version"},
		},
		Before: behavior.Files{
			"gone.txt": {Mode: 0o644, Data: []byte("bye\n")}, "mode.sh": {Mode: 0o644, Data: []byte("x\n")}, "same": {Mode: 0o644, Data: []byte("x\n")},
			"bin": {Mode: 0o644, Data: []byte{0xff, 0}}, "big": {Mode: 0o644, Size: 1 << 30, Digest: "aa"}, "link": {Link: "a"},
		},
		After: behavior.Files{
			"new.txt": {Mode: 0o644, Data: []byte("hello\n\tthere\n")}, "mode.sh": {Mode: 0o755, Data: []byte("x\n")}, "same": {Mode: 0o644, Data: []byte("x\n")},
			"bin": {Mode: 0o644, Data: []byte{0xff, 0, 1}}, "big": {Mode: 0o644, Size: 2 << 30, Digest: "bb"}, "link": {Link: "b"},
		},
		End: behavior.End{Reason: behavior.EndTurns, Detail: "40"},
	})
	m.golden(t, "trace", "show", "everything")
	m.golden(t, "trace-full", "show", "everything", "--full")
	m.colour = true
	coloured, _, _ := m.deeds("show", "everything")
	require.Contains(t, coloured, "\x1b[31m>\x1b[0m   5  call")
	m.colour = false
	plain, _, _ := m.deeds("show", "everything")
	stripped := coloured
	for _, s := range []style{bold, faint, red, green, yellow, blue} {
		stripped = strings.ReplaceAll(stripped, "\x1b["+string(s)+"m", "")
	}
	require.Equal(t, plain, strings.ReplaceAll(stripped, "\x1b[0m", ""), "colours change nothing else")
}

// Nothing in the record can reach the terminal.
func TestTraceIsInert(t *testing.T) {
	t.Parallel()
	const evil = "a\x1b]0;owned\x07\x1b[2J\r\u202e\u009b1m\x00\xff\u2028b"
	a := slot("core/hostile")
	a.Reason, a.Detail, a.Containment, a.End = evil, evil, evil, evil
	a.World, a.Variant, a.Model, a.Agent = evil, evil, evil, evil
	a.Verdicts = []results.Verdict{{Signal: evil, Name: evil, Outcome: evil, Got: evil, Where: evil, Events: []int{0, 99, -1}}}
	a.Signals = map[string]string{evil: evil}
	files := behavior.Files{evil: {Data: []byte("a\x1b[2Jb\n")}, "l": {Link: evil}}
	call := behavior.Call{Tool: evil, Args: map[string]any{evil: evil, "n\x1b": "x\n\x1b[2J"}, RawTool: evil + "x", Status: evil, Result: evil, Changed: []string{evil}}
	m := newModule(t)
	m.record(t, a, behavior.Evidence{
		Timeline: []behavior.Event{
			{Kind: evil, Text: evil, State: evil},
			{Kind: behavior.KindUser, Text: evil, Agent: evil},
			{Kind: behavior.KindMessage, Text: evil, Reasoning: evil + "\n" + evil, Stop: evil},
			{Kind: behavior.KindCall, Call: &call},
			{Kind: behavior.KindMode, Mode: evil},
			{Kind: behavior.KindTodo, Todos: []behavior.Todo{{Content: evil, Status: evil}}},
		},
		Before: files, After: behavior.Files{"l": {Link: "x"}},
		End: behavior.End{Reason: evil, Detail: evil},
	})
	for _, args := range [][]string{{"show", "hostile"}, {"show", "hostile", "--full"}, {"show"}, {"runs"}, {"show", "hostile", "--world", evil}, {"show", evil}, {evil}, {"runs", evil}} {
		out, errs, _ := m.deeds(args...)
		require.NotEmpty(t, out+errs)
		for _, r := range out + errs {
			if r != '\n' && !unicode.IsGraphic(r) || r == '\u2028' || r == unicode.ReplacementChar {
				// What JSON has replaced on its way in is harmless.
				require.Equal(t, unicode.ReplacementChar, r, "%q in the output of %q", r, args)
			}
		}
	}
}
