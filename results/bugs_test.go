package results

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/stats"
)

// The faults here are those of a list of known ones, by its numbers: each happened to
// somebody who compared agents, and each test is the situation and what is right in it.

// three are replicates of one model: overall hardly differs between them, the marker
// "swings" does.
func three(t *testing.T) []Arm {
	t.Helper()
	var arms []Arm
	for i, held := range []int{1, 2, 3} {
		arms = append(arms, shotArm(t, fmt.Sprintf("n%d", i), every(20, func(unit int) []shot {
			all := hits(2, 4)
			if unit == 0 {
				all = hits(2+i%2, 4)
			}
			for n := range all {
				all[n].markers = map[string]string{"swings": holds(n < held)}
			}
			return all
		})))
	}
	return arms
}

func holds(yes bool) string {
	if yes {
		return Pass
	}
	return Fail
}

func TestBug01EveryRowIsJudgedByAFloorOfItsOwn(t *testing.T) {
	t.Parallel()
	arm := func(id string, held int) Arm {
		return shotArm(t, id, every(20, func(int) []shot {
			all := hits(2, 4)
			for n := range all {
				all[n].markers = map[string]string{"swings": holds(n < held), "new": holds(n < held)}
			}
			return all
		}))
	}
	c := compared(t, arm("a", 3), arm("b", 2), CompareOptions{Noise: three(t), Guards: []string{"swings"}})
	swings, unmeasured := rowOf(t, c.Markers, "swings"), rowOf(t, c.Markers, "new")
	require.Greater(t, math.Abs(float64(swings.Delta)), float64(c.Overall.Floor), "by the floor of overall the model fell behind itself")
	require.Greater(t, float64(swings.Floor), 10*float64(c.Overall.Floor))
	require.Equal(t, Within, swings.FloorWord)
	require.Empty(t, c.Regressions)
	require.Equal(t, NoFloor, unmeasured.FloorWord, "a floor that is missing is said, not borrowed")
	require.False(t, unmeasured.Floor.Known())
	require.Nil(t, unmeasured.Clears)
}

// runArm makes an arm of n runs, every unit of which passes so many of 4.
func runArm(t *testing.T, id string, n, passed int) Arm {
	t.Helper()
	var all []*Run
	for i := range n {
		all = append(all, shotRun(fmt.Sprintf("%s%d", id, i), flat(20, passed, 4)))
	}
	return armOf(t, all...)
}

func TestBug02BandGoesByTheNumberOfRuns(t *testing.T) {
	t.Parallel()
	noise := three(t)
	n := noiseOf(t, noise...)
	for _, tt := range [][2]int{{1, 1}, {1, 3}, {3, 3}, {2, 5}} {
		c := compared(t, runArm(t, "a", tt[0], 2), runArm(t, "b", tt[1], 2), CompareOptions{Noise: noise})
		const t2 = 4.302652729911275 // of two degrees of freedom
		want := t2 * float64(n.Overall.SD) * math.Sqrt(1/float64(tt[0])+1/float64(tt[1]))
		near(t, want, c.Overall.Floor, 1e-9, fmt.Sprint(tt))
	}
	// Twice the deviation, whatever the number of runs: 15 % of the differences between
	// a model and itself lie outside.
	r := rand.New(rand.NewPCG(2, 2))
	right, twice := 0, 0
	const draws = 40_000
	for range draws {
		d := math.Abs(r.NormFloat64() - r.NormFloat64())
		right += outside(d, stats.Band(1, math.Inf(1), 1, 1, 0.95))
		twice += outside(d, 2)
	}
	require.InDelta(t, 0.05, float64(right)/draws, 0.005)
	require.InDelta(t, 0.157, float64(twice)/draws, 0.01)
}

func outside(d, band float64) int {
	if d > band {
		return 1
	}
	return 0
}

func TestBug03ASpreadOfThreeRunsIsTakenForWhatItIs(t *testing.T) {
	t.Parallel()
	c := compared(t, runArm(t, "a", 1, 2), runArm(t, "b", 1, 2), CompareOptions{Noise: three(t)})
	near(t, 2, c.Overall.FloorDF, 0, "degrees of freedom")
	r := rand.New(rand.NewPCG(3, 3))
	right, normal := 0, 0
	const draws = 40_000
	for range draws {
		means := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		v := stats.RunVariance(means, 0)
		d := math.Abs(r.NormFloat64() - r.NormFloat64())
		right += outside(d, stats.Band(v.SD, v.DF, 1, 1, 0.95))
		normal += outside(d, 1.96*math.Sqrt2*v.SD)
	}
	require.InDelta(t, 0.05, float64(right)/draws, 0.005)
	require.InDelta(t, 0.19, float64(normal)/draws, 0.01)
}

