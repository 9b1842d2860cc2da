package results

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// The reference's verdict cases, by what ours says of the same counts. Its "moved" needs
// a floor and the interval; ours is the test's verdict with the floor beside it.
func TestVerdictsOfTheVectors(t *testing.T) {
	t.Parallel()
	polite := func(passed, held int) shots {
		return every(12, func(int) []shot {
			all := hits(passed, 4)
			for i := range all {
				all[i].markers = map[string]string{"polite": Fail}
				if i < held {
					all[i].markers["polite"] = Pass
				}
			}
			return all
		})
	}
	for _, tt := range []struct {
		name        string // of the vector
		base, cand  shots
		guards      []string
		overall     string
		regressions []string
		decision    string // of the only guard
	}{
		{"gain_no_floor", flat(12, 1, 4), flat(12, 3, 4), nil, Better, []string{}, ""},
		{"gain_with_known_floor", flat(40, 1, 4), flat(40, 2, 4), nil, Better, []string{}, ""},
		{"loss", flat(12, 3, 4), flat(12, 1, 4), nil, Worse, []string{Overall}, ""},
		{"flat", flat(12, 2, 4), flat(12, 2, 4), nil, NoDifference, []string{}, ""},
		{"guard_regresses", polite(1, 4), polite(3, 2), []string{"polite"}, Better, []string{"polite"}, DecisionFail},
		{"guard_not_named_only_slips", polite(1, 4), polite(3, 2), nil, Better, []string{}, ""},
		// Theirs is ok, since nothing fell. That 48 of 48 passed twice does not exclude a fall
		// of 0.05.
		{"degenerate_guard", polite(2, 4), polite(2, 4), []string{"polite"}, NoDifference, []string{}, DecisionInconclusive},
		// Theirs flags it as a guard that cannot fail as well: it looks at each arm alone.
		{"HOLE_degenerate_but_moved", polite(2, 4), polite(2, 0), []string{"polite"}, NoDifference, []string{"polite"}, DecisionFail},
		// Theirs says ok: nobody had named it.
		{"HOLE_unnamed_loss_keeps_ok_true", flat(12, 3, 4), flat(12, 1, 4), nil, Worse, []string{Overall}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := compared(t, shotArm(t, "a", tt.base), shotArm(t, "b", tt.cand), CompareOptions{Guards: tt.guards})
			require.Equal(t, tt.overall, c.Overall.Verdict)
			require.Equal(t, tt.regressions, c.Regressions)
			if tt.decision != "" {
				require.Equal(t, tt.decision, c.Guards[0].Decision, c.Guards[0].Why)
				require.Equal(t, tt.name == "degenerate_guard", c.Guards[0].CannotFail)
			}
		})
	}
}

// A name that is mistyped guards nothing; the reference calls it ok.
func TestUnknownGuardIsAnError(t *testing.T) {
	t.Parallel()
	a := shotArm(t, "a", every(12, func(int) []shot { return marked("polite", 2, 4) }))
	_, err := Compare(a, shotArm(t, "b", flat(12, 2, 4)), CompareOptions{Guards: []string{"polit"}})
	require.EqualError(t, err, `there is no guard "polit"; the nearest are: polite, overall, tool-chain`)
	for _, name := range []string{"polite", "marker:polite", "signal:tool-chain", "overall"} {
		_, err = Compare(a, a, CompareOptions{Guards: []string{name}})
		require.NoError(t, err)
	}
	_, err = Compare(a, a, CompareOptions{Guards: []string{"polite", "marker:polite"}})
	require.ErrorContains(t, err, "twice")
	both := every(12, func(int) []shot { return marked("tool-chain", 2, 4) })
	_, err = Compare(shotArm(t, "a", both), shotArm(t, "b", both), CompareOptions{Guards: []string{"tool-chain"}})
	require.ErrorContains(t, err, "signal:tool-chain or marker:tool-chain")
}

