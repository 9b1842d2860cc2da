package journal

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestClaimIsOfOneRun(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	running := map[int]bool{1: true, 2: true}
	alive := func(p Process) (bool, bool) { return running[p.Pid], p.Host == "here" }
	claims := func(host string, pid int, key, run string, hours int) error {
		return claimFor(root, claim{Process{host, pid, "s"}, key, run, epoch.Add(time.Duration(hours) * time.Hour)}, alive)
	}
	require.NoError(t, claims("here", 1, "m", "run-a", 0))
	require.NoError(t, claims("here", 1, "m", "run-a", 0), "the next package of the same run")
	require.NoError(t, claims("here", 1, "n", "run-a", 0), "its other model")

	var other *ClaimedError
	err := claims("here", 2, "m", "run-b", 1)
	require.ErrorAs(t, err, &other)
	require.Equal(t, "run-a", other.Run)
	require.EqualError(t, err, "the run run-a is being played for the same entry of the scoreboard, by process 1 since 2026-11-29 22:43:01 UTC: wait for it, or stop it")
	require.ErrorAs(t, claims("here", 1, "m", "run-b", 1), &other, "another run of the same process is another run")
	require.NoError(t, claims("here", 2, "o", "run-b", 1), "another entry")

	running[1] = false
	require.NoError(t, claims("here", 2, "m", "run-b", 2), "the holder was killed")

	require.NoError(t, claims("elsewhere", 9, "p", "run-c", 0))
	require.ErrorAs(t, claims("here", 2, "p", "run-b", 20), &other, "nobody can see whether it still runs")
	require.NoError(t, claims("here", 2, "p", "run-b", 30), "no run takes that long")
}

func TestClaimOfTwoAtOnce(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	var (
		wg     sync.WaitGroup
		mu     sync.Mutex
		had    int
		failed []error
	)
	for pid := range 8 {
		wg.Go(func() {
			err := claimFor(root, claim{Process{"h", pid, "s"}, "m", string(rune('a' + pid)), epoch}, func(Process) (bool, bool) { return true, true })
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				had++
				return
			}
			failed = append(failed, err)
		})
	}
	wg.Wait()
	require.Equal(t, 1, had)
	for _, err := range failed {
		var other *ClaimedError
		require.True(t, errors.As(err, &other), "%v", err)
	}
}

func TestClaimOfThisProcess(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	require.NoError(t, Claim(root, "m", "run-a"))
	require.NoError(t, Claim(root, "m", "run-a"))
	require.Error(t, Claim(root, "m", "run-b"))
}

func TestDamagedClaimsAreNoClaims(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	path := filepath.Join(root, "runs", claimsFile)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte("[{"), 0o644))
	require.ErrorContains(t, Claim(root, "m", "run-a"), "is damaged")
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "[{", string(data))
}