func TestBug04NoiseAndCompareTellOneFloor(t *testing.T) {
	t.Parallel()
	noise := three(t)
	n := noiseOf(t, noise...)
	c := compared(t, noise[0], runArm(t, "b", 1, 2), CompareOptions{Noise: noise})
	require.True(t, n.Overall.Band.Known())
	require.Equal(t, n.Overall.Band, c.Overall.Floor)
	require.Equal(t, n.Overall.DF, c.Overall.FloorDF)
	swings := rowOf(t, c.Markers, "swings")
	require.Equal(t, n.Markers[0].Band, swings.Floor)
}

func TestBug05RunsAreCountedAsTheyAreHandedIn(t *testing.T) {
	t.Parallel()
	noise := three(t)
	one := compared(t, runArm(t, "a", 1, 2), runArm(t, "b", 1, 2), CompareOptions{Noise: noise}).Overall.Floor
	base := runArm(t, "a", 3, 2)
	triple := compared(t, base, runArm(t, "b", 3, 2), CompareOptions{Noise: noise}).Overall.Floor
	near(t, 1.7320508, one/triple, 1e-6, "three runs a side")
	// A baseline that was saved of three runs is three.
	root := t.TempDir()
	require.NoError(t, SaveBaseline(root, "main", base.Runs))
	kept, err := LoadBaseline(root, "main")
	require.NoError(t, err)
	require.Equal(t, triple, compared(t, armOf(t, kept), runArm(t, "b", 3, 2), CompareOptions{Noise: noise}).Overall.Floor)
}

func TestBug06UnitsNeededGoByThePairedSpread(t *testing.T) {
	t.Parallel()
	// 106 units rise by a quarter, 74 fall by one and 20 stay: +0.04 on a base of 233/800.
	of := func(move bool) shots {
		passed := 233
		return every(200, func(i int) []shot {
			least, change := 0, 1
			switch {
			case i < 74:
				least, change = 1, -1
			case i < 94:
				change = 0
			}
			b := least
			if extra := passed - 74; i >= 74 && extra > 0 {
				b = min(3, extra)
				passed -= b
			}
			if move {
				b += change
			}
			return hits(b, 4)
		})
	}
	row := compared(t, shotArm(t, "a", of(false)), shotArm(t, "b", of(true)), CompareOptions{}).Overall
	near(t, 0.04, row.Delta, 1e-12, "change")
	near(t, 233.0/800, row.Base, 1e-12, "base")
	require.Equal(t, 270, *row.UnitsNeeded)
	independent, _, err := stats.CasesNeeded(float64(row.Base), float64(row.Delta), 4, 0.05, 0.80)
	require.NoError(t, err)
	require.Equal(t, 525, independent, "what arms that have nothing to do with each other would take")
}

func TestBug07AGainOnFewUnitsHasASizeOfItsOwn(t *testing.T) {
	t.Parallel()
	const gain = 19.0 / 150
	p, err := PlanPower(PowerOptions{Base: 0, K: 4, Effect: gain})
	require.NoError(t, err)
	require.Equal(t, 14, *p.CasesNeeded, "if all units gained alike")
	require.InDelta(t, 54, *p.CasesConcentrated, 1)
	// The same from the units in hand.
	row := compared(t, shotArm(t, "a", flat(150, 0, 4)), shotArm(t, "b", every(150, func(i int) []shot {
		if i < 19 {
			return hits(4, 4)
		}
		return hits(0, 4)
	})), CompareOptions{}).Overall
	near(t, gain, row.Delta, 1e-12, "gain")
	require.InDelta(t, 54, *row.UnitsNeeded, 1)
}

