package stats

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCasesNeededTable(t *testing.T) {
	t.Parallel()
	for effect, want := range map[float64]int{0.10: 89, 0.15: 40, 0.25: 15} {
		n, _, err := CasesNeeded(0.30, effect, 4, 0.05, 0.80)
		require.NoError(t, err)
		require.Equal(t, want, n)
	}
	require.InDelta(t, 0.165, DetectableEffect(33, 0.3, 4, 0.05, 0.8), 5e-4)
	up, c1, err := CasesNeeded(0.8, 0.15, 4, 0.05, 0.8)
	require.NoError(t, err)
	down, c2, err := CasesNeeded(0.2, -0.15, 4, 0.05, 0.8)
	require.NoError(t, err)
	require.Equal(t, [2]int{up, c1}, [2]int{down, c2}, "a fall is the mirror image of a rise")
	n, c, err := CasesNeeded(0.7, 0.3, 4, 0.05, 0.8) // to 1, whatever rounding says of the sum
	require.NoError(t, err)
	require.Positive(t, n)
	require.Positive(t, c)
}

func TestSizingErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		base, effect float64
		k            int
		alpha, power float64
		want         string
	}{
		{0.9, 0.2, 4, 0.05, 0.8, "there is no effect of +0.2 on a base rate of 0.9: it can only change by -0.9 to +0.1"},
		{0.1, -0.2, 4, 0.05, 0.8, "there is no effect of -0.2 on a base rate of 0.1: it can only change by -0.1 to +0.9"},
		{1.1, 0.1, 4, 0.05, 0.8, "a base rate of 1.1 is outside 0 to 1"},
		{0.5, 0, 4, 0.05, 0.8, "no number of cases detects an effect of 0: give the smallest that matters"},
		{0.5, 0.1, 0, 0.05, 0.8, "0 attempts of a case detect nothing: give at least 1"},
		{0.5, 0.1, 4, 0, 0.8, "a level of 0 with a power of 0.8: both must be between 0 and 1"},
		{0.5, 0.1, 4, 0.05, 1, "a level of 0.05 with a power of 1: both must be between 0 and 1"},
		{0.5, 1e-9, 4, 0.05, 0.8, "an effect of 1e-09 needs more than 2147483647 cases"},
	} {
		_, _, err := CasesNeeded(tt.base, tt.effect, tt.k, tt.alpha, tt.power)
		require.EqualError(t, err, tt.want)
		_, err = CasesNeededSimulated(tt.base, tt.effect, tt.k, tt.alpha, tt.power, 1)
		require.EqualError(t, err, tt.want)
	}
	_, err := CasesNeededSD(0, 0.1, 0.05, 0.8)
	require.ErrorContains(t, err, "give a positive standard deviation")
	_, err = CasesNeededSD(0.1, 0, 0.05, 0.8)
	require.ErrorIs(t, err, errNoEffect)
	_, err = CasesNeededSimulated(0.5, 0.01, 4, 0.05, 0.8, 1)
	require.ErrorContains(t, err, "take the number of the formula")
}

// TestDetectableEffectIsARoot: what is detectable is what the formula needs n cases for.
func TestDetectableEffectIsARoot(t *testing.T) {
	t.Parallel()
	for _, base := range []float64{0, 0.01, 0.3, 0.5, 0.8} {
		for _, n := range []int{20, 33, 200} {
			e := DetectableEffect(n, base, 4, 0.05, 0.8)
			require.InDelta(t, 0.8, PowerOf(n, base, e, 4, 0.05), 1e-9, "base %g, n %d", base, n)
		}
	}
	isNaN(t, DetectableEffect(1, 0.3, 4, 0.05, 0.8), DetectableEffect(9, 1, 4, 0.05, 0.8), DetectableEffect(9, 2, 4, 0.05, 0.8),
		DetectableEffect(9, 0.3, 0, 0.05, 0.8), DetectableEffect(9, 0.3, 4, 0, 0.8), DetectableEffect(9, 0.3, 4, 0.05, 1))
	isNaN(t, PowerOf(0, 0.3, 0.1, 4, 0.05), PowerOf(9, 0.3, 0.8, 4, 0.05), PowerOf(9, 0.3, 0.1, 4, 0))
	require.Equal(t, 1., PowerOf(9, 0, 1, 4, 0.05))
}

func TestSimulatedPower(t *testing.T) {
	t.Parallel()
	base := make([]float64, 34)
	for i := range base {
		base[i] = 0.3
	}
	p := Planted{Base: base, Effect: 0.15, K: 4}
	power := SimulatedPower(p, 0.05, 1_000, 1)
	require.InDelta(t, 0.67, power, 0.05) // the formula, which does not know the test, says 0.73
	require.Equal(t, power, SimulatedPower(p, 0.05, 1_000, 1))
	p.Concentrated = true
	// The test asks about these units; few that change for certain are easier to see.
	require.InDelta(t, 0.75, SimulatedPower(p, 0.05, 1_000, 1), 0.05)
	fall := Planted{Base: make([]float64, 34), Effect: -0.15, K: 4}
	for i := range fall.Base {
		fall.Base[i] = 0.7
	}
	require.InDelta(t, power, SimulatedPower(fall, 0.05, 1_000, 1), 0.06)
	require.LessOrEqual(t, SimulatedPower(Planted{Base: base, K: 4}, 0.05, 1_000, 1), 0.05)

	isNaN(t, SimulatedPower(Planted{}, 0.05, 10, 1), SimulatedPower(p, 0.05, 0, 1), SimulatedPower(Planted{Base: base, Effect: 0.1}, 0.05, 10, 1),
		SimulatedPower(Planted{Base: base, Effect: 0.71, K: 4}, 0.05, 10, 1), SimulatedPower(Planted{Base: []float64{2}, K: 4}, 0.05, 10, 1))
}

