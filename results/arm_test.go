package results

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNewArmPoolsRuns(t *testing.T) {
	t.Parallel()
	r1, r2 := shotRun("r1", flat(3, 1, 3)), shotRun("r2", flat(3, 2, 3))
	// A reroll in the second run counts for nothing.
	again := r2.Attempts[2]
	again.Play, again.Outcome = 2, Pass
	r2.Attempts = append(r2.Attempts, again)
	a := armOf(t, r1, r2, shotRun("r3", flat(3, 3, 3)))
	s := a.Summary()
	require.Equal(t, ArmSummary{
		Name: "r1", Model: "m", Agent: "builtin", Kind: "live", Runs: []string{"r1", "r2", "r3"},
		Units: 3, Slots: 27, Attempts: 27, Rerolls: 1, Answered: 27, K: 9,
	}, s)
	require.Equal(t, tally{passed: 6, failed: 3}, a.tally(&a.units[0], everything, -1, false))
	require.Equal(t, tally{passed: 2, failed: 1}, a.tally(&a.units[0], everything, 1, false))
	require.Equal(t, tally{passed: 6, failed: 3}, a.tally(&a.units[0], rowKey{signalRow, "tool-chain"}, -1, false))
}

func TestNewArmRefuses(t *testing.T) {
	t.Parallel()
	r := shotRun("r", flat(3, 1, 3))
	two := modelRun("two", "n", flat(3, 1, 3))
	two.Plans = append(two.Plans, shotRun("two", flat(3, 1, 3)).Plans...)
	agents := shotRun("agents", flat(3, 1, 3))
	agents.Plans[0].Slots[0].Agent = "other"
	for _, tt := range []struct {
		name  string
		runs  []*Run
		model string
		want  string
	}{
		{"nothing", nil, "", "x: there is no run in it"},
		{"an empty run", []*Run{{ID: "e"}}, "", "x: no model is on record"},
		{"two models", []*Run{two}, "", "x: it has several models, name one: n, m"},
		{"an unknown model", []*Run{two}, "o", "x: it has no model o, but n, m"},
		{"a run without the model", []*Run{two, r}, "n", "x: run r has nothing of n, and would be counted as a run of it"},
		{"a run twice", []*Run{r, r}, "", "x: run r is in it twice, and its attempts would count twice"},
		{"a run twice, by another folder", []*Run{r, {ID: "copy", Plans: r.Plans, Attempts: r.Attempts}}, "", "x: run r is in it twice, and its attempts would count twice"},
		{"two agents", []*Run{agents}, "", "x: it has the agents other and builtin, and an arm is of one"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := NewArm("x", tt.runs, tt.model)
			require.EqualError(t, err, tt.want)
		})
	}
	a, err := NewArm("x", []*Run{two}, "n")
	require.NoError(t, err)
	require.Equal(t, 9, a.Summary().Attempts)
}

// Several expectations of one name are one marker: it fails where one of them does.
func TestMarkersOfOneName(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ first, second, want string }{
		{Pass, Pass, Pass}, {Pass, Fail, Fail}, {Fail, Pass, Fail}, {NA, Pass, Pass}, {Fail, NA, Fail}, {NA, NA, NA},
	} {
		s := hit(true)
		s.edit = func(a *Attempt) {
			a.Verdicts = []Verdict{
				{Name: "g", Outcome: tt.first, Marker: true}, {Name: "g", Outcome: tt.second, Marker: true},
				{Name: "not named by its author", Outcome: Fail},
			}
		}
		a := shotArm(t, "a", shots{"core/a": {s}})
		require.Equal(t, []rowKey{{signalRow, "tool-chain"}, {markerRow, "g"}}, rowKeys(&a))
		require.Equalf(t, tt.want, a.tally(&a.units[0], rowKey{markerRow, "g"}, -1, false).outcome(), "%s and %s", tt.first, tt.second)
	}
}

func TestNumber(t *testing.T) {
	t.Parallel()
	require.False(t, None().Known())
	data, err := None().MarshalJSON()
	require.NoError(t, err)
	require.Equal(t, "null", string(data))
	data, err = Number(0.5).MarshalJSON()
	require.NoError(t, err)
	require.Equal(t, "0.5", string(data))
	var n Number
	require.NoError(t, n.UnmarshalJSON([]byte("null")))
	require.False(t, n.Known())
	require.NoError(t, n.UnmarshalJSON([]byte("0")))
	require.True(t, n.Known())
	require.Error(t, n.UnmarshalJSON([]byte(`"x"`)))
}
