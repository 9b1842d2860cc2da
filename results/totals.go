package results

import (
	"cmp"
	"slices"
	"strings"
)

// Totals sums up one model in one agent.
type Totals struct {
	Model string `json:"model"`
	Agent string `json:"agent"`

	// Units that passed and failed by the rule of consistency, of all that were
	// planned; the rest was not measured.
	Units       int `json:"units"`
	Passed      int `json:"passed"`
	Failed      int `json:"failed"`
	NotMeasured int `json:"not_measured"`
	Split       int `json:"split"` // of those that failed: some of their attempts passed

	// Slots by outcome.
	Slots  int `json:"slots"`
	Pass   int `json:"pass"`
	Fail   int `json:"fail"`
	Void   int `json:"void"`
	NotRun int `json:"not_run"`

	Rerolls int            `json:"rerolls"`
	Plays   int            `json:"plays"`
	Reasons map[string]int `json:"void_reasons,omitempty"` // void slots by reason
}

// A SignalTotal sums up one signal for one model in one agent.
type SignalTotal struct {
	Model  string `json:"model"`
	Agent  string `json:"agent"`
	Signal string `json:"signal"`

	// Units that have the signal. Passed, Failed, NA and NotMeasured add up to it.
	Units       int `json:"units"`
	Passed      int `json:"passed"`
	Failed      int `json:"failed"`
	NA          int `json:"na"`
	NotMeasured int `json:"not_measured"`
	Split       int `json:"split"`

	Attempts int `json:"attempts"` // that the figures rest on: passed, failed or n/a
}

// Totals sums the run up, one entry for each model and agent, in the order in which
// they were planned.
func (r *Run) Totals() []Totals { return TotalsOf(r.Units()) }

// TotalsOf is Totals for whoever has the units at hand.
func TotalsOf(units []UnitResult) []Totals {
	var all []Totals
	find := func(u Unit) *Totals {
		for i := range all {
			if all[i].Model == u.Model && all[i].Agent == u.Agent {
				return &all[i]
			}
		}
		all = append(all, Totals{Model: u.Model, Agent: u.Agent, Reasons: make(map[string]int)})
		return &all[len(all)-1]
	}
	for _, u := range units {
		t := find(u.Unit)
		t.Units++
		switch u.Outcome() {
		case Pass:
			t.Passed++
		case Fail:
			t.Failed++
		default:
			t.NotMeasured++
		}
		if u.Split() {
			t.Split++
		}
		t.Slots += len(u.Slots)
		t.Pass += u.Tally.Passed
		t.Fail += u.Tally.Failed
		t.Void += u.Voids
		t.NotRun += u.Tally.NotRun
		for _, s := range u.Slots {
			t.Rerolls += s.Rerolls
			t.Plays += len(s.Plays)
			if s.Outcome == Void {
				t.Reasons[reason(s.Decided)]++
			}
		}
	}
	return all
}

func reason(a *Attempt) string {
	switch {
	case a.Reason != "":
		return a.Reason
	case a.End != "":
		return a.End
	}
	return "no reason on record"
}

// Signals sums up each signal, by model, agent and signal.
func (r *Run) Signals() []SignalTotal { return SignalsOf(r.Units()) }

// SignalsOf is Signals for whoever has the units at hand.
func SignalsOf(units []UnitResult) []SignalTotal {
	type key struct{ model, agent, signal string }
	at := make(map[key]*SignalTotal)
	for _, u := range units {
		for name, t := range u.Signals {
			k := key{u.Model, u.Agent, name}
			s := at[k]
			if s == nil {
				s = &SignalTotal{Model: u.Model, Agent: u.Agent, Signal: name}
				at[k] = s
			}
			s.add(t)
		}
	}
	all := make([]SignalTotal, 0, len(at))
	for _, s := range at {
		all = append(all, *s)
	}
	slices.SortFunc(all, func(a, b SignalTotal) int {
		return cmp.Or(strings.Compare(a.Model, b.Model), strings.Compare(a.Agent, b.Agent), strings.Compare(a.Signal, b.Signal))
	})
	return all
}

func (s *SignalTotal) add(t Tally) {
	s.Units++
	s.Attempts += t.Passed + t.Failed + t.NA
	switch t.Outcome() {
	case Pass:
		s.Passed++
	case Fail:
		s.Failed++
	case NA:
		s.NA++
	default:
		s.NotMeasured++
	}
	if t.Split() {
		s.Split++
	}
}
