package sandbox

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is known of one repository must never be said of another.
func TestKeyOfTellsRepositoriesApart(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	root, err := os.OpenRoot(parent)
	require.NoError(t, err)
	t.Cleanup(func() { _ = root.Close() })
	file := func(name, text string) {
		path := filepath.Join(parent, ".git", name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	seen := make(map[repositoryKey]string)
	key := func(what string) repositoryKey {
		k, ok := keyOf(root, ".git", "/w/one")
		require.True(t, ok, what)
		require.NotContains(t, seen, k, what)
		seen[k] = what
		return k
	}
	file("HEAD", "ref: refs/heads/main\n")
	first := key("one file")
	again, ok := keyOf(root, ".git", "/w/two")
	require.True(t, ok)
	require.Equal(t, first, again, "where it lies does not matter")

	file("HEAD", "ref: refs/heads/mail\n")
	key("another content")
	file("refs/heads/main", "")
	key("an empty file more")
	require.NoError(t, os.Chmod(filepath.Join(parent, ".git", "HEAD"), 0o600))
	key("another mode")
	require.NoError(t, os.Symlink("HEAD", filepath.Join(parent, ".git", "link")))
	key("a link")
	file("hooks/x", "HEAD")
	key("a hook")

	file("worktrees/x/gitdir", "/w/one/x\n")
	one := key("a worktree")
	two, ok := keyOf(root, ".git", "/w/two")
	require.True(t, ok)
	require.NotEqual(t, one, two, "worktrees are told from where the workspace lies")

	large, err := os.Create(filepath.Join(parent, ".git", "pack"))
	require.NoError(t, err)
	require.NoError(t, large.Truncate(maxKeyed+1))
	require.NoError(t, large.Close())
	_, ok = keyOf(root, ".git", "/w/one")
	require.False(t, ok, "a large one is asked anew each time")
}

func TestKnownRecordsAreForgottenWhenThereIsNoRoom(t *testing.T) {
	text := string(make([]byte, maxKnown/2-10))
	var a, b, c repositoryKey
	a[0], b[0], c[0] = 1, 2, 3
	learnRepository(a, text)
	learnRepository(b, text)
	_, ok := knownRepository(b)
	require.True(t, ok)
	learnRepository(c, text)
	_, ok = knownRepository(a)
	require.False(t, ok)
	_, ok = knownRepository(c)
	require.True(t, ok)
}
