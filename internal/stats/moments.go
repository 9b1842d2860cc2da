package stats

import "math"

// mean is NaN of nothing.
func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// deviation is the standard deviation of a sample, NaN of fewer than two values. What
// rounding alone leaves of equal values is 0.
func deviation(values []float64) float64 {
	if len(values) < 2 {
		return math.NaN()
	}
	m, sum := mean(values), 0.0
	for _, v := range values {
		sum += (v - m) * (v - m)
	}
	if sd := math.Sqrt(sum / float64(len(values)-1)); sd > 1e-12 {
		return sd
	}
	return 0
}
