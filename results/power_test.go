package results

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPlanPower(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		effect float64
		want   int
	}{{0.10, 89}, {0.15, 40}, {0.25, 15}} {
		r, err := PlanPower(PowerOptions{Base: 0.3, K: 4, Effect: tt.effect})
		require.NoError(t, err)
		require.Equal(t, tt.want, *r.CasesNeeded)
		require.Greater(t, *r.CasesConcentrated, tt.want)
		require.NotNil(t, r.CasesNeededSim)
		// The rule that decides is exact, and takes a few more.
		require.InEpsilon(t, tt.want, *r.CasesNeededSim, 0.5)
		require.False(t, r.DetectableEffect.Known())
	}
	r, err := PlanPower(PowerOptions{Base: 0.3, K: 4, Cases: 33})
	require.NoError(t, err)
	near(t, 0.1652, r.DetectableEffect, 5e-5, "detectable effect")
	require.Nil(t, r.CasesNeeded)
	// A base of 0 has room: the fixed point of the reference says 0.
	r, err = PlanPower(PowerOptions{Base: 0, K: 4, Cases: 5})
	require.NoError(t, err)
	near(t, 0.2818382574, r.DetectableEffect, 1e-9, "detectable effect")
	r, err = PlanPower(PowerOptions{Base: 0.3, K: 4, Cases: 40, Effect: 0.15})
	require.NoError(t, err)
	require.InDelta(t, 0.8, float64(r.PowerAt), 0.02)
	require.InDelta(t, 0.74, float64(r.PowerSimulated), 0.08)
}

func TestPlanPowerMisuse(t *testing.T) {
	t.Parallel()
	for _, o := range []PowerOptions{
		{Base: 0.3, K: 4}, {Base: 1.3, K: 4, Cases: 5}, {Base: 0.3, Cases: 5}, {Base: 0.3, K: 4, Cases: 1}, {Base: 0.3, K: 4, Cases: -3},
		{Base: 0.3, K: 4, Effect: 2}, {Base: 0.9, K: 4, Effect: 0.2}, {Base: 0.3, K: 4, Effect: 0.1, Alpha: 2}, {Base: 0.3, K: 4, Effect: 0.1, Power: 1},
	} {
		_, err := PlanPower(o)
		require.Errorf(t, err, "%+v", o)
	}
}

// Units that differ in difficulty vary less than their mean would have it.
func TestPlanPowerFromARun(t *testing.T) {
	t.Parallel()
	a := shotArm(t, "a", every(20, func(i int) []shot {
		if i%2 == 0 {
			return hits(0, 4)
		}
		return hits(3, 4)
	}))
	r, err := PlanPower(PowerOptions{From: &a, Effect: 0.15})
	require.NoError(t, err)
	require.Equal(t, 4, r.K)
	require.InDelta(t, 0.375, r.Base, 1e-12)
	// Half of the units have s² = 0.25: sqrt(2·0.125/4).
	near(t, 0.25, r.SD, 1e-12, "sd")
	require.Less(t, *r.CasesNeededMeasure, *r.CasesNeeded)
	_, err = PlanPower(PowerOptions{From: &a, Effect: 0.15, Row: "tool-chian"})
	require.ErrorContains(t, err, "the nearest are: tool-chain")

	// Saturated: nothing to measure the spread by, and no room.
	full := shotArm(t, "full", flat(10, 4, 4))
	r, err = PlanPower(PowerOptions{From: &full, Cases: 10})
	require.NoError(t, err)
	require.Len(t, r.Remarks, 2)
	require.Contains(t, r.Remarks[0], "DEGENERATE")
	require.Contains(t, r.Remarks[1], "CEILING")
	_, err = PlanPower(PowerOptions{From: &full, Effect: 0.1})
	require.Error(t, err, "the gain does not exist")
}

// Sizes that nobody can wait for are answered by the formula, and it is said.
func TestPowerOfSizesBeyondSimulation(t *testing.T) {
	t.Parallel()
	for _, o := range []PowerOptions{
		{Base: 0.5, K: 1_000_000, Effect: 0.0001, Cases: 2},
		{Base: 0.5, K: 3, Effect: 0.1, Cases: 100_000_000},
		{Base: 0.5, K: 50_000, Effect: 0.001, Cases: 10},
	} {
		r, err := PlanPower(o)
		require.NoError(t, err)
		require.True(t, r.PowerAt.Known())
		require.False(t, r.PowerSimulated.Known())
		require.Contains(t, strings.Join(r.Remarks, "\n"), "not simulated")
	}
}
