package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFalseAlarms holds the deciding rule to its 5 % where nothing differs, whatever
// the units are like.
func TestFalseAlarms(t *testing.T) {
	t.Parallel()
	const draws = 1_000
	for _, g := range regimes {
		for _, n := range []int{5, 8, 15, 34} {
			r := rand.New(rand.NewPCG(uint64(n), 17))
			within, flip := 0, 0
			for range draws {
				pairs, _ := g.simulate(r, unchanged, n, 4, false)
				if WithinUnit(pairs, 1).P <= 0.05 {
					within++
				}
				if SignFlip(deltas(pairs), 1).P <= 0.05 {
					flip++
				}
			}
			t.Logf("%-24s n %2d: within unit %.1f %%, sign flip %.1f %%", g.name, n, 100*float64(within)/draws, 100*float64(flip)/draws)
			require.LessOrEqual(t, float64(within)/draws, 0.05, "%s, n %d", g.name, n)
			require.LessOrEqual(t, float64(flip)/draws, 0.05, "%s, n %d", g.name, n)
		}
	}
}

// TestSymmetries: neither the order of the units nor which arm is called the base
// changes what is found.
func TestSymmetries(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		pairs := randomPairs(r, 1+r.IntN(12), 6)
		swapped := make([]Pair, len(pairs))
		negated := make([]float64, len(pairs))
		for i, p := range pairs {
			swapped[i] = Pair{p.CandPassed, p.CandN, p.BasePassed, p.BaseN}
			negated[i] = -p.Delta()
		}
		one := WithinUnit(pairs, 1)
		require.InDelta(t, one.P, WithinUnit(shuffled(r, pairs), 1).P, 1e-13)
		require.InDelta(t, one.P, WithinUnit(swapped, 1).P, 1e-13)
		require.InDelta(t, one.Least, WithinUnit(swapped, 1).Least, 1e-13)
		require.InDelta(t, SignFlip(deltas(pairs), 1).P, SignFlip(negated, 1).P, 1e-13)
		if len(pairs) > 1 {
			a, b := PairedInterval(pairs, 0.9), PairedInterval(swapped, 0.9)
			require.InDelta(t, a.Lo, -b.Hi, 1e-12)
			require.InDelta(t, a.Hi, -b.Lo, 1e-12)
		}
	}
}

// Which arm is called the base is nothing that a p-value may hang on, drawn or not.
func TestSampledIsTheSameEitherWay(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(21, 22))
	for range 3 {
		pairs := randomPairs(r, 300, 50)
		swapped := make([]Pair, len(pairs))
		for i, p := range pairs {
			swapped[i] = Pair{p.CandPassed, p.CandN, p.BasePassed, p.BaseN}
		}
		one := WithinUnit(pairs, 1)
		require.False(t, one.Exact)
		require.Equal(t, one, WithinUnit(swapped, 1))
		require.Equal(t, one, WithinUnit(shuffled(r, pairs), 1))
		both := append(slices.Clone(pairs), swapped...) // neither arm has more than the other
		require.Equal(t, WithinUnit(both, 1), WithinUnit(append(swapped, pairs...), 1))
	}
}

func TestSampledAgreesWithExact(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(9, 10))
	for range 20 {
		pairs := randomPairs(r, 6, 5)
		exact := WithinUnit(pairs, 1).P
		c := convolver{dust, maxSteps}
		p, isExact := permuted(pairs, &c).twoSided(convolver{dust, 0}, stream(1, forWithinUnit))
		require.False(t, isExact)
		require.InDelta(t, exact, p, 5*math.Sqrt(exact*(1-exact)/sampleSize)+1./sampleSize)
		again, _ := permuted(pairs, &c).twoSided(convolver{dust, 0}, stream(1, forWithinUnit))
		require.Equal(t, p, again, "a seed decides the draws")
		low, exactly := permuted(pairs, &c).atMost(c, nil)
		require.True(t, exactly)
		drawn, _ := permuted(pairs, &c).atMost(convolver{dust, 0}, stream(1, forMargin))
		require.InDelta(t, low, drawn, 5*math.Sqrt(low*(1-low)/sampleSize)+1./sampleSize)
	}
}

func TestTooLargeALatticeIsSampled(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(11, 12))
	diffs := make([]float64, 60)
	for i := range diffs {
		diffs[i] = r.NormFloat64()
	}
	got := SignFlip(diffs, 1)
	require.False(t, got.Exact)
	require.Equal(t, got, SignFlip(diffs, 1))
	require.NotZero(t, got.P)
	got = WithinUnit(randomPairs(r, 300, 50), 1)
	require.False(t, got.Exact)
	require.GreaterOrEqual(t, got.P, 1./(sampleSize+1))
}

