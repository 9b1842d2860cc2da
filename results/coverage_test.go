package results

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestConditionalSaysHowOftenItWasJudged(t *testing.T) {
	t.Parallel()
	slot := func(n int) Slot { return Slot{Case: "chain/x", Model: "m", Agent: "builtin", Attempt: n} }
	play := func(n, play int, outcome, verdict string, conditional bool) Attempt {
		return Attempt{Slot: slot(n), Play: play, Outcome: outcome, Verdicts: []Verdict{{Signal: "tool-chain", Name: "when asked: waits", Outcome: verdict, Conditional: conditional}}}
	}
	run := &Run{
		Plans: []Plan{{Slots: []Slot{slot(1), slot(2), slot(3), slot(4)}}},
		Attempts: []Attempt{
			play(1, 1, Pass, Pass, true),
			play(2, 1, Fail, Fail, true),
			play(2, 2, Pass, Pass, true), // a reroll: it never counts
			play(3, 1, Pass, NA, true),
			play(4, 1, Void, NA, true),
		},
	}
	require.Equal(t, []Coverage{{Model: "m", Agent: "builtin", Case: "chain/x", Name: "when asked: waits", Passed: 1, Judged: 2, Of: 3}}, run.Conditional())

	run.Attempts = []Attempt{play(1, 1, Pass, Pass, false)}
	require.Empty(t, run.Conditional(), "what always applies has no coverage")
}
