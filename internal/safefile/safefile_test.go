package safefile

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWriteReplacesWhole(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a.json")
	require.NoError(t, Write(path, []byte("one")))
	require.NoError(t, Write(path, []byte("two")))
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "two", string(data))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1, "nothing else is left")
	require.Error(t, Write(filepath.Join(dir, "gone", "a"), nil))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "folder", "x"), nil, 0o644))
	require.Error(t, Write(filepath.Join(dir, "folder"), []byte("x")), "a folder is in the way")
	entries, err = os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 2, "what could not be renamed is removed")
}

func TestSweep(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{".tmp-12", "a.json"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
	}
	require.NoError(t, Sweep(dir))
	require.NoFileExists(t, filepath.Join(dir, ".tmp-12"))
	require.FileExists(t, filepath.Join(dir, "a.json"))
}
