package report_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gotest.tools/v3/golden"

	"github.com/deeds-evals/deeds/internal/report"
)

func closing() report.Closing {
	return report.Closing{
		Claim: "An approved plan is carried out in build mode: read first, then the one edit it names.",
		Score: report.Score{Planned: 3, Passed: 2, Failed: 1},
		Again: []string{`go test ./evals/chain -run '^TestReadBeforeEdit$/^2$' -replay=20261129T225800Z-3f9c`},
	}
}

func exit(n int) *int { return &n }

// edits is a timeline with one event of each kind that a case about editing sees.
func edits() []report.Event {
	return []report.Event{
		{Kind: "user", Text: "The plan in plans/publish.md is approved. Carry it out."},
		{Kind: "message", Turn: 1, Stop: "tool_calls"},
		{Kind: "call", Turn: 1, Tool: "edit", Status: "ok", Args: map[string]any{"path": "settings.txt", "old": "draft", "new": "Published"}, Result: "changed settings.txt"},
		{Kind: "mode", Turn: 1, Mode: "build"},
		{Kind: "message", Turn: 2, Text: "Let me look at it.", Stop: "tool_calls"},
		{Kind: "call", Turn: 2, Tool: "read", Status: "ok", Args: map[string]any{"path": "settings.txt", "limit": 20}, Result: "1\tchannel=Published\n2\tkeep=this"},
		{Kind: "call", Turn: 2, Tool: "bash", Status: "error", Exit: exit(1), Args: map[string]any{"command": "grep -q published settings.txt"}},
		{Kind: "message", Turn: 3, Text: "Done.", Stop: "stop"},
	}
}

