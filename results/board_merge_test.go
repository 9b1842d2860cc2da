package results

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A failure stays one, however often it is played again.
func TestRerunUntilGreen(t *testing.T) {
	t.Parallel()
	fails := func(a *Attempt) {
		if attempt(a, "core/b", 1) {
			a.Outcome = Fail
		}
	}
	t.Run("published", func(t *testing.T) {
		t.Parallel()
		root := t.TempDir()
		boardRun{id: "one", play: fails}.publish(t, root)
		a := boardRun{id: "two", hour: 1}.publish(t, root).Aggregates
		require.Equal(t, 5, a.Credited)
		require.Equal(t, 18, a.Rerolls)
		require.Empty(t, disagreements(t, root, boardSuite()))
	})
	t.Run("aborted", func(t *testing.T) {
		t.Parallel()
		root := t.TempDir()
		boardRun{id: "one", packages: []string{"core"}, play: func(a *Attempt) {
			fails(a)
			if a.Case == "core/c" {
				a.Outcome = ""
			}
		}}.write(t, root)
		a := boardRun{id: "two", hour: 1}.publish(t, root).Aggregates
		require.Equal(t, 5, a.Credited, "the run that was never published is part of the chain")
		require.Equal(t, 9, a.Rerolls)
		require.Len(t, a.Runs, 2)
		require.Empty(t, disagreements(t, root, boardSuite()))
	})
	t.Run("with -repeat in between", func(t *testing.T) {
		t.Parallel()
		root := t.TempDir()
		boardRun{id: "one", packages: []string{"core"}, play: fails, plan: func(p *Plan) { p.Settings.Scoreboard = false }}.write(t, root)
		require.Equal(t, 6, boardRun{id: "two", hour: 1}.publish(t, root).Aggregates.Credited, "a run that was not for the scoreboard has nothing to do with it")
	})
	t.Run("the clock set back", func(t *testing.T) {
		t.Parallel()
		root := t.TempDir()
		boardRun{id: "one", hour: 5, play: fails}.publish(t, root)
		a := boardRun{id: "two"}.publish(t, root).Aggregates
		require.Equal(t, 5, a.Credited, "what the entry has comes first")
		require.False(t, a.Certified)
		require.Contains(t, strings.Join(a.Why, "\n"), "the clock was changed")
	})
	t.Run("aborted, and the clock set back", func(t *testing.T) {
		t.Parallel()
		root := t.TempDir()
		boardRun{id: "one", hour: 5, play: fails}.write(t, root)
		a := boardRun{id: "two"}.publish(t, root).Aggregates
		require.Equal(t, 5, a.Credited)
		require.False(t, a.Certified)
	})
	t.Run("aborted, played elsewhere, and gone on with", func(t *testing.T) {
		t.Parallel()
		root := t.TempDir()
		// The failure was played first; a later run passed, and was never published. The
		// first is gone on with: it lies before the other by its time, not by its place.
		boardRun{id: "two", hour: 3}.write(t, root)
		require.Equal(t, 5, boardRun{id: "one", play: fails}.publish(t, root).Aggregates.Credited)
	})
	t.Run("from the future", func(t *testing.T) {
		t.Parallel()
		root := t.TempDir()
		run := boardRun{id: "one", hour: 9}.write(t, root)
		for _, pkg := range []string{"core", "chain"} {
			_, err := Publish(root, Publication{Run: run, Package: pkg, Suite: boardSuite(), Now: boardEpoch})
			require.NoError(t, err)
		}
		require.Contains(t, strings.Join(theEntry(t, root).Aggregates.Why, "\n"), "the clock was changed")
	})
}

func TestVoidsAreOnRecord(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	a := boardRun{id: "x", play: func(a *Attempt) {
		if attempt(a, "core/b", 1) {
			a.Outcome, a.Reason = Void, "provider"
		}
	}, again: func(a Attempt) []Attempt {
		if a.Outcome != Void {
			return nil
		}
		a.Outcome, a.Play, a.Started = Pass, 2, a.Started.Add(time.Second)
		return []Attempt{a}
	}}.publish(t, root).Aggregates
	require.Equal(t, 1, a.Voids)
	require.True(t, a.Certified, "%v", a.Why)

	// Hidden again, they are missed.
	e := theEntry(t, root)
	for i := range e.Rows {
		if e.Rows[i].Case == "core/b" {
			e.Rows[i].Plays = e.Rows[i].Plays[1:]
		}
	}
	e.Aggregates = Aggregate(e)
	require.NoError(t, save(root, []*Entry{e}))
	require.Contains(t, strings.Join(disagreements(t, root, boardSuite()), "\n"), "has play 1 of attempt 1 of core/b, and the row has not")
}

func TestOnePackageIsUnfinished(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	e := boardRun{id: "x", packages: []string{"core"}}.publish(t, root)
	a := e.Aggregates
	require.Equal(t, []string{"chain/d", "chain/e"}, a.Missing)
	require.Equal(t, 6, a.Units, "the denominator is that of the suite")
	require.Equal(t, 4, a.Credited)
	require.False(t, a.Certified)
	require.Equal(t, "it is unfinished", Standings([]*Entry{e})[0].Why)
}

