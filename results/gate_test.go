package results

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// gated has passed units that pass throughout, failed ones that do once in three, and
// open ones that were not measured.
func gated(passed, failed, open int) shots {
	all := every(passed, func(int) []shot { return hits(3, 3) })
	for i := range failed {
		all[fmt.Sprintf("core/failed%d", i)] = hits(1, 3)
	}
	for i := range open {
		all[fmt.Sprintf("core/open%d", i)] = append(hits(2, 2), shot{outcome: Void, signals: map[string]string{"tool-chain": Void}})
	}
	return all
}

func TestGate(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name                 string
		passed, failed, open int
		need                 float64
		confident            bool
		want, remark         string
	}{
		{"all", 26, 0, 0, 1, false, DecisionPass, "26 of 26: a true rate of 0.89 would show this one time in twenty"},
		{"enough", 9, 1, 0, 0.9, false, DecisionPass, "9 of 10: true rates from 0.55 to 1.00 are not at odds with it"},
		{"too few", 8, 2, 0, 0.9, false, DecisionFail, "8 of 10: true rates from 0.44 to 0.97 are not at odds with it"},
		{"the open ones decide", 8, 1, 1, 0.9, false, DecisionOpen, "1 unit was not measured, and decide it: the rate is from 0.800 to 0.900; 8 of 10: true rates from 0.44 to 1.00 are not at odds with it"},
		{"enough without the open ones", 9, 0, 1, 0.9, false, DecisionPass, "9 of 10: true rates from 0.55 to 1.00 are not at odds with it"},
		{"too few with the open ones", 7, 2, 1, 0.9, false, DecisionFail, "7 of 10: true rates from 0.35 to 0.97 are not at odds with it"},
		{"nothing measured", 0, 0, 4, 0.9, false, DecisionOpen, "nothing was measured"},
		{"a need of nothing is not met by nothing", 0, 0, 4, 0, false, DecisionOpen, "nothing was measured"},
		{"not confident", 9, 1, 0, 0.9, true, DecisionOpen, "the interval holds the need; 9 of 10: true rates from 0.55 to 1.00 are not at odds with it"},
		{"confident", 60, 0, 0, 0.9, true, DecisionPass, "60 of 60: a true rate of 0.95 would show this one time in twenty"},
		{"confident that not", 10, 10, 0, 0.9, true, DecisionFail, "10 of 20: true rates from 0.27 to 0.73 are not at odds with it"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, err := Gate(shotArm(t, "a", gated(tt.passed, tt.failed, tt.open)), []Need{{"tool-chain", tt.need}}, GateOptions{Confident: tt.confident})
			require.NoError(t, err)
			s := r.Signals[0]
			require.Equal(t, tt.want, s.Decision)
			require.Equal(t, tt.want, r.Decision)
			require.Equal(t, [4]int{tt.passed, tt.failed, tt.open, tt.passed + tt.failed + tt.open}, [4]int{s.Passed, s.Failed, len(s.Unmeasured), s.Total})
			require.Equal(t, tt.remark, s.Remark)
		})
	}
}

// A package that broke leaves no plan, and so nothing that is not measured.
func TestGateTellsWhatLeftNoPlan(t *testing.T) {
	t.Parallel()
	a := shotArm(t, "a", gated(3, 0, 0))
	again := *a.Runs[0]
	a.Runs[0].Plans[0].Suite = []SuiteCase{{Case: "chain/b"}, {Case: "late/c"}}
	again.Plans = []Plan{{Suite: []SuiteCase{{Case: "chain/b"}}, Slots: []Slot{{Case: "late/c"}}}}
	again.Attempts = nil
	for _, runs := range [][]*Run{{a.Runs[0]}, {a.Runs[0], &again}} {
		a.Runs = runs
		r, err := Gate(a, []Need{{"tool-chain", 0.5}}, GateOptions{})
		require.NoError(t, err)
		require.Equal(t, DecisionPass, r.Decision)
		want := "the cases of chain, late left no plan: they were not asked for, or their package broke"
		if len(runs) == 2 {
			want = "the cases of chain left no plan: they were not asked for, or their package broke"
		}
		require.Contains(t, r.Remarks, want)
	}
}

// What a gate cannot see may have failed.
func TestGateCannotDecideOnWhatWasSkipped(t *testing.T) {
	t.Parallel()
	decide := func(change func(*Run)) *GateReport {
		a := shotArm(t, "a", gated(3, 0, 0))
		change(a.Runs[0])
		r, err := Gate(a, []Need{{"tool-chain", 0.5}}, GateOptions{})
		require.NoError(t, err)
		return r
	}
	require.Equal(t, DecisionPass, decide(func(*Run) {}).Decision)

	skipped := func(r *Run) {
		p := &r.Plans[0]
		p.Package, p.Suite = "core", []SuiteCase{{Case: p.Slots[0].Case}, {Case: "core/skipped"}}
	}
	r := decide(skipped)
	require.Equal(t, DecisionOpen, r.Decision)
	require.Contains(t, r.Remarks, "core/skipped of run a never came to be played, and was not filtered out: its test was skipped")

	r = decide(func(r *Run) { skipped(r); r.Plans[0].Settings.Limit = 1 })
	require.Equal(t, DecisionPass, r.Decision)
	require.Contains(t, r.Remarks, "a part of the suite was left out by -limit")

	r = decide(func(r *Run) { r.Plans = nil })
	require.Equal(t, DecisionOpen, r.Decision)
	require.Contains(t, r.Remarks, "run a has 9 attempts that no plan of it has: what else was planned nobody knows")
}