// Too little data is no pass; the reference calls it ok.
func TestGuardWithTooFewUnitsIsInconclusive(t *testing.T) {
	t.Parallel()
	some := func(held int) shots {
		return every(12, func(i int) []shot {
			if i < 2 {
				return marked("g", held, 4)
			}
			return hits(4, 4)
		})
	}
	c := compared(t, shotArm(t, "a", some(4)), shotArm(t, "b", some(0)), CompareOptions{Guards: []string{"g"}})
	require.Equal(t, InsufficientData, c.Markers[0].Verdict)
	require.Equal(t, DecisionInconclusive, c.Guards[0].Decision)
	require.Equal(t, "it takes 5 paired units, and there are 2", c.Guards[0].Why)
	require.Empty(t, c.Regressions)
}

func TestGuards(t *testing.T) {
	t.Parallel()
	// One of twelve units of one attempt falls: shown to be neither harm nor none.
	few := func(down int) shots {
		return every(12, func(i int) []shot { return marked("g", map[bool]int{true: 0, false: 1}[i < down], 1) })
	}
	c := compared(t, shotArm(t, "a", few(0)), shotArm(t, "b", few(1)), CompareOptions{Guards: []string{"g"}})
	require.Equal(t, DecisionInconclusive, c.Guards[0].Decision)
	// Much data and no change is within the margin.
	many := every(60, func(i int) []shot { return marked("g", 8+i%2, 10) })
	c = compared(t, shotArm(t, "a", many), shotArm(t, "b", many), CompareOptions{Guards: []string{"g"}})
	require.Equal(t, DecisionPass, c.Guards[0].Decision, c.Guards[0].Why)
	require.Greater(t, float64(c.Guards[0].Lower), -0.05)
	// Enough units that all passed exclude it too, and it is said that none ever failed.
	full := every(150, func(int) []shot { return marked("g", 4, 4) })
	c = compared(t, shotArm(t, "a", full), shotArm(t, "b", full), CompareOptions{Guards: []string{"g"}})
	require.Equal(t, DecisionPass, c.Guards[0].Decision, c.Guards[0].Lower)
	require.True(t, c.Guards[0].CannotFail)
	require.Contains(t, c.Guards[0].Why, "not seen to be able to fail")
	// A guard that never passed cannot fall.
	never := every(30, func(int) []shot { return marked("g", 0, 4) })
	c = compared(t, shotArm(t, "a", never), shotArm(t, "b", never), CompareOptions{Guards: []string{"g"}})
	require.Equal(t, DecisionInconclusive, c.Guards[0].Decision)
	require.True(t, c.Guards[0].CannotFail)
}

// What falls by less than runs of one model differ by is not shown to have fallen.
func TestGuardWithinItsFloor(t *testing.T) {
	t.Parallel()
	at := func(n int) shots { return every(12, func(int) []shot { return marked("g", n, 4) }) }
	noise := []Arm{shotArm(t, "n1", at(4)), shotArm(t, "n2", at(2)), shotArm(t, "n3", at(4))}
	o := CompareOptions{Guards: []string{"g"}, Noise: noise}
	c := compared(t, shotArm(t, "a", at(4)), shotArm(t, "b", at(2)), o)
	require.Equal(t, Worse, c.Markers[0].Verdict)
	require.Equal(t, Within, c.Markers[0].FloorWord)
	require.Equal(t, DecisionInconclusive, c.Guards[0].Decision)
	require.Empty(t, c.Regressions)
	o.Noise = nil
	c = compared(t, shotArm(t, "a", at(4)), shotArm(t, "b", at(2)), o)
	require.Equal(t, DecisionFail, c.Guards[0].Decision)
	require.Equal(t, []string{"g"}, c.Regressions)
}

