package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// ClopperPearson is the exact interval of a proportion of which x of n independent
// trials are known: it covers with at least the level, whatever the proportion is.
// Clopper and Pearson 1934, The Use of Confidence or Fiducial Limits.
//
// Where none passed the low end is 0, where all did the high end is 1. There is none
// without a trial, where x is no number of passes of n, and where the level is outside
// (0, 1).
func ClopperPearson(x, n int, level float64) Interval {
	if n < 1 || x < 0 || x > n {
		return none
	}
	return beta(float64(x), float64(n), level)
}

// beta is the interval of Clopper and Pearson for a number of passes that may be a
// fraction: the mean of n values in [0, 1] varies at most as that of n trials does.
func beta(x, n, level float64) Interval {
	if !(level > 0 && level < 1) {
		return none
	}
	i := Interval{0, 1}
	if x > 0 {
		i.Lo = distuv.Beta{Alpha: x, Beta: n - x + 1}.Quantile(1 - upper(level))
	}
	if x < n {
		i.Hi = distuv.Beta{Alpha: x + 1, Beta: n - x}.Quantile(upper(level))
	}
	return i
}

// AllPassedBound is the rate that n independent trials, all of which passed, show
// their own rate to be above: (1-level)^(1/n), the exact one-sided bound. Three of
// three say "above 0.37" at 95 %. It is 0 without a trial and NaN where the level is
// outside (0, 1).
func AllPassedBound(n int, level float64) float64 {
	switch {
	case !(level > 0 && level < 1):
		return math.NaN()
	case n < 1:
		return 0
	}
	return math.Pow(1-level, 1/float64(n))
}