func TestGateMisuse(t *testing.T) {
	t.Parallel()
	a := shotArm(t, "a", gated(3, 0, 0))
	for _, tt := range []struct {
		needs []Need
		want  string
	}{
		{nil, "something to hold the run against"},
		{[]Need{{"tool-chian", 1}}, `there is no signal "tool-chian"; the nearest are: tool-chain, overall`},
		{[]Need{{"tool-chain", 1.5}}, "must be from 0 to 1"},
		{[]Need{{"tool-chain", 1}, {"tool-chain", 0.5}}, "needed twice"},
	} {
		_, err := Gate(a, tt.needs, GateOptions{})
		require.ErrorContains(t, err, tt.want)
	}
	r, err := Gate(a, []Need{{Overall, 1}}, GateOptions{})
	require.NoError(t, err)
	require.Equal(t, DecisionPass, r.Decision)
}

// A signal that is planned and that no unit could judge is not measured, and no pass.
func TestGateOfASignalWithNothingToJudge(t *testing.T) {
	t.Parallel()
	a := shotArm(t, "a", every(4, func(int) []shot { return []shot{{outcome: Pass, signals: map[string]string{"plan-safety": NA}}} }))
	r, err := Gate(a, []Need{{"plan-safety", 0.5}}, GateOptions{})
	require.NoError(t, err)
	require.Equal(t, DecisionOpen, r.Decision)
	require.Equal(t, 4, r.Signals[0].NA)
	require.Equal(t, 4, r.Signals[0].Total, "the units were planned, and what the agent did takes none away")
	require.Len(t, r.Signals[0].Unmeasured, 4)
}

// One that fails is a fail, whatever else is open.
func TestGateFoldsItsDecisions(t *testing.T) {
	t.Parallel()
	s := gated(8, 1, 1)
	for unit := range s {
		for i := range s[unit] {
			if s[unit][i].outcome != Void {
				s[unit][i].signals = map[string]string{"tool-chain": s[unit][i].signals["tool-chain"], "plan-safety": Fail}
			}
		}
	}
	a := shotArm(t, "a", s)
	r, err := Gate(a, []Need{{"plan-safety", 0.5}, {"tool-chain", 0.9}}, GateOptions{})
	require.NoError(t, err)
	require.Equal(t, []string{DecisionFail, DecisionOpen}, []string{r.Signals[0].Decision, r.Signals[1].Decision})
	require.Equal(t, DecisionFail, r.Decision)
}

func TestGateAgainstABaseline(t *testing.T) {
	t.Parallel()
	base := shotArm(t, "base", flat(12, 3, 3))
	need := []Need{{"tool-chain", 0}}
	r, err := Gate(shotArm(t, "a", flat(12, 3, 3)), need, GateOptions{Baseline: &base})
	require.NoError(t, err)
	require.Equal(t, DecisionPass, r.Decision)
	require.Empty(t, r.Regressions)

	r, err = Gate(shotArm(t, "a", flat(12, 1, 3)), need, GateOptions{Baseline: &base})
	require.NoError(t, err)
	require.Equal(t, DecisionFail, r.Decision)
	require.Equal(t, []string{"tool-chain", Overall}, r.Regressions)

	// Other units, which nobody can hold against each other.
	r, err = Gate(shotArm(t, "a", shots{"core/else": hits(3, 3)}), nil, GateOptions{Baseline: &base})
	require.NoError(t, err)
	require.Equal(t, DecisionOpen, r.Decision)

	// Another suite is no baseline.
	edited := flat(12, 3, 3)
	edited["core/t002"][0].edit = func(a *Attempt) { a.Digests.Grader = "g2" }
	_, err = Gate(shotArm(t, "a", edited), need, GateOptions{Baseline: &base})
	require.EqualError(t, err, "the baseline base was judged by another suite: in core/t002, the grader changed; save a new one")
}

// A run of too few units passes no gate for want of a difference.
func TestGateAgainstTooSmallABaseline(t *testing.T) {
	t.Parallel()
	base, now := shotArm(t, "base", flat(4, 3, 3)), shotArm(t, "now", flat(4, 0, 3))
	r, err := Gate(now, nil, GateOptions{Baseline: &base})
	require.NoError(t, err)
	require.Equal(t, DecisionOpen, r.Decision)
	require.Contains(t, r.Remarks[0], "against the baseline: ")
}

// An agent that gives nothing to judge has not met a need.
func TestGateTellsWhatHadNothingToJudge(t *testing.T) {
	t.Parallel()
	idle := func(n int) shots {
		return every(10, func(u int) []shot {
			s := hits(3, 3)
			if u < n {
				s[0].signals["tool-chain"] = NA
			}
			return s
		})
	}
	base, now := shotArm(t, "base", flat(10, 3, 3)), shotArm(t, "now", idle(9))
	r, err := Gate(now, []Need{{"tool-chain", 1}}, GateOptions{Baseline: &base})
	require.NoError(t, err)
	require.Equal(t, DecisionOpen, r.Signals[0].Decision)
	require.Equal(t, 10, r.Signals[0].Total)
	require.Contains(t, r.Signals[0].Remark, "9 units were not measured, and decide it: the rate is from 0.100 to 1.000")
	require.Contains(t, r.Signals[0].Remark, "9 of them had nothing to judge, and count as not measured")
	require.Contains(t, r.Remarks, "against the baseline: 1 signal is conditional, and a fall of it shows in overall alone")

	r, err = Gate(now, []Need{{"tool-chain", 0.1}}, GateOptions{})
	require.NoError(t, err)
	require.Equal(t, DecisionPass, r.Signals[0].Decision, "be it as it may, a tenth is met")
}
