package stats

import (
	"math"
	"math/rand/v2"
	"slices"
)

// A part of a sum is a group of independent summands on one lattice.
type part struct {
	summands []distribution
	scale    int64 // ticks that make 1
	seen     int64 // ticks that the group really came to
}

// A sum is one of several parts. Ticks that are rounded leave slack: by as many ticks
// sums that are equal may differ.
type sum struct {
	parts []part
	slack int64
}

// sampleSize is the number of draws where P is sampled: it is a multiple of 1/20,000 then.
const sampleSize = 19_999

// twoSided is the probability of a sum that is, in absolute value, at least what it was.
func (s sum) twoSided(c convolver, r *rand.Rand) (p float64, exact bool) {
	x, y, seen, err := s.add(&c)
	if err != nil {
		return s.sample(r, func(sum, seen float64) bool { return math.Abs(sum) >= math.Abs(seen) }), false
	}
	t := max(seen, -seen) - s.slack
	if t <= 0 {
		return 1, true // every sum is at least 0
	}
	below, above := tails(x, y, t)
	return probability(below + above), true
}

// atMost is the probability of a sum that is at most what it was.
func (s sum) atMost(c convolver, r *rand.Rand) (p float64, exact bool) {
	x, y, seen, err := s.add(&c)
	if err != nil {
		return s.sample(r, func(sum, seen float64) bool { return sum <= seen }), false
	}
	below, _ := tails(x, y, -seen-s.slack)
	return probability(below), true
}

// add makes two distributions of the parts, on one lattice, and says what was seen. It
// leaves every part with one summand if there are several parts.
func (s sum) add(c *convolver) (x, y distribution, seen int64, err error) {
	scale := int64(1)
	for i, p := range s.parts {
		if len(s.parts) > 1 { // on its own lattice a part stays small
			one, err := c.reduce(p.summands, 1)
			if err != nil {
				return x, y, 0, err
			}
			s.parts[i].summands = one
		}
		if scale != 0 {
			scale = lcm(scale, p.scale)
		}
	}
	if scale == 0 {
		return x, y, 0, errLattice
	}
	all := []distribution{nothing, nothing}
	for _, p := range s.parts {
		ticks := scale / p.scale
		seen += p.seen * ticks
		for _, d := range p.summands {
			all = append(all, d.times(ticks))
		}
	}
	reduce := c.reduce
	if len(s.parts) > 1 && saturated(all) {
		reduce = c.accumulate
	}
	if all, err = reduce(all, 2); err != nil {
		return x, y, 0, err
	}
	return all[0], all[1], seen, nil
}

// sample is the share of draws that are as extreme as what was seen, (m+1)/(B+1). Sums
// that differ by less than 1e-12 are equal.
func (s sum) sample(r *rand.Rand, extreme func(sum, seen float64) bool) float64 {
	type table struct {
		value, cumulative []float64
	}
	var tables []table
	seen := 0.0
	for _, p := range s.parts {
		seen += float64(p.seen) / float64(p.scale)
		for _, d := range p.summands {
			t := table{make([]float64, len(d.p)), make([]float64, len(d.p))}
			total := 0.0
			for i := range d.p {
				total += d.p[i]
				t.value[i], t.cumulative[i] = float64(d.at[i])/float64(p.scale), total
			}
			tables = append(tables, t)
		}
	}
	seen = grid(seen)
	m := 0
	for range sampleSize {
		drawn := 0.0
		for _, t := range tables {
			i, _ := slices.BinarySearch(t.cumulative, r.Float64())
			drawn += t.value[min(i, len(t.value)-1)]
		}
		if extreme(grid(drawn), seen) {
			m++
		}
	}
	return float64(m+1) / (sampleSize + 1)
}

// grid makes sums equal that differ by rounding alone.
func grid(x float64) float64 { return math.Round(x*1e11) / 1e11 }
