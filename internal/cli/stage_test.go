package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// A file is replaced by another: what has the old one open or linked keeps it whole, and
// so does the disk if the new one cannot be written.
func TestStageReplacesWhole(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "a.sh")
	require.NoError(t, os.WriteFile(file, []byte("old"), 0o600))
	require.NoError(t, os.Link(file, filepath.Join(dir, "twin")))
	s, made, err := newStage(dir)
	require.NoError(t, err)
	require.Empty(t, made)
	require.NoError(t, s.add("a.sh", "new", true))
	require.NoError(t, s.add("b/c/d.txt", "new", false))
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "old", string(data), "nothing is in its place yet")
	require.NoError(t, s.commit())
	s.close()
	for name, want := range map[string]string{"a.sh": "new", "twin": "old", "b/c/d.txt": "new"} {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		require.NoError(t, err)
		require.Equal(t, want, string(data), name)
	}
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), info.Mode().Perm())
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 3, "nothing else is left")
}

// What is not put in its place leaves nothing, not even its folders.
func TestStageTakesBack(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, made, err := newStage(filepath.Join(dir, "new", "shop"))
	require.NoError(t, err)
	require.NoError(t, s.add("evals/core/a_test.go", "package core\n", false))
	require.DirExists(t, filepath.Join(dir, "new", "shop", "evals", "core"))
	s.close()
	removeFolders(made)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, entries)
}

// The hint fits what happened.
func TestInTheWay(t *testing.T) {
	t.Parallel()
	for hint, err := range map[string]error{
		"make room on the disk":   &fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC},
		"closed to you":           &fs.PathError{Op: "openat", Path: "x", Err: syscall.EACCES},
		"folder is to be":         &fs.PathError{Op: "openat", Path: "x", Err: syscall.ENOTDIR},
		"leads out of the folder": &fs.PathError{Op: "openat", Path: "x", Err: errors.New("path escapes from parent")},
		"stands in its place":     fmt.Errorf("something else"),
	} {
		var f *fault
		require.ErrorAs(t, inTheWay("evals/core/a_test.go", err), &f)
		require.Contains(t, f.hint, hint)
		require.Contains(t, f.what, "nothing was changed")
		require.Equal(t, 1, f.code)
	}
}