func TestBug08ASaturatedBaseIsNotSized(t *testing.T) {
	t.Parallel()
	full := shotArm(t, "full", flat(10, 4, 4))
	_, err := PlanPower(PowerOptions{From: &full, Effect: 0.1})
	require.ErrorContains(t, err, "there is no effect of +0.1 on a base rate of 1")
	p, err := PlanPower(PowerOptions{From: &full, Cases: 10})
	require.NoError(t, err)
	require.Contains(t, fmt.Sprint(p.Remarks), "CEILING: the base passes 1.000")
	require.Contains(t, fmt.Sprint(p.Remarks), "DEGENERATE")
	require.False(t, p.SD.Known())
	require.True(t, compared(t, full, full, CompareOptions{}).Overall.Ceiling)
}

func TestBug09WhatNeverFiresAndWhatAlwaysHoldsAreNamed(t *testing.T) {
	t.Parallel()
	of := every(12, func(int) []shot {
		all := marked("always", 4, 4)
		for i := range all {
			all[i].markers["never"] = Fail
		}
		return all
	})
	r := ratesOf(t, of, 0)
	always, never := r.Markers[0], r.Markers[1]
	require.True(t, always.Degenerate && never.Degenerate)
	near(t, 1, always.PassAt1.Value, 0, "always")
	near(t, 0, never.PassAt1.Value, 0, "never")
	require.Less(t, float64(always.PassAt1.Lo), 0.75, "no spread is no certainty")
	require.Greater(t, float64(never.PassAt1.Hi), 0.25)
	require.Contains(t, never.Remark, "nothing ever passed")
	c := compared(t, shotArm(t, "a", of), shotArm(t, "b", of), CompareOptions{Guards: []string{"always", "never"}})
	for i, row := range c.Markers {
		require.True(t, row.Degenerate)
		require.False(t, row.Lo.Known() || row.Hi.Known(), "no interval")
		require.True(t, c.Guards[i].CannotFail)
		require.Equal(t, DecisionInconclusive, c.Guards[i].Decision)
	}
	require.Contains(t, c.Guards[0].Why, "it was not seen to be able to fail")
	require.Contains(t, c.Guards[1].Why, "it never passed in either arm")
}

func TestBug10WhatHasNoPairIsCountedAndNamed(t *testing.T) {
	t.Parallel()
	base, cand := flat(12, 1, 4), flat(12, 3, 4)
	delete(base, "core/t000")
	delete(cand, "core/t001")
	c := compared(t, shotArm(t, "a", base), shotArm(t, "b", cand), CompareOptions{})
	require.Equal(t, []int{10, 12}, []int{c.Paired, c.Planned})
	require.Equal(t, []LostUnit{{"core/t000", "not planned in a"}, {"core/t001", "not planned in b"}}, c.Lost)
	// Each of the two may have changed by -0.25 to +0.75.
	near(t, (10*0.5-2*0.25)/12, c.Overall.WorstLo, 1e-12, "the bracket is over all twelve")
	near(t, (10*0.5+2*0.75)/12, c.Overall.WorstHi, 1e-12, "at both ends")
}

func TestBug11ArmsOfOtherUnitsAreNotComparable(t *testing.T) {
	t.Parallel()
	base, cand := flat(24, 4, 4), make(shots)
	for i := range 24 {
		cand[fmt.Sprintf("core/t%03d", i+17)] = hits(4, 4)
	}
	cand["core/t017"] = hits(0, 4)
	c := compared(t, shotArm(t, "a", base), shotArm(t, "b", cand), CompareOptions{Guards: []string{Overall}})
	near(t, -1.0/7, c.Overall.Delta, 1e-12, "change")
	require.Equal(t, 41, c.Planned)
	require.Equal(t, "the arms share 7 of 41 units, and it takes half of them", c.NotComparable)
	require.Equal(t, InsufficientData, c.Overall.Verdict)
	require.Equal(t, DecisionInconclusive, c.Guards[0].Decision, "a comparison that cannot be made passes no guard")
}

