//go:build linux || darwin

package journal

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOrphaned(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	require.NoError(t, err)
	for name, want := range map[string]string{"go": "orphaned", "other": "not told"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program := filepath.Join(t.TempDir(), name)
			// By another process: see TestProcessesOfOneGoCommandShareARun.
			require.NoError(t, exec.Command("cp", self, program).Run())
			out, in, err := os.Pipe()
			require.NoError(t, err)
			defer out.Close()
			cmd := exec.Command(program, self)
			cmd.Env = append(os.Environ(), "ROLE=forsaken")
			cmd.Stdout, cmd.Stderr = in, in
			require.NoError(t, cmd.Start())
			require.NoError(t, in.Close())
			lines := bufio.NewScanner(out)
			require.True(t, lines.Scan(), "it has not begun")
			require.Equal(t, "waiting", lines.Text())
			require.NoError(t, cmd.Process.Kill())
			_, _ = cmd.Process.Wait()
			require.True(t, lines.Scan(), "it says nothing")
			require.Equal(t, want, lines.Text())
		})
	}
}
