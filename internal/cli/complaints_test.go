package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/results"
)

// Complaints about exit statuses, by section and number of the list that package results
// goes by.
func TestComplaints(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]func(t *testing.T){
		"03.1-2 what is named and not there is an error": func(t *testing.T) {
			m := withRuns(t)
			for _, args := range []string{
				"gate run9 --need tool-chain=1", "gate run4 --need tool-chains=1", "gate run4 --need tool-chain=1 --baseline none",
				"compare run1 run9", "compare run1 run2 --must-not-regress nothing", "compare run1 run2 --world nowhere",
				"noise run1 run9", "power --run run9 --effect 0.1", "power --run run1 --row nothing --effect 0.1", "show run9", "show run1 core/z",
			} {
				out, errs, status := m.deeds(strings.Fields(args)...)
				require.Empty(t, out, args)
				require.NotEmpty(t, errs, args)
				require.Equal(t, 2, status, args)
			}
		},
		"03.1-4 the exit status follows from the record": func(t *testing.T) {
			m := withRuns(t)
			for args, want := range map[string]int{
				"gate run4 --need tool-chain=1": 0, "gate run5 --need tool-chain=1": 1, "gate run6 --need filesystem-safety=1": 2,
				"compare run5 run4": 0, "compare run4 run5": 1, "compare run4 run7": 2,
			} {
				_, _, status := m.deeds(strings.Fields(args)...)
				require.Equal(t, want, status, args)
			}
			// Nothing but the record decides: where it has a failure less, the status is another.
			m.edit(t, 5, `"outcome":"fail"`, `"outcome":"pass"`)
			_, _, status := m.deeds("gate", "run5", "--need", "overall=1")
			require.Zero(t, status)
		},
		"03.1-5 one exit status whatever the form": func(t *testing.T) {
			m := withRuns(t)
			for _, args := range []string{
				"gate run4 --need tool-chain=1", "gate run5 --need tool-chain=1", "gate run6 --need filesystem-safety=1", "gate run9 --need tool-chain=1",
				"compare run5 run4", "compare run4 run5", "compare run4 run7", "compare run1 run2 --must-not-regress read_first --strict", "compare run1 run2 --must-not-regress none",
				"noise run1 run2", "noise run1", "power --base 0.3 --k 4 --effect 0.1", "power --base 0.9 --k 4 --effect 0.2",
			} {
				_, _, want := m.deeds(strings.Fields(args)...)
				out, _, status := m.deeds(append(strings.Fields(args), "--json")...)
				require.Equal(t, want, status, args)
				if out != "" {
					if told, ok := decode(t, out)["status"]; ok {
						require.EqualValues(t, want, told, args)
					}
				}
			}
		},
		"03.1-6 what cannot be read is not measured": func(t *testing.T) {
			m := withRuns(t)
			_, _, status := m.deeds("gate", "run4", "--need", "tool-chain=1")
			require.Zero(t, status)
			m.edit(t, 4, `"outcome"`, `"outcome`)
			out, _, status := m.deeds("gate", "run4", "--need", "tool-chain=1")
			require.Equal(t, 2, status, out)
			require.Contains(t, out, "nothing was measured")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t)
		})
	}
}

// edit changes the attempts of a run that play wrote.
func (m *module) edit(t *testing.T, n int, old, replacement string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(m.dir, "results", "runs", handmade(n), "attempts-*.jsonl"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		edited := strings.ReplaceAll(string(data), old, replacement)
		require.NotEqual(t, string(data), edited)
		require.NoError(t, os.WriteFile(file, []byte(edited), 0o644))
	}
	_, err = results.Load(filepath.Dir(files[0]))
	require.NoError(t, err)
}
