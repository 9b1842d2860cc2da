package results

import (
	"path"
	"slices"
)

// The outcomes as the record spells them. NotRun is what a slot without any play
// has; it never stands in the record.
const (
	Pass   = "pass"
	Fail   = "fail"
	NA     = "n/a"
	Void   = "void"
	NotRun = "not run"
)

// A SlotResult is what became of one slot.
type SlotResult struct {
	Slot
	// Outcome is that of the first play that passed or failed. Without one it is
	// Void where there were plays, else NotRun.
	Outcome string
	// Decided is the play that decided, the last one of a void slot, nil for a
	// slot that was not run.
	Decided *Attempt
	Plays   []*Attempt // all of them, in the order in which they started
	Voids   int        // plays that proved nothing
	Rerolls int        // plays after the one that decided: they never count
	// Unplanned marks a slot that no plan has: the plan was lost, or the play was
	// made by hand.
	Unplanned bool
}

// Slots accounts for every slot: those of the plans in their order, then the ones
// that were played without a plan.
func (r *Run) Slots() []SlotResult {
	var (
		all []SlotResult
		at  = make(map[Slot]int)
	)
	for _, p := range r.Plans {
		for _, s := range p.Slots {
			if _, ok := at[s]; !ok {
				at[s] = len(all)
				all = append(all, SlotResult{Slot: s})
			}
		}
	}
	for i := range r.Attempts {
		a := &r.Attempts[i]
		n, ok := at[a.Slot]
		if !ok {
			n = len(all)
			at[a.Slot] = n
			all = append(all, SlotResult{Slot: a.Slot, Unplanned: true})
		}
		all[n].Plays = append(all[n].Plays, a)
	}
	for i := range all {
		all[i].decide()
	}
	return all
}

func (s *SlotResult) decide() {
	s.Outcome = NotRun
	for _, a := range s.Plays {
		decided := s.Outcome == Pass || s.Outcome == Fail
		switch {
		case decided:
			s.Rerolls++
			continue
		case a.Reroll:
			// It was played in the knowledge of a pass or fail. If that is not on
			// record, it proves nothing all the same.
			s.Rerolls++
			if s.Outcome == NotRun {
				s.Outcome, s.Decided = Void, a
			}
			continue
		case a.Outcome == Pass || a.Outcome == Fail:
			s.Outcome = a.Outcome
		default: // an outcome that is not known proves nothing either
			s.Outcome = Void
			s.Voids++
		}
		s.Decided = a
	}
}

// A Unit is what is scored, paired and counted: a case in one world and variant,
// played by one model in one agent.
type Unit struct {
	Case    string `json:"case"`
	World   string `json:"world,omitempty"`
	Variant string `json:"variant,omitempty"`
	Model   string `json:"model"`
	Agent   string `json:"agent"`
}

// Unit returns the unit that the slot is an attempt of.
func (s Slot) Unit() Unit { return Unit{s.Case, s.World, s.Variant, s.Model, s.Agent} }

// A UnitResult is what became of one unit.
type UnitResult struct {
	Unit
	Slots []SlotResult
	// Tally counts the slots, and decides the unit.
	Tally
	// Signals holds the same for each of the unit's signals.
	Signals map[string]Tally
}

// A Tally counts the attempts of one unit, for one signal or over all.
type Tally struct{ Passed, Failed, NA, Voids, NotRun int }

func (t *Tally) add(outcome string) {
	switch outcome {
	case Pass:
		t.Passed++
	case Fail:
		t.Failed++
	case NA:
		t.NA++
	case NotRun:
		t.NotRun++
	default:
		t.Voids++
	}
}

// Outcome applies the rule of consistency: a unit passes when every attempt passed
// and fails when one failed. With a void or a hole left it is not measured, which
// is Void. Where an attempt had nothing to judge and none failed it is NA.
func (t Tally) Outcome() string {
	switch {
	case t.Voids+t.NotRun > 0:
		return Void
	case t.Failed > 0:
		return Fail
	case t.NA > 0:
		return NA
	case t.Passed > 0:
		return Pass
	}
	return Void
}

// Split reports whether some attempts passed and others failed, of a unit that was
// measured.
func (t Tally) Split() bool { return t.Outcome() == Fail && t.Passed > 0 }

// Units folds the slots into units, in the order in which they were planned.
func (r *Run) Units() []UnitResult {
	var (
		units   []UnitResult
		at      = make(map[Unit]int)
		planned = r.signals()
	)
	for _, s := range r.Slots() {
		n, ok := at[s.Unit()]
		if !ok {
			n = len(units)
			at[s.Unit()] = n
			units = append(units, UnitResult{Unit: s.Unit()})
		}
		units[n].Slots = append(units[n].Slots, s)
		units[n].add(s.Outcome)
	}
	for i := range units {
		units[i].judge(planned.of(units[i].Case, units[i].World))
	}
	return units
}

