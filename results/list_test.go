package results

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// runs makes a results directory with runs of these ids. One that begins with '-'
// has nothing in it.
func runs(t *testing.T, ids ...string) string {
	t.Helper()
	root := t.TempDir()
	for i, id := range ids {
		empty := id[0] == '-'
		if empty {
			id = id[1:]
		}
		dir := filepath.Join(root, "runs", id)
		require.NoError(t, os.MkdirAll(dir, 0o755))
		if !empty {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "plan-core.json"), []byte(`{"schema":1}`), 0o644))
		}
		at := time.Unix(1e9+int64(i), 0)
		require.NoError(t, os.Chtimes(dir, at, at))
	}
	return root
}

func ids(list []RunInfo) []string {
	var all []string
	for _, i := range list {
		all = append(all, i.ID)
	}
	return all
}

func TestList(t *testing.T) {
	t.Parallel()
	root := runs(t,
		"20260102T000000Z-aaa", "20260101T000000Z-zzz", // not by the order in which they were made
		"20260103T000000Z-zzz", "20260103T000000Z-bbb", // in one second, by that order
		"-20260104T000000Z-empty", "not-a-run", "20261399T000000Z-abc",
	)
	require.NoError(t, os.WriteFile(filepath.Join(root, "runs", ".lock"), nil, 0o644))
	list, err := List(root)
	require.NoError(t, err)
	require.Equal(t, []string{"20260101T000000Z-zzz", "20260102T000000Z-aaa", "20260103T000000Z-zzz", "20260103T000000Z-bbb"}, ids(list))
	require.Equal(t, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), list[0].Created)
	last, err := Last(root)
	require.NoError(t, err)
	require.Equal(t, list[3], last)
}

func TestListOfNothing(t *testing.T) {
	t.Parallel()
	list, err := List(t.TempDir())
	require.NoError(t, err)
	require.Empty(t, list)
	_, err = Last(runs(t, "-20260104T000000Z-empty"))
	require.ErrorIs(t, err, ErrNoRun)
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	_, err = List(file)
	require.Error(t, err)
}

func TestFind(t *testing.T) {
	t.Parallel()
	root := runs(t, "20260101T000000Z-abc123", "20260102T000000Z-abd456", "20260103T000000Z-abc")
	for name, want := range map[string]string{
		"":                        "20260103T000000Z-abc",
		"last":                    "20260103T000000Z-abc",
		"20260101T000000Z-abc123": "20260101T000000Z-abc123",
		"abc123":                  "20260101T000000Z-abc123",
		"abc":                     "20260103T000000Z-abc", // whole before the beginning of another
		"abd":                     "20260102T000000Z-abd456",
		"20260102":                "20260102T000000Z-abd456",
		filepath.Join(root, "runs", "20260101T000000Z-abc123"): "20260101T000000Z-abc123",
	} {
		info, err := Find(root, name)
		require.NoError(t, err, name)
		require.Equal(t, want, info.ID, name)
		require.DirExists(t, info.Dir)
	}
	for name, want := range map[string]string{
		"ab": "fits 3 runs", "nope": `"nope"`, "2026": "fits 3 runs", filepath.Join(root, "runs"): "holds no record", "../x": "holds no record",
	} {
		_, err := Find(root, name)
		require.ErrorIs(t, err, ErrNoRun, name)
		require.ErrorContains(t, err, want, name)
	}
}

func TestRunID(t *testing.T) {
	t.Parallel()
	id := RunID(time.Date(2026, 11, 29, 23, 43, 1, 5, time.FixedZone("", 3600)), "3f9c1a")
	require.Equal(t, "20261129T224301Z-3f9c1a", id)
	require.True(t, IsRunID(id))
	require.Equal(t, "3f9c1a", ShortID(id))
	for _, no := range []string{"", "3f9c1a", "20261129T224301Z", "20261129T224301Z-", "20261129T224301Z-../x", "20261329T224301Z-a", ".20261129T224301Z-a", "20261129T224301Z-a/b"} {
		require.False(t, IsRunID(no), no)
		require.Equal(t, no, ShortID(no))
	}
}
