//go:build unix

package sandbox

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/sandbox/contain"
)

func TestMain(m *testing.M) {
	if name := os.Getenv("PROBE"); name != "" {
		os.Exit(probe(name, os.Args[1:]))
	}
	os.Exit(m.Run())
}

// forEachLevel runs a test at every level that commands can be held at here.
func forEachLevel(t *testing.T, levels []contain.Level, test func(t *testing.T, level contain.Level)) {
	t.Helper()
	for _, l := range levels {
		t.Run(string(l), func(t *testing.T) {
			t.Parallel()
			needLevel(t, l)
			test(t, l)
		})
	}
}

// makeBox makes a box that goes with the test, and checks that it leaves nothing.
func makeBox(t testing.TB, level contain.Level, files fs.FS) *Box {
	t.Helper()
	b, err := newBox(Config{Files: files}, level)
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, b.Close())
		require.NoDirExists(t, b.spec.World)
	})
	return b
}

// run runs a script to its end.
func run(t testing.TB, b *Box, script string) (output string, exit int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var out bytes.Buffer
	p, err := b.Start(ctx, script, &out)
	require.NoError(t, err)
	exit, err = p.Wait(ctx)
	require.NoError(t, err, "%s\n%s", script, out.String())
	return out.String(), exit
}

// must runs a script that has to succeed.
func must(t testing.TB, b *Box, script string) string {
	t.Helper()
	out, exit := run(t, b, script)
	require.Zero(t, exit, "%s\n%s", script, out)
	return out
}

// eventually waits for something to become true.
func eventually(t testing.TB, what string, true func() bool) {
	t.Helper()
	for range 500 {
		if true() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	require.Fail(t, "it never came true that "+what)
}

// openDir makes a directory that every user can get at, for files that a command is
// not to reach.
func openDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "d-")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	require.NoError(t, os.Chmod(dir, 0o777))
	return dir
}

// writeFile writes a file that every user can read and write.
func writeFile(t testing.TB, path, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	require.NoError(t, os.Chmod(path, 0o666))
}

// quote quotes a word for bash.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