func TestBug12ARunThatComesBackShortSaysByReason(t *testing.T) {
	t.Parallel()
	// 163 of 172 attempts: six answers were empty, three times our side broke.
	of := flat(43, 2, 4)
	for i := range 9 {
		why := "provider"
		if i >= 6 {
			why = "harness"
		}
		of[fmt.Sprintf("core/t%03d", i)][3] = shot{outcome: Void, edit: func(a *Attempt) { a.Reason = why }}
	}
	short := shotRun("b", of)
	totals := short.Totals()[0]
	require.Equal(t, map[string]int{"provider": 6, "harness": 3}, totals.Reasons)
	require.Equal(t, []int{172, 163, 9}, []int{totals.Slots, totals.Pass + totals.Fail, totals.Void})
	c := compared(t, shotArm(t, "a", flat(43, 2, 4)), armOf(t, short), CompareOptions{})
	require.Equal(t, []int{172, 163, 9}, []int{c.Candidate.Slots, c.Candidate.Attempts, c.Candidate.Void})
	require.Len(t, c.Lost, 9)
	require.Equal(t, "1 of 4 attempts lost in b: 1 void, 0 not run", c.Lost[0].Why)
	require.Contains(t, fmt.Sprint(c.Remarks), "unequal attempts: 4 of a unit in a, 3 in b, and 9 of 43 paired units differ")
}

func TestBug13WhatWasNotGradedIsBracketed(t *testing.T) {
	t.Parallel()
	// 37 of 120 attempts could not be judged, those of the long units: 0.717 of what
	// remains passes, and the truth is 0.603.
	of := every(40, func(i int) []shot {
		switch {
		case i < 12:
			return []shot{{outcome: Void}, {outcome: Void}, {outcome: Void}}
		case i == 12:
			return append(hits(0, 2), shot{outcome: Void})
		case i < 33:
			return hits(3, 3)
		default:
			return hits(0, 3)
		}
	})
	r := ratesOf(t, of, 1)
	near(t, 0.717, r.Overall.PassAt1.Value, 0.005, "of what remains")
	require.Equal(t, 37, r.Overall.Lost)
	require.Equal(t, []string{"37 of 120 slots are lost: 37 void, 0 not run; the rates are of the others"}, r.Remarks)
	g, err := Gate(shotArm(t, "a", of), []Need{{Overall, 0.65}}, GateOptions{})
	require.NoError(t, err)
	require.Len(t, g.Signals[0].Unmeasured, 13)
	require.Equal(t, DecisionOpen, g.Decision, "what was lost decides it")
	c := compared(t, shotArm(t, "a", of), shotArm(t, "b", of), CompareOptions{})
	const bias = 0.717 - 0.603
	require.Greater(t, float64(c.Overall.WorstHi), bias)
	require.Less(t, float64(c.Overall.WorstLo), -bias)
}

func TestBug14AnArmThatNeverAnsweredIsSaidToHaveNotAnswered(t *testing.T) {
	t.Parallel()
	base := flat(37, 0, 4)
	for _, all := range base {
		for i := range all {
			// It thought until its output was used up.
			all[i].edit = func(a *Attempt) { a.End, a.Reason, a.Usage.Reasoning = "length", "length", 4096 }
		}
	}
	cand := every(37, func(i int) []shot { return hits(map[bool]int{true: 1}[i < 19], 4) })
	c := compared(t, shotArm(t, "a", base), shotArm(t, "b", cand), CompareOptions{})
	near(t, 0.13, c.Overall.Delta, 0.005, "0.00 to 0.13")
	near(t, 4e-6, c.Overall.P, 1e-6, "p")
	require.Equal(t, []int{0, 148}, []int{c.Base.Answered, c.Candidate.Answered})
	require.Equal(t, "the arms differ in whether there was an answer at all: 0 of 148 attempts in a, 148 of 148 in b; a change in the rates may be that and nothing else", c.Remarks[0])
}

// worldly has units of every kind: plain, in worlds, in variants, in both.
func worldly() shots {
	return shots{
		"core/a": hits(1, 3), "core/b|big": hits(2, 3), "core/b|small": hits(1, 3), "core/c||x": hits(3, 3), "core/c||y": hits(0, 3),
		"core/d|big|x": hits(1, 3), "core/d|big|y": hits(2, 3), "core/d|small|x": hits(1, 3),
	}
}

