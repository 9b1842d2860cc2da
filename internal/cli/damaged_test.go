package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gotest.tools/v3/golden"
)

// What of the record is damaged is said wherever it counts, and nothing passes by what
// was lost with it.
func TestDamaged(t *testing.T) {
	t.Parallel()
	m := withRuns(t)
	run := func(n int, glob string) string {
		files, err := filepath.Glob(filepath.Join(m.dir, "results", "runs", handmade(n), glob))
		require.NoError(t, err)
		require.NotEmpty(t, files)
		return files[0]
	}
	_, errs, status := m.deeds("gate", "run4", "--need", "tool-chain=1")
	require.Zero(t, status, errs)
	_, errs, status = m.deeds("baseline", "save", "kept", "run1")
	require.Zero(t, status, errs)

	require.NoError(t, os.WriteFile(run(4, "plan-*.json"), []byte("{"), 0o644))
	require.NoError(t, os.WriteFile(run(5, "plan-*.json"), []byte(`{"schema":99}`), 0o644))
	baselines := filepath.Join(m.dir, "results", "baselines")
	require.NoError(t, os.WriteFile(filepath.Join(baselines, "torn.json"), []byte("{"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(baselines, "later.json"), []byte(`{"schema":99}`), 0o644))

	var text strings.Builder
	for _, line := range []string{
		"gate run4 --need tool-chain=1", "gate run5 --need tool-chain=1", "gate run1 --need tool-chain=0.1 --baseline torn", "gate run1 --need tool-chain=0.1 --baseline later",
		"compare run4 run1", "noise run1 run4", "baseline save new run4", "baseline show torn", "baseline show later", "compare torn run1",
	} {
		out, errs, status := m.deeds(strings.Fields(line)...)
		require.NotZero(t, status+strings.Count(out, "cannot be read whole"), line)
		fmt.Fprintf(&text, "$ deeds %s\n%s%s= %d\n\n", line, out, errs, status)
	}
	golden.Assert(t, strings.ReplaceAll(text.String(), m.dir, "$DIR"), "damaged.golden")
}

// What is typed wrongly after a verb that counts.
func TestMistyped(t *testing.T) {
	t.Parallel()
	m := withRuns(t)
	var text strings.Builder
	for _, line := range []string{
		"gate run1 --need tool-chain=95", "gate run1 --need tool-chain=950", "gate run1 --need tool-chain=all", "gate run1 --need tool-chian=1", "gate run1 --need =1",
		"gate run1 --world bgi --need tool-chain=1", "gate rnu1 --need tool-chain=1", "gate run1@m/tow --need tool-chain=1",
		"baseline save a/b run1", "baseline save last", "baseline save .", "baseline save x run1 run1", "baseline save x run1 run9", "baseline sohw", "baseline show a b",
		"compare run1 run2 --alpha 2", "power --k 0 --base 0.3 --effect 0.1", "power --base 0.3 --k 3 --cases 1", "power --base 0.3 --k 3 --effect 0",
		"noise run1 rnu2", "scoreboard --retire x --because y", "compare run1,run1 run2",
	} {
		out, errs, status := m.deeds(strings.Fields(line)...)
		require.Empty(t, out, line)
		require.Equal(t, 2, status, line)
		fmt.Fprintf(&text, "$ deeds %s\n%s\n", line, errs)
	}
	golden.Assert(t, strings.ReplaceAll(text.String(), m.dir, "$DIR"), "mistyped.golden")
}
