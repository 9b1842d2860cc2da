package cli

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPower(t *testing.T) {
	t.Parallel()
	m := withRuns(t)
	for file, args := range map[string]string{
		"power-effect": "--base 0.3 --k 4 --effect 0.1",
		"power-cases":  "--base 0.3 --k 4 --cases 33",
		"power-both":   "--base 0.3 --k 4 --effect 0.15 --cases 34",
		"power-fall":   "--base 0.9 --k 3 --effect -0.2",
		"power-run":    "--run run1,run2",
		"power-row":    "--run run1 --row read_first --effect 0.2",
		"power-same":   "--run run4 --effect -0.1",
	} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			m.golden(t, file, append([]string{"power"}, strings.Fields(args)...)...)
		})
	}
}

// The published sizes, and the names that scripts rely on.
func TestPowerJSON(t *testing.T) {
	t.Parallel()
	m := newModule(t)
	for effect, want := range map[string]int{"0.10": 89, "0.15": 40, "0.25": 15} {
		out, _, status := m.deeds("power", "--base", "0.30", "--k", "4", "--effect", effect, "--json")
		require.Zero(t, status)
		v := decode(t, out)
		require.EqualValues(t, want, v["cases_needed"])
		require.InDelta(t, want, v["cases_needed_simulated"], 8)
		require.Nil(t, v["detectable_effect"])
	}
	out, _, _ := m.deeds("power", "--base", "0.30", "--k", "4", "--cases", "33", "--json")
	v := decode(t, out)
	require.InDelta(t, 0.1652, v["detectable_effect"], 0.0001)
	require.Nil(t, v["cases_needed"])
}
