package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"
	"gotest.tools/v3/golden"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/internal/journal"
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

// two records a run of two attempts of core/pair: one that reads, one that does not. The
// child's events and a result of many lines are in both.
func two(t *testing.T, m *module) {
	t.Helper()
	dir := filepath.Join(m.dir, "results", "runs", "20261130T000000Z-000002")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	w, err := journal.Open(dir, "core", nil)
	require.NoError(t, err)
	defer w.Close()
	var slots []results.Slot
	for _, model := range []string{"m", "n"} {
		for n := 1; n <= 3; n++ {
			slots = append(slots, results.Slot{Case: "core/pair", World: "big", Model: model, Agent: "builtin", Attempt: n})
		}
	}
	require.NoError(t, w.WritePlan(results.Plan{Kind: "simulated", Slots: slots, Claims: map[string]string{"core/pair": "It reads first."}}))
	call := func(turn int, agent, tool string, args map[string]any, result string) behavior.Event {
		return behavior.Event{Kind: behavior.KindCall, Turn: turn, Agent: agent, At: time.Second, Call: &behavior.Call{Tool: tool, Args: args, Status: behavior.OK, Result: result, Took: time.Millisecond}}
	}
	var log strings.Builder
	for i := range 40 {
		fmt.Fprintf(&log, "line %d of the log\n", i+1)
	}
	log.WriteString(strings.Repeat("x", 500) + " a needle at the end\n")
	begin := []behavior.Event{
		{Kind: behavior.KindUser, Text: "Change a.txt."},
		{Kind: behavior.KindMessage, Turn: 1, Reasoning: "Let me see.\nA needle in my thoughts.", Text: "I shall ask.", At: time.Second},
		call(1, "", "task", map[string]any{"assignment": "look"}, "seen"),
		{Kind: behavior.KindChild, Turn: 1, ID: "explore-1", State: "started", Text: "explore: look"},
		{Kind: behavior.KindMessage, Turn: 1, Agent: "explore-1", Text: "Looking.", At: time.Second},
		call(1, "explore-1", "bash", map[string]any{"command": "cat log"}, log.String()),
		{Kind: behavior.KindChild, Turn: 1, ID: "explore-1", State: "ended", Text: "seen"},
	}
	reads := append(slices.Clone(begin),
		behavior.Event{Kind: behavior.KindMessage, Turn: 2, Text: "Read first."},
		call(2, "", "read", map[string]any{"path": "a.txt"}, "one\ntwo"),
		behavior.Event{Kind: behavior.KindMessage, Turn: 3},
		call(3, "", "edit", map[string]any{"path": "a.txt", "old": "one", "new": "1"}, "edited"),
		behavior.Event{Kind: behavior.KindMessage, Turn: 4, Text: "Done.", Stop: "stop"})
	edits := append(slices.Clone(begin),
		behavior.Event{Kind: behavior.KindMessage, Turn: 2},
		call(2, "", "edit", map[string]any{"path": "a.txt", "old": "one", "new": "One\nmore"}, "edited"),
		behavior.Event{Kind: behavior.KindMessage, Turn: 3, Text: "That is all.", Stop: "stop"})
	file := func(text string) behavior.Files { return behavior.Files{"a.txt": {Mode: 0o644, Data: []byte(text)}} }
	for i, s := range slots {
		if s.Attempt == 3 {
			continue
		}
		a := results.Attempt{Slot: s, Play: 1, Outcome: "pass", End: "stop", Containment: "none", Verdicts: []results.Verdict{
			{Signal: "tool-chain", Name: "read before edit", Outcome: "pass"}, {Signal: "required-tool", Name: "edit", Outcome: "pass"},
		}}
		e := behavior.Evidence{Timeline: reads, Before: file("one\ntwo\n"), After: file("1\ntwo\n"), Facts: map[string]string{"limit": "200"}, End: behavior.End{Reason: behavior.EndStop}}
		switch {
		case i == 1:
			a.Outcome = "fail"
			a.Verdicts[0] = results.Verdict{Signal: "tool-chain", Name: "read before edit", Outcome: "fail", Got: "edit at event 9,\nand no read before it", Events: []int{8}, Where: "pair_test.go:20"}
			e.Timeline, e.After = edits, file("One\nmore\ntwo\n")
		case s.Model == "n" && s.Attempt == 1:
			a.Outcome = "fail"
			a.Verdicts[1] = results.Verdict{Signal: "required-tool", Name: "edit", Outcome: "fail", Got: "no edit", Where: "pair_test.go:21"}
			e.Timeline, e.After, e.Facts = begin, e.Before, map[string]string{"limit": "300"}
		}
		data, err := json.Marshal(e)
		require.NoError(t, err)
		_, err = w.Append(a, data)
		require.NoError(t, err)
	}
}

