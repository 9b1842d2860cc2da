//go:build linux || darwin

package journal

import (
	"bufio"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/results"
)

// Four processes write at once, two of them under one package name, and are killed
// without warning, again and again. What Append has returned for must be there, with
// its evidence.
func TestAKilledRunLosesNothingThatHadFinished(t *testing.T) {
	t.Parallel()
	dir := runDir(t)
	var said int
	for round := range 6 {
		var (
			wg   sync.WaitGroup
			last [4]int
			bad  [4]string
		)
		for i, pkg := range []string{"core", "core", "chain", "other"} {
			wg.Go(func() {
				cmd := role(t, "write", dir, pkg)
				out, err := cmd.StdoutPipe()
				if err != nil || cmd.Start() != nil {
					bad[i] = fmt.Sprint("cannot start: ", err)
					return
				}
				kill := time.AfterFunc(time.Duration(60+25*i+13*round)*time.Millisecond, func() { cmd.Process.Kill() })
				defer kill.Stop()
				for lines := bufio.NewScanner(out); lines.Scan(); {
					n, err := strconv.Atoi(lines.Text())
					if err != nil {
						bad[i] = lines.Text()
					}
					last[i] = max(last[i], n)
				}
				cmd.Wait() // it was killed
			})
		}
		wg.Wait()
		for i := range last {
			require.Empty(t, bad[i])
			said += last[i]
		}
	}
	r := load(t, dir)
	require.Empty(t, r.Problems)
	require.GreaterOrEqual(t, len(r.Attempts), said)
	require.LessOrEqual(t, len(r.Attempts), said+4*6, "at most one each that could not say so")
	require.Positive(t, said)
	for _, a := range r.Attempts {
		_, err := r.Evidence(a)
		require.NoError(t, err)
	}
	t.Logf("%d attempts said, %d on record, %d torn lines", said, len(r.Attempts), r.Torn)
}

// A limit on the size of files stands in for a full disk: a write is cut short,
// and the next ones fail.
func TestAFullDiskLosesNothingEarlier(t *testing.T) {
	if os.Getenv("FULL") == "" {
		cmd := role(t, "", "-test.run=^TestAFullDiskLosesNothingEarlier$", "-test.v")
		cmd.Env = append(cmd.Env, "FULL=1")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		require.Contains(t, string(out), "--- PASS")
		return
	}
	signal.Ignore(syscall.SIGXFSZ)
	dir := runDir(t)
	w := mustOpen(t, dir, "core")
	limit := func(n uint64) {
		require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: 1 << 40}))
	}
	limit(2000)
	var kept int
	for n := 1; n <= 20; n++ {
		if _, err := w.Append(play("core", n), []byte(`{}`)); err != nil {
			require.ErrorContains(t, err, "record an attempt of core/case")
			break
		}
		kept++
	}
	require.Positive(t, kept)
	require.Less(t, kept, 20)
	big := []byte(strings.Repeat("incompressible? ", 1))
	for i := range 4000 {
		big = fmt.Appendf(big, "%x ", i*i*7919)
	}
	_, err := w.Append(play("core", 21), big)
	require.ErrorContains(t, err, "keep the evidence of core/case")
	require.Error(t, w.WritePlan(results.Plan{Claims: map[string]string{"x": string(big)}}))
	require.Empty(t, leftovers(t, dir))
	r := load(t, dir)
	require.Len(t, r.Attempts, kept)
	require.Zero(t, r.Torn, "half a line is taken back")
	require.NoFileExists(t, filepath.Join(dir, "plan-core.json"))

	limit(1 << 40) // room again
	_, err = w.Append(play("core", 22), big)
	require.NoError(t, err)
	require.Len(t, load(t, dir).Attempts, kept+1)
}
