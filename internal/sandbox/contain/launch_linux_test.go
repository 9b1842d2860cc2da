package contain

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOnlyPipesAreGivenAway matters for /dev/null, which is everybody's.
func TestOnlyPipesAreGivenAway(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("only root gives anything away")
	}
	owner := func(f *os.File) int {
		info, err := f.Stat()
		require.NoError(t, err)
		return int(info.Sys().(*syscall.Stat_t).Uid)
	}
	file, err := os.Create(filepath.Join(t.TempDir(), "f"))
	require.NoError(t, err)
	defer file.Close()
	require.NoError(t, givePipe(file, 4242))
	require.Zero(t, owner(file))
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	defer w.Close()
	require.NoError(t, givePipe(w, 4242))
	require.Equal(t, 4242, owner(w))
}
