package results

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var boardEpoch = time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC)

// boardSuite has six units in two packages: core/a has two worlds.
func boardSuite() Suite {
	return Suite{Dir: "evals", Grader: "g1", Cases: []SuiteCase{
		{Case: "chain/d", Digest: "d1"}, {Case: "chain/e", Digest: "e1"},
		{Case: "core/a", Digest: "a1"}, {Case: "core/b", Digest: "b1"}, {Case: "core/c", Digest: "c1"},
	}}
}

// A boardRun is a run that is written to disk: everything passes unless play says
// otherwise.
type boardRun struct {
	id       string
	hour     int // after boardEpoch, when it began
	packages []string
	suite    Suite
	plan     func(*Plan)
	play     func(*Attempt) // may change it, or leave it out by an empty outcome
	again    func(a Attempt) []Attempt
}

// whole is the run with what it does not say.
func (b boardRun) whole() boardRun {
	if b.suite.Dir == "" {
		b.suite = boardSuite()
	}
	if b.packages == nil {
		b.packages = []string{"core", "chain"}
	}
	return b
}

func (b boardRun) write(t *testing.T, root string) *Run {
	t.Helper()
	b = b.whole()
	began := boardEpoch.Add(time.Duration(b.hour) * time.Hour)
	id := RunID(began, b.id)
	dir := filepath.Join(root, "runs", id)
	require.NoError(t, os.MkdirAll(dir, 0o755))
	for _, pkg := range b.packages {
		p := Plan{
			Schema: Schema, Run: id, Package: pkg, Dir: "evals/" + pkg, Created: began, Kind: "live", Suite: b.suite.Cases,
			Settings: Settings{Models: []string{"m"}, Agent: "builtin", Repeat: 3, Jobs: 8, Containment: "strict", Scoreboard: true},
			Signals:  make(map[string][]string),
		}
		if b.plan != nil {
			b.plan(&p)
		}
		var lines bytes.Buffer
		minute := 0
		for _, c := range b.suite.Cases {
			if packageOf(c.Case) != pkg {
				continue
			}
			p.Signals[c.Case] = []string{"tool-chain", "plan-safety"}
			worlds := []string{""}
			if c.Case == "core/a" {
				worlds = []string{"big", "small"}
			}
			for _, w := range worlds {
				for n := 1; n <= p.Settings.Repeat; n++ {
					for _, model := range p.Settings.Models {
						minute++
						s := Slot{Case: c.Case, World: w, Model: model, Agent: "builtin", Attempt: n}
						p.Slots = append(p.Slots, s)
						a := Attempt{
							Schema: Schema, Run: id, Slot: s, Play: 1, Outcome: Pass, End: "stop",
							Signals: map[string]string{"tool-chain": Pass, "plan-safety": Pass},
							Usage:   Usage{Prompt: 100 * n, Completion: 10}, DurationMS: float64(1000 * n), AgentMS: 5, ProviderMS: 900, Turns: n,
							Containment: strictLevel, Digests: Digests{Case: c.Digest, Fixture: "f", Prompt: "p", Tools: "t", Grader: b.suite.Grader},
							Commit: "0123456789abcdef", Started: began.Add(time.Duration(minute) * time.Second), Served: "m-2026", Fingerprint: "fp",
						}
						evidence := filepath.Join("evidence", strings.ReplaceAll(c.Case, "/", "-")+w+model+fmt.Sprint(n)+".zst")
						require.NoError(t, os.MkdirAll(filepath.Join(dir, "evidence"), 0o755))
						require.NoError(t, os.WriteFile(filepath.Join(dir, evidence), []byte(evidence), 0o644))
						a.Evidence, a.EvidenceSum = filepath.ToSlash(evidence), sumOf(evidence)
						if b.play != nil {
							b.play(&a)
						}
						if a.Outcome == "" {
							continue
						}
						all := []Attempt{a}
						if b.again != nil {
							all = append(all, b.again(a)...)
						}
						for _, a := range all {
							line, err := json.Marshal(a)
							require.NoError(t, err)
							lines.Write(append(line, '\n'))
						}
					}
				}
			}
		}
		data, err := json.Marshal(p)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "plan-"+pkg+".json"), data, 0o644))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "attempts-"+pkg+".jsonl"), lines.Bytes(), 0o644))
	}
	run, err := Load(dir)
	require.NoError(t, err)
	return run
}

func sumOf(text string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))
}

// publish publishes every package of the run.
func (b boardRun) publish(t *testing.T, root string) *Entry {
	t.Helper()
	b = b.whole()
	run := b.write(t, root)
	for _, pkg := range b.packages {
		_, err := Publish(root, Publication{Run: run, Package: pkg, Suite: b.suite, Now: boardEpoch.Add(time.Duration(b.hour)*time.Hour + 30*time.Minute)})
		require.NoError(t, err)
	}
	return theEntry(t, root)
}

