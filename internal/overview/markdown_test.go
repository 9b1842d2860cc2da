package overview

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"gotest.tools/v3/golden"

	"github.com/deeds-evals/deeds/results"
)

func markdown(t *testing.T, o *Overview, d Digest) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, o.Markdown(&b, d))
	return b.String()
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	o := Of(mixed())
	earlier := *o
	earlier.Run, earlier.Created = "20261128T224301Z-000001", o.Created.AddDate(0, 0, -1)
	bad := o.Arms[0].Slowest[0]
	golden.Assert(t, markdown(t, o, Digest{
		Failures: []Failure{{Attempt: bad, Signals: []string{"tool-chain"}, Text: "tool-chain\n  want  it reads\n  got   ```\n", Evidence: "results/runs/x/1.json.zst"}},
		Unread:   3, History: o.Trace([]*Overview{&earlier}), Command: "go run .",
	}), "markdown.golden")
}

// What an agent, a model or a case has a hand in is no Markdown and no HTML.
func TestMarkdownIsInert(t *testing.T) {
	t.Parallel()
	const evil = "evil</details><script>alert(1)</script>\n\n# head\n| a | b |\n@everyone [x](http://y) ![i](z) **b** `c` ``` ~~~ \x1b[31m\u202e\xff $x$ &lt; https://evil.example www.evil.test a@evil.co evil/evil#181 GH-181 0123456789abcdef0123456789abcdef01234567 :evil: \\| @evil \\\\| @evil"
	b := &builder{}
	p := b.plan(results.Plan{Kind: results.Live, Commit: evil, Settings: results.Settings{Models: []string{evil}}})
	for _, outcome := range []string{results.Fail, results.Void} {
		s := results.Slot{Case: evil + outcome, World: evil, Variant: evil, Model: evil, Agent: evil, Attempt: 1}
		p.Slots = append(p.Slots, s)
		b.play(s, outcome, func(a *results.Attempt) { a.Reason = evil; a.Signals = map[string]string{evil: outcome} })
	}
	b.run.Stopped, b.run.Problems = &results.Stop{Reason: evil}, []string{evil}
	o := Of(results.RunInfo{ID: evil, Dir: "d"}, &b.run)
	o.Missing = []string{evil}
	slow := Attempt{Slot: p.Slots[0], Outcome: evil, Show: "deeds show " + evil}
	text := markdown(t, o, Digest{Failures: []Failure{{Attempt: slow, Signals: []string{evil}, Text: evil, Evidence: evil}}, History: o.Trace([]*Overview{o})})
	require.True(t, utf8.ValidString(text))
	require.NotContains(t, text, "\x1b")
	require.NotContains(t, text, "\u202e")

	// Take away the code, and nothing is left that means anything.
	prose := withoutCode(text)
	for _, mark := range []string{"evil", "@", "#181", "GH-", "0123456", "<script", "://", "**b**", "\n# head", "`", "$", "![", "](", "~~~"} {
		require.NotContains(t, prose, mark)
	}
	require.Equal(t, 4, strings.Count(prose, "\n<details>")+strings.Count(prose, "\n</details>"), "two that are folded")
	for line := range strings.Lines(prose) {
		if strings.HasPrefix(line, "| ") {
			require.True(t, strings.HasSuffix(line, " |\n"), line)
		}
	}
}

// A bar ends a cell of a table in code as well, unless it is escaped.
func TestMarkdownTablesKeepTheirCells(t *testing.T) {
	t.Parallel()
	b := &builder{}
	p := b.plan(results.Plan{Kind: results.Live})
	s := results.Slot{Case: "core/a|b", World: `x\|y\\|z`, Model: "m|n", Agent: "builtin", Attempt: 1}
	p.Slots = append(p.Slots, s)
	b.play(s, results.Fail, nil)
	o := Of(results.RunInfo{ID: "r"}, &b.run)
	cells := 0
	for line := range strings.Lines(markdown(t, o, Digest{History: o.Trace([]*Overview{o})})) {
		if !strings.HasPrefix(line, "| ") {
			cells = 0
			continue
		}
		require.NotContains(t, line, `\\|`, "some take the bar for the end of the cell")
		n := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
		if cells > 0 {
			require.Equal(t, cells, n, line)
		}
		cells = n
	}
}

var element = regexp.MustCompile(`<code>[^<]*</code>`)

// withoutCode takes blocks, spans and elements of code away, by the rules of CommonMark.
func withoutCode(text string) string {
	var prose strings.Builder
	fence := ""
	for line := range strings.Lines(text) {
		ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence == "" && len(ticks) >= 3:
			fence = ticks
		case fence != "" && len(ticks) >= len(fence) && strings.TrimSpace(line) == ticks:
			fence = ""
		case fence == "" && strings.HasPrefix(line, "<"):
			prose.WriteString(element.ReplaceAllString(line, "")) // no Markdown, up to an empty line
		case fence == "":
			prose.WriteString(withoutSpans(line))
		}
	}
	if fence != "" {
		prose.WriteString("`a block is open")
	}
	return prose.String()
}