func TestFloors(t *testing.T) {
	t.Parallel()
	noise := func(held ...int) []Arm {
		var arms []Arm
		for i, n := range held {
			arms = append(arms, shotArm(t, fmt.Sprintf("n%d", i), every(10, func(int) []shot { return marked("g", n, 4) })))
		}
		return arms
	}
	at := func(id string, n int) *Run {
		return shotRun(id, every(10, func(int) []shot { return marked("g", n, 4) }))
	}
	c := compared(t, armOf(t, at("a", 1)), armOf(t, at("b", 3)), CompareOptions{})
	require.Empty(t, c.Markers[0].FloorWord)
	require.Nil(t, c.Markers[0].Clears)

	// The replicates have nothing of the marker: no floor, and none borrowed.
	c = compared(t, armOf(t, at("a", 1)), armOf(t, at("b", 3)), CompareOptions{Noise: []Arm{shotArm(t, "n", flat(10, 4, 4)), shotArm(t, "o", flat(10, 4, 4))}})
	require.Equal(t, NoFloor, c.Markers[0].FloorWord)
	require.Nil(t, c.Markers[0].Clears)
	require.False(t, c.Markers[0].Floor.Known())
	require.NotEqual(t, NoFloor, c.Overall.FloorWord)

	// The band goes by the runs that stand behind each arm.
	one := compared(t, armOf(t, at("a", 0)), armOf(t, at("b", 3)), CompareOptions{Noise: noise(2, 3, 2)})
	three := compared(t, armOf(t, at("a", 0), at("a2", 0), at("a3", 0)), armOf(t, at("b", 3), at("b2", 3), at("b3", 3)), CompareOptions{Noise: noise(2, 3, 2)})
	require.Equal(t, Within, one.Markers[0].FloorWord)
	require.Equal(t, Clears, three.Markers[0].FloorWord)
	require.InDelta(t, float64(one.Markers[0].Floor)/float64(three.Markers[0].Floor), 1.7320508, 1e-6)

	// A floor of 0 is cleared by a change, and not by none.
	c = compared(t, armOf(t, at("a", 2)), armOf(t, at("b", 2)), CompareOptions{Noise: noise(2, 2, 2)})
	require.Equal(t, Within, c.Markers[0].FloorWord)
	c = compared(t, armOf(t, at("a", 2)), armOf(t, at("b", 3)), CompareOptions{Noise: noise(2, 2, 2)})
	require.Equal(t, Clears, c.Markers[0].FloorWord)
}

func TestInsufficientData(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		units, k int
		want     string
	}{
		{4, 40, InsufficientData}, // four units are four, whatever their attempts
		{5, 1, InsufficientData},  // p is never below 1/16
		{6, 1, Better},
		{5, 3, Better},
	} {
		c := compared(t, shotArm(t, "a", flat(tt.units, 0, tt.k)), shotArm(t, "b", flat(tt.units, tt.k, tt.k)), CompareOptions{})
		require.Equalf(t, tt.want, c.Overall.Verdict, "%d units of %d", tt.units, tt.k)
		require.Equal(t, tt.want == InsufficientData, c.Overall.Cause != "")
	}
}

func TestLostUnitsAreListedAndBracketed(t *testing.T) {
	t.Parallel()
	base := flat(10, 2, 4)
	cand := flat(10, 2, 4)
	cand["core/t000"] = []shot{{outcome: Void}, {outcome: Void}, {outcome: NotRun}, {outcome: NotRun}}
	cand["core/t001"] = append(hits(2, 3), shot{outcome: Void})
	delete(cand, "core/t002")
	c := compared(t, shotArm(t, "a", base), shotArm(t, "b", cand), CompareOptions{})
	require.Equal(t, []LostUnit{
		{"core/t000", "lost entirely in b: 2 void, 2 not run"},
		{"core/t001", "1 of 4 attempts lost in b: 1 void, 0 not run"},
		{"core/t002", "not planned in b"},
	}, c.Lost)
	require.Equal(t, 8, c.Paired)
	require.Equal(t, 10, c.Planned)
	require.Equal(t, 8, c.Overall.Paired)
	// Two units may be anything, and a quarter of a third: -0.5 to +0.5 and 0 to +0.25.
	near(t, (-0.5-0.5+0)/10, c.Overall.WorstLo, 1e-9, "worst case")
	near(t, (0.5+0.5+0.25)/10, c.Overall.WorstHi, 1e-9, "best case")
	require.Equal(t, 3, c.Candidate.Void)
	require.Equal(t, 2, c.Candidate.NotRun)
}