func theEntry(t *testing.T, root string) *Entry {
	t.Helper()
	entries, err := Entries(root)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	return entries[0]
}

func disagreements(t *testing.T, root string, today Suite) []string {
	t.Helper()
	entries, err := Entries(root)
	require.NoError(t, err)
	wrong, err := VerifyBoard(root, entries, []Suite{today})
	require.NoError(t, err)
	return wrong
}

// attempt matches an attempt of a case; world "" is any.
func attempt(a *Attempt, id string, n int) bool { return a.Case == id && (n == 0 || a.Attempt == n) }

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

func TestNotCertified(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		play func(*Attempt)
		want string
	}{
		"containment": {func(a *Attempt) {
			if attempt(a, "core/b", 2) {
				a.Containment = "landlock"
			}
		}, "containment was not strict: landlock"},
		"mixed models": {func(a *Attempt) {
			if attempt(a, "chain/d", 3) {
				a.Served = "m-better"
			}
		}, "the endpoint answered as 2 models: m-2026, m-better"},
		"no word on the model": {func(a *Attempt) { a.Served = "" }, "does not say which model"},
		"score": {func(a *Attempt) {
			if a.Case == "core/a" {
				a.Outcome = Fail
			}
		}, "4 of 6 units have credit, and certification takes 80 %"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := boardRun{id: "x", play: c.play}.publish(t, t.TempDir()).Aggregates
			require.False(t, a.Certified)
			require.Equal(t, []string{c.want}, trim(a.Why, c.want))
		})
	}
}

// trim keeps what contains the text.
func trim(all []string, part string) []string {
	var kept []string
	for _, s := range all {
		if strings.Contains(s, part) {
			kept = append(kept, part)
		} else {
			kept = append(kept, s)
		}
	}
	return kept
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

func TestSuiteChangesAreTold(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	boardRun{id: "one"}.publish(t, root)
	today := boardSuite()
	today.Cases = append(today.Cases[1:], SuiteCase{Case: "core/z", Digest: "z1"})
	today.Cases[0].Digest = "e2"
	require.Equal(t, []string{"edited since: chain/e", "added since: core/z", "removed since: chain/d"}, func() (short []string) {
		for _, w := range disagreements(t, root, today) {
			_, what, _ := strings.Cut(w, ": cases were ")
			short = append(short, what)
		}
		return short
	}())
	require.Contains(t, strings.Join(disagreements(t, root, Suite{Dir: "other"}), "\n"), "the suite in evals cannot be read")
}

func TestTamperedAggregates(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	e := boardRun{id: "one", play: func(a *Attempt) {
		if a.Case == "core/b" {
			a.Outcome = Fail
		}
	}}.publish(t, root)
	whole, err := json.Marshal(e)
	require.NoError(t, err)
	all := fields(e.Aggregates)
	require.NotEmpty(t, all)
	for name := range all {
		var raw map[string]any
		require.NoError(t, json.Unmarshal(whole, &raw))
		aggregates := raw["aggregates"].(map[string]any)
		aggregates[name] = other(aggregates[name])
		data, err := json.Marshal(raw)
		require.NoError(t, err)
		path := filepath.Join(root, "scoreboard", e.Key+".json")
		require.NoError(t, os.WriteFile(path, data, 0o644))
		require.Contains(t, strings.Join(disagreements(t, root, boardSuite()), "\n"), e.Key+": "+name+" is given as", name)
	}
}

// other is a value of the same type that differs.
func other(v any) any {
	switch v := v.(type) {
	case float64:
		return v + 1
	case bool:
		return !v
	case string:
		if _, err := time.Parse(time.RFC3339, v); err == nil {
			return "2001-01-01T00:00:00Z"
		}
		return v + "x"
	case []any:
		if len(v) == 0 {
			return []any{"x"}
		}
		return append([]any{other(v[0])}, v[1:]...)
	case map[string]any:
		for name := range v {
			v[name] = other(v[name])
		}
		return v
	}
	return "x"
}

// An edit of a row is found without its run by the digest of the rows, and by the run
// even where all that is computed from the row was made to fit.
func TestTamperedRows(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	e := boardRun{id: "one", play: func(a *Attempt) {
		cost := 0.5
		a.Reason, a.Dirty, a.Usage.Cost, a.Usage.CostSource, a.Usage.Cached = "limit-turns", true, &cost, "reported", 7
	}}.publish(t, root)
	path := filepath.Join(root, "scoreboard", e.Key+".json")
	whole, err := json.Marshal(e)
	require.NoError(t, err)
	var raw map[string]any
	require.NoError(t, json.Unmarshal(whole, &raw))
	row := raw["rows"].([]any)[0].(map[string]any)
	var names []string
	for name := range row {
		names = append(names, name)
	}
	for name := range row["plays"].([]any)[0].(map[string]any) {
		if name != "published" {
			names = append(names, "plays."+name)
		}
	}
	require.Len(t, names, 5+19)
	for _, name := range names {
		require.NoError(t, json.Unmarshal(whole, &raw))
		row := raw["rows"].([]any)[0].(map[string]any)
		if field, ok := strings.CutPrefix(name, "plays."); ok {
			play := row["plays"].([]any)[0].(map[string]any)
			play[field] = other(play[field])
		} else if name == "plays" {
			row[name] = row[name].([]any)[1:]
		} else {
			row[name] = other(row[name])
		}
		data, err := json.Marshal(raw)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, data, 0o644))
		require.Contains(t, strings.Join(disagreements(t, root, boardSuite()), "\n"), "rows_sha256 is given as", name)
		_, err = Refresh(root, []Suite{boardSuite()})
		require.ErrorContains(t, err, "were edited by hand", name)

		edited := theEntry(t, root)
		edited.Aggregates = Aggregate(edited)
		require.NoError(t, save(root, []*Entry{edited}))
		if name == "signals" {
			continue // what was planned is in no attempt; it moves no outcome
		}
		require.NotEmpty(t, disagreements(t, root, boardSuite()), name)
	}
}

