package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPairedIntervalCovers measures the coverage of every cell of the table in
// docs/statistics.md, whose 8,000 draws a cell a test has no time for; run it with -v.
func TestPairedIntervalCovers(t *testing.T) {
	t.Parallel()
	const draws = 500
	lowest := 0.93 - 3*math.Sqrt(0.07*0.93/draws)
	for _, fixed := range []bool{false, true} {
		for _, g := range regimes {
			for _, e := range g.effects {
				for _, n := range []int{5, 8, 15, 34} {
					for _, k := range []int{3, 4} {
						covered, width := coverage(g, e, n, k, fixed, draws)
						cell := fmt.Sprintf("%s, %s, n %d, k %d, fixed %t", g.name, e.name, n, k, fixed)
						t.Logf("%5.1f %% width %.3f %s", 100*covered, width, cell)
						require.Greater(t, covered, lowest, cell)
					}
				}
			}
		}
	}
}

// coverage is the share of intervals that hold the truth, and their mean width.
func coverage(g regime, e effect, n, k int, fixed bool, draws int) (covered, width float64) {
	r := rand.New(rand.NewPCG(uint64(n), uint64(k)))
	truth := g.change(e)
	for range draws {
		pairs, change := g.simulate(r, e, n, k, fixed)
		if fixed {
			truth = change
		}
		i := PairedInterval(pairs, 0.95)
		if i.Lo <= truth+1e-12 && truth-1e-12 <= i.Hi {
			covered += 1 / float64(draws)
		}
		width += (i.Hi - i.Lo) / float64(draws)
	}
	return covered, width
}

func TestPairedIntervalOfEqualDeltas(t *testing.T) {
	t.Parallel()
	alike := make([]Pair, 5)
	for i := range alike {
		alike[i] = Pair{4, 4, 4, 4}
	}
	u := 1 - math.Pow(0.025, 1./20)
	i := PairedInterval(alike, 0.95)
	require.InDelta(t, -u, i.Lo, 1e-12)
	require.InDelta(t, u, i.Hi, 1e-12)

	for i := range alike {
		alike[i] = Pair{0, 4, 4, 4}
	}
	i = PairedInterval(alike, 0.95)
	require.InDelta(t, 1-u, i.Lo, 1e-12)
	require.InDelta(t, 1, i.Hi, 0)
}

func TestPairedIntervalNeedsTwoPairs(t *testing.T) {
	t.Parallel()
	for _, pairs := range [][]Pair{nil, {{1, 4, 3, 4}}} {
		i := PairedInterval(pairs, 0.95)
		require.True(t, math.IsNaN(i.Lo) && math.IsNaN(i.Hi))
	}
	two := []Pair{{1, 4, 3, 4}, {1, 4, 1, 4}}
	require.False(t, math.IsNaN(PairedInterval(two, 0.95).Lo))
	for _, level := range []float64{0, 1, -1, math.NaN()} {
		require.True(t, math.IsNaN(PairedInterval(two, level).Lo))
	}
}

// TestUnseenIsTheLowestMean looks for a lower mean by brute force.
func TestUnseenIsTheLowestMean(t *testing.T) {
	t.Parallel()
	require.InDelta(t, 1-math.Pow(0.05, 1./12), unseen(map[int]int{4: 3}, 0.95), 1e-12)
	lowest := 1.0
	const steps = 4_000
	for i := 1; i <= steps; i++ { // one unit with 1 attempt at p, one with 3 at the rest
		p := float64(i) / steps
		if q := math.Pow(0.05/p, 1./3); q <= 1 {
			lowest = min(lowest, (p+q)/2)
		}
	}
	require.InDelta(t, 1-lowest, unseen(map[int]int{1: 1, 3: 1}, 0.95), 1e-5)
}