func TestBug15OneUnitKeyEverywhere(t *testing.T) {
	t.Parallel()
	a, b := shotRun("a", worldly()), shotRun("b", worldly())
	want := len(worldly())
	require.Len(t, a.Units(), want)
	require.Equal(t, want, a.Totals()[0].Units)
	require.Equal(t, want, a.Signals()[0].Units)
	require.Equal(t, want, armOf(t, a).Summary().Units)
	require.Equal(t, want, ratesOf(t, worldly(), 1).Overall.Units)
	c := compared(t, armOf(t, a), armOf(t, b), CompareOptions{})
	require.Equal(t, []int{want, want, want}, []int{c.Planned, c.Paired, c.Overall.Paired})
	require.Equal(t, want, noiseOf(t, armOf(t, a), armOf(t, b)).Units)
	g, err := Gate(armOf(t, a), []Need{{Overall, 0}}, GateOptions{})
	require.NoError(t, err)
	require.Equal(t, want, g.Signals[0].Total)
}

// Nothing is held out here, so nothing can leak from one part into the other. What
// remains of it: units of one case are one case, wherever the claim is about new ones.
func TestBug16UnitsOfOneCaseAreOneCase(t *testing.T) {
	t.Parallel()
	r := ratesOf(t, worldly(), 1)
	require.Equal(t, []int{8, 4}, []int{r.Overall.Units, r.Overall.Cases})
	gains := make(shots)
	for unit := range worldly() {
		gains[unit] = hits(3, 3)
	}
	row := compared(t, shotArm(t, "a", worldly()), shotArm(t, "b", gains), CompareOptions{}).Overall
	require.Equal(t, 4, row.Cases)
	near(t, 2.0/16, row.PSignFlipCases, 1e-12, "four cases are four, whatever their worlds")
}

func TestBug17AGainOfOneRunIsNoReplicatedGain(t *testing.T) {
	t.Parallel()
	at := func(id string, passed int) Arm { return shotArm(t, id, flat(20, passed, 4)) }
	c := compared(t, at("a", 1), at("b", 2), CompareOptions{})
	require.Nil(t, c.Overall.Clears, "nothing clears a floor that there is not")
	require.Empty(t, c.Overall.FloorWord)
	_, err := Compare(at("a", 1), at("b", 2), CompareOptions{Noise: []Arm{at("n", 1)}})
	require.ErrorContains(t, err, "one run says nothing of what another would show")
	c = compared(t, at("a", 1), at("b", 2), CompareOptions{Noise: []Arm{at("n", 1), at("o", 2), at("p", 3)}})
	require.Equal(t, Within, c.Overall.FloorWord)
	require.False(t, *c.Overall.Clears)
}

func TestBug18OneUnitSaysWhyItHasNoInterval(t *testing.T) {
	t.Parallel()
	one := ratesOf(t, shots{"core/a": hits(2, 3)}, 0).Overall
	near(t, 2.0/3, one.PassAt1.Value, 1e-12, "pass@1")
	require.False(t, one.PassAt1.Lo.Known() || one.PassAt1.Hi.Known())
	require.Equal(t, "one unit has no interval: it takes two or more", one.Remark)
	require.Empty(t, ratesOf(t, shots{"core/a": hits(2, 3), "core/b": hits(1, 3)}, 0).Overall.Remark)
	require.Equal(t, "3/3 says above 0.37", ratesOf(t, shots{"core/a": hits(3, 3)}, 0).Overall.Remark)
}

func TestBug19NothingThatEverPassedPointsAtTheCheck(t *testing.T) {
	t.Parallel()
	r := ratesOf(t, flat(12, 0, 4), 0).Overall
	near(t, 0, r.PassAt1.Value, 0, "pass@1")
	near(t, 0.2646, r.PassAt1.Hi, 1e-3, "the interval is that of twelve units") // 1 - 0.025^(1/12)
	require.True(t, r.Degenerate)
	require.Equal(t, "nothing ever passed: the check was not seen to be able to", r.Remark)
}

func TestBug20WhatIsNotJudgedIsCountedAndNamed(t *testing.T) {
	t.Parallel()
	of := every(10, func(i int) []shot {
		all := hits(2, 4)
		all[0].signals = map[string]string{"tool-chain": NA}
		all[3].outcome = "partial" // nobody knows such an outcome
		return all
	})
	r := ratesOf(t, of, 1)
	signal := r.Signals[0]
	require.Equal(t, []int{10, 20, 10, 10}, []int{signal.Units, signal.Attempts, signal.NA, signal.Lost})
	require.Equal(t, []int{30, 10}, []int{r.Overall.Attempts, r.Overall.Lost})
	require.Contains(t, r.Remarks[0], "10 of 40 slots are lost")
	g, err := Gate(shotArm(t, "a", of), []Need{{"tool-chain", 0}}, GateOptions{})
	require.NoError(t, err)
	require.Equal(t, DecisionOpen, g.Decision)
	require.Len(t, g.Signals[0].Unmeasured, 10)
}

