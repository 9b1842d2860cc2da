package results

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A Publication is what one package of a finished run puts on the scoreboard.
type Publication struct {
	Run     *Run   // as it was loaded when the package had ended
	Package string // the package's folder: "core"
	Suite   Suite  // as the package knows it
	Now     time.Time
}

// A RefusedError says why something is not published. Nothing was written of it.
type RefusedError struct {
	Model string // "" where it is about the whole run
	Why   string
}

func (e *RefusedError) Error() string {
	if e.Model == "" {
		return "not published: " + e.Why
	}
	return fmt.Sprintf("%s is not published: %s", e.Model, e.Why)
}

func refuse(format string, args ...any) error {
	return &RefusedError{Why: fmt.Sprintf(format, args...)}
}

// Publish merges one package of a finished run into the scoreboard under a results
// directory, an entry for each of its models, and returns those entries. The error is
// a [RefusedError] for each model that cannot be published, joined.
//
// Of each attempt the first pass or fail counts, over all that is on record of it under
// today's case and grader: first the plays that the entry has, whatever a clock says,
// then those of runs that asked for the scoreboard and never got onto it, then those of
// this run. So an attempt that failed stays failed, however often it is played again.
func Publish(root string, p Publication) ([]*Entry, error) {
	plans, err := p.check()
	if err != nil {
		return nil, err
	}
	entries, unlock, err := openBoard(root)
	if err != nil {
		return nil, err
	}
	defer unlock()
	runs, err := scoreboardRuns(root, p.Run.ID)
	if err != nil {
		return nil, err
	}
	for _, run := range runs {
		// What cannot be read of it may be the failure that counts.
		if len(run.Problems) > 0 {
			return nil, refuse("the run %s may hold attempts that came first, and its record cannot be read whole: %s", run.ID, run.Problems[0])
		}
	}
	var (
		published []*Entry
		refused   []error
		units     = p.Run.Units()
	)
	for _, who := range pairs(plans) {
		e, err := p.merge(plans, units, who.agent, who.model, entries, runs)
		var r *RefusedError
		if errors.As(err, &r) {
			r.Model = who.model
		}
		if err != nil {
			refused = append(refused, err)
			continue
		}
		published = append(published, e)
	}
	if len(published) == 0 {
		return nil, errors.Join(refused...)
	}
	// What the suite has become counts for the others as well.
	all := slices.Clone(published)
	for _, e := range entries {
		if slices.ContainsFunc(published, func(x *Entry) bool { return x.Key == e.Key }) {
			continue
		}
		if slices.Contains(e.Dirs(), p.Suite.Dir) {
			e = e.against(p.gone, p.Suite)
			e.Aggregates = Aggregate(e)
		}
		all = append(all, e)
	}
	if err := save(root, all); err != nil {
		return nil, err
	}
	return published, errors.Join(refused...)
}

// pairs are the agents and the models of plans, whose entries they go to.
func pairs(plans []Plan) (all []struct{ agent, model string }) {
	var agents []string
	for _, plan := range plans {
		for _, a := range plan.Agents() {
			if !slices.Contains(agents, a) {
				agents = append(agents, a)
			}
		}
	}
	for _, model := range plans[0].Settings.Models {
		for _, agent := range agents {
			all = append(all, struct{ agent, model string }{agent, model})
		}
	}
	return all
}

// gone lets the cases of the package go that it has no more. Those of other packages
// may be in the hands of an editor just now.
func (p Publication) gone(id string) bool { return packageOf(id) == p.Package }

// check refuses what no package of the run could publish, and returns the plans of the
// package.
func (p Publication) check() ([]Plan, error) {
	if p.Suite.Grader == "" || len(p.Suite.Cases) == 0 {
		return nil, refuse("nobody knows the suite of today, or its grader")
	}
	if len(p.Run.Problems) > 0 {
		return nil, refuse("the record of the run cannot be read whole: %s", p.Run.Problems[0])
	}
	var plans []Plan
	for _, plan := range p.Run.Plans {
		switch {
		case plan.Settings.Replay != "" || plan.Kind == Replayed:
			return nil, refuse("the run was replayed, and asked no model")
		case plan.Kind == Simulated:
			return nil, refuse("the run was simulated, and asked no model")
		case plan.Kind != Live:
			return nil, refuse("the run is of the kind %q, and only live ones are published", plan.Kind)
		case !plan.Settings.Scoreboard:
			return nil, refuse("the run was not asked for with -scoreboard")
		case plan.Settings.Repeat != BoardAttempts:
			return nil, refuse("the run has %d attempts of a unit, and a published unit has exactly %d", plan.Settings.Repeat, BoardAttempts)
		}
		if plan.Package == p.Package {
			plans = append(plans, plan)
		}
	}
	if len(plans) == 0 {
		return nil, refuse("the package %s left no plan: a rehearsal is never published, and neither is a run of nothing", p.Package)
	}
	slices.SortStableFunc(plans, func(a, b Plan) int { return a.Created.Compare(b.Created) })
	return plans, nil
}

// filters names the flags that left something out of a run.
func (s Settings) filters() []string {
	var all []string
	for _, f := range []struct {
		name string
		on   bool
	}{
		{"-signal", len(s.Signals) > 0}, {"-worlds", len(s.Worlds) > 0}, {"-limit", s.Limit > 0},
		{"-run", s.Run != "" && s.Run != "."}, {"-skip", s.Skip != ""}, {"-short", s.Short},
	} {
		if f.on {
			all = append(all, f.name)
		}
	}
	return all
}

// wholeCases reports whether a run with these settings played all units of the cases
// that it played.
func (s Settings) wholeCases() bool {
	return len(s.Worlds) == 0 && !strings.Contains(s.Run+s.Skip, "/")
}

// first is the plan that says what the run was asked for: a run that is gone on with
// plays no more than that.
func first(plans []Plan) Plan {
	return slices.MinFunc(plans, func(a, b Plan) int { return a.Created.Compare(b.Created) })
}

// Publishable refuses, before anything is played, what [Publish] would refuse for how
// the run was asked for, or for the scoreboard as it lies there. Agents are those that
// the cases have; without any it is the one that was asked for.
func Publishable(root string, s Settings, agents ...string) error {
	entries, err := Entries(root)
	if err != nil {
		return err
	}
	if err := intact(entries); err != nil {
		return err
	}
	left := s.filters()
	if len(agents) == 0 {
		agents = []string{s.Agent}
	}
	for _, model := range s.Models {
		for _, agent := range agents {
			key := BoardKey(agent, model, s.Board())
			if len(left) > 0 && !slices.ContainsFunc(entries, func(e *Entry) bool { return e.Key == key }) {
				return &RefusedError{Model: model, Why: filtered(left)}
			}
		}
	}
	return nil
}

func filtered(left []string) string {
	return strings.Join(left, ", ") + " left a part of the suite out, and there is no entry yet to merge the rest into"
}
