package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// normal is the quantile of the standard normal distribution, exact where tables and
// other tools round it to 1.96. It is NaN outside (0, 1).
func normal(p float64) float64 {
	if !(p > 0 && p < 1) {
		return math.NaN()
	}
	return distuv.UnitNormal.Quantile(p)
}

// student is the quantile of Student's t distribution; with infinitely many degrees of
// freedom it is the normal one. It is NaN outside (0, 1) and without a degree of freedom.
func student(p, df float64) float64 {
	switch {
	case math.IsInf(df, 1):
		return normal(p)
	case !(p > 0 && p < 1) || !(df > 0):
		return math.NaN()
	}
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}.Quantile(p)
}

// upper is the probability that leaves half of what a two-sided level leaves, above
// it: 0.975 of 0.95.
func upper(level float64) float64 { return (1 + level) / 2 }
