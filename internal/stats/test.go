package stats

// A Test is what a permutation test found.
type Test struct {
	// P is the probability, if the arms do not differ, of a change at least as large
	// as the one seen, in either direction. It is in (0, 1], and no P is told to be
	// smaller than 1e-100.
	P float64
	// Exact says that every permutation was counted. Where that takes too long, P is
	// sampled: (m+1)/(B+1) with the m of B draws that are as extreme. Phipson and Smyth
	// 2010, Permutation P-values Should Never Be Zero.
	Exact bool
	// Least is the smallest P that any outcome with these numbers of attempts could
	// give: where it is above alpha, nothing that could have happened would have been
	// detected.
	Least float64
}

const (
	leastP = 1e-100 // what P is never below
	dust   = 1e-120 // what is too unlikely to change a P
)

// probability keeps what was added up inside [leastP, 1], and makes 1 what misses it by
// rounding.
func probability(p float64) float64 {
	if p > 1-1e-12 {
		return 1
	}
	return max(leastP, p)
}