func TestTamperedEvidence(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	e := boardRun{id: "one"}.publish(t, root)
	files, err := filepath.Glob(filepath.Join(root, "runs", e.Aggregates.Runs[0], "evidence", "*"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	require.NoError(t, os.Remove(files[0]))
	require.Empty(t, disagreements(t, root, boardSuite()), "evidence may be thrown away")
	require.NoError(t, os.WriteFile(files[1], []byte("better"), 0o644))
	require.Len(t, disagreements(t, root, boardSuite()), 1)
	require.NoError(t, os.RemoveAll(filepath.Join(root, "runs")))
	require.Empty(t, disagreements(t, root, boardSuite()), "a clone has no runs")
}

func TestRetire(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	e := boardRun{id: "one", play: func(a *Attempt) {
		if a.Case == "core/b" {
			a.Outcome = Fail
		}
	}}.publish(t, root)
	_, err := Retire(root, e.Key, "  ", boardEpoch)
	require.ErrorContains(t, err, "a reason is needed")
	_, err = Retire(root, "nobody", "x", boardEpoch)
	require.ErrorIs(t, err, ErrNoEntry)
	_, err = Retire(root, e.Key, "the endpoint was quantised", boardEpoch)
	require.NoError(t, err)
	r := theEntry(t, root)
	require.Empty(t, r.Rows)
	require.Equal(t, []Retirement{{At: boardEpoch, Because: "the endpoint was quantised", Units: 6, Credited: 5, Certified: true, RowsSum: e.Aggregates.RowsSum, Runs: e.Aggregates.Runs}}, r.Retired)
	require.Equal(t, "it was retired", Standings([]*Entry{r})[0].Why)
	require.Empty(t, disagreements(t, root, boardSuite()))

	run, err := Load(filepath.Join(root, "runs", e.Aggregates.Runs[0]))
	require.NoError(t, err)
	_, err = Publish(root, Publication{Run: run, Package: "core", Suite: boardSuite(), Now: boardEpoch})
	require.ErrorContains(t, err, "was retired")
	again := boardRun{id: "two", hour: 1}.publish(t, root)
	require.Equal(t, 6, again.Aggregates.Credited)
	require.Zero(t, again.Aggregates.Rerolls, "what was retired is not drawn in")
	require.Len(t, again.Retired, 1)
	require.Empty(t, disagreements(t, root, boardSuite()))
}

func TestDamagedEntryIsLeftAlone(t *testing.T) {
	t.Parallel()
	for name, edit := range map[string]func(string) string{
		"half of it":  func(s string) string { return s[:len(s)/2] },
		"later":       func(s string) string { return strings.Replace(s, `"schema": 1`, `"schema": 2`, 1) },
		"later field": func(s string) string { return strings.Replace(s, `"schema": 1`, `"schema": 1, "news": 1`, 1) },
		"twice":       func(s string) string { return s + s },
		"conflict":    func(s string) string { return "<<<<<<< HEAD\n" + s },
		"other key":   func(s string) string { return strings.Replace(s, `"key": "m`, `"key": "n`, 1) },
		"no schema":   func(s string) string { return strings.Replace(s, `"schema": 1`, `"schema": 0`, 1) },
		"empty":       func(string) string { return "" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			e := boardRun{id: "one"}.publish(t, root)
			path := filepath.Join(root, "scoreboard", e.Key+".json")
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			damaged := edit(string(data))
			require.NotEqual(t, string(data), damaged)
			require.NoError(t, os.WriteFile(path, []byte(damaged), 0o644))
			run := boardRun{id: "two", hour: 1}.write(t, root)
			_, err = Publish(root, Publication{Run: run, Package: "core", Suite: boardSuite(), Now: boardEpoch})
			require.ErrorContains(t, err, e.Key+".json")
			_, err = Refresh(root, nil)
			require.Error(t, err)
			_, err = Retire(root, e.Key, "x", boardEpoch)
			require.Error(t, err)
			after, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, damaged, string(after))
		})
	}
}

