package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// enumerate is P of WithinUnit by counting every arrangement of labels.
func enumerate(pairs []Pair) (twoSided, atMost float64) {
	seen := 0.0
	for _, p := range pairs {
		seen += p.Delta()
	}
	type state struct{ sum, p float64 }
	states := []state{{0, 1}}
	for _, p := range pairs {
		var next []state
		n, s := p.BaseN+p.CandN, p.passed()
		ways := map[int]int{}
		total := 0
		for labels := range 1 << n { // bit set: the attempt is the candidate's; the first s passed
			c, h := 0, 0
			for i := range n {
				if labels>>i&1 == 1 {
					c++
					if i < s {
						h++
					}
				}
			}
			if c == p.CandN {
				ways[h]++
				total++
			}
		}
		for _, st := range states {
			for h, w := range ways {
				d := Pair{s - h, p.BaseN, h, p.CandN}.Delta()
				next = append(next, state{st.sum + d, st.p * float64(w) / float64(total)})
			}
		}
		states = next
	}
	for _, st := range states {
		if math.Abs(st.sum) >= math.Abs(seen)-1e-9 {
			twoSided += st.p
		}
		if st.sum <= seen+1e-9 {
			atMost += st.p
		}
	}
	return twoSided, atMost
}

func randomPairs(r *rand.Rand, n, largest int) []Pair {
	pairs := make([]Pair, n)
	for i := range pairs {
		p := Pair{BaseN: 1 + r.IntN(largest), CandN: 1 + r.IntN(largest)}
		p.BasePassed, p.CandPassed = r.IntN(p.BaseN+1), r.IntN(p.CandN+1)
		pairs[i] = p
	}
	return pairs
}

func TestWithinUnitCountsEveryArrangement(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		pairs := randomPairs(r, 1+r.IntN(5), 5)
		got := WithinUnit(pairs, 1)
		want, low := enumerate(pairs)
		require.True(t, got.Exact)
		require.InDelta(t, want, got.P, 1e-12, "%v", pairs)
		require.LessOrEqual(t, got.Least, got.P*(1+1e-9), "%v", pairs)
		c := convolver{dust, maxSteps}
		p, exact := permuted(pairs, &c).atMost(c, stream(1, forMargin))
		require.True(t, exact)
		require.InDelta(t, low, p, 1e-12, "%v", pairs)
	}
}

func TestSignFlipCountsEverySign(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 300 {
		diffs := make([]float64, 1+r.IntN(10))
		seen := 0.0
		for j := range diffs {
			a, b := 1+r.IntN(6), 1+r.IntN(6)
			diffs[j] = float64(r.IntN(a+1))/float64(a) - float64(r.IntN(b+1))/float64(b)
			if i%3 == 0 {
				diffs[j] = r.NormFloat64()
			}
			seen += diffs[j]
		}
		extreme := 0
		for signs := range 1 << len(diffs) {
			sum := 0.0
			for j, d := range diffs {
				if signs>>j&1 == 1 {
					d = -d
				}
				sum += d
			}
			if math.Abs(sum) >= math.Abs(seen)-1e-9 {
				extreme++
			}
		}
		got := SignFlip(diffs, 1)
		require.True(t, got.Exact)
		require.InDelta(t, float64(extreme)/float64(int(1)<<len(diffs)), got.P, 1e-12, "%v", diffs)
		require.LessOrEqual(t, got.Least, got.P)
	}
}

func BenchmarkWithinUnit(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct {
		name      string
		n, lo, hi int
	}{{"34x4", 34, 4, 4}, {"500x8to10", 500, 8, 10}, {"1000x50", 1000, 50, 50}, {"12500x4", 12500, 4, 4}, {"200x2to5", 200, 2, 5}, {"500x45to50", 500, 45, 50}, {"1000x1to50", 1000, 1, 50}} {
		pairs := make([]Pair, c.n)
		for i := range pairs {
			a, d := c.lo+r.IntN(c.hi-c.lo+1), c.lo+r.IntN(c.hi-c.lo+1)
			pairs[i] = Pair{r.IntN(a + 1), a, r.IntN(d + 1), d}
		}
		b.Run(c.name, func(b *testing.B) {
			var t Test
			for b.Loop() {
				t = WithinUnit(pairs, 1)
			}
			if t.Exact {
				b.ReportMetric(1, "exact")
			} else {
				b.ReportMetric(0, "exact")
			}
		})
	}
}
