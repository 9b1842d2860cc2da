package cli

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is fit is what the go command takes.
func TestUnfit(t *testing.T) {
	t.Parallel()
	m := &module{dir: t.TempDir(), environ: goEnviron(t)}
	m.write(t, "go.mod", "module m\n\ngo 1.26.0\n")
	for folder, why := range map[string]string{
		"evals/core": "", "evals/Core-2": "", "a~b": "", "a~1b": "", "console": "", "com10": "", "results/other": "", "evals/results/runs": "",
		"evals/core.": "dot at its end", "a~1": "shortens names", "x/a~12.d": "shortens names", "CON": "device", "x/con.go": "device", "Lpt9": "device", "a b": "cannot be imported",
		"größe": "cannot be imported",
		"-x":    "hyphen", "results/runs": "git ignores", "results/runs/core": "git ignores", "vendor/a": "passes over", "_a": "passes over", ".a/b": "passes over",
	} {
		if got := unfit(folder); why == "" {
			require.Empty(t, got, folder)
		} else {
			require.Contains(t, got, why, folder)
		}
		m.write(t, folder+"/a.go", "package a\n")
		cmd := exec.Command("go", "list", "./...")
		if strings.Contains(why, "git") || strings.Contains(why, "passes") || why == "hyphen" {
			continue // the go command has nothing against it, or does not look
		}
		cmd.Dir, cmd.Env = filepath.Join(m.dir, filepath.FromSlash(folder)), m.environ
		out, err := cmd.CombinedOutput()
		require.Equal(t, why == "", err == nil, "%s: %s", folder, out)
	}
}
