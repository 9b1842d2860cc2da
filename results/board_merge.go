package results

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// merge makes the entry of a model in an agent with what the package played of it. The
// entries that there are stay as they are.
func (p Publication) merge(plans []Plan, units []UnitResult, agent, model string, entries []*Entry, runs []*Run) (*Entry, error) {
	settings := plans[0].Settings
	key := BoardKey(agent, model, settings.Board())
	e := &Entry{
		Schema: BoardSchema, Key: key, Agent: agent, Model: model, Settings: settings.Board(),
		Suite: []BoardCase{}, Rows: []BoardRow{},
	}
	i := slices.IndexFunc(entries, func(e *Entry) bool { return e.Key == key })
	if i >= 0 {
		e = entries[i]
	}
	for _, plan := range []Plan{first(p.Run.Plans), first(plans)} {
		if left := plan.Settings.filters(); i < 0 && len(left) > 0 {
			return nil, &RefusedError{Why: filtered(left)}
		}
	}
	if e.forgot(p.Run.ID) {
		return nil, refuse("what the run %s played was retired", p.Run.ID)
	}
	units = slices.DeleteFunc(slices.Clone(units), func(u UnitResult) bool {
		return u.Model != model || u.Agent != agent || packageOf(u.Case) != p.Package
	})
	if len(units) == 0 {
		return nil, refuse("the run has no attempt of it in the package %s", p.Package)
	}
	if err := p.whole(units); err != nil {
		return nil, err
	}
	if err := p.elsewhere(e); err != nil {
		return nil, err
	}
	e = e.against(p.gone, p.Suite)
	e.note(units, first(p.Run.Plans).Settings.wholeCases() && first(plans).Settings.wholeCases())
	for _, u := range units {
		p.mergeUnit(e, u, runs)
	}
	sortRows(e.Rows)
	e.Aggregates = Aggregate(e)
	return e, nil
}

// elsewhere refuses to put a case in the place of one of the same name that another
// suite has: an easier one would be measured for it.
func (p Publication) elsewhere(e *Entry) error {
	for _, c := range e.Suite {
		if c.Dir != p.Suite.Dir && slices.ContainsFunc(p.Suite.Cases, func(s SuiteCase) bool { return s.Case == c.Case }) {
			return refuse("%s is a case of the suite in %s there, and here of another in %s: if the suite has moved, remove scoreboard/%s.json first", c.Case, c.Dir, p.Suite.Dir, e.Key)
		}
	}
	return nil
}

// whole refuses units with holes, and units that are not those of today's suite.
func (p Publication) whole(units []UnitResult) error {
	digests := make(map[string]string)
	for _, c := range p.Suite.Cases {
		digests[c.Case] = c.Digest
	}
	var void, open int
	var holes []string
	for _, u := range units {
		name := boardUnit{u.Case, u.World, u.Variant}.String()
		have := make(map[int]bool)
		for _, s := range u.Slots {
			have[s.Attempt] = true
			switch {
			case s.Unplanned:
				return refuse("attempt %d of %s is in no plan: the plan was lost, or the record was edited", s.Attempt, name)
			case s.Attempt < 1 || s.Attempt > BoardAttempts:
				return refuse("%s has an attempt %d, and a published unit has exactly %d", name, s.Attempt, BoardAttempts)
			case s.Outcome == NotRun:
				open++
				holes = append(holes, name)
				continue
			case s.Outcome == Void:
				void++
				holes = append(holes, name)
				continue
			}
			switch d := s.Decided.Digests; {
			case digests[u.Case] == "":
				return refuse("the suite of today has no case %s: a case that is published is a test of its own", u.Case)
			case d.Case != digests[u.Case]:
				return refuse("%s was edited since it was played", u.Case)
			case d.Grader != p.Suite.Grader:
				return refuse("%s was judged by another version of package behavior than today's", name)
			}
		}
		if len(have) != BoardAttempts {
			return refuse("only %d of the %d attempts of %s were planned", len(have), BoardAttempts, name)
		}
	}
	if void+open > 0 {
		return refuse("%d of its attempts proved nothing (void) and %d were not run, in %s; go on with the run by -resume=%s",
			void, open, some(slices.Compact(holes)), ShortID(p.Run.ID))
	}
	return nil
}

// note puts down which units the run planned.
func (e *Entry) note(units []UnitResult, whole bool) {
	planned := make(map[string][]BoardUnit)
	for _, u := range units {
		planned[u.Case] = append(planned[u.Case], BoardUnit{u.World, u.Variant, signalNames(u)})
	}
	for i := range e.Suite {
		if c := &e.Suite[i]; planned[c.Case] != nil {
			c.plan(planned[c.Case], whole)
		}
	}
}

func signalNames(u UnitResult) []string {
	set := make(map[string]bool, len(u.Signals))
	for name := range u.Signals {
		set[name] = true
	}
	return sorted(set)
}

