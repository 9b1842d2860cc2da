package stats

import "gonum.org/v1/gonum/mathext"

// McNemar tests whether units that changed their verdict did so in one direction more
// often than chance: up came to pass, down came to fail. P is the exact two-sided
// binomial one, at most 1; where nothing changed it is 1. McNemar 1947, Note on the
// Sampling Error of the Difference Between Correlated Proportions.
func McNemar(up, down int) float64 {
	fewer, n := min(up, down), up+down
	if n-2*fewer <= 1 {
		return 1 // the two tails meet
	}
	// The chance of at most fewer of n heads is an incomplete beta function.
	return probability(2 * mathext.RegIncBeta(float64(n-fewer), float64(fewer+1), 0.5))
}
