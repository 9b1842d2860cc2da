package results

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func ratesOf(t *testing.T, of shots, k int) *RateReport {
	t.Helper()
	r, err := Rates(shotArm(t, "a", of), k)
	require.NoError(t, err)
	return r
}

// Three of three is not much.
func TestAllPassedSaysHowLittle(t *testing.T) {
	t.Parallel()
	r := ratesOf(t, shots{"core/a": hits(3, 3)}, 0)
	require.Equal(t, "3/3 says above 0.37", r.Overall.Remark)
	near(t, 0.368403, r.Overall.Above, 1e-6, "bound")
	r = ratesOf(t, flat(22, 4, 4), 0)
	near(t, 1, r.Overall.PassAt1.Value, 0, "pass@1")
	near(t, 0.8456, r.Overall.PassAt1.Lo, 1e-4, "exact bound") // 0.025^(1/22)
	near(t, 1, r.Overall.PassAt1.Hi, 0, "no spread")
	require.True(t, r.Overall.Degenerate)
	r = ratesOf(t, flat(22, 3, 4), 0)
	require.False(t, r.Overall.Above.Known())
	require.False(t, r.Overall.Degenerate)
}

func TestRatesCountWhatIsLost(t *testing.T) {
	t.Parallel()
	r := ratesOf(t, shots{"core/a": {hit(true), {outcome: Void}, {outcome: NotRun}}, "core/b": hits(1, 2)}, 2)
	require.Equal(t, 2, r.Overall.Lost)
	require.Equal(t, 3, r.Overall.Attempts)
	require.Equal(t, 1, r.Overall.KUnits)
	require.Equal(t, "1 of 2 units have 2 attempts", r.Overall.Remark)
	near(t, 0.75, r.Overall.PassAt1.Value, 1e-12, "pass@1")
	near(t, 1, r.Overall.PassAtK.Value, 1e-12, "pass@2")
	near(t, 0, r.Overall.PassPowK.Value, 1e-12, "pass^2")
	require.Equal(t, []string{"2 of 5 slots are lost: 1 void, 1 not run; the rates are of the others"}, r.Remarks)
	r = ratesOf(t, shots{"core/a": hits(1, 2)}, 3)
	require.False(t, r.Overall.PassAtK.Value.Known(), "k is never above the attempts there are")
	_, err := Rates(shotArm(t, "a", flat(2, 1, 2)), -1)
	require.Error(t, err)
}

// The variants of one case are no new cases.
func TestRatesByCase(t *testing.T) {
	t.Parallel()
	of := make(shots)
	for i, passed := range []int{0, 1, 4} {
		for _, v := range []string{"a", "b", "c", "d", "e", "f"} {
			of["core/"+string(rune('x'+i))+"||"+v] = hits(passed, 4)
		}
	}
	p := ratesOf(t, of, 0).Overall.PassAt1
	require.Less(t, float64(p.CaseLo), float64(p.Lo))
	require.Greater(t, float64(p.CaseHi), float64(p.Hi))
	require.False(t, ratesOf(t, shots{"core/a||x": hits(1, 2), "core/a||y": hits(2, 2)}, 0).Overall.PassAt1.CaseLo.Known(), "one case says nothing of others")
}