// Some of the events, and two attempts beside each other.
func TestShowSome(t *testing.T) {
	t.Parallel()
	m := newModule(t)
	two(t, m)
	coloured := *m
	coloured.colour = true
	for file, args := range map[string]string{
		"show-children":        "show pair --model m --attempt 1",
		"show-find":            "show pair --model m --find NEEDLE",
		"show-find-full":       "show pair --model m --find needle --full",
		"show-find-none":       "show pair --model m --find haystack",
		"show-find-guilty":     "show pair --model m --find edit --guilty",
		"show-guilty":          "show pair --model m --guilty",
		"show-guilty-nothing":  "show pair --model n --guilty",
		"show-guilty-passed":   "show pair --model m --attempt 1 --guilty",
		"show-event":           "show pair --model m --event 9",
		"show-event-first":     "show pair --model m --event 1",
		"show-event-child":     "show pair --model m --event 6",
		"show-vs":              "show pair --model m --vs 1",
		"show-vs-end":          "show pair --model n --vs pass",
		"show-vs-alike":        "show pair --model m --attempt 1 --vs @n#2",
		"misuse-event":         "show pair --model m --event 99",
		"misuse-event-zero":    "show pair --model m --event 0",
		"misuse-event-find":    "show pair --model m --event 3 --find x",
		"misuse-find-empty":    "show pair --model m --find=",
		"misuse-vs-empty":      "show pair --model m --vs=",
		"misuse-vs-self":       "show pair --model m --vs 2",
		"misuse-vs-number":     "show pair --model m --vs 9",
		"misuse-vs-open":       "show pair --model m --vs 3",
		"misuse-vs-outcome":    "show pair --model m --vs void",
		"misuse-vs-run":        "show pair --model m --vs 20261130T000000Z-00003",
		"misuse-vs-model":      "show pair --model m --vs @mm",
		"misuse-vs-model-bare": "show pair --model m --vs n",
		"misuse-vs-model-is":   "show pair --model m --vs model=n",
		"misuse-vs-form":       "show pair --model m --vs @n#x",
		"misuse-vs-attempt":    "show pair --model m --vs @n#7",
		"misuse-vs-find":       "show pair --model m --vs 1 --find x",
	} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			m.golden(t, file, strings.Fields(args)...)
			out, errs, status := m.deeds(strings.Fields(args)...)
			want := map[string]int{"show": 0, "misuse": 2}[strings.Split(file, "-")[0]]
			if file == "show-find-none" {
				want = 1
			}
			require.Equal(t, want, status)
			if strings.HasPrefix(file, "show-") {
				painted, paintedErrs, _ := coloured.deeds(strings.Fields(args)...)
				require.Equal(t, out+errs, regexp.MustCompile("\x1b\\[[0-9]*m").ReplaceAllString(painted+paintedErrs, ""), "colours change nothing else")
			}
		})
	}
	for file, args := range map[string]string{
		"show-find-coloured": "show pair --model m --find needle",
		"show-vs-coloured":   "show pair --model m --vs 1",
	} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			out, _, _ := coloured.deeds(strings.Fields(args)...)
			golden.Assert(t, strings.ReplaceAll(out, "\x1b", "␛"), file+".golden")
		})
	}
}

// An attempt is held against another one however that is named.
func TestShowVsNames(t *testing.T) {
	t.Parallel()
	m := newModule(t)
	two(t, m)
	const run = "20261130T000000Z-000002"
	for word, want := range map[string]string{
		"1": "m 1", "pass": "m 1", "@n": "n 2", "@n#1": "n 1", "#1": "m 1", run + "#1": "m 1", run + "@n": "n 2", "last@n#1": "n 1", "000002#1": "m 1",
	} {
		out, errs, status := m.deeds("show", "pair", "--model", "m", "--vs", word, "--json")
		require.Zero(t, status, "%s: %s", word, errs)
		other := decode(t, out)["against"].(map[string]any)
		require.Equal(t, want, fmt.Sprint(other["model"], " ", other["attempt"]), word)
	}
	// A run that has but one model is compared with by that one.
	a := slot("core/pair")
	a.World, a.Model = "big", "other"
	m.record(t, a, behavior.Evidence{})
	out, errs, status := m.deeds("show", run, "pair", "--model", "m", "--vs", "000001", "--json")
	require.Zero(t, status, errs)
	require.Equal(t, "other", decode(t, out)["against"].(map[string]any)["model"])
	out, errs, status = m.deeds("show", "000001", "pair", "--vs", run)
	require.Equal(t, 2, status, out)
	require.Equal(t, "deeds: run "+run+" has no model \"other\"\nhint: it has m, n: --vs RUN@MODEL\n", errs)
}

