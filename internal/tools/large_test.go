package tools

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestHugeFilesAreNotReadWhole has one that costs nothing to make.
func TestHugeFilesAreNotReadWhole(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Build, files{"big": "first\n", "small": "first\n"})
	require.NoError(t, os.Truncate(filepath.Join(w.dir, "big"), maxWhole+1))
	out := w.call("edit", is{"path": "big", "old": "first", "new": "second"})
	require.Equal(t, Failed, out.Status)
	require.Contains(t, out.Text, "big is larger than 32 MiB; change it with bash")
	out = w.call("grep", is{"pattern": "first"})
	require.Equal(t, "small:1:first\n(not searched, larger than 32 MiB: big)", out.Text)
	out = w.call("write", is{"path": "big", "content": "x\n"})
	require.Equal(t, OK, out.Status)
	require.Equal(t, fmt.Sprintf("changed big (now 1 line, 2 bytes)\n(it held %d bytes before)", maxWhole+1), out.Text)
	b, err := os.ReadFile(filepath.Join(w.dir, "big"))
	require.NoError(t, err)
	require.Equal(t, "x\n", string(b))

	require.NoError(t, os.Truncate(filepath.Join(w.dir, "small"), maxWhole+1))
	_, err = readWhole(w.env.Files, "small")
	require.ErrorIs(t, err, errTooLarge, "it may grow after it was looked at")
}

// TestPatternsWithTooManyAlternatives would take a minute at a single name.
func TestPatternsWithTooManyAlternatives(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Build, files{strings.Repeat("a", 28) + "b": "x"})
	began := time.Now()
	for _, pattern := range []string{strings.Repeat("{a,a}", 28) + "x", strings.Repeat("{a,{a,a}}", 20) + "x"} {
		out := w.call("glob", is{"pattern": pattern})
		require.Equal(t, Failed, out.Status)
		require.Contains(t, out.Text, "more than 1000 alternatives")
		out = w.call("grep", is{"pattern": "x", "glob": pattern})
		require.Equal(t, Failed, out.Status)
	}
	require.Less(t, time.Since(began), 5*time.Second)
	out := w.call("glob", is{"pattern": "*.{go,mod,sum,md,txt,js,ts,json,yaml,yml}"})
	require.Equal(t, OK, out.Status)
}
