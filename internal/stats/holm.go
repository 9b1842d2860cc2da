package stats

import (
	"cmp"
	"math"
	"slices"
)

// Holm adjusts the p-values of one family of tests, so that one that stays at or under
// alpha is, with probability 1 - alpha, no false alarm of the whole family: the i-th
// smallest of m, counted from 0, is multiplied by m - i, is no smaller than the one
// before it, and no larger than 1. Holm 1979, A Simple Sequentially Rejective Multiple
// Test Procedure.
//
// The answer has the order of p. A NaN is a test that was not made: it is left out of
// the family and stays NaN.
func Holm(p []float64) []float64 {
	adjusted := slices.Clone(p)
	var family []int
	for i, v := range p {
		if !math.IsNaN(v) {
			family = append(family, i)
		}
	}
	slices.SortStableFunc(family, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	floor := 0.0
	for rank, i := range family {
		floor = max(floor, min(1, float64(len(family)-rank)*p[i]))
		adjusted[i] = floor
	}
	return adjusted
}
