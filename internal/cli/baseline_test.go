package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBaseline(t *testing.T) {
	t.Parallel()
	m := withRuns(t)
	m.golden(t, "baseline-none", "baseline", "list")
	m.golden(t, "baseline-save", "baseline", "save", "main", "run1", "run2")
	m.golden(t, "baseline-show", "baseline", "show", "main")
	require.NoError(t, os.WriteFile(filepath.Join(m.dir, "results", "baselines", "broken.json"), []byte("{"), 0o644))
	m.golden(t, "baseline-list", "baseline", "list")

	out, _, status := m.deeds("baseline", "list", "--json")
	require.Zero(t, status)
	require.Len(t, decode(t, out)["baselines"], 2)
	out, _, status = m.deeds("baseline", "show", "main", "--json")
	require.Zero(t, status)
	require.Len(t, decode(t, out)["rates"], 1)
}

// What cannot be written is not for want of other runs.
func TestBaselineInTheWay(t *testing.T) {
	t.Parallel()
	m := withRuns(t)
	m.write(t, "results/baselines", "")
	_, errs, status := m.deeds("baseline", "save", "main")
	require.Equal(t, 1, status, errs)
	require.Contains(t, errs, "hint: a file stands where a folder is to be")
	require.Equal(t, 1, strings.Count(errs, "save the baseline"))
}

// Results are kept in a folder, whatever asks for them.
func TestResultsOnAFile(t *testing.T) {
	t.Parallel()
	m := newModule(t)
	m.write(t, "results", "")
	m.golden(t, "misuse-results-file", "runs")
	m.write(t, "kept", "")
	m.environ = []string{"DEEDS_RESULTS=kept/here"}
	for _, args := range []string{"runs", "show", "baseline list", "report", "gate --need overall=1", "scoreboard"} {
		_, errs, status := m.deeds(strings.Fields(args)...)
		require.Equal(t, 2, status, args)
		require.Equal(t, "deeds: kept is no folder, and results are kept in one\nhint: set DEEDS_RESULTS to a folder\n", errs, args)
	}
}

func TestBaselineReplaced(t *testing.T) {
	t.Parallel()
	m := withRuns(t)
	saved := func(args ...string) map[string]any {
		out, errs, status := m.deeds(append([]string{"baseline", "save", "main", "--json"}, args...)...)
		require.Zero(t, status, errs)
		return decode(t, out)
	}
	require.Equal(t, []any{handmade(1)}, saved("run1", "--replace")["runs"], "there was nothing to replace")
	require.Equal(t, []any{handmade(2)}, saved("run2", "--replace")["runs"])
	require.Equal(t, []any{handmade(2), handmade(3)}, saved("main", "run3", "--replace")["runs"], "with what it held, and more")

	file := filepath.Join(m.dir, "results", "baselines", "main.json")
	before, err := os.ReadFile(file)
	require.NoError(t, err)
	_, _, status := m.deeds("baseline", "save", "main", "run3", "run3", "--replace")
	require.Equal(t, 2, status)
	after, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(before), string(after), "what could not be replaced stays")
	left, err := filepath.Glob(filepath.Join(m.dir, "results", "baselines", "*"))
	require.NoError(t, err)
	require.Equal(t, []string{file}, left)
}
