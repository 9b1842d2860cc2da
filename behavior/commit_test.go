package behavior

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A published row says whether the tree was dirty: what a run writes itself must not
// make it so, and an edit of a case must.
func TestDirtyIsWhatOthersChanged(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not here")
	}
	top := t.TempDir()
	git := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-C", top, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	write := func(name string) {
		file := filepath.Join(top, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte("x\n"), 0o644))
	}
	write("evals/core/a_test.go")
	root, dir := filepath.Join(top, "results"), filepath.Join(top, "evals", "core")
	commit, dirty := commitOf(dir, root)
	require.Empty(t, commit, "no repository")
	require.False(t, dirty)

	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "one")
	commit, dirty = commitOf(dir, root)
	require.Len(t, commit, 40)
	require.False(t, dirty)

	write("results/scoreboard/m.json")
	write("results/SCOREBOARD.md")
	_, dirty = commitOf(dir, root)
	require.False(t, dirty, "what a run has published is not an edit")

	write("behavior/judge.go")
	_, dirty = commitOf(dir, root)
	require.True(t, dirty)
}