func TestShowSomeJSON(t *testing.T) {
	t.Parallel()
	m := newModule(t)
	two(t, m)
	out, _, status := m.deeds("show", "pair", "--model", "m", "--guilty", "--json")
	require.Zero(t, status)
	v := decode(t, out)
	require.Len(t, v["events"], 1)
	require.EqualValues(t, 9, v["events"].([]any)[0].(map[string]any)["n"])
	require.Len(t, v["verdicts"], 1)
	require.Equal(t, "It reads first.", v["claim"])
	out, _, status = m.deeds("show", "pair", "--model", "m", "--event", "1", "--json")
	require.Zero(t, status)
	require.Equal(t, []any{}, decode(t, out)["verdicts"])
	out, errs, status := m.deeds("show", "pair", "--model", "m", "--find", "haystack", "--json")
	require.Equal(t, 1, status)
	require.Empty(t, out)
	require.Contains(t, errs, "holds")
	out, _, status = m.deeds("show", "pair", "--model", "m", "--vs", "1", "--json")
	require.Zero(t, status)
	v = decode(t, out)
	require.Equal(t, map[string]any{"event": 0., "against": 8., "same": "right"}, v["first_difference"])
	out, _, _ = m.deeds("show", "pair", "--model", "m", "--attempt", "1", "--vs", "@n#2", "--json")
	require.Nil(t, decode(t, out)["first_difference"])
}

// What is long is shown at once, and whole only if it is asked for.
func TestShowLong(t *testing.T) {
	t.Parallel()
	m := newModule(t)
	result := strings.Repeat("a line of a long result\n", 5<<20/24) + "the needle\n" + strings.Repeat("x", 5<<20)
	call := &behavior.Call{Tool: "bash", Args: map[string]any{"command": result[5<<20:]}, Status: behavior.OK, Result: result}
	m.record(t, slot("core/long"), behavior.Evidence{
		Timeline: []behavior.Event{{Kind: behavior.KindCall, Turn: 1, Call: call}},
		After:    behavior.Files{"big": {Data: []byte(result[5<<20:])}},
	})
	for _, args := range [][]string{{"show"}, {"show", "long"}, {"show", "long", "--find", "needle"}, {"show", "long", "--guilty"}} {
		out, errs, status := m.deeds(args...)
		require.Zero(t, status, errs)
		require.Less(t, len(out), 16<<10, args)
		if slices.Contains(args, "--find") {
			require.Contains(t, out, "| the needle\n")
		}
	}
	out, _, _ := m.deeds("show", "long", "--full")
	require.Greater(t, len(out), 15<<20)
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
	for _, args := range [][]string{
		{"show", "hostile", "--find", "a"}, {"show", "hostile", "--find", evil}, {"show", "hostile", "--event", "4"}, {"show", "hostile", "--guilty"}, {"show", "hostile", "--vs", evil},
		{"show", "hostile"}, {"show", "hostile", "--full"}, {"show"}, {"runs"}, {"show", "hostile", "--world", evil}, {"show", evil}, {evil}, {"runs", evil},
	} {
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

// A trace that holds ten megabytes, from the disk to the page.
func BenchmarkShow(b *testing.B) {
	m := &module{dir: b.TempDir()}
	require.NoError(b, os.WriteFile(filepath.Join(m.dir, "go.mod"), []byte("module m\n"), 0o644))
	result := strings.Repeat("a line of a long result\n", 10<<20/24)
	m.record(b, slot("core/long"), behavior.Evidence{Timeline: []behavior.Event{
		{Kind: behavior.KindCall, Turn: 1, Call: &behavior.Call{Tool: "bash", Status: behavior.OK, Result: result}},
	}})
	for name, args := range map[string][]string{"few lines": {"show", "long"}, "full": {"show", "long", "--full"}, "find": {"show", "long", "--find", "result"}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, errs, status := m.deeds(args...); status != 0 {
					b.Fatal(errs)
				}
			}
		})
	}
}