func TestUnderHalfSharedIsNotComparable(t *testing.T) {
	t.Parallel()
	base, cand := flat(12, 1, 4), flat(12, 3, 4)
	for i := range 7 {
		delete(cand, fmt.Sprintf("core/t%03d", i))
	}
	c := compared(t, shotArm(t, "a", base), shotArm(t, "b", cand), CompareOptions{Guards: []string{Overall}})
	require.Equal(t, "the arms share 5 of 12 units, and it takes half of them", c.NotComparable)
	require.Equal(t, InsufficientData, c.Overall.Verdict)
	require.Equal(t, InsufficientData, c.Signals[0].Verdict)
	require.Equal(t, DecisionInconclusive, c.Guards[0].Decision)
	cand["core/t006"] = hits(3, 4)
	c = compared(t, shotArm(t, "a", base), shotArm(t, "b", cand), CompareOptions{})
	require.Empty(t, c.NotComparable)
	require.Equal(t, Better, c.Overall.Verdict)
}

func TestChangedUnitsAreLeftOut(t *testing.T) {
	t.Parallel()
	base, cand := flat(12, 1, 4), flat(12, 3, 4)
	for i := range cand["core/t003"] {
		cand["core/t003"][i].edit = func(a *Attempt) { a.Digests.Case = "c2" }
		cand["core/t004"][i].edit = func(a *Attempt) { a.Digests.Grader = "g2" }
	}
	c := compared(t, shotArm(t, "a", base), shotArm(t, "b", cand), CompareOptions{})
	require.Equal(t, []LostUnit{{"core/t003", "the case changed"}, {"core/t004", "the grader changed"}}, c.Changed)
	require.Equal(t, 10, c.Overall.Paired)

	// Neither are the runs of one arm pooled over a change.
	edited := flat(12, 1, 4)
	edited["core/t000"][0].edit = func(a *Attempt) { a.Digests.Case = "c2" }
	c = compared(t, armOf(t, shotRun("a", base), shotRun("a2", edited)), shotArm(t, "b", flat(12, 3, 4)), CompareOptions{})
	require.Equal(t, []LostUnit{{"core/t000", "the case changed"}}, c.Changed)
}

// A row that rests on what the agent chose is shown with its coverage, and not judged.
func TestConditionalRows(t *testing.T) {
	t.Parallel()
	// The base settles always, and looks first half of the time; the candidate settles
	// once in four, and has looked then.
	arm := func(judged, held int, prefix string) shots {
		return every(12, func(int) []shot {
			all := hits(4, 4)
			for i := range all {
				o := NA
				if i < judged {
					o = Fail
				}
				if i < held {
					o = Pass
				}
				all[i].markers = map[string]string{"looked": prefix + o, "tidy": map[bool]string{true: Pass, false: Fail}[i < held]}
			}
			return all
		})
	}
	for _, prefix := range []string{"?", ""} { // declared by its author, or only to be seen
		c := compared(t, shotArm(t, "a", arm(4, 2, prefix)), shotArm(t, "b", arm(1, 1, prefix)), CompareOptions{})
		row := rowOf(t, c.Markers, "looked")
		require.Equal(t, Conditional, row.Verdict)
		require.True(t, row.Conditional)
		near(t, 0.5, row.Base, 1e-9, "base")
		near(t, 1, row.Candidate, 1e-9, "candidate")
		near(t, 1, row.BaseCoverage, 1e-9, "coverage")
		near(t, 0.25, row.CandidateCoverage, 1e-9, "coverage")
		require.Less(t, float64(row.CoverageP), 0.001)
		near(t, -0.25, row.WorstLo, 1e-9, "worst case")
		near(t, 0.5, row.WorstHi, 1e-9, "best case")
		require.False(t, row.PHolm.Known(), "it is in no family")
		tidy := rowOf(t, c.Markers, "tidy")
		require.Equal(t, tidy.P, tidy.PHolm, "the family is of one")
	}
}

