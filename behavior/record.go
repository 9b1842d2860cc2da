package behavior

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"

	"github.com/deeds-evals/deeds/results"
)

// record writes one play of a slot.
func (r *run) record(s *slot, a attempt, play int, reroll bool) (where string, err error) {
	evidence, err := json.Marshal(a.evidence)
	if err != nil {
		return "", fmt.Errorf("the evidence cannot be written as JSON: %w", err)
	}
	past := r.past[s.Slot]
	decided := past.Outcome == results.Pass || past.Outcome == results.Fail
	line := results.Attempt{
		Run: r.id, Slot: s.Slot, Play: len(past.Plays) + play, Reroll: reroll || decided,
		Outcome: string(a.outcome), Reason: string(a.reason), Detail: a.detail,
		End:     string(a.evidence.End.Reason),
		Signals: make(map[string]string),
		Usage: results.Usage{
			Prompt: a.evidence.Usage.Prompt, Completion: a.evidence.Usage.Completion,
			Cached: a.evidence.Usage.Cached, Reasoning: a.evidence.Usage.Reasoning,
			Unreported: a.evidence.Usage.Unreported,
			CostSource: a.evidence.Usage.CostSource,
		},
		DurationMS:  millis(a.evidence.Usage.Total),
		ProviderMS:  millis(a.evidence.Usage.Provider),
		AgentMS:     millis(a.agentTime()),
		Retries:     a.evidence.Usage.Retries,
		Turns:       a.turns(),
		Calls:       a.calls(),
		Containment: a.evidence.Containment,
		Digests:     r.digests(a),
		Commit:      r.commit, Dirty: r.dirty,
		Served: a.evidence.Usage.Model, Fingerprint: a.evidence.Usage.Fingerprint,
		Started: a.started.UTC(),
	}
	if a.evidence.Usage.CostSource != "" {
		cost := a.evidence.Usage.Cost
		line.Usage.Cost = &cost
	}
	for sig, o := range BySignals(a.verdicts) {
		line.Signals[string(sig)] = string(o)
	}
	for _, v := range a.verdicts {
		line.Verdicts = append(line.Verdicts, recorded(v))
	}
	where, err = r.journal.Append(line, evidence)
	if where != "" {
		where = filepath.Join(r.dir, filepath.FromSlash(where))
	}
	return where, err
}

// recorded is a verdict as its line has it. What was wanted is only there to be read
// where something else came, and the name mostly says it.
func recorded(v Verdict) results.Verdict {
	line := results.Verdict{
		Signal: string(v.Signal), Name: v.Name, Outcome: string(v.Result),
		Got: v.Got, Where: v.Where, Events: v.Events, Conditional: v.Conditional, Marker: v.Marker,
	}
	if v.Result == Fail && v.Want != v.Name {
		line.Want = v.Want
	}
	return line
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