func TestPartialRunMergesByUnit(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	boardRun{id: "one"}.publish(t, root)
	edited := boardSuite()
	edited.Cases[2].Digest = "a2"
	run := boardRun{id: "two", hour: 1, packages: []string{"core"}, suite: edited, plan: func(p *Plan) { p.Settings.Worlds = []string{"big"} }, play: func(a *Attempt) {
		if a.World != "big" {
			a.Outcome = ""
		}
	}}
	// Only the world big was played.
	full := run.write(t, root)
	for i := range full.Plans {
		var slots []Slot
		for _, s := range full.Plans[i].Slots {
			if s.World == "big" {
				slots = append(slots, s)
			}
		}
		full.Plans[i].Slots = slots
	}
	_, err := Publish(root, Publication{Run: full, Package: "core", Suite: edited, Now: boardEpoch.Add(2 * time.Hour)})
	require.NoError(t, err)
	a := theEntry(t, root).Aggregates
	require.Equal(t, []string{"core/a/small"}, a.Stale)
	require.Equal(t, 5, a.Credited)
	require.Equal(t, 1, a.Superseded)
	require.Contains(t, strings.Join(a.Why, "\n"), "never planned whole as it is today: core/a")

	// The edit is taken back: what was played before it counts again, and nothing else.
	back := boardRun{id: "three", hour: 3}.publish(t, root).Aggregates
	require.Equal(t, 6, back.Credited)
	require.Equal(t, 18, back.Rerolls)
	require.True(t, back.Certified, "%v", back.Why)
}

// A unit that failed cannot be planned away while its case stays as it is: not by a run
// that plans fewer worlds, and not by an editor.
func TestPlayedUnitsStay(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	boardRun{id: "one", play: func(a *Attempt) {
		if a.World == "small" {
			a.Outcome = Fail
		}
	}}.publish(t, root)
	run := boardRun{id: "two", hour: 1, packages: []string{"core"}, play: func(a *Attempt) {
		if a.World == "small" {
			a.Outcome = ""
		}
	}}.write(t, root)
	for i := range run.Plans {
		run.Plans[i].Slots = slices.DeleteFunc(run.Plans[i].Slots, func(s Slot) bool { return s.World == "small" })
	}
	_, err := Publish(root, Publication{Run: run, Package: "core", Suite: boardSuite(), Now: boardEpoch.Add(2 * time.Hour)})
	require.NoError(t, err)
	e := theEntry(t, root)
	require.Equal(t, 6, e.Aggregates.Units)
	require.Equal(t, 5, e.Aggregates.Credited)
	require.Empty(t, disagreements(t, root, boardSuite()))

	e = boardRun{id: "three", hour: 3}.publish(t, root)
	edit := func() {
		for i := range e.Suite {
			e.Suite[i].Units = slices.DeleteFunc(e.Suite[i].Units, func(u BoardUnit) bool { return u.World == "small" })
		}
		e.Aggregates = Aggregate(e)
		require.NoError(t, save(root, []*Entry{e}))
	}
	edit()
	require.Equal(t, 6, e.Aggregates.Units)
	e.Rows = slices.DeleteFunc(e.Rows, func(r BoardRow) bool { return r.World == "small" })
	edit()
	require.Equal(t, 5, e.Aggregates.Units)
	require.Contains(t, strings.Join(disagreements(t, root, boardSuite()), "\n"), "planned core/a/small, and the suite has it not")
}

// A case of the same name in another folder is another case.
func TestAnotherSuiteTakesNoCaseOver(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	boardRun{id: "one"}.publish(t, root)
	easy := boardSuite()
	easy.Dir = "easy"
	run := boardRun{id: "two", hour: 1, suite: easy}.write(t, root)
	_, err := Publish(root, Publication{Run: run, Package: "core", Suite: easy, Now: boardEpoch.Add(2 * time.Hour)})
	require.ErrorContains(t, err, "is a case of the suite in evals there, and here of another in easy")
	require.Equal(t, []string{"evals"}, theEntry(t, root).Dirs())
}

func TestDroppedCaseIsPruned(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	boardRun{id: "one", play: func(a *Attempt) {
		if a.Case == "core/b" {
			a.Outcome = Fail
		}
	}}.publish(t, root)
	fewer := boardSuite()
	fewer.Cases = append(fewer.Cases[:3:3], fewer.Cases[4])
	e := boardRun{id: "two", hour: 1, suite: fewer}.publish(t, root)
	require.Equal(t, 1, e.Pruned)
	require.Equal(t, 5, e.Aggregates.Units)
	// It comes back with its past.
	e = boardRun{id: "three", hour: 2}.publish(t, root)
	require.Equal(t, 5, e.Aggregates.Credited)
	require.Equal(t, 1, e.Pruned)
}

// While a file of another package is being edited its cases seem to be gone.
func TestCasesOfOtherPackagesStay(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	boardRun{id: "one"}.publish(t, root)
	broken := boardSuite()
	broken.Cases = broken.Cases[2:]
	e := boardRun{id: "two", hour: 1, packages: []string{"core"}, suite: broken}.publish(t, root)
	require.Zero(t, e.Pruned)
	require.Equal(t, 6, e.Aggregates.Units)
}

func TestEditedGraderMakesStale(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	e := boardRun{id: "one"}.publish(t, root)
	today := boardSuite()
	today.Grader = "g2"
	a := Aggregate(e, today)
	require.Zero(t, a.Credited)
	require.Len(t, a.Stale, 6)
	require.False(t, a.Certified)
	wrong := strings.Join(disagreements(t, root, today), "\n")
	require.Contains(t, wrong, "the grader has changed since")
	_, err := Refresh(root, []Suite{today})
	require.NoError(t, err)
	require.Empty(t, disagreements(t, root, today), "it is stale, and says so")
	require.Len(t, theEntry(t, root).Aggregates.Stale, 6)
}
