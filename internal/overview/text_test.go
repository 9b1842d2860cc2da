package overview

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"gotest.tools/v3/golden"

	"github.com/deeds-evals/deeds/results"
)

func text(t *testing.T, o *Overview, s Style) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, o.Text(&b, s))
	return b.String()
}

func TestText(t *testing.T) {
	t.Parallel()
	o := Of(mixed())
	o.Remark, o.Published = "nothing was played", []string{"m: 1 of 3 units"}
	golden.Assert(t, text(t, o, Style{}), "text.golden")
	golden.Assert(t, text(t, o, Style{Colour: true, Width: 60, Command: "go run .", Dir: "runs/3f9c1a"}), "text-colour.golden")
}

func TestTextIsInert(t *testing.T) {
	t.Parallel()
	const evil = "\x1b[31m\rx\u202e\xff\ny"
	b := &builder{}
	p := b.plan(results.Plan{Kind: evil, Commit: evil, Settings: results.Settings{Models: []string{evil}}})
	for _, outcome := range []string{results.Fail, results.Void} {
		s := results.Slot{Case: evil + outcome, World: evil, Variant: evil, Model: evil, Agent: evil, Attempt: 1}
		p.Slots = append(p.Slots, s)
		b.play(s, outcome, func(a *results.Attempt) { a.Reason = evil; a.Signals = map[string]string{evil: outcome} })
	}
	b.run.Stopped, b.run.Problems = &results.Stop{Reason: evil}, []string{evil}
	o := Of(results.RunInfo{ID: evil, Dir: evil}, &b.run)
	o.Missing, o.Remark, o.Published = []string{evil}, evil, []string{evil}
	for _, out := range []string{text(t, o, Style{}), text(t, o, Style{Width: 40})} {
		require.True(t, utf8.ValidString(out))
		require.NotContains(t, out, "\x1b")
		require.NotContains(t, out, "\r")
		require.NotContains(t, out, "\u202e")
		for line := range strings.Lines(out) {
			require.False(t, strings.HasPrefix(line, "y"), "a line of the agent's own: %q", line)
		}
	}
}

// On a terminal what is prose goes on under itself, and what is to be copied is whole.
func TestTextWraps(t *testing.T) {
	t.Parallel()
	o := Of(mixed())
	o.Remark = "a long one " + strings.Repeat("word ", 30) + strings.Repeat("x", 100)
	o.Dir = strings.Repeat("long/", 40)
	prose := 0
	for line := range strings.Lines(text(t, o, Style{Width: 60})) {
		switch strings.Fields(line + " -")[0] {
		case "attempts", "spent", "typical", "remark", "stopped":
			prose++
			require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), 60, line)
		case "evidence":
			require.Contains(t, line, o.Dir)
		case "next":
			require.Contains(t, line, o.Next)
		}
	}
	require.Equal(t, 8, prose)
	whole := text(t, o, Style{})
	require.Equal(t, strings.Join(strings.Fields(whole), ""), strings.Join(strings.Fields(text(t, o, Style{Width: 90})), ""), "nothing is lost")
}

func TestTextCutsLists(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{6: "core/5", 7: "and 2 units more"} {
		b := &builder{}
		p := b.plan(results.Plan{Kind: results.Live})
		for i := range n {
			s := slot(fmt.Sprintf("core/%d", i), "m", 1)
			p.Slots = append(p.Slots, s)
			b.play(s, results.Fail, nil)
		}
		o := Of(results.RunInfo{ID: "r"}, &b.run)
		require.Contains(t, text(t, o, Style{}), want)
		require.NotContains(t, text(t, o, Style{Most: -1}), "more")
	}
}

func TestTextFailsAsItsWriter(t *testing.T) {
	t.Parallel()
	require.ErrorIs(t, Of(mixed()).Text(broken{}, Style{}), errBroken)
}

var errBroken = errors.New("the disk is full")

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errBroken }

func TestPercents(t *testing.T) {
	t.Parallel()
	for want, ends := range map[string][2]results.Number{
		"29–58 %": {0.29, 0.571}, "0–100 %": {0, 0.999}, "-": {results.None(), 1}, "28–71 %": {0.2899, 0.7051},
		"52–70 %": {0.5297, 0.6998}, "2–100 %": {0.025, 1}, "9–46 %": {0.0936, 0.4513},
		"99.9–100 %": {0.9996, 1}, "99.8–100 %": {0.9988, 0.999995}, "0–0.1 %": {0, 0.0004}, "0–1 %": {0, 0.01},
		"100–100 %": {1, 1}, "99–100 %": {0.9904, 1},
	} {
		require.Equal(t, want, Percents(ends[0], ends[1]))
	}
}

func TestFigures(t *testing.T) {
	t.Parallel()
	require.Equal(t, "1,234,567", grouped(1234567))
	require.Equal(t, "123", grouped(123))
	require.Equal(t, "-1,234", grouped(-1234))
	require.Equal(t, "-123", grouped(-123))
	require.Equal(t, "$0.0040", dollars(0.004))
	require.Equal(t, "$12.00", dollars(12))
	require.Equal(t, "$0.00", dollars(0))
}