// A limit that cut an attempt short failed what the attempt was to be judged by, but not
// a condition that nobody saw met.
func TestAttemptsCutShort(t *testing.T) {
	t.Parallel()
	cut := func(mark string) shots {
		return every(6, func(int) []shot {
			return []shot{{outcome: Fail, signals: map[string]string{"tool-chain": Fail}}, {outcome: Pass, signals: map[string]string{"tool-chain": Pass}, markers: map[string]string{"g": mark}}}
		})
	}
	r, err := Rates(shotArm(t, "a", cut(Pass)), 1)
	require.NoError(t, err)
	near(t, 0.5, r.Markers[0].PassAt1.Value, 1e-9, "a plain marker")
	r, err = Rates(shotArm(t, "a", cut("?"+Pass)), 1)
	require.NoError(t, err)
	near(t, 1, r.Markers[0].PassAt1.Value, 1e-9, "a conditional marker")
	require.Equal(t, 6, r.Markers[0].NA)
}

// That one unit turned out to be conditional does not change how the others are counted.
func TestMixedUnitsChangeNoOther(t *testing.T) {
	t.Parallel()
	for _, mixed := range []int{0, 7} {
		of := every(8, func(i int) []shot {
			if i == mixed {
				return []shot{{outcome: Pass, signals: map[string]string{"tool-chain": NA}}, hit(true)}
			}
			return []shot{{outcome: Fail}, hit(true)} // cut short
		})
		c := compared(t, shotArm(t, "a", of), shotArm(t, "b", of), CompareOptions{})
		require.Equal(t, Conditional, c.Signals[0].Verdict)
		near(t, (7*0.5+1)/8, c.Signals[0].Base, 1e-12, "base")
		n := noiseOf(t, shotArm(t, "a", of), shotArm(t, "b", of))
		near(t, (7*0.5+1)/8, n.Signals[0].Mean, 1e-12, "mean")
		near(t, (7*0.5+1)/8, ratesOf(t, of, 1).Signals[0].PassAt1.Value, 1e-12, "rate")
	}
}

func TestObservedFacts(t *testing.T) {
	t.Parallel()
	c := compared(t, shotArm(t, "a", every(6, func(int) []shot { return marked("observed_amount", 1, 4) })),
		shotArm(t, "b", every(6, func(int) []shot { return marked("observed_amount", 3, 4) })), CompareOptions{})
	require.Equal(t, []Observation{{"observed_amount", 0.25, 24, 0.75, 24}}, c.Observed)
	require.Empty(t, c.Markers, "seeing a fact is no quality")
}

func TestDegenerateAndCeiling(t *testing.T) {
	t.Parallel()
	c := compared(t, shotArm(t, "a", flat(10, 4, 4)), shotArm(t, "b", flat(10, 4, 4)), CompareOptions{})
	require.True(t, c.Overall.Degenerate)
	require.True(t, c.Overall.Ceiling)
	require.False(t, c.Overall.Lo.Known(), "no interval")
	require.Equal(t, NoDifference, c.Overall.Verdict)
	// All passed before and none after: it has two values.
	c = compared(t, shotArm(t, "a", flat(10, 4, 4)), shotArm(t, "b", flat(10, 0, 4)), CompareOptions{})
	require.False(t, c.Overall.Degenerate)
	require.Equal(t, Worse, c.Overall.Verdict)
	c = compared(t, shotArm(t, "a", flat(10, 1, 4)), shotArm(t, "b", flat(10, 1, 4)), CompareOptions{})
	require.False(t, c.Overall.Ceiling)
}

