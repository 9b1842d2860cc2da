package results

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRetire(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	e := boardRun{id: "one", play: func(a *Attempt) {
		if a.Case == "core/b" {
			a.Outcome = Fail
		}
	}}.publish(t, root)
	_, err := Retire(root, e.Key, "  ", boardEpoch)
	require.ErrorContains(t, err, "a reason is needed")
	_, err = Retire(root, "nobody", "x", boardEpoch)
	require.ErrorIs(t, err, ErrNoEntry)
	_, err = Retire(root, e.Key, "the endpoint was quantised", boardEpoch)
	require.NoError(t, err)
	r := theEntry(t, root)
	require.Empty(t, r.Rows)
	require.Equal(t, []Retirement{{At: boardEpoch, Because: "the endpoint was quantised", Units: 6, Credited: 5, Certified: true, RowsSum: e.Aggregates.RowsSum, Runs: e.Aggregates.Runs}}, r.Retired)
	require.Equal(t, "it was retired", Standings([]*Entry{r})[0].Why)
	require.Empty(t, disagreements(t, root, boardSuite()))

	run, err := Load(filepath.Join(root, "runs", e.Aggregates.Runs[0]))
	require.NoError(t, err)
	_, err = Publish(root, Publication{Run: run, Package: "core", Suite: boardSuite(), Now: boardEpoch})
	require.ErrorContains(t, err, "was retired")
	again := boardRun{id: "two", hour: 1}.publish(t, root)
	require.Equal(t, 6, again.Aggregates.Credited)
	require.Zero(t, again.Aggregates.Rerolls, "what was retired is not drawn in")
	require.Len(t, again.Retired, 1)
	require.Empty(t, disagreements(t, root, boardSuite()))
}
