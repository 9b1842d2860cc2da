package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/internal/overview"
	"github.com/deeds-evals/deeds/internal/report"
	"github.com/deeds-evals/deeds/internal/trace"
	"github.com/deeds-evals/deeds/results"
)

// explain is the message of an attempt that did not pass, as go test had it: what was
// expected and what came, the timeline, the files, and the command that shows more, which
// names the model where the run has several.
func explain(run *results.Run, slot results.SlotResult, unit results.UnitResult, several bool) string {
	a := slot.Decided
	closing := report.Closing{
		Claim: run.Claim(slot.Case),
		Score: report.Score{Planned: len(unit.Slots), Passed: unit.Tally.Passed, Failed: unit.Tally.Failed, Void: unit.Voids},
		Again: []string{overview.ShowAttempt(run.ID, slot.Slot, several)},
	}
	var e behavior.Evidence
	data, err := run.Evidence(*a)
	if err == nil {
		err = json.Unmarshal(data, &e)
	}
	note := ""
	if err != nil {
		note = "the evidence cannot be read: " + err.Error()
	}
	if slot.Outcome == results.Void {
		return report.Voided(report.Void{Reason: a.Reason, Detail: strings.Trim(a.Detail+"\n"+note, "\n"), Timeline: timelineOf(e.Timeline), Closing: closing})
	}
	msg := report.Attempt{Timeline: timelineOf(e.Timeline), Closing: closing}
	if a.Reason != "" || note != "" {
		msg.End = report.End{Reason: a.Reason, Detail: strings.Trim(a.Detail+"\n"+note, "\n")}
		if a.Reason == "" {
			msg.End.Reason = a.Outcome
		}
	}
	for _, v := range a.Verdicts {
		if v.Outcome == results.Fail {
			msg.Verdicts = append(msg.Verdicts, report.Verdict{Signal: v.Signal, Where: v.Where, Want: cmp.Or(v.Want, v.Name), Got: v.Got, Events: v.Events})
		}
	}
	for _, f := range trace.Of(run, a, nil, e).Files {
		var parts []string
		for _, part := range []string{f.Change, f.Note, f.Diff} {
			if part != "" && part != "changed" {
				parts = append(parts, part)
			}
		}
		msg.Files = append(msg.Files, report.FileDiff{Path: f.Path, Diff: strings.TrimSuffix(strings.Join(parts, "\n"), "\n")})
	}
	return report.Fail(msg)
}

// timelineOf is a timeline as it is printed.
func timelineOf(events []behavior.Event) []report.Event {
	all := make([]report.Event, 0, len(events))
	for _, ev := range events {
		r := report.Event{
			Kind: string(ev.Kind), Turn: ev.Turn, Agent: ev.Agent, ID: ev.ID, Exit: ev.Exit,
			Text: ev.Text, Stop: ev.Stop, Mode: string(ev.Mode), State: ev.State,
		}
		for _, t := range ev.Todos {
			r.Todos = append(r.Todos, t.Status+" "+t.Content)
		}
		if c := ev.Call; c != nil {
			r.Tool, r.Args, r.Raw = c.Tool, c.Args, c.Raw
			r.Status, r.Result, r.Exit = string(c.Status), c.Result, c.Exit
		}
		all = append(all, r)
	}
	return all
}

// failures are the first attempts that did not pass, one of each unit, and how many more
// there are.
func (c *Config) failures(run *results.Run, most int) (all []overview.Failure, unread int) {
	several := len(run.Models()) > 1
	for _, u := range run.Units() {
		i := slices.IndexFunc(u.Slots, func(s results.SlotResult) bool { return s.Outcome == results.Fail })
		if i < 0 {
			i = slices.IndexFunc(u.Slots, func(s results.SlotResult) bool { return s.Outcome == results.Void })
		}
		unread += u.Tally.Failed + u.Voids
		if i < 0 || len(all) == most {
			continue
		}
		unread--
		slot := u.Slots[i]
		f := overview.Failure{
			Attempt: overview.Attempt{Slot: slot.Slot, Outcome: slot.Outcome, Show: overview.ShowAttempt(run.ID, slot.Slot, several)},
			Text:    explain(run, slot, u, several), Evidence: c.evidence(run, slot.Decided),
		}
		for _, name := range slices.Sorted(maps.Keys(slot.Decided.Signals)) {
			if slot.Decided.Signals[name] == results.Fail {
				f.Signals = append(f.Signals, name)
			}
		}
		if slot.Decided.Reason != "" {
			f.Outcome = fmt.Sprintf("%s (%s)", f.Outcome, slot.Decided.Reason)
		}
		all = append(all, f)
	}
	return all, unread
}
