package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHelp(t *testing.T) {
	t.Parallel()
	m := newModule(t)
	m.golden(t, "help", "help")
	for _, verb := range []string{"run", "cases", "runs", "show", "compare", "noise", "power", "gate", "baseline", "version", "completion"} {
		long, _, status := m.deeds("help", verb)
		require.Zero(t, status)
		short, _, status := m.deeds(verb, "--help")
		require.Zero(t, status)
		require.Equal(t, long, short, verb)
		require.Contains(t, long, "Usage:", verb)
	}
	bare, _, status := m.deeds()
	require.Zero(t, status)
	require.Contains(t, bare, "show        Show what happened in an attempt")
}

func TestMisuse(t *testing.T) {
	t.Parallel()
	m := withSample(t)
	require.NoError(t, os.MkdirAll(filepath.Join(m.dir, "empty"), 0o755))
	for file, args := range map[string]string{
		"misuse-verb":        "shwo",
		"misuse-no-verb":     "frobnicate",
		"misuse-help":        "help rnus",
		"misuse-help-two":    "help run extra",
		"misuse-help-sub":    "help baseline shwo",
		"misuse-version":     "--verson",
		"misuse-large":       "show read-before-edit --attempt 99999999999999999999",
		"misuse-number":      "power --base x --k 3 --effect 0.1",
		"misuse-flag":        "runs --jsn",
		"misuse-argument":    "runs now",
		"misuse-run":         "show 3f9c1b chain/read-before-edit",
		"misuse-case":        "show " + sampleID + " chain/read-befor-edit",
		"misuse-either":      "show read-befor-edit",
		"misuse-three":       "show a b c",
		"misuse-attempt":     "show read-before-edit --attempt 9",
		"misuse-not-run":     "show read-before-edit --world small --attempt 2",
		"misuse-play":        "show read-before-edit --world big --attempt 1 --play 4",
		"misuse-no-number":   "show read-before-edit --attempt two",
		"misuse-no-packages": "run -model=m",
	} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			m.golden(t, file, strings.Fields(args)...)
			_, _, status := m.deeds(strings.Fields(args)...)
			require.Equal(t, 2, status)
		})
	}
}

func TestWithoutAModule(t *testing.T) {
	t.Parallel()
	m := &module{dir: t.TempDir()}
	out, errs, status := m.deeds("runs")
	require.Empty(t, out)
	require.Equal(t, "deeds: there is no go.mod in a writable folder here or above\nhint: change to your module, or set DEEDS_RESULTS to the folder of the results\n", errs)
	require.Equal(t, 2, status)
}

func TestDidYouMean(t *testing.T) {
	t.Parallel()
	require.Equal(t, `did you mean "show"?`, didYouMean("shwo", []string{"runs", "show"}, "nothing near"))
	require.Equal(t, "nothing near", didYouMean("zzz", []string{"show", "runs"}, "nothing near"))
	require.Equal(t, "nothing near", didYouMean("zzz", nil, "nothing near"))
}

func TestVersion(t *testing.T) {
	t.Parallel()
	out, _, status := newModule(t).deeds("version")
	require.Zero(t, status)
	require.Regexp(t, `^deeds \S+.*, go1\S+, record format 1\n$`, out)
	out, _, _ = newModule(t).deeds("version", "--json")
	require.EqualValues(t, 1, decode(t, out)["schema"])
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		out, _, status := newModule(t).deeds("completion", shell)
		require.Zero(t, status)
		require.Contains(t, out, "deeds")
	}
}

// A variable of a script that is not set must not leave a guard out.
func TestNothingStandsWithoutItsValue(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"gate", "", "--need", "overall=1"}, {"gate", "--need", "overall=1", "--baseline", ""}, {"gate", "--need", ""},
		{"compare", "a", "b", "--must-not-regress="}, {"show", ""}, {"report", "--output", ""},
	} {
		_, errs, status := withSample(t).deeds(args...)
		require.Equal(t, 2, status, args)
		require.Contains(t, errs, "hint: a variable that is not set leaves it empty", args)
	}
}
