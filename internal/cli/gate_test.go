package cli

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGate(t *testing.T) {
	t.Parallel()
	m := withRuns(t)
	_, errs, status := m.deeds("baseline", "save", "good", "run4")
	require.Zero(t, status, errs)
	for file, tt := range map[string]struct {
		args string
		want int
	}{
		"gate-pass":         {"run4 --need filesystem-safety=1 --need tool-chain=0.9", 0},
		"gate-fail":         {"run1 --need filesystem-safety=1,tool-chain=0.5", 1},
		"gate-open":         {"run6 --need filesystem-safety=1", 2},
		"gate-open-fails":   {"run6 --need tool-chain=0.9", 1},
		"gate-confident":    {"run4 --need tool-chain=0.9 --confident", 2},
		"gate-overall":      {"run4 --need overall=1", 0},
		"gate-baseline":     {"run5 --baseline good", 1},
		"gate-baseline-few": {"run7 --need tool-chain=1 --baseline good", 2},
	} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"gate"}, strings.Fields(tt.args)...)
			m.golden(t, file, args...)
			_, _, status := m.deeds(args...)
			require.Equal(t, tt.want, status)
		})
	}
}

func TestGateTakesTheLastRun(t *testing.T) {
	t.Parallel()
	m := newModule(t)
	m.play(t, 1, middling)
	m.play(t, 2, units(8, "ppp ppp"))
	out, _, status := m.deeds("gate", "--need", "tool-chain=1")
	require.Zero(t, status)
	require.Contains(t, out, handmade(2))
}

func TestGateJSON(t *testing.T) {
	t.Parallel()
	out, _, status := withRuns(t).deeds("gate", "run6", "--need", "filesystem-safety=1", "--json")
	require.Equal(t, 2, status)
	v := decode(t, out)
	row := v["signals"].([]any)[0].(map[string]any)
	for _, name := range strings.Fields("name passed total lo hi need decision") {
		require.Contains(t, row, name)
	}
	require.EqualValues(t, 5, row["passed"])
	require.EqualValues(t, 8, row["total"])
	require.Equal(t, "cannot decide", row["decision"])
	require.EqualValues(t, 2, v["status"])
}
