package overview

import (
	"cmp"
	"slices"
	"time"

	"github.com/deeds-evals/deeds/internal/stats"
	"github.com/deeds-evals/deeds/results"
)

// Of sums a run up.
func Of(info results.RunInfo, run *results.Run) *Overview {
	o := &Overview{
		Run: info.ID, Dir: info.Dir, Kind: cmp.Or(run.Kind(), "unknown"), Created: info.Created,
		TookMS: took(run.Attempts), Arms: []Arm{}, Missing: run.Missing(), Torn: run.Torn, Problems: run.Problems,
	}
	if o.Missing == nil {
		o.Missing = []string{}
	}
	if run.Stopped != nil {
		o.Stopped = run.Stopped.Reason
	}
	for _, p := range run.Plans {
		if o.Settings.Agent == "" {
			o.Settings = p.Settings
		}
		o.Commit = cmp.Or(p.Commit, o.Commit) // the latest: a run may be gone on with
		o.Dirty = o.Dirty || p.Dirty
	}
	if o.Settings.Models == nil {
		o.Settings.Models = []string{}
	}
	several := len(run.Models()) > 1
	units := run.Units()
	at := make(map[[2]string]int)
	for _, t := range results.TotalsOf(units) {
		at[[2]string{t.Model, t.Agent}] = len(o.Arms)
		o.Arms = append(o.Arms, Arm{
			Totals: t, Signals: []Signal{}, Conditional: []results.Coverage{},
			Failing: []Unit{}, Splits: []Unit{}, Voided: []Unit{}, Slowest: []Attempt{}, Dearest: []Attempt{},
		})
	}
	for _, s := range results.SignalsOf(units) {
		arm := &o.Arms[at[[2]string{s.Model, s.Agent}]]
		ends := stats.ClopperPearson(s.Passed, s.Passed+s.Failed, 0.95)
		arm.Signals = append(arm.Signals, Signal{SignalTotal: s, Lo: results.Number(ends.Lo), Hi: results.Number(ends.Hi)})
	}
	for _, c := range run.Conditional() {
		arm := &o.Arms[at[[2]string{c.Model, c.Agent}]]
		arm.Conditional = append(arm.Conditional, c)
	}
	samples := make([]sample, len(o.Arms))
	for _, u := range units {
		i := at[[2]string{u.Model, u.Agent}]
		o.Arms[i].look(u, info.ID, several)
		for _, s := range u.Slots {
			if s.Unplanned {
				o.Arms[i].Unplanned++
			}
		}
		samples[i].add(&o.Arms[i], u)
	}
	for i := range o.Arms {
		samples[i].sum(&o.Arms[i], info.ID, several)
	}
	o.Next = next(o, units, several)
	return o
}

// interval holds the share of measured units that passed, as it does for a signal.
func (a *Arm) interval() (lo, hi results.Number) {
	ends := stats.ClopperPearson(a.Passed, a.Passed+a.Totals.Failed, 0.95)
	return results.Number(ends.Lo), results.Number(ends.Hi)
}

// took is the time from the start of the first play to the end of the last.
func took(plays []results.Attempt) float64 {
	var first, last time.Time
	for _, a := range plays {
		if a.Started.IsZero() {
			continue
		}
		if first.IsZero() || a.Started.Before(first) {
			first = a.Started
		}
		if end := a.Started.Add(time.Duration(a.DurationMS * float64(time.Millisecond))); end.After(last) {
			last = end
		}
	}
	return float64(last.Sub(first)) / float64(time.Millisecond)
}

// look puts a unit where a reader should look for it.
func (a *Arm) look(u results.UnitResult, id string, several bool) {
	var list *[]Unit
	switch {
	case u.Split():
		list = &a.Splits
	case u.Outcome() == results.Fail:
		list = &a.Failing
	case u.Voids > 0:
		list = &a.Voided
	default: // passed, or not run
		return
	}
	found := Unit{Unit: u.Unit, Outcomes: []string{}, Signals: []string{}, Reasons: []string{}, Show: showUnit(id, u.Unit, several)}
	for _, s := range u.Slots {
		found.Outcomes = append(found.Outcomes, s.Outcome)
		if s.Decided != nil && s.Decided.Reason != "" && !slices.Contains(found.Reasons, s.Decided.Reason) {
			found.Reasons = append(found.Reasons, s.Decided.Reason)
		}
	}
	for name, t := range u.Signals {
		if t.Failed > 0 {
			found.Signals = append(found.Signals, name)
		}
	}
	slices.Sort(found.Signals)
	*list = append(*list, found)
}

// A sample gathers the figures of one arm's attempts.
type sample struct {
	time, tokens, turns []float64
	attempts            []*results.Attempt // that decide their slots
}

func (s *sample) add(arm *Arm, u results.UnitResult) {
	for _, slot := range u.Slots {
		for _, p := range slot.Plays {
			arm.spend(p.Usage)
		}
		a := slot.Decided
		if a == nil {
			continue
		}
		s.attempts = append(s.attempts, a)
		if slot.Outcome == results.Void {
			continue
		}
		s.time = append(s.time, a.DurationMS)
		s.turns = append(s.turns, float64(a.Turns))
		if a.Usage.Unreported == 0 {
			s.tokens = append(s.tokens, float64(tokens(a)))
		}
	}
}

func (a *Arm) spend(u results.Usage) {
	a.PromptTokens += u.Prompt
	a.CompletionTokens += u.Completion
	if u.Unreported > 0 {
		a.TokensUnknown++
	}
	if u.Cost == nil {
		a.CostUnknown++
		return
	}
	if a.Cost == nil {
		a.Cost = new(float64)
	}
	*a.Cost += *u.Cost
}

func (s *sample) sum(arm *Arm, id string, several bool) {
	arm.TimeMS, arm.Tokens, arm.Turns = results.PercentilesOf(s.time), results.PercentilesOf(s.tokens), results.PercentilesOf(s.turns)
	arm.Slowest = s.worst(id, several, func(a *results.Attempt) float64 { return a.DurationMS })
	dear := func(a *results.Attempt) float64 { return float64(tokens(a)) }
	if arm.Cost != nil && *arm.Cost > 0 {
		dear = cost
	}
	arm.Dearest = s.worst(id, several, dear)
}

func tokens(a *results.Attempt) int { return a.Usage.Prompt + a.Usage.Completion }

func cost(a *results.Attempt) float64 {
	if a.Usage.Cost == nil {
		return 0
	}
	return *a.Usage.Cost
}

// worst are the attempts that took the most of something, if they took any.
func (s *sample) worst(id string, several bool, of func(*results.Attempt) float64) []Attempt {
	most := slices.Clone(s.attempts)
	slices.SortStableFunc(most, func(a, b *results.Attempt) int { return cmp.Compare(of(b), of(a)) })
	all := []Attempt{}
	for _, a := range most[:min(Notable, len(most))] {
		if of(a) <= 0 {
			break
		}
		all = append(all, Attempt{
			Slot: a.Slot, Outcome: a.Outcome, TimeMS: a.DurationMS, Tokens: tokens(a), Cost: a.Usage.Cost,
			Show: ShowAttempt(id, a.Slot, several),
		})
	}
	return all
}