// messages are the messages under test; each has a golden, word for word.
var messages = map[string]func() string{
	"fail": func() string {
		return report.Fail(report.Attempt{
			Verdicts: []report.Verdict{
				{
					Signal: "plan-lifecycle", Where: "read_before_edit_test.go:23",
					Want: "mode build\nbefore the first call edit path=\"settings.txt\"",
					Got:  "edit at event 3, and none before it", Events: []int{2},
				},
				{
					Signal: "filesystem-safety", Where: "read_before_edit_test.go:26",
					Want: "these files changed, and no others: settings.txt",
					Got:  "settings.txt (-want +got)\n- channel=published\n+ channel=Published\n  keep=this",
				},
				{
					Signal: "plan-lifecycle", Where: "read_before_edit_test.go:24",
					Want: "no call bash", Got: "bash at event 7", Events: []int{6},
				},
			},
			Timeline: edits(),
			Files: []report.FileDiff{
				{Path: "logo.png", Diff: "binary, 12 bytes before, 14 after"},
				{Path: "settings.txt", Diff: "--- settings.txt\n+++ settings.txt\n@@ -1,2 +1,2 @@\n-channel=draft\n+channel=Published\n keep=this\n"},
			},
			Closing: closing(),
		})
	},
	"fail-limit": func() string {
		return report.Fail(report.Attempt{
			End:      report.End{Reason: "limit-turns", Detail: "40 turns, and the agent had not ended"},
			Timeline: edits(),
			Closing:  closing(),
		})
	},
	"fail-kinds": func() string {
		return report.Fail(report.Attempt{
			Verdicts: []report.Verdict{{Signal: "ask-or-act", Where: "ask_test.go:9", Want: "a question", Got: "one, too late", Events: []int{4}}},
			Timeline: []report.Event{
				{Kind: "notice", Text: "background task 1 has ended, exit status 0"},
				{Kind: "plan", Turn: 1, State: "ready", Text: "Publish the settings."},
				{Kind: "plan", Turn: 1, State: "refused", Text: "Not on a Friday."},
				{Kind: "todo", Turn: 2, Todos: []string{"completed read it", "in_progress change it"}},
				{Kind: "question", Turn: 2, Text: "Which channel?"},
				{Kind: "todo", Turn: 3},
				{Kind: "call", Turn: 3, Agent: "child-1", Tool: "read", Status: "error", Args: map[string]any{"path": "a"}, Result: "no such file; did you mean b?"},
				{Kind: "call", Turn: 4, Tool: "fly", Status: "unknown", Args: map[string]any{"to": []any{"moon", 1}, "fast": true, "why": nil}},
				{Kind: "call", Turn: 4, Tool: "edit", Status: "malformed", Raw: `{"path": "a`},
				{Kind: "call", Turn: 5, Tool: "write", Status: "refused", Args: map[string]any{"path": "a"}, Result: "plan mode: only plans/ can be written"},
				{Kind: "message", Turn: 6, Text: "And so on and", Stop: "length"},
			},
		})
	},
	"fail-hostile": func() string {
		evil := "a\x1b[31mb\x00c\r\nd\te\xff\u202ef"
		return report.Fail(report.Attempt{
			End: report.End{Reason: "limit-\x1btime", Detail: evil},
			Verdicts: []report.Verdict{
				{Signal: "tool\nchain", Where: "a\x07_test.go:1", Want: evil, Got: strings.Repeat("ä", 1000), Events: []int{-1, 0, 99}},
				{Signal: "empty"},
			},
			Timeline: []report.Event{
				{Kind: "call", Turn: 1, Agent: evil, Tool: evil, Status: evil, Args: map[string]any{evil: evil, "f": func() {}, "long": strings.Repeat("x", 5000)}, Result: evil},
				{Kind: "user", Text: evil}, {Kind: evil, State: evil}, {Kind: "mode", Mode: evil},
			},
			Files: []report.FileDiff{{Path: evil, Diff: "-\told\x1b[2J\n+\tnew\r\n"}},
			Closing: report.Closing{
				Claim: evil, Score: report.Score{Planned: 1, Failed: 1},
				Again: []string{"deeds show " + strings.Repeat("long", 150), "rm\n-rf"},
			},
		})
	},
	"fail-long": func() string {
		events := []report.Event{{Kind: "user", Text: "Go."}}
		for i := range 200 {
			events = append(events, report.Event{Kind: "message", Turn: i + 1}, report.Event{
				Kind: "call", Turn: i + 1, Tool: "read", Status: "ok", Args: map[string]any{"path": fmt.Sprintf("%d.txt", i)},
			})
		}
		return report.Fail(report.Attempt{
			Verdicts: []report.Verdict{{Signal: "no-unneeded-tools", Where: "x_test.go:1", Want: "at most 1 call read", Got: strings.Repeat("another\n", 50), Events: []int{100, 300}}},
			Timeline: events,
			Files:    []report.FileDiff{{Path: "big.txt", Diff: strings.Repeat("+line\n", 1041)}},
		})
	},
	"fail-many-marked": func() string {
		var events []report.Event
		var all []int
		for i := range 1500 {
			events = append(events, report.Event{Kind: "call", Turn: 1, Tool: "ls", Status: "ok"})
			all = append(all, i)
		}
		return report.Fail(report.Attempt{
			Verdicts: []report.Verdict{{Signal: "no-unneeded-tools", Where: "x_test.go:1", Want: "no call ls", Got: "1500 of them", Events: all}},
			Timeline: events,
		})
	},
	"void": func() string {
		return report.Voided(report.Void{
			Reason: "provider rate-limit", Detail: "the endpoint answered 429 six times\nlast: \"slow down\"",
			Hint:    "give a smaller -j, or try again in a minute",
			Closing: report.Closing{Score: report.Score{Planned: 3, Passed: 1, Void: 1}, Again: []string{"go test ./evals/... -resume=3f9c"}},
		})
	},
	"close": func() string { return report.Close(closing()) },
	"broken": func() string {
		const file = "testdata/read-before-edit.txtar"
		return report.Broken([]report.Problem{
			report.Survived("silence", ""),
			report.Survived("the pass script without its last action", file+":4"),
			report.PassFails("pass @big", file+":4", []string{"tool-chain", "filesystem-safety"}),
			report.WrongSignals("fail tool-chain", file+":12", []string{"tool-chain"}, []string{"tool-chain", "filesystem-safety"}),
			report.WrongSignals("fail tool-chain", file+":12", []string{"tool-chain"}, nil),
			report.NeverBites("tool-chain", "call read path=\"a\"\nbefore call edit", "read_before_edit_test.go:24"),
			report.RanOut("pass", file+":4"),
			report.MutantSurvived("swap 1 2", file),
			report.NoScript(file),
			report.Unplayable("pass", file+":4", "line 6: a call needs key=value"),
		}, report.Closing{Claim: "A bounded edit is grounded in the file.", Again: []string{"go test ./evals/chain -run '^TestReadBeforeEdit$'"}})
	},
	"lines": func() string {
		lines := []report.Line{
			{Outcome: "pass", ID: "chain/read-before-edit/1", Turns: 3, Calls: 1, Time: 1234 * time.Millisecond, Tokens: 12345, Evidence: "results/runs/r/evidence/1.json.zst"},
			{Outcome: "fail", ID: "chain/read-before-edit/2", Turns: 1, Calls: 0, Time: 7 * time.Millisecond, Tokens: 1, Reason: "tool-chain, plan-lifecycle"},
			{Outcome: "fail", ID: "chain/read-before-edit/silence", Turns: 1, Offline: true, Reason: "as it must"},
			{Outcome: "void", ID: "core/a\nb", Time: 3*time.Minute + 5*time.Second, Tokens: -1, Reason: "provider network: " + strings.Repeat("very ", 40)},
		}
		var b strings.Builder
		for _, l := range lines {
			fmt.Fprintln(&b, l)
		}
		return b.String()
	},
	"summaries": func() string {
		return report.Summary{Model: "m", Cases: 10, Planned: 30, Passed: 25, Failed: 3, Void: 1, NotRun: "the budget of $2.00 is spent", Tokens: 1234567, Time: time.Hour + 2*time.Minute, Run: "results/runs/r"}.String() +
			report.Summary{Model: "m", Cases: 1, Planned: 1, Void: 1, Tokens: -1, Time: 59960 * time.Millisecond}.String() +
			report.Summary{Model: "m", Tokens: 0}.String() +
			report.Rehearsal{Cases: 12, Sections: 140, Biting: 40, Total: 40, Time: 2 * time.Second}.String() +
			report.Rehearsal{Cases: 1, Sections: 1, Biting: 999, Total: 1000, Broken: 1}.String() +
			report.Rehearsal{}.String()
	},
}

