package stats

// A Margin says whether a fall stays within what is tolerated, and whether there is one.
type Margin struct {
	PNonInferior float64 // of so small a fall, or so large a rise, if the fall were the margin
	PHarm        float64 // of so large a fall if there were none; exact within-unit permutation, one-sided
	Lower        float64 // the change is above it with the level's probability
}

// NonInferior tests the pairs against a margin, a fall of the mean that is tolerated,
// say 0.05. A guard passes where Lower is above -margin: the bound is one-sided, from
// the same distribution as PairedInterval's, so that no significance in either direction
// is no pass. It fails where PHarm is at most alpha; it may do neither, and, if a small
// harm is beyond doubt and a large margin kept, both.
//
// PNonInferior is at most 1-level exactly where Lower is at least -margin.
//
// Too little data never passes: with fewer than 2 pairs Lower is -1 and both P are 1.
// Since nothing narrows the bound below what n·k attempts that all went alike leave
// open, it takes 59 of them to hold a margin of 0.05 at 95 %.
func NonInferior(pairs []Pair, margin, level float64, seed uint64) Margin {
	e := estimated(pairs)
	if e.n < 2 || !(level > 0 && level < 1) {
		return Margin{PNonInferior: 1, PHarm: 1, Lower: -1}
	}
	c := convolver{dust, maxSteps}
	harm, _ := permuted(pairs, &c).atMost(c, stream(seed, forMargin))
	return Margin{
		PNonInferior: e.above(-margin),
		PHarm:        harm,
		Lower:        max(-1, e.mean-e.half(level, -1)),
	}
}

// above is the P of a mean of at most the limit: the smallest 1-p at which the bound
// below the mean is not below the limit. The bound falls as p rises.
func (e estimate) above(limit float64) float64 {
	low, high := 0.0, 1.0 // of 1-p
	for range 60 {
		p := (low + high) / 2
		if e.mean-e.half(1-p, -1) >= limit {
			high = p
		} else {
			low = p
		}
	}
	return probability(high)
}
