package e2e

import (
	"path/filepath"
	"slices"
	"sort"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/script"
	"github.com/deeds-evals/deeds/results"
)

// honest does what the pass script does.
func honest(k knownCase, world string) ([]script.Message, []string) {
	if s := section(k, script.Pass, world); s != nil {
		return s.Messages, []string{}
	}
	return nil, nil
}

// lazy says the right words and does nothing.
func lazy(k knownCase, world string) ([]script.Message, []string) {
	if s := section(k, script.Pass, world); s != nil {
		return script.Prose(s.Messages), nil
	}
	return nil, nil
}

// wrong does the first wrong deed that the case knows of, and says what it says.
func wrong(k knownCase, world string) ([]script.Message, []string) {
	if s := section(k, script.Fail, world); s != nil {
		failing := slices.Clone(s.Signals)
		sort.Strings(failing)
		return s.Messages, failing
	}
	return nil, nil
}

// playSuite plays every case three times, in all of its worlds, into one run per
// world, and returns the attempts.
func playSuite(t *testing.T, cases []knownCase, m model) (attempts []results.Attempt, out string, failed bool) {
	t.Helper()
	for _, world := range worlds(cases) {
		url, key := endpoint(t, cases, world, m)
		root := t.TempDir()
		for _, pkg := range packages {
			args := []string{"-test.v", "-model=m", "-base-url=" + url, "-repeat=3", "-containment=best", "-j=4"}
			if world == "" {
				args = append(args, "-test.skip="+skipPattern(t, cases))
			} else {
				args = append(args, "-worlds="+world)
			}
			p := play(t, pkg, root, []string{"OPENAI_API_KEY=" + key, "DEEDS_RUN=20260101T000000Z-abcdef"}, args...)
			out += p.out
			failed = failed || p.exit != 0
		}
		dirs, err := filepath.Glob(filepath.Join(root, "runs", "2*"))
		require.NoError(t, err)
		if len(dirs) == 0 {
			continue
		}
		run, err := results.Load(dirs[0])
		require.NoError(t, err)
		attempts = append(attempts, run.Attempts...)
	}
	return attempts, out, failed
}

func TestHonestModelPassesEverything(t *testing.T) {
	t.Parallel()
	cases, err := suite()
	require.NoError(t, err)
	attempts, out, failed := playSuite(t, cases, honest)
	require.False(t, failed, "%s", out)
	slots := 0
	for _, k := range cases {
		slots += 3 * len(k.Units)
	}
	require.Len(t, attempts, slots, "three attempts of every unit")
	for _, a := range attempts {
		require.Equal(t, "pass", a.Outcome, "%s %s", a.Case, a.Detail)
	}
}

func TestLazyModelFailsEverything(t *testing.T) {
	t.Parallel()
	cases, err := suite()
	require.NoError(t, err)
	attempts, out, failed := playSuite(t, cases, lazy)
	require.True(t, failed, "%s", out)
	for _, a := range attempts {
		require.Equal(t, "fail", a.Outcome, "%s: words without a deed pass", a.Case)
		require.Empty(t, a.Reason, "%s: an expectation fails, and no limit", a.Case)
		require.NotEmpty(t, failing(a), a.Case)
	}
}

func TestWrongModelFailsExactlyTheRightSignals(t *testing.T) {
	t.Parallel()
	cases, err := suite()
	require.NoError(t, err)
	attempts, _, failed := playSuite(t, cases, wrong)
	require.True(t, failed)
	byID := make(map[string]knownCase)
	for _, k := range cases {
		byID[k.ID] = k
	}
	judged := 0
	for _, a := range attempts {
		_, want := wrong(byID[a.Case], a.World)
		if want == nil {
			continue
		}
		judged++
		require.Equal(t, want, failing(a), "%s %s", a.Case, a.World)
	}
	require.GreaterOrEqual(t, judged, 3*len(cases))
}

func TestDestructiveModelFailsFilesystemSafetyOnly(t *testing.T) {
	t.Parallel()
	cases, err := suite()
	require.NoError(t, err)
	var guarded []knownCase
	for _, k := range cases {
		if slices.Contains(k.Signals, "filesystem-safety") {
			guarded = append(guarded, k)
		}
	}
	require.NotEmpty(t, guarded)
	// It does all that was asked, and writes one file more in the same breath.
	destructive := func(k knownCase, world string) ([]script.Message, []string) {
		s := section(k, script.Pass, world)
		if s == nil {
			return nil, nil
		}
		messages := slices.Clone(s.Messages)
		for i := len(messages) - 1; i >= 0; i-- {
			if len(messages[i].Calls) > 0 {
				m := messages[i]
				m.Calls = append(slices.Clone(m.Calls), script.Call{Tool: "write", Args: []script.Arg{
					{Name: "path", Value: []byte(`"scratch/leftover.tmp"`)}, {Name: "content", Value: []byte(`"x\n"`)},
				}})
				messages[i] = m
				break
			}
		}
		return messages, nil
	}
	attempts, out, failed := playSuite(t, guarded, destructive)
	require.True(t, failed, "%s", out)
	seen := 0
	for _, a := range attempts {
		if !slices.ContainsFunc(guarded, func(k knownCase) bool { return k.ID == a.Case }) {
			continue
		}
		seen++
		require.Equal(t, "fail", a.Outcome, a.Case)
		require.Equal(t, []string{"filesystem-safety"}, failing(a), "%s %s", a.Case, a.World)
	}
	require.Equal(t, 3*units(guarded), seen)
}

func units(cases []knownCase) int {
	n := 0
	for _, k := range cases {
		n += len(k.Units)
	}
	return n
}

// failing lists the signals that an attempt failed, sorted.
func failing(a results.Attempt) []string {
	list := []string{}
	for s, o := range a.Signals {
		if o == "fail" {
			list = append(list, s)
		}
	}
	sort.Strings(list)
	return list
}
