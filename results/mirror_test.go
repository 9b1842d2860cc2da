package results

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The arms in the other order give the other sign and nothing else, also where there are
// too many different numbers of attempts for an exact answer.
func TestSwappedArmsMirror(t *testing.T) {
	t.Parallel()
	a := shotArm(t, "zebra", every(40, func(u int) []shot { k := 11 + u; return hits(k*7/10, k) }))
	b := shotArm(t, "apple", every(40, func(u int) []shot { k := 13 + 7*u%37; return hits(k*6/10, k) }))
	x, y := compared(t, a, b, CompareOptions{}).Overall, compared(t, b, a, CompareOptions{}).Overall
	require.False(t, x.Exact)
	require.Equal(t, x.P, y.P)
	require.InDelta(t, float64(x.Delta), -float64(y.Delta), 1e-12)
	require.InDelta(t, float64(x.Lo), -float64(y.Hi), 1e-12)
	require.Equal(t, []int{x.Up, x.Down}, []int{y.Down, y.Up})
}
