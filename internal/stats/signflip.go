package stats

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// SignFlip tests whether units like these differ. If they do not, a unit's difference
// might as well have had the other sign. P is the probability, over all signs, that the
// mean is in absolute value at least what it was; ties count. Fisher 1935; Good 2005.
// Differences of 0 are no evidence either way and leave P as it is.
//
// The differences of rates are fractions with small denominators; their sum is followed
// on the lattice of these. Other numbers are rounded to 2^-40 of the largest, and sums
// that differ by no more than the rounding are equal. Only where the lattice is too
// large, as for more than about 35 differences that share no denominator, is P sampled.
//
// Without a difference that is not 0, P is 1. Differences must be finite.
func SignFlip(diffs []float64, seed uint64) Test {
	p, exact := flipped(diffs).twoSided(convolver{dust, maxSteps}, stream(seed, forSignFlip))
	return Test{P: p, Exact: exact, Least: probability(math.Exp2(float64(1 - max(1, len(diffs)))))}
}

// flipped is the sum of the differences, each with either sign: one part for all of the
// same size.
func flipped(diffs []float64) sum {
	toFraction, slack := rational, int64(0)
	if slices.ContainsFunc(diffs, func(d float64) bool { return rational(math.Abs(d)).under == 0 }) {
		toFraction, slack = rounded(diffs), int64(len(diffs))
	}
	type size struct {
		n    int
		seen int64
	}
	sizes := map[fraction]size{}
	for _, d := range diffs {
		f := toFraction(math.Abs(d))
		if f.over == 0 {
			continue
		}
		s := sizes[f]
		s.n++
		if d < 0 {
			s.seen -= f.over
		} else {
			s.seen += f.over
		}
		sizes[f] = s
	}
	flips := sum{slack: slack}
	for _, f := range slices.SortedFunc(maps.Keys(sizes), fraction.compare) {
		flips.parts = append(flips.parts, part{
			summands: []distribution{coins(sizes[f].n, f.over)},
			scale:    f.under,
			seen:     sizes[f].seen,
		})
	}
	return flips
}

// A fraction is a number on a lattice.
type fraction struct{ over, under int64 }

func (f fraction) compare(g fraction) int {
	return cmp.Or(cmp.Compare(f.under, g.under), cmp.Compare(f.over, g.over))
}

// rational finds the fraction with a denominator of at most 10,000 that a float64 stands
// for, by its continued fraction: the zero value if there is none.
func rational(x float64) fraction {
	const largest, near = 10_000, 1e-13
	over, under := [2]int64{0, 1}, [2]int64{1, 0} // of the last two convergents
	rest := x
	for rest < 1e9 {
		whole := math.Floor(rest)
		over = [2]int64{over[1], int64(whole)*over[1] + over[0]}
		under = [2]int64{under[1], int64(whole)*under[1] + under[0]}
		if under[1] > largest {
			break
		}
		if math.Abs(x-float64(over[1])/float64(under[1])) <= near*max(1, x) {
			return fraction{over[1], under[1]}
		}
		rest = 1 / (rest - whole)
	}
	return fraction{}
}

// rounded puts numbers on a lattice of 2^-40 of the largest of all. What is one there
// does not matter to a sum that is compared with others of the same lattice.
func rounded(diffs []float64) func(float64) fraction {
	largest := 0.0
	for _, d := range diffs {
		largest = max(largest, math.Abs(d))
	}
	return func(x float64) fraction {
		return fraction{int64(math.Round(x / largest * (1 << 40))), 1 << 40}
	}
}