func TestBug21ChurnInBothDirectionsIsNoChange(t *testing.T) {
	t.Parallel()
	of := func(pass func(i int) bool) shots {
		return every(40, func(i int) []shot { return hits(map[bool]int{true: 3}[pass(i)], 3) })
	}
	base := shotArm(t, "a", of(func(i int) bool { return i < 20 }))
	c := compared(t, base, shotArm(t, "b", of(func(i int) bool { return i >= 5 && i < 25 })), CompareOptions{})
	require.Equal(t, []int{5, 5, 30}, []int{c.Overall.Up, c.Overall.Down, c.Overall.Tie})
	require.Equal(t, []int{5, 5}, []int{c.Overall.McNemarUp, c.Overall.McNemarDown})
	near(t, 0, c.Overall.Delta, 0, "what is won is lost")
	near(t, 1, c.Overall.PMcNemar, 0, "p")
	require.Equal(t, NoDifference, c.Overall.Verdict)
	// One of ten that turns is no finding.
	ten := func(pass int) shots {
		return every(10, func(i int) []shot { return hits(map[bool]int{true: 1}[i < pass], 1) })
	}
	c = compared(t, shotArm(t, "a", ten(4)), shotArm(t, "b", ten(5)), CompareOptions{})
	require.Equal(t, NoDifference, c.Overall.Verdict)
}

// A verdict follows from the evidence by a pure function; no model gives one. Nobody can
// be led to think that one reads length, since none reads anything.
func TestBug22VerdictsFollowFromTheEvidenceAlone(t *testing.T) {
	t.Parallel()
	covered(t, "behavior/expect/total_test.go TestEveryWordIsTotalAndPure", "behavior/judge_test.go TestGradeIsTotal",
		"internal/e2e/replay_test.go TestRegradeListsTheFlips")
}

func TestBug23AgreementSaysOverHowMuch(t *testing.T) {
	t.Parallel()
	a, b := flat(10, 3, 3), flat(10, 3, 3)
	b["core/t000"] = hits(0, 3)
	for i := 1; i < 6; i++ {
		b[fmt.Sprintf("core/t%03d", i)][0] = shot{outcome: Void}
	}
	n := noiseOf(t, shotArm(t, "a", a), shotArm(t, "b", b))
	require.Equal(t, []int{5, 1, 10}, []int{n.Overall.Compared, n.Overall.Flipped, n.Units}, "five of ten, and not one of ten")
	c := compared(t, shotArm(t, "a", a), shotArm(t, "b", b), CompareOptions{})
	require.Len(t, c.Lost, 5)
	require.Equal(t, []int{0, 1}, []int{c.Overall.McNemarUp, c.Overall.McNemarDown})
}

func TestBug24OneTurnIsOneTurn(t *testing.T) {
	t.Parallel()
	covered(t, "behavior/known_faults_test.go TestQuestionMarkEarnsNoTurn", "behavior/talk_test.go TestQuestionIsAnsweredWhereOneWasAsked",
		"behavior/talk_test.go TestNothingIsDecidedWhereNoPlanWaits")
}

// A replay is of the model whose answers it gives again, and can be held against what was
// played. It adds nothing to that: one arm holds no live run and its replay.
func TestBug25AReplayIsOfItsModelAndIsPooledWithNothingLive(t *testing.T) {
	t.Parallel()
	live, replay := shotRun("a", flat(8, 2, 3)), shotRun("b", flat(8, 2, 3))
	replay.Plans[0].Kind = "replayed"
	replay.Plans[0].Settings.Replay = "a"
	c := compared(t, armOf(t, live), armOf(t, replay), CompareOptions{})
	require.Equal(t, c.Base.Model, c.Candidate.Model)
	require.Equal(t, 8, c.Paired)
	require.Empty(t, c.NotComparable)
	require.Equal(t, "replayed", c.Candidate.Kind)
	require.Contains(t, c.Remarks, "the arms differ in kind: live in a, replayed in b")
	_, err := NewArm("both", []*Run{live, replay}, "")
	require.EqualError(t, err, "both: run b is replayed and others are live, and an arm is of one kind")
	_, err = Noise([]Arm{armOf(t, live), armOf(t, replay)})
	require.ErrorContains(t, err, "replicates are of one kind")
	covered(t, "internal/e2e/replay_test.go TestReplayKeepsRepeatsApart", "internal/e2e/replay_test.go TestReplayIsARunOfItsOwn",
		"results/board_publish_test.go TestPublishRefuses/replayed")
}