func TestPlantedEffectIsAllThere(t *testing.T) {
	t.Parallel()
	base := []float64{0.9, 0.2, 1, 0.5}
	for _, effect := range []float64{0, 0.1, 0.3, 0.35, -0.2, -0.65} {
		for _, concentrated := range []bool{false, true} {
			cand, ok := Planted{Base: base, Effect: effect, Concentrated: concentrated}.candidate()
			require.True(t, ok)
			require.InDelta(t, effect, mean(cand)-mean(base), 1e-12)
			for i, p := range cand {
				require.True(t, p >= -1e-12 && p <= 1+1e-12, "%v", cand)
				require.GreaterOrEqual(t, (p-base[i])*effect, -1e-12, "none moves against it")
			}
		}
	}
	cand, _ := Planted{Base: base, Effect: 0.2, Concentrated: true}.candidate()
	require.InDeltaSlice(t, []float64{0.9, 1, 1, 0.5}, cand, 1e-12)
	cand, _ = Planted{Base: base, Effect: 0.1}.candidate()
	require.InDeltaSlice(t, []float64{1, 0.35, 1, 0.65}, cand, 1e-12)
	_, ok := Planted{Base: base, Effect: 0.36}.candidate()
	require.False(t, ok)
}

func TestCasesNeededSimulated(t *testing.T) {
	t.Parallel()
	n, err := CasesNeededSimulated(0.3, 0.25, 4, 0.05, 0.8, 1)
	require.NoError(t, err)
	require.InDelta(t, 17, n, 2)
	again, err := CasesNeededSimulated(0.3, 0.25, 4, 0.05, 0.8, 1)
	require.NoError(t, err)
	require.Equal(t, n, again)
	fall, err := CasesNeededSimulated(0.7, -0.25, 4, 0.05, 0.8, 1)
	require.NoError(t, err)
	require.InDelta(t, n, fall, 2)
}

// What is not simulated is not for want of the wrong thing.
func TestCasesNeededNotSimulated(t *testing.T) {
	t.Parallel()
	_, err := CasesNeededSimulated(0.3, 0.1, 1_000_000, 0.05, 0.8, 1)
	require.ErrorContains(t, err, "units of 1000000 attempts are too large to simulate")
	_, err = CasesNeededSimulated(0.3, 0.01, 100, 0.05, 0.8, 1)
	require.ErrorContains(t, err, "cases of 100 attempts are too many to simulate")
	_, err = CasesNeededSimulated(0.3, 0.005, 4, 0.05, 0.8, 1)
	require.ErrorContains(t, err, "needs about")
}

func BenchmarkCasesNeededSimulated(b *testing.B) {
	for b.Loop() {
		if _, err := CasesNeededSimulated(0.3, 0.1, 4, 0.05, 0.8, 1); err != nil {
			b.Fatal(err)
		}
	}
}

func TestNonInferior(t *testing.T) {
	t.Parallel()
	alike := func(n int, p Pair) []Pair {
		pairs := make([]Pair, n)
		for i := range pairs {
			pairs[i] = p
		}
		return pairs
	}
	// 15 units with 4 attempts are 60 attempts: just enough for a margin of 0.05.
	kept := NonInferior(alike(15, Pair{4, 4, 4, 4}), 0.05, 0.95, 1)
	require.InDelta(t, math.Pow(0.05, 1./60)-1, kept.Lower, 1e-12)
	require.Greater(t, kept.Lower, -0.05)
	require.InDelta(t, math.Pow(0.95, 60), kept.PNonInferior, 1e-9)
	require.Equal(t, 1., kept.PHarm)

	short := NonInferior(alike(14, Pair{4, 4, 4, 4}), 0.05, 0.95, 1)
	require.Less(t, short.Lower, -0.05)
	require.Greater(t, short.PNonInferior, 0.05)

	harm := NonInferior(alike(5, Pair{3, 3, 1, 3}), 0.05, 0.95, 1)
	require.InDelta(t, math.Pow(0.2, 5), harm.PHarm, 1e-12) // 3 of 15 arrangements each
	require.InDelta(t, 1, harm.PNonInferior, 1e-9)

	for _, pairs := range [][]Pair{nil, {{4, 4, 4, 4}}} {
		require.Equal(t, Margin{PNonInferior: 1, PHarm: 1, Lower: -1}, NonInferior(pairs, 0.05, 0.95, 1))
	}
	gain := NonInferior(alike(15, Pair{0, 4, 4, 4}), 0.05, 0.95, 1)
	require.Greater(t, gain.Lower, 0.9)
	require.Equal(t, 1., gain.PHarm)
}

// TestNonInferiorAgreesWithItsBound: P and Lower are two sides of one bound.
func TestNonInferiorAgreesWithItsBound(t *testing.T) {
	t.Parallel()
	r := stream(1, 2)
	for range 300 {
		pairs := randomPairs(r, 2+r.IntN(30), 6)
		m := NonInferior(pairs, 0.1, 0.95, 1)
		if math.Abs(m.Lower+0.1) > 1e-9 {
			require.Equal(t, m.Lower > -0.1, m.PNonInferior < 0.05, "%+v", m)
		}
		require.InDelta(t, max(-1, PairedInterval(pairs, 0.90).Lo), m.Lower, 1e-12)
	}
}
