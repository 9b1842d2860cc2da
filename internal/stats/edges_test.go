package stats

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func isNaN(t *testing.T, values ...float64) {
	t.Helper()
	for i, v := range values {
		require.True(t, math.IsNaN(v), "value %d is %v", i, v)
	}
}

func TestPassKEdges(t *testing.T) {
	t.Parallel()
	isNaN(t, PassAtK(3, 1, 4), PassAtK(3, 1, 0), PassAtK(3, 4, 1), PassAtK(3, -1, 1), PassAtK(0, 0, 1))
	isNaN(t, PassPowK(3, 1, 4), PassPowK(3, 1, 0), PassPowK(3, 4, 1), PassPowK(3, -1, 1), PassPowK(0, 0, 1))
	require.InDelta(t, 0.5, PassPowK(2_000, 1_000, 1), 1e-12)
	require.InDelta(t, 1, PassAtK(2_000, 1_000, 1_000), 1e-12)
}

func TestProportionEdges(t *testing.T) {
	t.Parallel()
	for _, i := range []Interval{
		ClopperPearson(0, 0, 0.95), ClopperPearson(4, 3, 0.95), ClopperPearson(-1, 3, 0.95), ClopperPearson(1, 3, 1),
		ClopperPearson(1, 3, 0),
	} {
		isNaN(t, i.Lo, i.Hi)
	}
	require.InDelta(t, 0.368403, AllPassedBound(3, 0.95), 1e-6)
	require.Zero(t, AllPassedBound(0, 0.95))
	isNaN(t, AllPassedBound(3, 1), AllPassedBound(3, 0))
}

func TestMeanInterval(t *testing.T) {
	t.Parallel()
	i := MeanInterval([]float64{0.25, 0.5, 0.75}, 0.95)
	half := 4.302653 * 0.25 / math.Sqrt(3)
	require.InDelta(t, max(0, 0.5-half), i.Lo, 1e-6)
	require.InDelta(t, min(1, 0.5+half), i.Hi, 1e-6)
	i = MeanInterval([]float64{0.5, 0.5, 0.5, 0.5}, 0.95)
	require.Equal(t, ClopperPearson(2, 4, 0.95), i)
	i = MeanInterval([]float64{0.1, 0.1, 0.1}, 0.95) // whose mean is not 0.1 to the last digit
	require.Greater(t, i.Hi-i.Lo, 0.5)
	for _, i := range []Interval{MeanInterval(nil, 0.95), MeanInterval([]float64{1}, 0.95), MeanInterval([]float64{1, 0}, 1)} {
		isNaN(t, i.Lo, i.Hi)
	}
}

func TestClusterInterval(t *testing.T) {
	t.Parallel()
	values := []float64{1, 0.5, 0.25, 0.75, 0}
	apart := []string{"a", "b", "c", "d", "e"}
	alone, clustered := MeanInterval(values, 0.95), ClusterInterval(values, apart, 0.95)
	require.InDelta(t, alone.Lo, clustered.Lo, 1e-12, "a unit that is its own cluster")
	require.InDelta(t, alone.Hi, clustered.Hi, 1e-12)

	// Two clusters of copies hold no more than two values.
	copies := []float64{0.45, 0.45, 0.45, 0.55, 0.55, 0.55}
	i := ClusterInterval(copies, []string{"a", "a", "a", "b", "b", "b"}, 0.80)
	two := MeanInterval([]float64{0.45, 0.55}, 0.80)
	require.InDelta(t, two.Lo, i.Lo, 1e-12)
	require.InDelta(t, two.Hi, i.Hi, 1e-12)
	narrow := MeanInterval(copies, 0.80)
	require.Less(t, narrow.Hi-narrow.Lo, i.Hi-i.Lo)

	i = ClusterInterval([]float64{1, 1, 1, 1}, []string{"a", "a", "b", "b"}, 0.95)
	require.Equal(t, ClopperPearson(2, 2, 0.95), i, "clusters are what was drawn")
	i = ClusterInterval([]float64{1, 0}, []string{"a", "a"}, 0.95)
	isNaN(t, i.Lo, i.Hi)
	i = ClusterInterval(nil, nil, 0.95)
	isNaN(t, i.Lo, i.Hi)
}