// A writer that was killed between its temporary file and the rename.
func TestKilledWriter(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	e := boardRun{id: "one"}.publish(t, root)
	left := filepath.Join(root, "scoreboard", ".tmp-123")
	require.NoError(t, os.WriteFile(left, []byte(`{"schema": 1, "half`), 0o644))
	require.Equal(t, e, theEntry(t, root))
	boardRun{id: "two", hour: 1}.publish(t, root)
	require.NoFileExists(t, left)
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

func TestPercentilesByNearestRank(t *testing.T) {
	t.Parallel()
	require.Equal(t, Percentiles{5, 35, 50, 50}, percentiles([]float64{50, 15, 20, 40, 35}))
	require.Equal(t, Percentiles{1, 7, 7, 7}, percentiles([]float64{7}))
	require.Equal(t, Percentiles{2, 1, 2, 2}, percentiles([]float64{2, 1}))
	hundred := make([]float64, 100)
	for i := range hundred {
		hundred[i] = float64(i + 1)
	}
	require.Equal(t, Percentiles{100, 50, 90, 99}, percentiles(hundred))
	require.False(t, percentiles(nil).P50.Known())
}

func TestBoardKey(t *testing.T) {
	t.Parallel()
	zero, one := 0.0, 1.0
	keys := make(map[string]bool)
	for _, k := range []string{
		BoardKey("builtin", "m", BoardSettings{}), BoardKey("builtin", "M", BoardSettings{}), BoardKey("m", "builtin", BoardSettings{}),
		BoardKey("builtin", "m", BoardSettings{Temperature: &zero}), BoardKey("builtin", "m", BoardSettings{Temperature: &one}),
		BoardKey("builtin", "m", BoardSettings{BaseURL: "http://x"}), BoardKey("builtin", "m", BoardSettings{UserModel: "http://x"}),
		BoardKey("builtin", "../../etc/passwd", BoardSettings{}), BoardKey("builtin", strings.Repeat("é", 500), BoardSettings{}), BoardKey("", "", BoardSettings{}),
	} {
		require.Regexp(t, `^[a-z0-9.-]{1,80}$`, k)
		require.False(t, strings.HasPrefix(k, "."), k)
		require.False(t, keys[strings.ToLower(k)], k)
		keys[k] = true
	}
}

func TestStandings(t *testing.T) {
	t.Parallel()
	// Twenty cases: good passes all, fair passes all but one, bad none.
	suite := Suite{Dir: "evals", Grader: "g1"}
	for i := range 20 {
		suite.Cases = append(suite.Cases, SuiteCase{Case: fmt.Sprintf("core/c%02d", i), Digest: "d"})
	}
	root := t.TempDir()
	run := boardRun{id: "x", packages: []string{"core"}, suite: suite, plan: func(p *Plan) { p.Settings.Models = []string{"bad", "fair", "good"} }, play: func(a *Attempt) {
		if a.Model == "bad" || a.Model == "fair" && a.Case == "core/c00" {
			a.Outcome = Fail
		}
	}}.write(t, root)
	entries, err := Publish(root, Publication{Run: run, Package: "core", Suite: suite, Now: boardEpoch.Add(time.Hour)})
	require.NoError(t, err)
	var got []string
	for _, s := range Standings(entries) {
		got = append(got, fmt.Sprintf("%d %s %d", s.Rank, s.Entry.Model, len(s.Better)))
	}
	require.Equal(t, []string{"1 good 0", "1 fair 0", "3 bad 2"}, got)

	few := suite
	few.Cases = suite.Cases[:4]
	for _, e := range entries {
		now := e.against(anyCase, few)
		now.Aggregates = Aggregate(now)
		require.Equal(t, "it has too few rows", Standings([]*Entry{now})[0].Why)
	}
	elsewhere := *entries[0]
	elsewhere.Grader = "g2"
	elsewhere.Rows = nil
	for _, r := range entries[0].Rows {
		r.Grader = "g2"
		elsewhere.Rows = append(elsewhere.Rows, r)
	}
	for _, s := range Standings([]*Entry{entries[1], &elsewhere}) {
		require.Equal(t, "it shares too few current rows with the others", s.Why)
	}
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