// mergeUnit adds what was played of a unit to its row.
func (p Publication) mergeUnit(e *Entry, u UnitResult, runs []*Run) {
	unit := boardUnit{u.Case, u.World, u.Variant}
	digests := u.Slots[0].Decided.Digests
	row := e.row(unit, digests.Case, digests.Grader)
	row.Signals = signalNames(u)
	known := make(map[playID]bool)
	for _, play := range row.Plays {
		known[play.id()] = true
	}
	fresh := func(run *Run) []BoardPlay {
		var plays []BoardPlay
		for i := range run.Attempts {
			a := &run.Attempts[i]
			if a.Unit() != u.Unit || a.Attempt < 1 || a.Attempt > BoardAttempts ||
				a.Digests.Case != row.Digest || a.Digests.Grader != row.Grader {
				continue
			}
			if play := newBoardPlay(run.ID, a, p.Now); !known[play.id()] {
				known[play.id()] = true
				plays = append(plays, play)
			}
		}
		return plays
	}
	var earlier []BoardPlay
	for _, run := range runs {
		if !e.forgot(run.ID) && run.asked(e) {
			earlier = append(earlier, fresh(run)...)
		}
	}
	latest := fresh(p.Run)
	var plays []BoardPlay
	for n := 1; n <= BoardAttempts; n++ {
		plays = append(plays, ofAttempt(row.Plays, n)...)
		plays = append(plays, order(ofAttempt(earlier, n), ofAttempt(latest, n))...)
	}
	row.Plays = plays
	row.mark()
}

// row returns the row of a unit under a version of its case and grader, new if there
// was none. The plays of a row that there was are shared with it, and only replaced.
func (e *Entry) row(u boardUnit, digest, grader string) *BoardRow {
	i := slices.IndexFunc(e.Rows, func(r BoardRow) bool { return r.unit() == u && r.Digest == digest && r.Grader == grader })
	if i < 0 {
		e.Rows = append(e.Rows, BoardRow{Case: u.id, World: u.world, Variant: u.variant, Digest: digest, Grader: grader})
		i = len(e.Rows) - 1
	}
	return &e.Rows[i]
}

func ofAttempt(plays []BoardPlay, n int) []BoardPlay {
	return slices.DeleteFunc(slices.Clone(plays), func(p BoardPlay) bool { return p.Attempt != n })
}

// order puts plays of one attempt that are not on the scoreboard yet in the order in
// which they count: those of other runs before those of the run that is published. Where
// the times at which they started say otherwise, and the attempt would have failed by
// them, it has: clocks and runs that were gone on with leave no room to choose from.
func order(others, latest []BoardPlay) []BoardPlay {
	asFound := slices.Concat(others, latest)
	byTime := slices.Clone(asFound)
	slices.SortStableFunc(byTime, func(a, b BoardPlay) int { return a.Started.Compare(b.Started) })
	decides := func(plays []BoardPlay) string {
		for _, p := range plays {
			if !p.Reroll && (p.Outcome == Pass || p.Outcome == Fail) {
				return p.Outcome
			}
		}
		return Void
	}
	if decides(byTime) == Fail {
		return byTime
	}
	return asFound
}

// asked reports whether the run was to be published in the entry.
func (r *Run) asked(e *Entry) bool {
	return slices.ContainsFunc(r.Plans, func(p Plan) bool {
		return forScoreboard(p) && slices.ContainsFunc(p.Settings.Models, func(m string) bool {
			return slices.ContainsFunc(p.Agents(), func(a string) bool { return BoardKey(a, m, p.Settings.Board()) == e.Key })
		})
	})
}

func forScoreboard(p Plan) bool {
	return p.Kind == Live && p.Settings.Scoreboard && p.Settings.Replay == ""
}

// scoreboardRuns loads the runs under a results directory that were to be published,
// one excepted, the oldest first.
func scoreboardRuns(root, except string) ([]*Run, error) {
	list, err := List(root)
	if err != nil {
		return nil, err
	}
	var all []*Run
	for _, info := range list {
		if info.ID == except || !askedForScoreboard(info.Dir) {
			continue
		}
		run, err := Load(info.Dir)
		if err != nil {
			return nil, fmt.Errorf("read the runs that were to be published: %w", err)
		}
		all = append(all, run)
	}
	return all, nil
}

// askedForScoreboard looks at the plans of a run alone, which are small. One that cannot
// be read may have asked for it.
func askedForScoreboard(dir string) bool {
	files, err := filepath.Glob(filepath.Join(escape(dir), "plan-*.json"))
	if err != nil {
		return false
	}
	return slices.ContainsFunc(files, func(file string) bool {
		data, err := os.ReadFile(file)
		if err != nil {
			return false
		}
		var p Plan
		return json.Unmarshal(data, &p) != nil || forScoreboard(p)
	})
}

// escape makes a pattern of a path that matches itself.
func escape(path string) string {
	if filepath.Separator == '\\' {
		return path // there is no escaping there, and no name with a pattern in it
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// SuiteDir is the folder of the suite that a package belongs to, by the Dir of its plan.
func SuiteDir(planDir string) string { return path.Join(planDir, "..") }
