package cli

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNoise(t *testing.T) {
	t.Parallel()
	m := withRuns(t)
	m.golden(t, "noise", "noise", "run1", "run2", "run3")
	m.golden(t, "noise-two", "noise", "run1,run2")
	m.golden(t, "noise-holes", "noise", "run4", "run6")
	_, errs, status := m.deeds("baseline", "save", "nightly", "run1", "run2", "run3")
	require.Zero(t, status, errs)
	listed, _, _ := m.deeds("noise", "run1", "run2", "run3")
	kept, _, _ := m.deeds("noise", "nightly")
	require.Equal(t, listed, kept)
}

func TestNoiseJSON(t *testing.T) {
	t.Parallel()
	out, _, status := withRuns(t).deeds("noise", "run1", "run2", "run3", "--json")
	require.Zero(t, status)
	v := decode(t, out)
	require.Len(t, v["runs"], 3)
	overall := v["overall"].(map[string]any)
	require.Len(t, overall["means"], 3)
	require.EqualValues(t, 2, overall["df"])
	require.Positive(t, overall["band"])
	require.Len(t, v["signals"], 2)
}