// One attempt more of six in a family of markers: what one row alone would show, six
// do not.
func TestFamilies(t *testing.T) {
	t.Parallel()
	arm := func(held int, names ...string) shots {
		return every(6, func(int) []shot {
			s := hit(true)
			s.markers = map[string]string{}
			for i, n := range names {
				s.markers[n] = map[bool]string{true: Pass, false: Fail}[i > 0 || held > 0]
				if i > 0 {
					s.markers[n] = Pass
				}
			}
			return []shot{s}
		})
	}
	c := compared(t, shotArm(t, "a", arm(0, "g")), shotArm(t, "b", arm(1, "g")), CompareOptions{})
	require.Equal(t, Better, c.Markers[0].Verdict)
	near(t, 0.03125, c.Markers[0].PHolm, 1e-12, "p")
	// Rows of one value are of no family.
	c = compared(t, shotArm(t, "a", arm(0, "g", "h")), shotArm(t, "b", arm(1, "g", "h")), CompareOptions{})
	require.Equal(t, Better, c.Markers[0].Verdict)
	mixed := func(held int) shots {
		return every(6, func(i int) []shot {
			s := hit(true)
			even := map[bool]string{true: Pass, false: Fail}
			s.markers = map[string]string{"g": even[held > 0], "h": even[i%2 == 0]}
			return []shot{s}
		})
	}
	c = compared(t, shotArm(t, "a", mixed(0)), shotArm(t, "b", mixed(1)), CompareOptions{})
	near(t, 0.03125, c.Markers[0].P, 1e-12, "p")
	near(t, 0.0625, c.Markers[0].PHolm, 1e-12, "p in the family")
	require.Equal(t, NoDifference, c.Markers[0].Verdict)
}

// The plays of four stimuli are no more than four cases.
func TestSignFlipByCase(t *testing.T) {
	t.Parallel()
	arm := func(passed int) shots {
		all := make(shots)
		for i := range 4 {
			for v := range 3 {
				all[fmt.Sprintf("core/c%d||v%d", i, v)] = hits(passed, 1)
			}
		}
		return all
	}
	c := compared(t, shotArm(t, "a", arm(0)), shotArm(t, "b", arm(1)), CompareOptions{})
	require.Equal(t, 12, c.Overall.Paired)
	require.Equal(t, 4, c.Overall.Cases)
	near(t, 2.0/4096, c.Overall.PSignFlip, 1e-12, "by units")
	near(t, 2.0/16, c.Overall.PSignFlipCases, 1e-12, "by cases")
	require.Equal(t, 12, c.Overall.McNemarUp)
	near(t, 2.0/4096, c.Overall.PMcNemar, 1e-12, "of consistent verdicts")
}

func TestRemarks(t *testing.T) {
	t.Parallel()
	a, b := shotRun("a", flat(6, 2, 4)), shotRun("b", flat(6, 2, 4))
	temperature := 0.5
	b.Plans[0].Settings.Temperature = &temperature
	b.Plans[0].Settings.UserModel = "u"
	b.Plans[0].Dirty = true
	for i := range b.Attempts {
		b.Attempts[i].Served = "m-2"
		b.Attempts[i].Containment = "namespaces"
		b.Attempts[i].Digests.Prompt = "p2"
		b.Attempts[i].Turns = 0
	}
	require.Equal(t, []string{
		"the arms differ in whether there was an answer at all: 24 of 24 attempts in a, 0 of 24 in b; a change in the rates may be that and nothing else",
		"the arms differ in user model: not set in a, u in b",
		"the arms differ in temperature: not set in a, 0.5 in b",
		"the arms differ in containment: not set in a, namespaces in b",
		"the arms differ in uncommitted changes: false in a, true in b",
		"the arms differ in the prompt of 6 units",
		"one model was served as two, by its served model: not set in a, m-2 in b",
	}, compared(t, armOf(t, a), armOf(t, b), CompareOptions{}).Remarks)
	require.Empty(t, compared(t, armOf(t, a), armOf(t, shotRun("c", flat(6, 2, 4))), CompareOptions{}).Remarks)
	require.Equal(t, []string{"run a is in both arms: its attempts agree with themselves"}, compared(t, armOf(t, a), armOf(t, a), CompareOptions{}).Remarks)
}