func TestBug26OneRecordGivesOneAnswer(t *testing.T) {
	t.Parallel()
	// Rates that floating point cannot hold, in numbers of attempts that make the test
	// draw instead of count.
	sizes := []int{3, 7, 11, 13, 17, 19, 23, 29, 31, 37}
	of := func(shift int) shots {
		return every(16, func(i int) []shot {
			n := sizes[(i+shift)%len(sizes)]
			return hits((i*5+shift)%(n+1), n)
		})
	}
	text := func(reverse bool) (string, Row) {
		a, b := shotRun("a", of(0)), shotRun("b", of(1))
		if reverse {
			for _, r := range []*Run{a, b} {
				slices.Reverse(r.Attempts)
				slices.Reverse(r.Plans[0].Slots)
			}
		}
		c := compared(t, armOf(t, a), armOf(t, b), CompareOptions{})
		data, err := json.Marshal(c)
		require.NoError(t, err)
		return string(data), c.Overall
	}
	want, row := text(false)
	again, _ := text(true)
	require.Equal(t, want, again, "whatever order it is added up in")
	require.False(t, row.Exact)
	require.Equal(t, Number(0.4742), row.P, "the draws are part of the record")
}

func TestBug27WhatCouldNotBeJudgedIsNoZero(t *testing.T) {
	t.Parallel()
	of := every(6, func(int) []shot {
		return []shot{{outcome: Pass, signals: map[string]string{"tool-chain": Pass, "plan-safety": NA}}}
	})
	plan := ratesOf(t, of, 1).Signals[0]
	require.Equal(t, "plan-safety", plan.Name)
	require.False(t, plan.PassAt1.Value.Known(), "no rate, rather than 0")
	require.Equal(t, "nothing was measured", plan.Remark)
	require.Equal(t, 6, plan.NA)
	covered(t, "internal/e2e/replay_test.go TestRegradeSkipsNothingSilently", "results/load_test.go TestLoadSaysWhatItCannotRead",
		"results/noise_test.go TestNoiseMissingInOneReplicate")
}

func TestBug28AStubEchoesNothingByItself(t *testing.T) {
	t.Parallel()
	covered(t, "behavior/known_faults_test.go TestStubEchoesNothingByItself", "behavior/office_test.go TestStubsAreServedFromTheLedger")
}

