package behavior

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gotest.tools/v3/golden"

	"github.com/deeds-evals/deeds/internal/gateway"
	"github.com/deeds-evals/deeds/internal/journal"
	"github.com/deeds-evals/deeds/internal/sandbox"
	"github.com/deeds-evals/deeds/internal/suite"
	"github.com/deeds-evals/deeds/results"
)

// What somebody gets for a run that cannot be: taken up, begun or found.
func TestRunsRefused(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	told := func(what string, err error) {
		require.Error(t, err, what)
		fmt.Fprintf(&text, "# %s\n%s\n\n", what, strings.TrimPrefix(err.Error(), "deeds: "))
	}

	// Runs on record.
	root, empty := t.TempDir(), t.TempDir()
	for _, id := range []string{"20261129T224301Z-3f9c1a", "20261130T010203Z-nightly", "20261201T010203Z-3f9c1b", "20261202T000000Z-3f9c1a"} {
		dir := filepath.Join(root, "runs", id)
		require.NoError(t, os.MkdirAll(dir, 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "plan-core.json"), []byte("{}"), 0o644))
	}
	for _, name := range []string{"nigthly", "3f9", "elsewhere-and-else", "runs/nothing"} {
		_, err := results.Find(root, name)
		told("-resume="+name, noRun(root, name, err))
	}
	for _, name := range []string{"last", "nightly"} {
		_, err := results.Find(empty, name)
		told("-replay="+name+", where nothing is on record", noRun(empty, name, err))
	}

	// Names and folders of new ones.
	env := func(pairs ...string) func(string) string {
		return func(name string) string {
			for i := 0; i+1 < len(pairs); i += 2 {
				if pairs[i] == name {
					return pairs[i+1]
				}
			}
			return ""
		}
	}
	file := filepath.Join(empty, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	for what, getenv := range []func(string) string{
		env("DEEDS_RUN", "nightly run #7", "DEEDS_RESULTS", empty),
		env("DEEDS_RUN", "...", "DEEDS_RESULTS", empty),
		env("DEEDS_RUN", "3f9c1a", "DEEDS_RESULTS", root),
		env("DEEDS_RESULTS", file),
	} {
		_, _, err := journal.Locate(journal.LocateConfig{Dir: empty, Getenv: getenv})
		told(fmt.Sprintf("a place, %d", what+1), busy(err))
	}
	_, err := journal.Root(string(filepath.Separator), env())
	told("a folder in no module", err)

	// Endpoints.
	for _, s := range []settings{
		{models: []string{"m"}},
		{models: []string{"m"}, baseURL: "https://models.example/v1"},
		{models: []string{"m"}, baseURL: "models.example/v1"},
		{models: []string{"m"}, baseURL: "127.0.0.1:8080/v1"},
		{models: []string{"m"}, baseURL: "ftp://models.example"},
		{models: []string{"m"}, baseURL: "ftp://who:secret@models.example"},
	} {
		_, err := s.address()
		told("at "+s.baseURL, err)
	}

	// Kinds.
	plans := []results.Plan{{Kind: results.Simulated}}
	told("a live run added to a simulated one", sameKind("20261130T010203Z-nightly", plans, settings{models: []string{"m"}}))
	told("a replay of another run", sameKind("20261130T010203Z-nightly", []results.Plan{{Kind: results.Replayed, Settings: results.Settings{Replay: "a"}}}, settings{replay: "b"}))

	// Nothing to play.
	p := &process{suite: []suite.Case{{ID: "core/a", Worlds: []string{"big", "small"}, Names: []string{"ToolChain"}}, {ID: "core/b", Names: []string{"PlanSafety"}}}}
	for _, s := range []settings{
		{worlds: []string{"bgi"}}, {worlds: []string{"elsewhere"}}, {signals: []Signal{Delegation}}, {signals: []Signal{PlanSafety}, worlds: []string{"big"}},
	} {
		p.settings = s
		told(fmt.Sprintf("worlds %q, signals %q", s.worlds, s.signals), p.matchesNothing())
	}
	told("a test that is misspelt", fmt.Errorf("%s", nearestTest("^TestReadBeforEdit$/^big$", []string{"TestReadBeforeEdit", "TestKnownPath"})))
	told("a test like none", fmt.Errorf("%s", nearestTest("TestX", []string{"TestReadBeforeEdit", "TestA"})))
	told("a plan that does not fit", fits(2*time.Second, 300, 8, 5*time.Minute))

	clean := strings.NewReplacer(file, "$FILE", root, "$RESULTS", empty, "$EMPTY")
	golden.Assert(t, clean.Replace(text.String()), "runs.golden")
}

// A hint is not lost on the way to who needs it.
func TestHintOf(t *testing.T) {
	t.Parallel()
	strict := &sandbox.Unavailable{Reason: errors.New("no user namespaces")}
	require.Equal(t, strict.Hint(), hintOf(fmt.Errorf("begin: %w", strict), "another"))
	require.Equal(t, "write it", hintOf(errors.New("no\nhint: write it"), "another"))
	require.Equal(t, "another", hintOf(errors.New("no"), "another"))
	fault := gateway.NewFault(gateway.Auth, "no")
	require.Equal(t, fault.Hint, hintOf(fmt.Errorf("%w, asked of m", fault), "another"))
}
