package filelock

import (
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLockKeepsOthersOut(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	var (
		wg     sync.WaitGroup
		inside atomic.Int32
	)
	for range 8 {
		wg.Go(func() {
			for range 50 {
				unlock, err := Lock(path)
				if err != nil {
					t.Error(err)
					return
				}
				if n := inside.Add(1); n != 1 {
					t.Errorf("%d hold the lock", n)
				}
				inside.Add(-1)
				unlock()
			}
		})
	}
	wg.Wait()
}

func TestTry(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	open := func() *os.File {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
		require.NoError(t, err)
		return f
	}
	first, second := open(), open()
	require.NoError(t, Try(first))
	require.ErrorIs(t, Try(second), ErrTaken)
	require.NoError(t, Unlock(first))
	require.NoError(t, Try(second))
	require.ErrorIs(t, Try(first), ErrTaken)
	require.NoError(t, second.Close())
	require.NoError(t, Try(first), "a closed file holds nothing")
	require.NoError(t, first.Close())
}

func TestLockOfNothing(t *testing.T) {
	t.Parallel()
	_, err := Lock(filepath.Join(t.TempDir(), "none", "lock"))
	require.ErrorIs(t, err, os.ErrNotExist)
}
