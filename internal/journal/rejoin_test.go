package journal

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/results"
)

func (w *world) resume(dir string) (string, string, error) {
	w.run = "another" // does not count
	alive := w.alive
	if alive == nil {
		alive = func(Process) (bool, bool) { return true, true }
	}
	return Locate(LocateConfig{
		Dir: w.root, Resume: dir, Now: func() time.Time { return w.now }, Process: func() Process { return w.process }, Alive: alive,
		Getenv: environ(map[string]string{"DEEDS_RESULTS": w.root, "DEEDS_RUN": w.run}),
	})
}

func TestResumeIsInOneHandAtATime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	dir, id := w.mustLocate(t)

	first := w.process
	w.process = Process{Host: "h", Pid: 8, Start: "1"}
	_, _, err := w.resume(dir)
	var busy *BusyError
	require.ErrorAs(t, err, &busy)
	require.EqualError(t, err, "the run "+id+" is being played by process 7, since 2026-11-29 22:43:01 UTC")

	w.alive = func(p Process) (bool, bool) { return p != first, true } // it was killed
	again, same, err := w.resume(dir)
	require.NoError(t, err)
	require.Equal(t, []string{dir, id}, []string{again, same})
	_, _, err = w.resume(dir)
	require.NoError(t, err, "another package of the same command")

	w.process.Pid = 9
	_, _, err = w.resume(dir)
	require.ErrorAs(t, err, &busy)
	require.Equal(t, 8, busy.Process.Pid)
	w.alive = func(Process) (bool, bool) { return false, false }
	_, _, err = w.resume(dir)
	require.NoError(t, err, "what cannot be seen from here is told by its lock")
}

func TestResumeOfARunThatIsGone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, _, err := w.resume(filepath.Join(w.root, "runs", "20260101T000000Z-abcdef"))
	require.ErrorContains(t, err, "the run to go on with is gone")
	require.NoDirExists(t, filepath.Join(w.root, "runs", "20260101T000000Z-abcdef"))
}

// Whoever still writes what a package has on record keeps those out who would go on
// with it, whichever of its files it writes.
func TestReopenWaitsForNobodyElse(t *testing.T) {
	t.Parallel()
	dir := runDir(t)
	one, two := mustOpen(t, dir, "core"), mustOpen(t, dir, "core")
	for _, w := range []*Writer{one, two} {
		_, err := openAlone(dir, "core", nil, time.Time{})
		var busy *BusyError
		require.ErrorAs(t, err, &busy)
		require.Contains(t, busy.Error(), "is being played by another process")
		require.NoError(t, w.Close())
	}
	files, err := filepath.Glob(filepath.Join(dir, "attempts-*"))
	require.NoError(t, err)
	require.Len(t, files, 2, "who is refused leaves nothing")
	w, err := openAlone(dir, "core", nil, time.Time{})
	require.NoError(t, err)
	defer w.Close()
	other, err := openAlone(dir, "chain", nil, time.Time{})
	require.NoError(t, err, "another package")
	require.NoError(t, other.Close())
}

// A stop from before does not count for a run that is gone on with, nor for who reads
// it; one from now does.
func TestReopenTakesAStopBack(t *testing.T) {
	t.Parallel()
	dir := runDir(t)
	old, err := open(dir, "core", nil, time.Time{}, func() time.Time { return epoch })
	require.NoError(t, err)
	require.NoError(t, old.Stop("the budget"))
	require.NoError(t, old.Close())
	w, err := openAlone(dir, "core", nil, epoch.Add(time.Second))
	require.NoError(t, err)
	defer w.Close()
	require.Empty(t, w.Stopped())
	require.Nil(t, load(t, dir).Stopped)

	require.NoError(t, w.Stop("no key"))
	sibling, err := openAlone(dir, "chain", nil, epoch.Add(time.Second))
	require.NoError(t, err)
	defer sibling.Close()
	require.Equal(t, "no key", sibling.Stopped())
	_, err = os.Stat(filepath.Join(dir, results.StopFile))
	require.False(t, errors.Is(err, os.ErrNotExist))
}
