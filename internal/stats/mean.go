package stats

import (
	"math"
	"slices"
)

// MeanInterval is the interval of the mean of the units' pass rates, values in [0, 1]:
// that of Student's t on the units, which is safe for few of them. Miller 2024, section 2;
// Bowyer, Aitchison and Ivanova 2025, on why not the normal distribution.
//
// Rates that are all equal have no spread to estimate with; there it is the exact
// interval of Clopper and Pearson, for the units as trials: n units that always passed
// leave [((1-level)/2)^(1/n), 1], never an interval without a width.
//
// There is none for fewer than 2 values or a level outside (0, 1). The ends stay in
// [0, 1].
func MeanInterval(values []float64, level float64) Interval {
	return rateInterval(mean(values), deviation(values)/math.Sqrt(float64(len(values))), len(values), level)
}

// ClusterInterval is MeanInterval where units belong to clusters, say those of one case,
// and are no independent draws: the claim is about clusters like these. cluster names
// the one that each value is of. The standard error is
//
//	sqrt(G/(G-1) · sum over clusters of (sum of value - mean)²) / n
//
// with Student's t on G-1 degrees of freedom, G clusters being what was drawn. Miller
// 2024, section 2.2, with the usual correction for few clusters (Cameron and Miller
// 2015, A Practitioner's Guide to Cluster-Robust Inference).
//
// Clusters whose deviations all cancel have no spread: there it is the exact interval
// for the clusters as trials. There is none for fewer than 2 clusters.
func ClusterInterval(values []float64, cluster []string, level float64) Interval {
	m := mean(values)
	deviations := map[string]float64{}
	for i, v := range values {
		deviations[cluster[i]] += v - m
	}
	g := len(deviations)
	names := make([]string, 0, g)
	for name := range deviations {
		names = append(names, name)
	}
	slices.Sort(names) // a sum in another order rounds otherwise
	sum := 0.0
	for _, name := range names {
		sum += deviations[name] * deviations[name]
	}
	se := math.Sqrt(sum*float64(g)/float64(g-1)) / float64(len(values))
	return rateInterval(m, se, g, level)
}

// rateInterval is the interval of a rate with this standard error, from so many
// independent draws.
func rateInterval(rate, se float64, draws int, level float64) Interval {
	switch {
	case draws < 2 || !(level > 0 && level < 1):
		return none
	case !(se > 1e-12):
		n := float64(draws)
		return beta(min(1, max(0, rate))*n, n, level)
	}
	return about(rate, student(upper(level), float64(draws-1))*se, 0, 1)
}
