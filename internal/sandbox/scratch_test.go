package sandbox

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEmptyScratch(t *testing.T) {
	t.Parallel()
	b, err := New(Config{Containment: Best})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.Close()) })
	run := func(script string) string {
		var out bytes.Buffer
		p, err := b.Start(t.Context(), script, &out)
		require.NoError(t, err)
		_, err = p.Wait(t.Context())
		require.NoError(t, err)
		return out.String()
	}
	require.Empty(t, run(`mkdir -p "$TMPDIR/a/b" && echo x > "$TMPDIR/a/b/c" && chmod 0 "$TMPDIR/a/b" && ln -s "$PWD" "$TMPDIR/link" && mkfifo "$TMPDIR/pipe" && echo kept > kept.txt`))
	require.NoError(t, b.EmptyScratch())
	left, err := b.SnapshotScratch()
	require.NoError(t, err)
	require.Empty(t, left)
	require.Equal(t, "kept\n", run("cat kept.txt; ls -A \"$TMPDIR\""), "what a link leads to stays")
}

// What runs on in the background goes on making files: that is no error.
func TestEmptyScratchWhileItIsFilled(t *testing.T) {
	t.Parallel()
	b, err := New(Config{Containment: Best})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.Close()) })
	var stop atomic.Bool
	var all sync.WaitGroup
	for _, name := range []string{"a", "b"} {
		all.Go(func() {
			for n := 0; !stop.Load(); n++ {
				dir := filepath.Join(b.Scratch(), name, strconv.Itoa(n%50))
				_ = os.MkdirAll(dir, 0o755)
				_ = os.WriteFile(filepath.Join(dir, "x"), nil, 0o644)
			}
		})
	}
	for range 500 {
		if err = b.EmptyScratch(); err != nil {
			break
		}
	}
	stop.Store(true)
	all.Wait()
	require.NoError(t, err)
}
