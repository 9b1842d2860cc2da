package page

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/results"
)

func TestFigures(t *testing.T) {
	t.Parallel()
	for n, want := range map[float64]string{0: "0", 7: "7", 999: "999", 1000: "1\u202f000", 1234567: "1\u202f234\u202f567", -1234: "-1\u202f234", 99.6: "100"} {
		require.Equal(t, want, whole(n))
	}
	for n, want := range map[results.Number]string{0: "0", 0.001: "0", -0.001: "0", 0.16: "+16", -0.25: "−25", results.None(): "–"} {
		require.Equal(t, want, points(n))
	}
	for n, want := range map[results.Number]string{0: "< 0.0001", 0.00012: "0.00012", 0.03: "0.030", 1: "1.000", results.None(): "–"} {
		require.Equal(t, want, chance(n))
	}
	cost := 0.00314
	require.Equal(t, "$0.0031", dollars(&cost))
	cost = 12.345
	require.Equal(t, "$12.35", dollars(&cost))
	cost = 1234.5
	require.Equal(t, "$1\u202f234", dollars(&cost))
	require.Equal(t, "–", dollars(nil))
	require.Equal(t, "3–96 %", interval(0.03, 0.951))
	require.Equal(t, "99.9–100 %", interval(0.99963, 1))
	require.Equal(t, "0–0.1 %", interval(0, 0.0004))
	require.Equal(t, "–", interval(0.03, results.None()))
}

func TestLink(t *testing.T) {
	t.Parallel()
	s := results.Slot{Case: "chain/read-before-edit", Model: "opal", Agent: "builtin", Attempt: 2}
	require.Equal(t, "#attempt=chain/read-before-edit/_/_/opal/2", link(s, false))
	require.Equal(t, "#attempt=chain/read-before-edit/_/_/opal@builtin/2", link(s, true))
	s.World, s.Variant, s.Model = "a/b", "_", "org/quartz 2:free&x=\"'<"
	require.Equal(t, "#attempt=chain/read-before-edit/a%2Fb/%5F/org%2Fquartz%202:free%26x%3D%22%27%3C/2", link(s, false))
	require.NotEqual(t, link(results.Slot{Case: "a/b"}, false), link(results.Slot{Case: "a", World: "b"}, false))
}

func TestAxis(t *testing.T) {
	t.Parallel()
	x := newAxis(10, 1000)
	require.Equal(t, 0, x.at(10))
	require.Equal(t, 500, x.at(100))
	require.Equal(t, 1000, x.at(1000))
	require.Equal(t, 0, x.at(0))
	require.Equal(t, []tick{{0, "10"}, {500, "100"}, {1000, "1\u202f000"}}, x.ticks(whole))
	bars := x.histogram([]float64{10, 10, 100, 1000})
	require.Equal(t, []column{{0, 0, 18, 100, 2}, {500, 50, 18, 50, 1}, {980, 50, 18, 50, 1}}, bars)
	require.Less(t, newAxis(5, 5).lo, 5.0)
}

func TestComparisonRow(t *testing.T) {
	t.Parallel()
	row := newComparisonRow(results.Row{Delta: 0.1, Lo: -0.05, Hi: 0.6, PHolm: 0.04, Verdict: results.Better}, 50)
	require.Equal(t, 600, row.At)
	require.Equal(t, 450, row.Lo)
	require.Equal(t, 1000, row.Hi, "an interval ends with the axis")
	require.Equal(t, "−5 to +60", row.Range)
	require.Equal(t, "better", row.Class)
	none := results.None()
	row = newComparisonRow(results.Row{Delta: none, Lo: none, Hi: none, PHolm: none, Verdict: results.InsufficientData}, 50)
	require.False(t, row.Drawn)
	require.Equal(t, "–", row.Change)
}

// A run that is too large for a page keeps what failed.
func TestMatrixLeavesOutPasses(t *testing.T) {
	t.Parallel()
	var units []results.UnitResult
	for i := range mostCells + 10 {
		s := results.SlotResult{Slot: results.Slot{Case: "chain/x", Variant: whole(float64(i)), Model: "opal", Attempt: 1}, Outcome: results.Pass}
		u := results.UnitResult{Unit: s.Unit(), Tally: results.Tally{Passed: 1}}
		if i > mostCells {
			s.Outcome, u.Tally = results.Fail, results.Tally{Failed: 1}
			s.Decided = &results.Attempt{}
		}
		u.Slots = []results.SlotResult{s}
		units = append(units, u)
	}
	m := newMatrix(units)
	require.Equal(t, 9, m.LeftOut)
	require.Len(t, m.Rows, mostCells+1)
	require.Equal(t, "fail", m.Rows[0].Cells[0].Slots[0].Class)
}