func TestOpenFaults(t *testing.T) {
	t.Parallel()
	marks := func(held int) shots { return every(12, func(int) []shot { return marked("g", held, 4) }) }
	for name, test := range map[string]func(t *testing.T){
		"a guard that nobody knows is an error": func(t *testing.T) {
			_, err := Compare(shotArm(t, "a", marks(4)), shotArm(t, "b", marks(0)), CompareOptions{Guards: []string{"gg"}})
			require.ErrorContains(t, err, `there is no guard "gg"; the nearest are: g`)
		},
		"a guard without data does not pass": func(t *testing.T) {
			few := func(held int) shots {
				of := flat(12, 4, 4)
				of["core/t000"], of["core/t001"] = marked("g", held, 4), marked("g", held, 4)
				return of
			}
			c := compared(t, shotArm(t, "a", few(4)), shotArm(t, "b", few(0)), CompareOptions{Guards: []string{"g"}})
			require.Equal(t, DecisionInconclusive, c.Guards[0].Decision)
			require.Equal(t, "it takes 5 paired units, and there are 2", c.Guards[0].Why)
		},
		"an overall loss that nobody named is a regression": func(t *testing.T) {
			c := compared(t, shotArm(t, "a", flat(12, 3, 4)), shotArm(t, "b", flat(12, 1, 4)), CompareOptions{})
			require.Equal(t, []string{Overall}, c.Regressions)
		},
		"a base of 0 has a detectable effect, and one of 1 has none": func(t *testing.T) {
			const z = 1.959963984540054 + 0.8416212335729143
			p, err := PlanPower(PowerOptions{Base: 0, K: 4, Cases: 33})
			require.NoError(t, err)
			near(t, z*z/(z*z+33*4), p.DetectableEffect, 1e-12, "at 0")
			p, err = PlanPower(PowerOptions{Base: 1, K: 4, Cases: 33})
			require.NoError(t, err)
			data, err := json.Marshal(p)
			require.NoError(t, err)
			require.Contains(t, string(data), `"detectable_effect":null`, "and not 0")
		},
		"an effect that does not exist is not sized": func(t *testing.T) {
			_, err := PlanPower(PowerOptions{Base: 0.9, K: 4, Effect: 0.2})
			require.ErrorContains(t, err, "there is no effect of +0.2 on a base rate of 0.9")
			_, err = PlanPower(PowerOptions{Base: 0.1, K: 4, Effect: -0.2})
			require.Error(t, err, "nor a fall below nothing")
		},
		"three or four units have no verdict": func(t *testing.T) {
			for n := 1; n <= 4; n++ {
				c := compared(t, shotArm(t, "a", flat(n, 0, 20)), shotArm(t, "b", flat(n, 20, 20)), CompareOptions{})
				require.Equal(t, InsufficientData, c.Overall.Verdict, n)
				require.Empty(t, c.Regressions)
			}
		},
		"a marker is degenerate over both arms": func(t *testing.T) {
			c := compared(t, shotArm(t, "a", marks(4)), shotArm(t, "b", marks(0)), CompareOptions{Guards: []string{"g"}})
			require.False(t, c.Markers[0].Degenerate)
			require.False(t, c.Guards[0].CannotFail, "it has just failed")
			require.Equal(t, []string{"g"}, c.Regressions)
		},
		"the means of the arms are those of the pairs": func(t *testing.T) {
			base := flat(12, 1, 4)
			for i := 12; i < 20; i++ {
				base[fmt.Sprintf("core/t%03d", i)] = hits(4, 4) // which only the base has
			}
			row := compared(t, shotArm(t, "a", base), shotArm(t, "b", flat(12, 3, 4)), CompareOptions{}).Overall
			near(t, 0.25, row.Base, 1e-12, "base")
			near(t, float64(row.Candidate-row.Base), row.Delta, 1e-12, "change")
		},
		"a marker is sized as the marker": func(t *testing.T) {
			of := every(20, func(i int) []shot { return marked("g", i%3, 4) }) // attempts pass always
			a := shotArm(t, "a", of)
			p, err := PlanPower(PowerOptions{From: &a, Row: "g", Effect: 0.2})
			require.NoError(t, err)
			require.Equal(t, "g", p.Row)
			require.InDelta(t, 19.0/80, p.Base, 1e-12)
			_, err = PlanPower(PowerOptions{From: &a, Effect: 0.2})
			require.Error(t, err, "the pass rate of attempts is 1")
			row := compared(t, a, shotArm(t, "b", of), CompareOptions{}).Markers[0]
			near(t, stats.DetectableEffect(20, 19.0/80, 4, 0.05, 0.80), row.Detectable, 1e-12, "beside the row")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t)
		})
	}
}

// What was asked for beside the faults.
func TestIssuesOfTheList(t *testing.T) {
	t.Parallel()
	for name, tests := range map[string][]string{
		"288 the size comes before the run, and the power before the change": {"results/power_test.go TestPlanPower", "results/compare_test.go TestDetectable"},
		"300 every row has its own floor":                                    {"results/bugs_test.go TestBug01EveryRowIsJudgedByAFloorOfItsOwn"},
		"301 tool results and faults can be pinned":                          {"behavior/office_test.go TestFaults", "behavior/office_test.go TestDraws"},
		"302 a slow start is waited for, and said":                           {"internal/gateway/live_test.go TestLiveFirstToken", "internal/gateway/live_test.go TestLiveWarmUp"},
		"303 what is lost is counted by its reason":                          {"results/bugs_test.go TestBug12ARunThatComesBackShortSaysByReason"},
		"284 a model's thoughts are none of its words":                       {"behavior/known_faults_test.go TestSimulatedUserKeepsItsThoughts", "internal/agent/reasoning_test.go TestReasoningInTheText"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			covered(t, tests...)
		})
	}
}
