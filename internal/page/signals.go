package page

import (
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/internal/overview"
	"github.com/deeds-evals/deeds/internal/stats"
	"github.com/deeds-evals/deeds/results"
)

// A namer names a model in an agent.
type namer func(model, agent string) string

// names leaves the agent out where the run has the model in no other.
func names(o *overview.Overview) namer {
	agents := make(map[string]int)
	for _, a := range o.Arms {
		agents[a.Model]++
	}
	return func(model, agent string) string {
		if agents[model] > 1 {
			return model + " in " + agent
		}
		return model
	}
}

// A bar is a share with its interval, as it is drawn: per mille of the width.
type bar struct {
	Known        bool
	Rate, Lo, Hi int
}

func newBar(passed, failed int, lo, hi results.Number) bar {
	if passed+failed == 0 || !lo.Known() || !hi.Known() {
		return bar{}
	}
	return bar{true, 1000 * passed / (passed + failed), int(1000 * float64(lo)), int(1000 * float64(hi))}
}

// A glance is what one model comes to.
type glance struct {
	overview.Arm
	Bar    bar
	Lo, Hi results.Number
	Tokens int
}

// Measured are the units that the share is of.
func (g glance) Measured() int { return g.Passed + g.Failed }

func glances(o *overview.Overview) []glance {
	all := make([]glance, 0, len(o.Arms))
	for _, a := range o.Arms {
		ends := stats.ClopperPearson(a.Passed, a.Passed+a.Failed, 0.95)
		lo, hi := results.Number(ends.Lo), results.Number(ends.Hi)
		all = append(all, glance{a, newBar(a.Passed, a.Failed, lo, hi), lo, hi, a.PromptTokens + a.CompletionTokens})
	}
	return all
}

// signalRows is one signal, with a row for each model.
type signalRows struct {
	Signal string
	Rows   []signalRow
}

type signalRow struct {
	overview.Signal
	Name string // of the model
	Bar  bar
}

// Measured are the units that the share is of.
func (s signalRow) Measured() int { return s.Passed + s.Failed }

func signals(o *overview.Overview, name namer) []signalRows {
	var all []signalRows
	at := make(map[string]int)
	for _, a := range o.Arms {
		for _, s := range a.Signals {
			i, ok := at[s.Signal]
			if !ok {
				i = len(all)
				at[s.Signal] = i
				all = append(all, signalRows{Signal: s.Signal})
			}
			all[i].Rows = append(all[i].Rows, signalRow{s, name(a.Model, a.Agent), newBar(s.Passed, s.Failed, s.Lo, s.Hi)})
		}
	}
	slices.SortFunc(all, func(a, b signalRows) int { return strings.Compare(a.Signal, b.Signal) })
	return all
}
