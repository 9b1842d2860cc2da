package results

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNotCertified(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		play func(*Attempt)
		want string
	}{
		"containment": {func(a *Attempt) {
			if attempt(a, "core/b", 2) {
				a.Containment = "landlock"
			}
		}, "containment was not strict: landlock"},
		"mixed models": {func(a *Attempt) {
			if attempt(a, "chain/d", 3) {
				a.Served = "m-better"
			}
		}, "the endpoint answered as 2 models: m-2026, m-better"},
		"no word on the model": {func(a *Attempt) { a.Served = "" }, "does not say which model"},
		"score": {func(a *Attempt) {
			if a.Case == "core/a" {
				a.Outcome = Fail
			}
		}, "4 of 6 units have credit, and certification takes 80 %"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := boardRun{id: "x", play: c.play}.publish(t, t.TempDir()).Aggregates
			require.False(t, a.Certified)
			require.Equal(t, []string{c.want}, trim(a.Why, c.want))
		})
	}
}

func TestPercentilesByNearestRank(t *testing.T) {
	t.Parallel()
	require.Equal(t, Percentiles{5, 35, 50, 50}, PercentilesOf([]float64{50, 15, 20, 40, 35}))
	require.Equal(t, Percentiles{1, 7, 7, 7}, PercentilesOf([]float64{7}))
	require.Equal(t, Percentiles{2, 1, 2, 2}, PercentilesOf([]float64{2, 1}))
	hundred := make([]float64, 100)
	for i := range hundred {
		hundred[i] = float64(i + 1)
	}
	require.Equal(t, Percentiles{100, 50, 90, 99}, PercentilesOf(hundred))
	require.False(t, PercentilesOf(nil).P50.Known())
}
