package results

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestPublishWhatPassed(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	e := boardRun{id: "one", play: func(a *Attempt) {
		if attempt(a, "core/b", 2) {
			a.Outcome, a.Signals["plan-safety"] = Fail, Fail
		}
	}}.publish(t, root)
	a := e.Aggregates
	require.Equal(t, 6, a.Units)
	require.Equal(t, 5, a.Credited)
	require.Equal(t, 18, a.Filled)
	require.Equal(t, []Ratio{{"chain", 2, 2}, {"core", 3, 4}}, a.Packages)
	require.Equal(t, []Ratio{{"plan-safety", 5, 6}, {"tool-chain", 6, 6}}, a.Signals, "a unit that failed one signal has credit for the other")
	require.True(t, a.Certified, "%v", a.Why)
	require.Equal(t, Percentiles{18, 2, 3, 3}, a.Turns)
	require.Equal(t, Percentiles{18, 2000, 3000, 3000}, a.Time)
	require.Equal(t, Percentiles{18, 210, 310, 310}, a.Tokens)
	require.Empty(t, disagreements(t, root, boardSuite()))
}

func TestPublishTwiceIsPublishOnce(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	b := boardRun{id: "one"}
	first := b.publish(t, root)
	before, err := os.ReadFile(filepath.Join(root, "scoreboard", first.Key+".json"))
	require.NoError(t, err)
	b.publish(t, root)
	after, err := os.ReadFile(filepath.Join(root, "scoreboard", first.Key+".json"))
	require.NoError(t, err)
	require.Equal(t, string(before), string(after))
}

func TestPublishRefuses(t *testing.T) {
	t.Parallel()
	settings := func(f func(*Settings)) func(*Plan) { return func(p *Plan) { f(&p.Settings) } }
	for name, c := range map[string]struct {
		run  boardRun
		want string
	}{
		"simulated":    {boardRun{plan: func(p *Plan) { p.Kind = "simulated" }}, "was simulated"},
		"replayed":     {boardRun{plan: func(p *Plan) { p.Kind = "replayed" }}, "was replayed"},
		"replay":       {boardRun{plan: settings(func(s *Settings) { s.Replay = "x" })}, "was replayed"},
		"no kind":      {boardRun{plan: func(p *Plan) { p.Kind = "" }}, `of the kind ""`},
		"not asked":    {boardRun{plan: settings(func(s *Settings) { s.Scoreboard = false })}, "without -scoreboard|not asked for with -scoreboard"},
		"twice":        {boardRun{plan: settings(func(s *Settings) { s.Repeat = 2 })}, "has 2 attempts of a unit"},
		"four times":   {boardRun{plan: settings(func(s *Settings) { s.Repeat = 4 })}, "has 4 attempts of a unit"},
		"signal":       {boardRun{plan: settings(func(s *Settings) { s.Signals = []string{"x"} })}, "-signal left a part"},
		"worlds":       {boardRun{plan: settings(func(s *Settings) { s.Worlds = []string{"x"} })}, "-worlds left a part"},
		"limit":        {boardRun{plan: settings(func(s *Settings) { s.Limit = 1 })}, "-limit left a part"},
		"run and skip": {boardRun{plan: settings(func(s *Settings) { s.Run, s.Skip = "A", "B" })}, "-run, -skip left a part"},
		"short":        {boardRun{plan: settings(func(s *Settings) { s.Short = true })}, "-short left a part"},
		"void": {boardRun{play: func(a *Attempt) {
			if attempt(a, "core/b", 2) {
				a.Outcome = Void
			}
		}}, "1 of its attempts proved nothing (void) and 0 were not run, in core/b; go on with the run by -resume=x"},
		"hole": {boardRun{play: func(a *Attempt) {
			if attempt(a, "core/a", 3) {
				a.Outcome = ""
			}
		}}, "0 of its attempts proved nothing (void) and 2 were not run, in core/a/big, core/a/small"},
		"edited case": {boardRun{play: func(a *Attempt) {
			if attempt(a, "core/b", 0) {
				a.Digests.Case = "b0"
			}
		}}, "core/b was edited"},
		"edited grader": {boardRun{play: func(a *Attempt) { a.Digests.Grader = "lenient" }}, "another version of package behavior"},
		"unplanned": {boardRun{plan: func(p *Plan) {}, again: func(a Attempt) []Attempt {
			if a.Case == "core/b" && a.Attempt == 3 {
				a.Attempt = 4
				return []Attempt{a}
			}
			return nil
		}}, "is in no plan"},
		"a reroll of nothing": {boardRun{play: func(a *Attempt) { a.Reroll = true }}, "12 of its attempts proved nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			c.run.id = "x"
			run := c.run.write(t, root)
			_, err := Publish(root, Publication{Run: run, Package: "core", Suite: boardSuite(), Now: boardEpoch})
			var refused *RefusedError
			require.ErrorAs(t, err, &refused)
			_, last, _ := strings.Cut(c.want, "|")
			if last == "" {
				last = c.want
			}
			require.ErrorContains(t, err, last)
			require.NoDirExists(t, filepath.Join(root, "scoreboard"), "nothing is written")
		})
	}
	t.Run("no plan", func(t *testing.T) {
		t.Parallel()
		_, err := Publish(t.TempDir(), Publication{Run: &Run{}, Package: "core", Suite: boardSuite()})
		require.ErrorContains(t, err, "left no plan")
	})
	t.Run("no suite", func(t *testing.T) {
		t.Parallel()
		_, err := Publish(t.TempDir(), Publication{Run: &Run{}, Package: "core"})
		require.ErrorContains(t, err, "nobody knows the suite")
	})
	t.Run("unreadable record", func(t *testing.T) {
		t.Parallel()
		_, err := Publish(t.TempDir(), Publication{Run: &Run{Problems: []string{"plan-core.json is no plan"}}, Package: "core", Suite: boardSuite()})
		require.ErrorContains(t, err, "plan-core.json is no plan")
	})
}