func withoutSpans(line string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(line, '`')
		if i < 0 {
			return b.String() + line
		}
		b.WriteString(line[:i])
		line = line[i:]
		ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		line = line[len(ticks):]
		for closed := false; !closed; {
			j := strings.IndexByte(line, '`')
			if j < 0 {
				return b.String() + ticks + line
			}
			line = line[j:]
			run := line[:len(line)-len(strings.TrimLeft(line, "`"))]
			line = line[len(run):]
			closed = run == ticks
		}
	}
}

// A summary is never larger than GitHub takes, and says what it leaves out.
func TestMarkdownIsBounded(t *testing.T) {
	t.Parallel()
	o := Of(mixed())
	var failures []Failure
	for i := range 500 {
		failures = append(failures, Failure{Attempt: o.Arms[0].Slowest[0], Text: strings.Repeat(fmt.Sprintf("line %d `\n", i), 500)})
	}
	text := markdown(t, o, Digest{Failures: failures, Unread: 7})
	require.Less(t, len(text), 1<<20)
	require.Greater(t, len(text), 1<<19, "and no smaller than it must be")
	shown := strings.Count(text, "<details>")
	require.Contains(t, text, fmt.Sprintf("%d attempts more did not pass: `deeds show 20261129T224301Z-3f9c1a` lists them.\n", 507-shown))
	require.Equal(t, shown, strings.Count(text, "</details>"), "none is cut")
	require.Less(t, len(markdown(t, o, Digest{Failures: failures, Most: 4000})), 4000)
}

func TestMarkdownOfNothing(t *testing.T) {
	t.Parallel()
	o := Of(results.RunInfo{ID: "r"}, &results.Run{})
	text := markdown(t, o, Digest{History: o.Trace([]*Overview{o})})
	require.Contains(t, text, "Nothing was planned")
	require.NotContains(t, text, "trend", "there is nothing to follow")
}

// A model may play in several agents: wherever it is named, so is the agent.
func TestOneModelInTwoAgents(t *testing.T) {
	t.Parallel()
	b := &builder{}
	p := b.plan(results.Plan{Kind: results.Live})
	for _, agent := range []string{"builtin", "mine"} {
		s := results.Slot{Case: "core/a", Model: "m", Agent: agent, Attempt: 1}
		p.Slots = append(p.Slots, s)
		b.play(s, results.Fail, nil)
	}
	o := Of(results.RunInfo{ID: "r"}, &b.run)
	h := o.Trace([]*Overview{o})
	text := markdown(t, o, Digest{Failures: []Failure{{Attempt: o.Arms[1].Slowest[0]}}, History: h})
	require.Contains(t, text, "| `tool-chain` | `m` | ▁▁ |")
	require.Contains(t, text, "| `tool-chain` | `m in mine` | ▁▁ |")
	require.Contains(t, text, "<summary><code>core/a/1</code> <code>m in mine</code>: ")
	var out bytes.Buffer
	require.NoError(t, h.Text(&out, Style{}))
	require.Contains(t, out.String(), "HISTORY OF m  ")
	require.Contains(t, out.String(), "HISTORY OF m in mine  ")
}

// What no plan has is not said to be planned.
func TestUnplanned(t *testing.T) {
	t.Parallel()
	b := &builder{}
	p := b.plan(results.Plan{Kind: results.Live, Slots: []results.Slot{slot("core/a", "m", 1), slot("core/a", "m", 2)}})
	for _, s := range append(p.Slots, slot("core/a", "m", 3)) {
		b.play(s, results.Pass, nil)
	}
	o := Of(results.RunInfo{ID: "r"}, &b.run)
	require.Equal(t, 1, o.Arms[0].Unplanned)
	const want = "2 planned and 1 in no plan: 3 passed, 0 failed, 0 void, 0 not run"
	require.Contains(t, text(t, o, Style{}), want)
	require.Contains(t, markdown(t, o, Digest{}), want)
}

func TestTrace(t *testing.T) {
	t.Parallel()
	info, run := mixed()
	o := Of(info, run)
	better := *o
	better.Arms = []Arm{o.Arms[0]}
	better.Arms[0].Signals = []Signal{o.Arms[0].Signals[1]}
	better.Arms[0].Signals[0].Passed, better.Arms[0].Signals[0].Failed = 6, 0
	h := o.Trace([]*Overview{Of(results.RunInfo{ID: "none"}, &results.Run{}), &better})
	require.Len(t, h.Runs, 3)
	require.Len(t, h.Trends, 5, "three rows of one model, two of the other")
	chain := h.Trends[1]
	require.Equal(t, "tool-chain", chain.Signal)
	require.Equal(t, "·█▃", chain.Spark())
	require.Equal(t, []string{"-", "6/6", "1/3 of 6"}, []string{chain.Points[0].String(), chain.Points[1].String(), chain.Points[2].String()})
	var b bytes.Buffer
	require.NoError(t, h.Text(&b, Style{}))
	golden.Assert(t, b.String(), "history.golden")
	b.Reset()
	require.NoError(t, o.Trace(nil).Text(&b, Style{}))
	require.Equal(t, "\nthere is no earlier run of that kind with one of these models\n", b.String())
}
