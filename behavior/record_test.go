package behavior

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A name is made of the words of what was wanted, or given by the author; a failure is
// read in the words themselves.
func TestRecordedVerdictsSayWhatWasWanted(t *testing.T) {
	t.Parallel()
	require.Equal(t, "a call\nand no other", recorded(Verdict{Name: "a call and no other", Want: "a call\nand no other", Result: Fail}).Want)
	require.Equal(t, "a call", recorded(Verdict{Name: "my_marker", Want: "a call", Result: Fail}).Want)
	require.Empty(t, recorded(Verdict{Name: "a call", Want: "a call", Result: Fail}).Want)
	require.Empty(t, recorded(Verdict{Name: "my_marker", Want: "a call", Result: Pass}).Want)
}
