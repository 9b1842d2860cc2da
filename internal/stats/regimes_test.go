package stats

import (
	"math/rand/v2"
	"slices"
)

// A regime says how difficult units are: rate is the pass rate of the unit at u, which
// is uniform in [0, 1) over the units. An effect turns that into the candidate's rate.
type regime struct {
	name    string
	rate    func(u float64) float64
	effects []effect
}

type effect struct {
	name string
	of   func(rate float64) float64
}

var unchanged = effect{"none", func(p float64) float64 { return p }}

// regimes are those of docs/statistics.md.
var regimes = []regime{
	{"0.3 everywhere", func(float64) float64 { return 0.3 }, []effect{
		unchanged,
		{"+0.15", func(p float64) float64 { return p + 0.15 }},
		{"+0.40", func(p float64) float64 { return p + 0.4 }},
	}},
	{"0.95 everywhere", func(float64) float64 { return 0.95 }, []effect{
		unchanged,
		{"-0.15", func(p float64) float64 { return p - 0.15 }},
		{"+0.05", func(float64) float64 { return 1 }},
	}},
	{"0.1 to 0.9", func(u float64) float64 { return 0.1 + 0.8*u }, []effect{
		unchanged,
		{"+0.10", func(p float64) float64 { return p + 0.1 }},
		{"half way up", func(p float64) float64 { return p + (1-p)/2 }},
	}},
	{"80 % at 1, 20 % at 0.5", func(u float64) float64 {
		if u < 0.2 {
			return 0.5
		}
		return 1
	}, []effect{
		unchanged,
		{"-0.10 everywhere", func(p float64) float64 { return p - 0.1 }},
		{"+0.10 on the 20 %", func(float64) float64 { return 1 }},
		{"-0.10 on the 20 %", func(p float64) float64 { return 2*p - 1 }},
	}},
}

// simulate draws n units with k attempts in each arm, and tells their mean true change.
// Fixed units are spread evenly over the regime, the same each time; others are drawn.
func (g regime) simulate(r *rand.Rand, e effect, n, k int, fixed bool) (pairs []Pair, change float64) {
	pairs = make([]Pair, n)
	for i := range pairs {
		u := r.Float64()
		if fixed {
			u = (float64(i) + 0.5) / float64(n)
		}
		base := g.rate(u)
		cand := e.of(base)
		change += (cand - base) / float64(n)
		pairs[i] = Pair{passes(r, k, base), k, passes(r, k, cand), k}
	}
	return pairs, change
}

// change is the mean true change of all units of the regime.
func (g regime) change(e effect) float64 {
	const grid = 10_000
	sum := 0.0
	for i := range grid {
		base := g.rate((float64(i) + 0.5) / grid)
		sum += e.of(base) - base
	}
	return sum / grid
}

// shuffled is a copy in another order.
func shuffled(r *rand.Rand, pairs []Pair) []Pair {
	pairs = slices.Clone(pairs)
	r.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
	return pairs
}
