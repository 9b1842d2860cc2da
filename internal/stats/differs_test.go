package stats

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWhereOursDiffers holds both values of everything that deliberately is not as in
// the reference vectors. docs/statistics.md has the same table, with the reasons.
func TestWhereOursDiffers(t *testing.T) {
	t.Parallel()
	alike := func(n, base, baseN, cand, candN int) []Pair {
		pairs := make([]Pair, n)
		for i := range pairs {
			pairs[i] = Pair{base, baseN, cand, candN}
		}
		return pairs
	}
	fourDown := append(alike(11, 4, 4, 4, 4), Pair{4, 4, 0, 4}, Pair{4, 4, 0, 4}, Pair{4, 4, 2, 4}, Pair{4, 4, 2, 4})
	nan := math.NaN()
	for _, tt := range []struct {
		what            string
		reference, ours float64
		got             float64
		why             string
	}{
		{"normal quantile at 95 %", 1.96, 1.959964, normal(0.975), "rounded"},
		{"t quantile at 95 %, 2 df", 4.303, 4.302653, student(0.975, 2), "a table of 3 digits"},
		{"t quantile at 95 %, 31 df", 2.039466, 2.039513, student(0.975, 31), "an expansion"},
		{"8 of 10: interval, low", 0.490157, 0.443905, ClopperPearson(8, 10, 0.95).Lo, "the score interval may cover with less than it says"},
		{"8 of 10: interval, high", 0.943319, 0.974789, ClopperPearson(8, 10, 0.95).Hi, "the same"},
		{"sign flip, 6 of 6 up", 0.029485, 0.031250, SignFlip([]float64{.5, .5, .5, .5, .5, .5}, 1).P, "sampled: it passes for smaller than it can be"},
		{"four down, eleven ties: interval, high", -0.033333, 0.004010, PairedInterval(fourDown, 0.95).Hi, "percentiles exclude 0 where the exact sign flip is 0.125"},
		{"four down, eleven ties: interval, low", -0.4, -0.412546, PairedInterval(fourDown, 0.95).Lo, "percentiles are too narrow at small n"},
		{"12 units all 1/4 to 3/4: interval, low", 0.5, 0.426027, PairedInterval(alike(12, 1, 4, 3, 4), 0.95).Lo, "no width, whatever n is"},
		{"8 units that always passed: rate, low", 1, 0.630583, MeanInterval([]float64{1, 1, 1, 1, 1, 1, 1, 1}, 0.95).Lo, "no width"},
		{"detectable at base 0, 5 units", 0, 0.281838, DetectableEffect(5, 0, 4, 0.05, 0.8), "the iteration starts on a fixed point"},
		{"detectable at base 0.95, 10 units", 0.0965, nan, DetectableEffect(10, 0.95, 4, 0.05, 0.8), "there is no room for it"},
		{"Holm of 0.0095 of five", 0.0095, 0.0475, Holm([]float64{0.19, 0.35, 0.0095, 1, 1})[2], "the family error is told and nothing adjusted"},
	} {
		requireFloat(t, tt.ours, tt.got, 5e-7, tt.what)
		if !math.IsNaN(tt.ours) {
			require.Greater(t, math.Abs(tt.reference-tt.got), 1e-6, tt.what)
		}
		require.NotEmpty(t, tt.why)
	}
	_, _, err := CasesNeeded(0.9, 0.3, 4, 0.05, 0.8) // the reference: 2
	require.EqualError(t, err, "there is no effect of +0.3 on a base rate of 0.9: it can only change by -0.9 to +0.1")
}