// Of two models in one run the one with a hole is refused, and the other published.
func TestPublishEachModel(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	run := boardRun{id: "x", plan: func(p *Plan) { p.Settings.Models = []string{"m", "n"} }, play: func(a *Attempt) {
		if a.Model == "n" && a.Attempt == 1 {
			a.Outcome = Void
		}
	}}.write(t, root)
	published, err := Publish(root, Publication{Run: run, Package: "core", Suite: boardSuite(), Now: boardEpoch.Add(time.Hour)})
	require.ErrorContains(t, err, "n is not published: 4 of its attempts")
	require.Len(t, published, 1)
	require.Equal(t, "m", theEntry(t, root).Model)
}

func TestPackagesPublishAtOnce(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	run := boardRun{id: "one"}.write(t, root)
	var wg sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		wg.Go(func() {
			_, errs[i] = Publish(root, Publication{Run: run, Package: []string{"core", "chain"}[i%2], Suite: boardSuite(), Now: boardEpoch.Add(time.Hour)})
		})
	}
	wg.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	require.True(t, theEntry(t, root).Aggregates.Certified)
}

func TestPublishableBeforeItIsPlayed(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	asked := Settings{Models: []string{"m"}, Agent: "builtin", Repeat: 3, Scoreboard: true, Limit: 2}
	require.EqualError(t, Publishable(root, asked), "m is not published: -limit left a part of the suite out, and there is no entry yet to merge the rest into")
	asked.Limit = 0
	require.NoError(t, Publishable(root, asked))
	e := boardRun{id: "one"}.publish(t, root)
	asked.Limit = 2
	require.NoError(t, Publishable(root, asked))
	e.Rows = e.Rows[1:]
	require.NoError(t, save(root, []*Entry{e}))
	require.ErrorContains(t, Publishable(root, asked), "were edited by hand")
}

// What cannot be read of an earlier run may be the failure that counts.
func TestPublishRefusesBesideADamagedRun(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	earlier := boardRun{id: "one", play: func(a *Attempt) { a.Outcome = Fail }}.write(t, root)
	for _, pkg := range []string{"core", "chain"} {
		require.NoError(t, os.WriteFile(filepath.Join(earlier.Dir, "plan-"+pkg+".json"), []byte("{"), 0o644))
	}
	b := boardRun{id: "two", hour: 1}
	run := b.write(t, root)
	publication := Publication{Run: run, Package: "core", Suite: boardSuite(), Now: boardEpoch.Add(2 * time.Hour)}
	_, err := Publish(root, publication)
	require.ErrorContains(t, err, earlier.ID+" may hold attempts that came first, and its record cannot be read whole: plan-chain.json is no plan")

	require.NoError(t, os.RemoveAll(earlier.Dir))
	published, err := Publish(root, publication)
	require.NoError(t, err)
	require.Len(t, published, 1)
}
