package results

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestStandings(t *testing.T) {
	t.Parallel()
	// Twenty cases: good passes all, fair passes all but one, bad none.
	suite := Suite{Dir: "evals", Grader: "g1"}
	for i := range 20 {
		suite.Cases = append(suite.Cases, SuiteCase{Case: fmt.Sprintf("core/c%02d", i), Digest: "d"})
	}
	root := t.TempDir()
	run := boardRun{id: "x", packages: []string{"core"}, suite: suite, plan: func(p *Plan) { p.Settings.Models = []string{"bad", "fair", "good"} }, play: func(a *Attempt) {
		if a.Model == "bad" || a.Model == "fair" && a.Case == "core/c00" {
			a.Outcome = Fail
		}
	}}.write(t, root)
	entries, err := Publish(root, Publication{Run: run, Package: "core", Suite: suite, Now: boardEpoch.Add(time.Hour)})
	require.NoError(t, err)
	var got []string
	for _, s := range Standings(entries) {
		got = append(got, fmt.Sprintf("%d %s %d", s.Rank, s.Entry.Model, len(s.Better)))
	}
	require.Equal(t, []string{"1 good 0", "1 fair 0", "3 bad 2"}, got)

	few := suite
	few.Cases = suite.Cases[:4]
	for _, e := range entries {
		now := e.against(anyCase, few)
		now.Aggregates = Aggregate(now)
		require.Equal(t, "it has too few rows", Standings([]*Entry{now})[0].Why)
	}
	elsewhere := *entries[0]
	elsewhere.Grader = "g2"
	elsewhere.Rows = nil
	for _, r := range entries[0].Rows {
		r.Grader = "g2"
		elsewhere.Rows = append(elsewhere.Rows, r)
	}
	for _, s := range Standings([]*Entry{entries[1], &elsewhere}) {
		require.Equal(t, "it shares too few current rows with the others", s.Why)
	}
}