func TestHolmLeavesOutWhatWasNotTested(t *testing.T) {
	t.Parallel()
	got := Holm([]float64{0.02, math.NaN(), 0.01})
	require.InDelta(t, 0.02, got[0], 1e-15)
	isNaN(t, got[1])
	require.InDelta(t, 0.02, got[2], 1e-15)
	require.Empty(t, Holm(nil))
}

func TestRunVariance(t *testing.T) {
	t.Parallel()
	// The reference's own example: three runs, sd 0.0229 beside a within sd of 0.016.
	r := RunVariance([]float64{0.3, 0.311, 0.267}, 0.016*0.016)
	require.InDelta(t, 0.0229, r.SD, 5e-5)
	require.Equal(t, 2., r.DF)
	require.InDelta(t, 4.1, r.ChiSquare, 0.05)
	require.InDelta(t, 0.13, r.P, 0.005)
	require.InDelta(t, r.SD*r.SD-0.016*0.016, r.Tau2, 1e-15)
	require.Zero(t, RunVariance([]float64{0.5, 0.5}, 0.01).Tau2, "never negative")
	require.InDelta(t, 1, RunVariance([]float64{0.5, 0.5}, 0.01).P, 1e-12)
	one := RunVariance([]float64{0.5}, 0.01)
	isNaN(t, one.SD, one.Tau2, one.ChiSquare, one.P)
	require.Zero(t, RunVariance(nil, 0.01).DF)
	for _, within := range []float64{0, math.NaN()} {
		r := RunVariance([]float64{0.5, 0.6}, within)
		isNaN(t, r.Tau2, r.ChiSquare, r.P)
		require.InDelta(t, 0.1/math.Sqrt2, r.SD, 1e-12)
	}
}

func TestBandEdges(t *testing.T) {
	t.Parallel()
	isNaN(t, Band(0.1, 0, 1, 1, 0.95), Band(0.1, 2, 0, 1, 0.95), Band(0.1, 2, 1, 0, 0.95), Band(math.NaN(), 2, 1, 1, 0.95), Band(0.1, 2, 1, 1, 1), Band(0.1, 2, 1, 1, 0))
	require.Zero(t, Band(0, 2, 1, 1, 0.95))
}

func TestWorstCase(t *testing.T) {
	t.Parallel()
	b := WorstCase([]Loss{{BasePassed: 2, BaseJudged: 4, CandPassed: 3, CandJudged: 4}})
	require.Equal(t, Bounds{0.25, 0.25}, b, "nothing lost")
	b = WorstCase([]Loss{
		{BasePassed: 2, BaseJudged: 3, BaseLost: 1, CandPassed: 3, CandJudged: 4},
		{BasePassed: 4, BaseJudged: 4, CandLost: 4},
	})
	require.InDelta(t, (0.+-1)/2, b.Lo, 1e-15)
	require.InDelta(t, (0.25+0)/2, b.Hi, 1e-15)
	require.Equal(t, Bounds{-1, 1}, WorstCase([]Loss{{}}))
	b = WorstCase(nil)
	isNaN(t, b.Lo, b.Hi)
}

// TestSeedIsFixed pins the mapping: a record says which draws it was made with.
func TestSeedIsFixed(t *testing.T) {
	t.Parallel()
	require.Equal(t, uint64(0xe3b0c44298fc1c14), Seed())
	require.Equal(t, uint64(0xaf5570f5a1810b7a), Seed(""))
	require.Equal(t, uint64(0x8427e1aa4857256a), Seed("run", "signal", "case"))
	require.NotEqual(t, Seed("ab", "c"), Seed("a", "bc"))
	require.NotEqual(t, Seed("a", "b"), Seed("b", "a"))
	require.NotEqual(t, Seed("a"), Seed("a", ""))
	r := stream(Seed("run", "signal", "case"), forSignFlip)
	require.Equal(t, uint64(0xf2a829ba73ac8c16), r.Uint64())
}
