package results

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func noiseOf(t *testing.T, arms ...Arm) *NoiseReport {
	t.Helper()
	n, err := Noise(arms)
	require.NoError(t, err)
	return n
}

func TestNoiseRefuses(t *testing.T) {
	t.Parallel()
	a := shotArm(t, "a", flat(6, 2, 4))
	simulated := shotRun("s", flat(6, 2, 4))
	simulated.Plans[0].Kind = "simulated"
	other, err := NewArm("o", []*Run{modelRun("o", "n", flat(6, 2, 4))}, "")
	require.NoError(t, err)
	for _, tt := range []struct {
		arms []Arm
		want string
	}{
		{nil, "two or more runs"},
		{[]Arm{a}, "and this is 1"},
		{[]Arm{a, {}}, "make it with NewArm"},
		{[]Arm{a, a}, "run a is given twice"},
		{[]Arm{a, other}, "these are of m and n"},
		{[]Arm{a, armOf(t, simulated)}, "these are live and simulated"},
		{[]Arm{a, shotArm(t, "b", shots{"core/else": hits(1, 1)})}, "no unit in common"},
	} {
		_, err := Noise(tt.arms)
		require.ErrorContains(t, err, tt.want)
	}
}

// An A/A comparison tells how many verdicts turn by themselves.
func TestNoiseCountsFlips(t *testing.T) {
	t.Parallel()
	at := func(passed ...int) shots { return every(len(passed), func(i int) []shot { return hits(passed[i], 3) }) }
	n := noiseOf(t, shotArm(t, "a", at(3, 3, 2, 0, 3)), shotArm(t, "b", at(3, 2, 3, 1, 3)))
	require.Equal(t, 5, n.Overall.Compared)
	require.Equal(t, 2, n.Overall.Flipped)
	require.Equal(t, 2, n.Signals[0].Flipped)
	require.Contains(t, n.Remarks[0], "two runs give one difference")
	// A unit that one run did not measure is not compared.
	holed := at(3, 3, 2, 0, 3)
	holed["core/t001"][0].outcome = NotRun
	n = noiseOf(t, shotArm(t, "a", holed), shotArm(t, "b", at(3, 2, 3, 1, 3)), shotArm(t, "c", at(3, 3, 3, 3, 3)))
	require.Equal(t, 4, n.Overall.Compared)
	require.Equal(t, 2, n.Overall.Flipped)
	require.Empty(t, n.Remarks)
}

func TestNoiseWithinTheAttempts(t *testing.T) {
	t.Parallel()
	// Ten units at 1/2 of 4: s² = 0.25·8/7 by two runs, over 4 attempts and 10 units.
	n := noiseOf(t, shotArm(t, "a", flat(10, 2, 4)), shotArm(t, "b", flat(10, 2, 4)))
	near(t, 0.25*8/7/4/10, n.Overall.Within, 1e-12, "within")
	near(t, 0, n.Overall.Tau2, 1e-12, "tau²")
	// Runs that agree within and differ between them have something of their own.
	var arms []Arm
	for i, passed := range []int{8, 12, 16} {
		arms = append(arms, shotArm(t, fmt.Sprint(i), flat(30, passed, 20)))
	}
	n = noiseOf(t, arms...)
	require.Greater(t, float64(n.Overall.Tau2), 0.03)
	require.Less(t, float64(n.Overall.P), 1e-6)
}

func TestNoiseMissingInOneReplicate(t *testing.T) {
	t.Parallel()
	with := every(6, func(int) []shot { return marked("g", 2, 4) })
	n := noiseOf(t, shotArm(t, "a", with), shotArm(t, "b", flat(6, 4, 4)), shotArm(t, "c", with))
	g := n.Markers[0]
	require.Equal(t, NoFloor, g.Word)
	require.Equal(t, "run b has nothing of it", g.Why)
	require.False(t, g.Band.Known())
	require.Empty(t, n.Overall.Word)
}

func TestNoiseOverCommonUnits(t *testing.T) {
	t.Parallel()
	more := flat(8, 2, 4)
	more["core/t000"][0].edit = func(a *Attempt) { a.Digests.Case = "c2" }
	n := noiseOf(t, shotArm(t, "a", flat(6, 2, 4)), shotArm(t, "b", more), shotArm(t, "c", flat(6, 2, 4)))
	require.Equal(t, 5, n.Units)
	require.Equal(t, 8, n.Planned)
	require.Equal(t, []LostUnit{{"core/t000", "the case changed"}}, n.Changed)
	require.Equal(t, []string{
		"the runs differ in their units: 5 of 8 are in all of them, and the floors rest on these",
		"1 unit is left out: the case or its grader changed between the runs",
		"the runs happen to agree to the digit in overall, tool-chain: a floor of 0 is no promise that the next run will",
	}, n.Remarks)
}

// An arm of several runs is as many replicates.
func TestNoiseTakesAnArmApart(t *testing.T) {
	t.Parallel()
	n := noiseOf(t, armOf(t, shotRun("a", flat(6, 1, 4)), shotRun("b", flat(6, 2, 4)), shotRun("c", flat(6, 3, 4))))
	require.Equal(t, []string{"a", "b", "c"}, n.Runs)
	require.Equal(t, []float64{0.25, 0.5, 0.75}, n.Overall.Means)
}

// Replicates that were sampled with one seed may repeat each other.
func TestNoiseSaysThatASeedWasShared(t *testing.T) {
	t.Parallel()
	seeded := func(id string, seed int64) Arm {
		r := shotRun(id, flat(6, 1, 2))
		r.Plans[0].Settings.Seed = &seed
		return armOf(t, r)
	}
	report, err := Noise([]Arm{seeded("a", 1), seeded("b", 1)})
	require.NoError(t, err)
	require.Contains(t, report.Remarks, "a and b were sampled with the same seed, 1: what it fixes does not vary here")

	report, err = Noise([]Arm{seeded("a", 1), seeded("b", 2)})
	require.NoError(t, err)
	for _, r := range report.Remarks {
		require.NotContains(t, r, "seed", "seeds should differ")
	}
}
