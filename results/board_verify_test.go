package results

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSuiteChangesAreTold(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	boardRun{id: "one"}.publish(t, root)
	today := boardSuite()
	today.Cases = append(today.Cases[1:], SuiteCase{Case: "core/z", Digest: "z1"})
	today.Cases[0].Digest = "e2"
	require.Equal(t, []string{"edited since: chain/e", "added since: core/z", "removed since: chain/d"}, func() (short []string) {
		for _, w := range disagreements(t, root, today) {
			_, what, _ := strings.Cut(w, ": cases were ")
			short = append(short, what)
		}
		return short
	}())
	require.Contains(t, strings.Join(disagreements(t, root, Suite{Dir: "other"}), "\n"), "the suite in evals cannot be read")
}

func TestTamperedAggregates(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	e := boardRun{id: "one", play: func(a *Attempt) {
		if a.Case == "core/b" {
			a.Outcome = Fail
		}
	}}.publish(t, root)
	whole, err := json.Marshal(e)
	require.NoError(t, err)
	all := fields(e.Aggregates)
	require.NotEmpty(t, all)
	for name := range all {
		var raw map[string]any
		require.NoError(t, json.Unmarshal(whole, &raw))
		aggregates := raw["aggregates"].(map[string]any)
		aggregates[name] = other(aggregates[name])
		data, err := json.Marshal(raw)
		require.NoError(t, err)
		path := filepath.Join(root, "scoreboard", e.Key+".json")
		require.NoError(t, os.WriteFile(path, data, 0o644))
		require.Contains(t, strings.Join(disagreements(t, root, boardSuite()), "\n"), e.Key+": "+name+" is given as", name)
	}
}

// An edit of a row is found without its run by the digest of the rows, and by the run
// even where all that is computed from the row was made to fit.
func TestTamperedRows(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	e := boardRun{id: "one", play: func(a *Attempt) {
		cost := 0.5
		a.Reason, a.Dirty, a.Usage.Cost, a.Usage.CostSource, a.Usage.Cached = "limit-turns", true, &cost, "reported", 7
	}}.publish(t, root)
	path := filepath.Join(root, "scoreboard", e.Key+".json")
	whole, err := json.Marshal(e)
	require.NoError(t, err)
	var raw map[string]any
	require.NoError(t, json.Unmarshal(whole, &raw))
	row := raw["rows"].([]any)[0].(map[string]any)
	var names []string
	for name := range row {
		names = append(names, name)
	}
	for name := range row["plays"].([]any)[0].(map[string]any) {
		if name != "published" {
			names = append(names, "plays."+name)
		}
	}
	require.Len(t, names, 5+19)
	for _, name := range names {
		require.NoError(t, json.Unmarshal(whole, &raw))
		row := raw["rows"].([]any)[0].(map[string]any)
		if field, ok := strings.CutPrefix(name, "plays."); ok {
			play := row["plays"].([]any)[0].(map[string]any)
			play[field] = other(play[field])
		} else if name == "plays" {
			row[name] = row[name].([]any)[1:]
		} else {
			row[name] = other(row[name])
		}
		data, err := json.Marshal(raw)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, data, 0o644))
		require.Contains(t, strings.Join(disagreements(t, root, boardSuite()), "\n"), "rows_sha256 is given as", name)
		_, err = Refresh(root, []Suite{boardSuite()})
		require.ErrorContains(t, err, "were edited by hand", name)

		edited := theEntry(t, root)
		edited.Aggregates = Aggregate(edited)
		require.NoError(t, save(root, []*Entry{edited}))
		if name == "signals" {
			continue // what was planned is in no attempt; it moves no outcome
		}
		require.NotEmpty(t, disagreements(t, root, boardSuite()), name)
	}
}

func TestTamperedEvidence(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	e := boardRun{id: "one"}.publish(t, root)
	files, err := filepath.Glob(filepath.Join(root, "runs", e.Aggregates.Runs[0], "evidence", "*"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	require.NoError(t, os.Remove(files[0]))
	require.Empty(t, disagreements(t, root, boardSuite()), "evidence may be thrown away")
	require.NoError(t, os.WriteFile(files[1], []byte("better"), 0o644))
	require.Len(t, disagreements(t, root, boardSuite()), 1)
	require.NoError(t, os.RemoveAll(filepath.Join(root, "runs")))
	require.Empty(t, disagreements(t, root, boardSuite()), "a clone has no runs")
}