func TestMessages(t *testing.T) {
	for name, message := range messages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := message()
			golden.Assert(t, text, name+".golden")
			require.Equal(t, text, message(), "the same data must give the same words")
		})
	}
}

// Whatever comes in, a terminal gets whole lines of printable UTF-8.
func TestMessagesAreFitToPrint(t *testing.T) {
	for name, message := range messages {
		text := message()
		require.True(t, strings.HasSuffix(text, "\n"), name)
		for i, line := range strings.Split(text, "\n") {
			require.NotContains(t, line, "\x1b", name)
			require.Equal(t, strings.ToValidUTF8(line, ""), line, "%s:%d", name, i+1)
			require.Equal(t, strings.TrimRight(line, " \t"), line, "%s:%d ends in white space", name, i+1)
			require.Less(t, len([]rune(line)), 1000, "%s:%d", name, i+1)
		}
	}
}

func TestEmptyInputsSayNothing(t *testing.T) {
	require.Empty(t, report.Fail(report.Attempt{}))
	require.Empty(t, report.Voided(report.Void{}))
	require.Empty(t, report.Close(report.Closing{}))
	require.Empty(t, report.Broken(nil, report.Closing{}))
}

// The timeline stands there once, however many expectations failed.
func TestTimelineOnce(t *testing.T) {
	text := messages["fail"]()
	require.Equal(t, 1, strings.Count(text, "\nseen\n"))
	require.Equal(t, 2, strings.Count(text, "\n  > "))
}

func TestScore(t *testing.T) {
	for want, s := range map[string]report.Score{
		"": {},
		"2 of 3 attempts passed; a case passes on 3 of 3":                         {Planned: 3, Passed: 2, Failed: 1},
		"0 of 1 attempt passed; a case passes on 1 of 1":                          {Planned: 1, Failed: 1},
		"1 of 2 attempts passed, 1 void, 1 of 3 not run; a case passes on 3 of 3": {Planned: 3, Passed: 1, Void: 1},
		"no attempt ran; a case passes on 3 of 3":                                 {Planned: 3},
	} {
		require.Equal(t, want, s.String())
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-1:                                      "0ms",
		0:                                       "0ms",
		999 * time.Millisecond:                  "999ms",
		59949 * time.Millisecond:                "59.9s",
		59951 * time.Millisecond:                "1m00s",
		59*time.Minute + 59600*time.Millisecond: "1h00m",
		25 * time.Hour:                          "25h00m",
	} {
		require.Equal(t, want, report.Duration(d))
	}
}
