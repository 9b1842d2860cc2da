package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Replicates say how much the means of runs of the same thing differ, and how much of
// that their attempts explain.
type Replicates struct {
	Runs  int
	Means []float64
	SD    float64 // of the means, with Runs-1 in the denominator
	DF    float64 // of SD: Runs-1

	Within    float64 // the variance of a run mean that the attempts explain
	Tau2      float64 // what is left for the runs as such: max(0, SD² - Within)
	ChiSquare float64 // DF·SD²/Within, on DF degrees of freedom if nothing is left
	P         float64 // of a ChiSquare at least as large
}

// RunVariance separates what runs share (a server, a day, a sampler) from what their
// attempts explain. With fixed units and independent attempts the mean of a run has the
// variance within = sum of p(1-p)/k over the units, divided by their number squared.
//
// SD, and all that follows from it, is NaN for fewer than two runs; Tau2, ChiSquare and
// P are NaN without a positive within, for then the attempts explain nothing to compare
// with.
func RunVariance(means []float64, within float64) Replicates {
	nan := math.NaN()
	r := Replicates{
		Runs: len(means), Means: means, DF: float64(max(0, len(means)-1)), Within: within,
		SD: deviation(means), Tau2: nan, ChiSquare: nan, P: nan,
	}
	if r.Runs < 2 || !(within > 0) {
		return r
	}
	r.Tau2 = max(0, r.SD*r.SD-within)
	r.ChiSquare = r.DF * r.SD * r.SD / within
	r.P = distuv.ChiSquared{K: r.DF}.Survival(r.ChiSquare)
	return r
}

// Band is what two groups of runs of the same thing differ by: with the level's
// probability the difference of their means is inside it. It is t·sd·sqrt(1/a + 1/b)
// with the two-sided quantile of Student's t on the df that sd was measured with; df =
// +Inf takes sd for known. With sd from three runs and one run a side, 1.96·sqrt(2)·sd
// would raise a false alarm in 19 % of all comparisons and 2·sd in 29 %.
//
// It is NaN without a degree of freedom, without a run on a side, and where sd is NaN.
func Band(sd, df float64, nBase, nCandidate int, level float64) float64 {
	if nBase < 1 || nCandidate < 1 || !(level > 0) {
		return math.NaN()
	}
	return student(upper(level), df) * sd * math.Sqrt(1/float64(nBase)+1/float64(nCandidate))
}