// judge tallies each signal: the planned ones, and those that a world added, which
// only its attempts tell.
func (u *UnitResult) judge(planned []string) {
	u.Signals = make(map[string]Tally, len(planned))
	for _, name := range planned {
		u.Signals[name] = Tally{}
	}
	for _, s := range u.Slots {
		if s.Outcome == Pass || s.Outcome == Fail {
			for name := range s.Decided.Signals {
				u.Signals[name] = Tally{}
			}
		}
	}
	for name := range u.Signals {
		var t Tally
		for _, s := range u.Slots {
			t.add(s.signal(name))
		}
		u.Signals[name] = t
	}
}

// signal returns the slot's outcome for one signal. A play that failed without a
// word on the signal, since a limit cut it short, failed it too; one that passed
// without a word had nothing to judge.
func (s SlotResult) signal(name string) string {
	if s.Outcome != Pass && s.Outcome != Fail {
		return s.Outcome
	}
	switch o := s.Decided.Signals[name]; {
	case o != "":
		return o
	case s.Outcome == Fail:
		return Fail
	}
	return NA
}

// plannedSignals are those of each case, and of each of its worlds where they have others.
type plannedSignals struct {
	cases  map[string][]string
	worlds map[string]map[string][]string
}

// of returns the planned signals of a case in a world.
func (p plannedSignals) of(id, world string) []string {
	if names, ok := p.worlds[id][world]; ok {
		return names
	}
	return p.cases[id]
}

// signals returns the planned signals.
func (r *Run) signals() plannedSignals {
	all := plannedSignals{make(map[string][]string), make(map[string]map[string][]string)}
	for _, p := range r.Plans {
		for c, names := range p.Signals {
			all.cases[c] = names
		}
		for c, worlds := range p.WorldSignals {
			all.worlds[c] = worlds
		}
	}
	return all
}

// Skipped lists the cases that a package has in its source and did not plan, though it
// was asked for whole: their tests were skipped, or ended, before they came to be played.
func (r *Run) Skipped() []string {
	planned, whole := make(map[string]bool), make(map[string]bool)
	for _, p := range r.Plans {
		whole[p.Package] = whole[p.Package] || len(p.Settings.filters()) == 0 && p.Settings.Replay == ""
		for _, s := range p.Slots {
			planned[s.Case] = true
		}
	}
	var skipped []string
	for _, p := range r.Plans {
		for _, c := range p.Suite {
			if whole[path.Dir(c.Case)] && !planned[c.Case] {
				planned[c.Case] = true
				skipped = append(skipped, c.Case)
			}
		}
	}
	slices.Sort(skipped)
	return skipped
}

// Missing lists the folders that have cases in the suite and left no plan: they
// were not asked for, or filtered out, or broke before they could say.
func (r *Run) Missing() []string {
	ran := make(map[string]bool)
	for _, p := range r.Plans {
		ran[p.Package] = true
		for _, s := range p.Slots {
			ran[path.Dir(s.Case)] = true
		}
	}
	var missing []string
	for _, p := range r.Plans {
		for _, c := range p.Suite {
			if folder := path.Dir(c.Case); !ran[folder] {
				ran[folder] = true
				missing = append(missing, folder)
			}
		}
	}
	slices.Sort(missing)
	return missing
}

// Kind returns what kind of run it is, "" where no plan says. A run that has anything
// which is not live is of that kind.
func (r *Run) Kind() string {
	kind := ""
	for _, p := range r.Plans {
		kind = lesser(kind, p.Kind)
	}
	return kind
}

// lesser is the kind of two together: whatever is not live makes the whole so.
func lesser(a, b string) string {
	if a == "" || a == Live && b != "" {
		return b
	}
	return a
}

// Models lists the models of the run, in the order in which they were given.
func (r *Run) Models() []string {
	var models []string
	add := func(m string) {
		if m != "" && !slices.Contains(models, m) {
			models = append(models, m)
		}
	}
	for _, p := range r.Plans {
		for _, m := range p.Settings.Models {
			add(m)
		}
		for _, s := range p.Slots {
			add(s.Model)
		}
	}
	for i := range r.Attempts {
		add(r.Attempts[i].Model)
	}
	return models
}

// Claim returns the claim of a case, "" where no plan has it.
func (r *Run) Claim(id string) string {
	for _, p := range r.Plans {
		if c := p.Claims[id]; c != "" {
			return c
		}
	}
	return ""
}
