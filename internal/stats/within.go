package stats

import (
	"cmp"
	"math"
	"slices"
)

// WithinUnit tests whether the arms differ on these very units. If they do not, which
// arm an attempt belongs to is chance, unit by unit: with its passes given, those of the
// candidate are hypergeometric. P is the probability that the mean of the units' deltas
// is, in absolute value, at least what it was; ties count. It is exact for any mixture
// of numbers of attempts, on units of any difficulty. Fisher 1935, The Design of
// Experiments; Good 2005, Permutation, Parametric and Bootstrap Tests of Hypotheses.
//
// The deltas are integers on the lattice of the least common multiple of the numbers of
// attempts, and their sum is convolved. Only where that lattice is too large (many
// different numbers of attempts on many units) is P sampled, from the seed.
//
// Which arm is called the base does not matter, sampled or not. Without a pair, and
// without a change, P is 1.
func WithinUnit(pairs []Pair, seed uint64) Test {
	c := convolver{dust, maxSteps}
	pairs = eitherWay(pairs)
	p, exact := permuted(pairs, &c).twoSided(c, stream(seed, forWithinUnit))
	return Test{P: p, Exact: exact, Least: leastWithinUnit(pairs)}
}

// eitherWay returns the pairs with the arms in that one of their two places which does
// not depend on the way round that they came: the arm with fewer attempts first, then
// the one with fewer passes, then the one that is less unit by unit.
func eitherWay(pairs []Pair) []Pair {
	var all Pair
	for _, p := range pairs {
		all.BaseN, all.CandN = all.BaseN+p.BaseN, all.CandN+p.CandN
		all.BasePassed, all.CandPassed = all.BasePassed+p.BasePassed, all.CandPassed+p.CandPassed
	}
	order := cmp.Or(all.BaseN-all.CandN, all.BasePassed-all.CandPassed)
	if order < 0 {
		return pairs
	}
	swapped := make([]Pair, len(pairs))
	for i, p := range pairs {
		swapped[i] = Pair{BasePassed: p.CandPassed, BaseN: p.CandN, CandPassed: p.BasePassed, CandN: p.BaseN}
	}
	if order > 0 {
		return swapped
	}
	compare := func(x, y Pair) int {
		return cmp.Or(x.BaseN-y.BaseN, x.CandN-y.CandN, x.BasePassed-y.BasePassed, x.CandPassed-y.CandPassed)
	}
	sorted := func(pairs []Pair) []Pair { return slices.SortedFunc(slices.Values(pairs), compare) }
	if slices.CompareFunc(sorted(pairs), sorted(swapped), compare) > 0 {
		return swapped
	}
	return pairs
}

// permuted is the sum of the deltas, with the labels of the arms permuted within each
// unit: one part for all units with the same numbers of attempts.
func permuted(pairs []Pair, c *convolver) sum {
	pairs = slices.Clone(pairs)
	slices.SortFunc(pairs, func(x, y Pair) int {
		return cmp.Or(x.BaseN-y.BaseN, x.CandN-y.CandN, x.passed()-y.passed())
	})
	var s sum
	for len(pairs) > 0 {
		first := pairs[0]
		n := run(pairs, func(p Pair) bool { return p.BaseN == first.BaseN && p.CandN == first.CandN })
		s.parts = append(s.parts, sameSize(pairs[:n], c))
		pairs = pairs[n:]
	}
	return s
}

// sameSize is the part of units with the same numbers of attempts, in the order of
// their passes: one summand for all units with the same number of passes.
func sameSize(pairs []Pair, c *convolver) part {
	base, cand := pairs[0].BaseN, pairs[0].CandN
	scale := int64(base) * int64(cand) / gcd(int64(base), int64(cand))
	delta := func(cand1, base1 int) int64 {
		return int64(cand1)*(scale/int64(cand)) - int64(base1)*(scale/int64(base))
	}
	p := part{scale: scale}
	for _, pair := range pairs {
		p.seen += delta(pair.CandPassed, pair.BasePassed)
	}
	for len(pairs) > 0 {
		passed := pairs[0].passed()
		n := run(pairs, func(p Pair) bool { return p.passed() == passed })
		unit := hypergeometric(base, cand, passed, func(h int) int64 { return delta(h, passed-h) })
		if all, err := c.power(unit, n); err == nil {
			p.summands = append(p.summands, all)
		} else {
			p.summands = append(p.summands, slices.Repeat([]distribution{unit}, n)...)
		}
		pairs = pairs[n:]
	}
	return p
}

// passed is how many attempts passed in both arms.
func (p Pair) passed() int { return p.BasePassed + p.CandPassed }

// run is how many of the first pairs are alike.
func run(pairs []Pair, alike func(Pair) bool) int {
	n := slices.IndexFunc(pairs, func(p Pair) bool { return !alike(p) })
	if n < 0 {
		return len(pairs)
	}
	return n
}

// leastWithinUnit is the probability of the one arrangement in which every attempt of
// the candidate passed and every one of the base failed: no arrangement of any outcome
// is less likely. The opposite one is as extreme, and as likely, unless the arms differ
// in their attempts at some unit.
func leastWithinUnit(pairs []Pair) float64 {
	if len(pairs) == 0 {
		return 1
	}
	log, even := 0.0, true
	for _, p := range pairs {
		log -= logChoose(p.BaseN+p.CandN, p.CandN)
		even = even && p.BaseN == p.CandN
	}
	if even {
		log += math.Ln2
	}
	return probability(math.Exp(log))
}

// logChoose is the logarithm of the number of ways to choose k of n.
func logChoose(n, k int) float64 {
	lg := func(n int) float64 {
		v, _ := math.Lgamma(float64(n) + 1)
		return v
	}
	return lg(n) - lg(k) - lg(n-k)
}
