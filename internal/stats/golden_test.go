package stats

import (
	"encoding/json"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// golden is testdata/golden.json: the reference vectors of the formulas of this package.
type golden struct {
	Estimators []struct {
		N, C, K int
		AtK     *float64 `json:"pass_at_k"`
		PowK    *float64 `json:"pass_pow_k"`
	}
	Proportions []struct {
		X, N           int
		ClopperPearson [2]float64 `json:"clopper_pearson"`
	}
	AllPassed []struct {
		N     int
		Lower float64
	} `json:"all_passed"`
	Quantiles struct {
		T95   map[string]float64 `json:"t_two_sided_95_accurate"`
		T99   map[string]float64 `json:"t_two_sided_99"`
		Table map[string]float64 `json:"t_two_sided_95_reference_table"`
	}
	NoiseBand []struct {
		SD    float64 `json:"run_std"`
		NA    int     `json:"n_a"`
		NB    int     `json:"n_b"`
		DF    *float64
		Level float64
		Band  float64
	} `json:"noise_band"`
	EvalVariance []struct {
		Name   string
		Means  []float64
		Expect struct {
			SD    *float64 `json:"run_std"`
			BandT *float64 `json:"noise_band_t"`
		}
	} `json:"eval_variance"`
	SignFlip []struct {
		Name      string
		Diffs     []float64
		P         float64 `json:"p_exact"`
		Reference float64 `json:"reference_seed0"`
	} `json:"sign_flip"`
	Compare []struct {
		Name        string
		Pairs       [][4]int
		Delta       float64
		ReferenceCI [2]float64 `json:"reference_ci"`
		ReferenceP  float64    `json:"reference_p"`
		PSignFlip   float64    `json:"p_sign_flip"`
		PWithin     float64    `json:"p_within"`
		T           [2]float64 `json:"t_interval"`
		SD          float64
	}
	CasesNeeded []struct {
		Effect float64
		Base   float64
		SD     *float64 `json:"task_std"`
		K      int
		Power  float64
		Alpha  float64
		Expect struct {
			N            int  `json:"n_tasks"`
			Concentrated *int `json:"n_tasks_concentrated"`
		}
		Recommended string
	} `json:"cases_needed"`
	Detectable []struct {
		N           int `json:"n_tasks"`
		Base        float64
		K           int
		Expect      *float64
		Recommended *float64
	} `json:"detectable_effect"`
	Power []struct {
		N, K         int
		Effect, Base float64
		Expect       float64
	} `json:"power_at_n"`
	Multiplicity []struct{ P, Holm []float64 }
}

func load(t *testing.T) golden {
	t.Helper()
	text, err := os.ReadFile("testdata/golden.json")
	require.NoError(t, err)
	var g golden
	require.NoError(t, json.Unmarshal(text, &g))
	return g
}

// What the reference vectors promise: closed forms as printed, exact P to 1e-12 of what
// was printed with 12 digits.
const (
	closedForm = 1e-9
	exactP     = 2e-12
)

func TestGoldenEstimators(t *testing.T) {
	t.Parallel()
	for _, c := range load(t).Estimators {
		want := func(v *float64) float64 {
			if v == nil {
				return math.NaN()
			}
			return *v
		}
		requireFloat(t, want(c.AtK), PassAtK(c.N, c.C, c.K), closedForm, "pass@%d of %d/%d", c.K, c.C, c.N)
		requireFloat(t, want(c.PowK), PassPowK(c.N, c.C, c.K), closedForm, "pass^%d of %d/%d", c.K, c.C, c.N)
	}
}

func TestGoldenProportions(t *testing.T) {
	t.Parallel()
	g := load(t)
	for _, c := range g.Proportions {
		requireInterval(t, c.ClopperPearson, ClopperPearson(c.X, c.N, 0.95), 1e-8, "%d/%d", c.X, c.N)
	}
	for _, c := range g.AllPassed {
		require.InDelta(t, c.Lower, AllPassedBound(c.N, 0.975), closedForm)
		require.InDelta(t, c.Lower, ClopperPearson(c.N, c.N, 0.95).Lo, 1e-8)
	}
}

func TestGoldenQuantiles(t *testing.T) {
	t.Parallel()
	q := load(t).Quantiles
	for df, want := range q.T95 {
		require.InDelta(t, want, student(0.975, number(t, df)), 2e-6, "df %s", df)
	}
	for df, want := range q.T99 {
		require.InDelta(t, want, student(0.995, number(t, df)), 2e-6, "df %s", df)
	}
	for df, want := range q.Table {
		require.InDelta(t, want, student(0.975, number(t, df)), 1e-3, "df %s", df)
	}
}

func TestGoldenNoiseBand(t *testing.T) {
	t.Parallel()
	for _, c := range load(t).NoiseBand {
		df := math.Inf(1)
		if c.DF != nil {
			df = *c.DF
		}
		require.InDelta(t, c.Band, Band(c.SD, df, c.NA, c.NB, c.Level), 1e-4)
	}
}

func TestGoldenRunVariance(t *testing.T) {
	t.Parallel()
	for _, c := range load(t).EvalVariance {
		r := RunVariance(c.Means, 0.001)
		if c.Expect.SD == nil {
			require.True(t, math.IsNaN(r.SD), c.Name)
			require.True(t, math.IsNaN(Band(r.SD, r.DF, 1, 1, 0.95)), c.Name)
			continue
		}
		require.InDelta(t, *c.Expect.SD, r.SD, 5e-5, c.Name)
		require.InDelta(t, *c.Expect.BandT, Band(r.SD, r.DF, 1, 1, 0.95), 1e-4, c.Name)
	}
}

func TestGoldenSignFlip(t *testing.T) {
	t.Parallel()
	for _, c := range load(t).SignFlip {
		got := SignFlip(c.Diffs, 1)
		require.True(t, got.Exact, c.Name)
		require.InDelta(t, c.P, got.P, 1e-12, c.Name)
		require.InDelta(t, c.P, c.Reference, 4*math.Sqrt(c.P*(1-c.P)/2000)+1./2001, "the reference sampled %s", c.Name)
	}
}

func TestGoldenCompare(t *testing.T) {
	t.Parallel()
	spread := 0
	for _, c := range load(t).Compare {
		pairs := pairsOf(c.Pairs)
		within, flip := WithinUnit(pairs, 1), SignFlip(deltas(pairs), 1)
		require.True(t, within.Exact, c.Name)
		require.True(t, flip.Exact, c.Name)
		require.InDelta(t, c.PWithin, within.P, exactP, c.Name)
		require.InDelta(t, c.PSignFlip, flip.P, exactP, c.Name)
		e := estimated(pairs)
		require.InDelta(t, c.Delta, e.mean, closedForm, c.Name)
		require.InDelta(t, c.SD, e.se*math.Sqrt(float64(e.n)), closedForm, c.Name)
		// Ours is the t interval of the vectors, and wider only where that is too narrow.
		got := PairedInterval(pairs, 0.95)
		require.LessOrEqual(t, got.Lo, max(-1, c.T[0])+closedForm, c.Name)
		require.GreaterOrEqual(t, got.Hi, min(1, c.T[1])-closedForm, c.Name)
		if e.up && e.down && (c.T[1]-c.T[0])/2 > unseen(e.attempts, 0.975) {
			spread++
			requireInterval(t, c.T, got, closedForm, c.Name)
		}
	}
	require.GreaterOrEqual(t, spread, 6)
}

func TestGoldenCasesNeeded(t *testing.T) {
	t.Parallel()
	for _, c := range load(t).CasesNeeded {
		alpha, power := 0.05, 0.8
		if c.Alpha != 0 {
			alpha = c.Alpha
		}
		if c.Power != 0 {
			power = c.Power
		}
		if c.SD != nil {
			n, err := CasesNeededSD(*c.SD, c.Effect, alpha, power)
			require.NoError(t, err)
			require.Equal(t, c.Expect.N, n)
			continue
		}
		n, concentrated, err := CasesNeeded(c.Base, c.Effect, c.K, alpha, power)
		if c.Recommended == "error" {
			require.ErrorContains(t, err, "there is no effect of")
			continue
		}
		require.NoError(t, err)
		require.Equal(t, c.Expect.N, n, "%+v", c)
		require.Equal(t, *c.Expect.Concentrated, concentrated, "%+v", c)
	}
}

func TestGoldenPower(t *testing.T) {
	t.Parallel()
	for _, c := range load(t).Power {
		require.InDelta(t, c.Expect, PowerOf(c.N, c.Base, c.Effect, c.K, 0.05), closedForm)
	}
}

func TestGoldenDetectableEffect(t *testing.T) {
	t.Parallel()
	for _, c := range load(t).Detectable {
		got := DetectableEffect(c.N, c.Base, c.K, 0.05, 0.8)
		switch {
		case c.Recommended != nil:
			require.InDelta(t, *c.Recommended, got, closedForm)
		case c.Expect == nil || c.Base+*c.Expect > 1:
			require.True(t, math.IsNaN(got), "%+v", c) // see TestWhereOursDiffers
		default:
			require.InDelta(t, *c.Expect, got, 5e-5, "%+v", c)
		}
	}
}

func TestGoldenHolm(t *testing.T) {
	t.Parallel()
	for _, c := range load(t).Multiplicity {
		got := Holm(c.P)
		for i := range got {
			require.InDelta(t, c.Holm[i], got[i], closedForm)
		}
	}
}

func pairsOf(rows [][4]int) []Pair {
	pairs := make([]Pair, len(rows))
	for i, r := range rows {
		pairs[i] = Pair{BasePassed: r[0], BaseN: r[1], CandPassed: r[2], CandN: r[3]}
	}
	return pairs
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err)
	return v
}

func requireFloat(t *testing.T, want, got, delta float64, message string, args ...any) {
	t.Helper()
	if math.IsNaN(want) {
		require.True(t, math.IsNaN(got), append([]any{message}, args...)...)
		return
	}
	require.InDelta(t, want, got, delta, append([]any{message}, args...)...)
}

func requireInterval(t *testing.T, want [2]float64, got Interval, delta float64, message string, args ...any) {
	t.Helper()
	require.InDelta(t, want[0], got.Lo, delta, append([]any{message}, args...)...)
	require.InDelta(t, want[1], got.Hi, delta, append([]any{message}, args...)...)
}
