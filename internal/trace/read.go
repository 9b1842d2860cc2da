package trace

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/results"
)

// Of is the trace of an attempt with its evidence. Siblings are the slots of its unit.
func Of(run *results.Run, a *results.Attempt, siblings []results.SlotResult, e behavior.Evidence) Trace {
	t := Trace{
		Head:      head(run, a, siblings, e),
		Events:    make([]Event, 0, len(e.Timeline)),
		Verdicts:  make([]Verdict, 0, len(a.Verdicts)),
		Files:     files(e),
		Ending:    ending(a, e),
		workspace: e.Workspace,
	}
	depths := depthsOf(e.Timeline)
	for i, ev := range e.Timeline {
		out := event(ev)
		out.N, out.Turn, out.Agent, out.AtMS = i+1, ev.Turn, ev.Agent, milliseconds(ev.At)
		out.Depth = depths[ev.Agent]
		t.Events = append(t.Events, out)
	}
	for i, v := range a.Verdicts {
		t.Verdicts = append(t.Verdicts, Verdict{
			Signal: v.Signal, Name: v.Name, Outcome: v.Outcome, Want: v.Want, Got: v.Got, Where: v.Where, Conditional: v.Conditional,
			Events: t.blame(i, v),
		})
	}
	return t
}

// milliseconds is 0 only for what came at the very beginning.
func milliseconds(at time.Duration) int64 {
	if at > 0 && at < time.Millisecond {
		return 1
	}
	return at.Milliseconds()
}

// blame marks the events that a failed verdict points to, and returns the numbers of
// those that any verdict points to. A record can point past its own end.
func (t *Trace) blame(index int, v results.Verdict) []int {
	var all []int
	for _, i := range v.Events {
		if i < 0 || i >= len(t.Events) {
			continue
		}
		all = append(all, i+1)
		if v.Outcome == results.Fail {
			t.Events[i].Blames = append(t.Events[i].Blames, index)
		}
	}
	return all
}

// Read reads the evidence of an attempt, and makes its trace.
func Read(run *results.Run, a *results.Attempt, siblings []results.SlotResult) (Trace, error) {
	data, err := run.Evidence(*a)
	if err != nil {
		return Trace{}, err
	}
	var e behavior.Evidence
	if err := json.Unmarshal(data, &e); err != nil {
		return Trace{}, fmt.Errorf("the evidence of %s is not what this version of deeds reads: %w", a.Case, err)
	}
	return Of(run, a, siblings, e), nil
}

// Siblings are the slots of a unit, out of those of a run.
func Siblings(slots []results.SlotResult, u results.Unit) []results.SlotResult {
	var of []results.SlotResult
	for _, s := range slots {
		if s.Unit() == u {
			of = append(of, s)
		}
	}
	return of
}

func head(run *results.Run, a *results.Attempt, siblings []results.SlotResult, e behavior.Evidence) Head {
	h := Head{
		Run: run.ID, Kind: run.Kind(), Case: a.Case, Claim: run.Claim(a.Case),
		World: a.World, Variant: a.Variant, Model: a.Model, Agent: a.Agent,
		Attempt: a.Attempt, Play: a.Play, Reroll: a.Reroll,
		Outcome: a.Outcome, Reason: a.Reason, Detail: a.Detail,
		Siblings: make([]Sibling, 0, len(siblings)),
		Facts:    e.Facts,
	}
	for _, s := range siblings {
		other := Sibling{Attempt: s.Attempt, Outcome: s.Outcome}
		if s.Decided != nil {
			other.Reason = s.Decided.Reason
		}
		h.Siblings = append(h.Siblings, other)
	}
	return h
}

func ending(a *results.Attempt, e behavior.Evidence) Ending {
	end := Ending{
		Reason: string(e.End.Reason), Detail: e.End.Detail,
		DurationMS: a.DurationMS, AgentMS: a.AgentMS, ProviderMS: a.ProviderMS,
		Turns: a.Turns, Calls: a.Calls,
		Prompt: a.Usage.Prompt, Completion: a.Usage.Completion, Unreported: a.Usage.Unreported,
		Cost: a.Usage.Cost, CostSource: a.Usage.CostSource,
		Containment: a.Containment,
	}
	if end.Reason == "" {
		end.Reason = a.End
	}
	return end
}

// depthsOf says how deep each child is, by its id. The agent itself is at depth 0.
func depthsOf(timeline []behavior.Event) map[string]int {
	depths := map[string]int{"": 0}
	for _, ev := range timeline {
		if ev.Kind == behavior.KindChild && ev.ID != "" {
			if _, known := depths[ev.ID]; !known {
				depths[ev.ID] = depths[ev.Agent] + 1
			}
		}
		if _, known := depths[ev.Agent]; !known {
			depths[ev.Agent] = 1 // the record does not say whose child it is
		}
	}
	return depths
}

// oneLine makes a text one line, and no longer than a title.
func oneLine(s string) string {
	s = strings.TrimSpace(s)
	if i := strings.IndexAny(s, "\n\r"); i >= 0 {
		s = s[:i]
	}
	return shorten(s)
}
