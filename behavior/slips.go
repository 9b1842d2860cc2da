package behavior

import (
	"fmt"
	"strings"

	"github.com/deeds-evals/deeds/internal/report"
	"github.com/deeds-evals/deeds/internal/script"
)

// slips are the calls of a script that came to grief in a way that its author can
// hardly have meant: a fail section that fails because a tool's name is misspelt
// shows nothing about the contract. One that is meant is marked "#fails: reason",
// and must fail then.
func slips(messages []script.Message, timeline []Event, where string) []report.Problem {
	type place struct {
		agent string
		turn  int
	}
	calls := make(map[place][]Event)
	for _, ev := range timeline {
		if ev.Kind == KindCall && ev.Call != nil {
			at := place{ev.Agent, ev.Turn}
			calls[at] = append(calls[at], ev)
		}
	}
	var problems []report.Problem
	said := make(map[string]int) // messages of each agent so far
	for i, m := range messages {
		who := speaker(m.Child, timeline)
		said[who]++
		made := calls[place{who, said[who]}]
		for j, c := range m.Calls {
			if j >= len(made) {
				continue // the agent ended before it: said elsewhere
			}
			got := made[j].Call
			switch {
			case c.Fails == "" && !c.IsRaw && slipped(*got):
				result, _, _ := strings.Cut(got.Result, "\n")
				problems = append(problems, report.Problem{
					Where: where,
					What:  fmt.Sprintf("call %d.%d, %s, does not work: %s, %q", i+1, j+1, c.Tool, got.Status, result),
					Hint:  "mend it, or end its line with \"#fails: reason\" if that is meant",
				})
			case c.Fails != "" && got.Status == OK:
				problems = append(problems, report.Problem{
					Where: where,
					What:  fmt.Sprintf("call %d.%d, %s, is marked to fail, and succeeds", i+1, j+1, c.Tool),
					Hint:  "remove the mark",
				})
			}
		}
	}
	return problems
}

// speaker is the agent that a script's child n is: "" for 0, else the n-th child
// that was started.
func speaker(n int, timeline []Event) string {
	if n == 0 {
		return ""
	}
	for _, ev := range timeline {
		if ev.Kind == KindChild && ev.State == "started" {
			if n--; n == 0 {
				return ev.ID
			}
		}
	}
	return "?"
}

// slipped reports whether a call failed for its own sake, and not for what it met:
// a read of a missing file finds something out, an edit that misses does not.
func slipped(c Call) bool {
	switch c.Status {
	case Malformed, Unknown:
		return true
	case Failed:
		return c.Tool == "write" || c.Tool == "edit" || c.Exit != nil && (*c.Exit == 126 || *c.Exit == 127)
	}
	return false
}

// earnedBySilence are the signals that an agent which does nothing would pass. A
// gate on such a signal would be green for want of any deed.
func earnedBySilence(verdicts []Verdict, file string) []report.Problem {
	var problems []report.Problem
	outcomes := BySignals(verdicts)
	for _, s := range orderedKeys(outcomes) {
		if outcomes[s] == Pass {
			problems = append(problems, report.Problem{
				Where: file,
				What:  fmt.Sprintf("silence earns the signal %s: all that it expects holds though nothing was done", s),
				Hint:  "join the deed to it with expect.AllOf, or leave the signal out",
			})
		}
	}
	return problems
}