// The same record gives the same comparison, and a row more moves no other.
func TestComparisonsAreDeterministic(t *testing.T) {
	t.Parallel()
	of := func(extra bool) (Arm, Arm) {
		arm := func(shift int) shots {
			return every(40, func(i int) []shot {
				all := marked("g", (i*7+shift)%5, 4+i%3)
				if extra {
					for n := range all {
						all[n].markers["b"] = Pass
					}
				}
				return all
			})
		}
		return shotArm(t, "a", arm(0)), shotArm(t, "b", arm(1))
	}
	text := func(v any) string {
		data, err := json.Marshal(v)
		require.NoError(t, err)
		return string(data)
	}
	a, b := of(false)
	first := compared(t, a, b, CompareOptions{Noise: []Arm{a, b}})
	a, b = of(false)
	require.Equal(t, text(first), text(compared(t, a, b, CompareOptions{Noise: []Arm{a, b}})))
	a, b = of(true)
	require.Equal(t, text(rowOf(t, first.Markers, "g")), text(rowOf(t, compared(t, a, b, CompareOptions{Noise: []Arm{a, b}}).Markers, "g")))
}

// Numbers that there are not are null, and lists that are empty are lists.
func TestComparisonAsJSON(t *testing.T) {
	t.Parallel()
	data, err := json.Marshal(compared(t, shotArm(t, "a", shots{"core/x": hits(1, 1)}), shotArm(t, "b", shots{"core/y": hits(1, 1)}), CompareOptions{}))
	require.NoError(t, err)
	var v map[string]any
	require.NoError(t, json.Unmarshal(data, &v))
	for _, name := range []string{"signals", "markers", "observed", "guards", "regressions", "lost", "changed", "remarks"} {
		require.NotNil(t, v[name], name)
	}
	overall := v["overall"].(map[string]any)
	for _, name := range []string{"base", "candidate", "delta", "lo", "hi", "p", "p_holm", "floor", "clears", "units_needed"} {
		require.Contains(t, overall, name)
		require.Nil(t, overall[name], name)
	}
	var back Comparison
	require.NoError(t, json.Unmarshal(data, &back))
	require.False(t, back.Overall.P.Known())
}

func TestCompareOptions(t *testing.T) {
	t.Parallel()
	a := shotArm(t, "a", flat(6, 2, 4))
	for _, o := range []CompareOptions{{Alpha: 1}, {Alpha: -0.1}, {Power: 1.5}, {Margin: -0.05}, {Noise: []Arm{a}}} {
		_, err := Compare(a, a, o)
		require.Error(t, err, o)
	}
	_, err := Compare(Arm{Name: "by hand"}, a, CompareOptions{})
	require.Error(t, err)
}

// The change that could be seen stands beside the one that was.
func TestDetectable(t *testing.T) {
	t.Parallel()
	at := func(i, shift int) []shot { return hits((i+shift)%4, 4) }
	c := compared(t, shotArm(t, "a", every(33, func(i int) []shot { return at(i, 0) })), shotArm(t, "b", every(33, func(i int) []shot { return at(i, 1) })), CompareOptions{})
	require.True(t, c.Overall.Detectable.Known())
	require.InDelta(t, 0.17, float64(c.Overall.Detectable), 0.02)
	require.NotNil(t, c.Overall.UnitsNeeded)
	require.Greater(t, *c.Overall.UnitsNeeded, 33)
	// Nothing moved: there is no change to size for.
	c = compared(t, shotArm(t, "a", flat(33, 1, 4)), shotArm(t, "b", flat(33, 1, 4)), CompareOptions{})
	require.Nil(t, c.Overall.UnitsNeeded)
}