func TestLeastIsReached(t *testing.T) {
	t.Parallel()
	for _, sizes := range [][][2]int{{{4, 4}}, {{4, 4}, {4, 4}, {3, 3}}, {{4, 3}}, {{2, 5}, {4, 4}}, {{1, 1}}} {
		var pairs []Pair
		for _, s := range sizes {
			pairs = append(pairs, Pair{0, s[0], s[1], s[1]})
		}
		got := WithinUnit(pairs, 1)
		require.InEpsilon(t, got.Least, got.P, 1e-12, "%v", sizes)
	}
	require.Equal(t, 2./70, math.Round(WithinUnit([]Pair{{0, 4, 4, 4}}, 1).Least*70)/70)
	require.InEpsilon(t, 1./16, SignFlip([]float64{1, 1, 1, 1, 1}, 1).Least, 1e-12)
}

func TestNoEvidenceIsNoAlarm(t *testing.T) {
	t.Parallel()
	require.Equal(t, Test{P: 1, Exact: true, Least: 1}, WithinUnit(nil, 1))
	require.Equal(t, Test{P: 1, Exact: true, Least: 1}, SignFlip(nil, 1))
	require.Equal(t, 1., WithinUnit([]Pair{{1, 4, 1, 4}}, 1).P)
	require.Equal(t, 1., SignFlip([]float64{0, 0}, 1).P)
	require.Equal(t, 1., McNemar(0, 0))
	require.Equal(t, 1., McNemar(3, 3))
	require.Equal(t, 1., McNemar(3, 4))
	require.InDelta(t, 2./64, McNemar(6, 0), 1e-15)
	require.InDelta(t, 2.*(1+8+28)/256, McNemar(2, 6), 1e-14)
	require.Equal(t, McNemar(2, 9), McNemar(9, 2))
	require.Equal(t, leastP, McNemar(0, 5_000))
}

func TestLargeComparisonsAreExact(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(13, 14))
	pairs := make([]Pair, 1_000) // 100,000 attempts
	up := make([]Pair, 1_000)
	for i := range pairs {
		pairs[i] = Pair{passes(r, 50, 0.5), 50, passes(r, 50, 0.5), 50}
		up[i] = Pair{0, 50, 50, 50}
	}
	got := WithinUnit(pairs, 1)
	require.True(t, got.Exact)
	// So many attempts are all but normal.
	sum, variance := 0.0, 0.0
	for _, p := range pairs {
		sum += p.Delta()
		s := float64(p.passed())
		variance += s * (100 - s) / (4 * 99) * 4 / 2500
	}
	z := (math.Abs(sum) - 0.02) / math.Sqrt(variance) // half a step nearer, for continuity
	require.InDelta(t, math.Erfc(z/math.Sqrt2), got.P, 2e-3)
	require.Equal(t, Test{P: leastP, Exact: true, Least: leastP}, WithinUnit(up, 1))
}

// FuzzWithinUnit: P is a probability of a test, whatever the counts.
func FuzzWithinUnit(f *testing.F) {
	f.Add([]byte{1, 4, 3, 4, 0, 2, 2, 2})
	f.Add([]byte{0, 50, 50, 50, 1, 49, 0, 47})
	f.Fuzz(func(t *testing.T, data []byte) {
		var pairs []Pair
		for ; len(data) >= 4 && len(pairs) < 40; data = data[4:] {
			p := Pair{BaseN: 1 + int(data[1])%50, CandN: 1 + int(data[3])%50}
			p.BasePassed, p.CandPassed = int(data[0])%(p.BaseN+1), int(data[2])%(p.CandN+1)
			pairs = append(pairs, p)
		}
		for _, got := range []Test{WithinUnit(pairs, 1), SignFlip(deltas(pairs), 1)} {
			require.Greater(t, got.P, 0.0)
			require.LessOrEqual(t, got.P, 1.0)
			require.Greater(t, got.Least, 0.0)
			if got.Exact {
				require.LessOrEqual(t, got.Least, got.P*(1+1e-9))
			}
		}
		m := NonInferior(pairs, 0.05, 0.95, 1)
		for _, p := range []float64{m.PHarm, m.PNonInferior} {
			require.Greater(t, p, 0.0)
			require.LessOrEqual(t, p, 1.0)
		}
		require.False(t, math.IsNaN(m.Lower))
	})
}

func FuzzSignFlip(f *testing.F) {
	f.Add(0.5, -0.25, 1.0/3, 0.0)
	f.Add(1e-300, 1e300, -3.5, 0.1)
	f.Fuzz(func(t *testing.T, a, b, c, d float64) {
		diffs := []float64{a, b, c, d}
		for _, v := range diffs {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Skip()
			}
		}
		got := SignFlip(diffs, 1)
		require.True(t, got.Exact)
		require.GreaterOrEqual(t, got.P, 0.125)
		require.LessOrEqual(t, got.P, 1.0)
	})
}
