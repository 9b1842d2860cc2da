package cli

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The rehearsal runs in a process group of its own, and may draw on the terminal for all
// that: it takes minutes.
func TestCasesShowsHowItGoes(t *testing.T) {
	t.Parallel()
	m := withGo(t, twoCases("5", "")+`echo "$DEEDS_FOREGROUND" >$DIR/foreground`)
	p := m.onTerminal(t, m.environ, "cases")
	p.wait(t)
	require.Contains(t, p.text(), "2 cases, 0 broken")
	require.Equal(t, "1\n", m.read(t, "foreground"))
}
