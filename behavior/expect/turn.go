package expect

import (
	"fmt"
	"strings"

	"github.com/deeds-evals/deeds/behavior"
)

// SameTurn means that one message of an agent has a different event for each of
// the patterns. Other calls may be in that message too.
func SameTurn(events ...Event) behavior.Expectation {
	events = append([]Event(nil), events...)
	spec := behavior.Spec{Where: here()}
	var names, words []string
	for _, e := range events {
		names, words = append(names, e.name()), append(words, e.words())
		spec.Tools, spec.Mentions = union(spec.Tools, e.tools), union(spec.Mentions, e.mentions)
	}
	spec.Name = strings.Join(names, " with ")
	spec.Want = "in one turn:\n" + indent(strings.Join(words, "\n"))
	if len(events) == 0 {
		spec.Name, spec.Want = "nothing in one turn", "something in one turn, but the case names no event"
	}
	return expectation{spec, func(t *trace) behavior.Finding {
		if len(events) == 0 {
			return fail("no event was named")
		}
		return sameTurn(t, events)
	}}
}

// AtOnce means that the calls of one message of an agent show the text between
// them: every line of it that is not blank, each in the result of one call or
// another, in the way of [Shown].
func AtOnce(text string) behavior.Expectation {
	return expectation{
		behavior.Spec{Name: "shown at once " + short(text), Want: "in one turn, results that show " + show(text), Where: here()},
		func(t *trace) behavior.Finding {
			lines := solidLines(t.expand(text))
			if len(lines) == 0 {
				return fail(nothingToFind)
			}
			var order []message
			lacking := make(map[message][]string)
			deciding := make(map[message][]int)
			for i, ev := range t.Timeline {
				if ev.Kind != behavior.KindCall || ev.Call == nil || !ran(ev.Call) {
					continue
				}
				m := message{ev.Agent, ev.Turn}
				if _, met := lacking[m]; !met {
					lacking[m], order = lines, append(order, m)
				}
				var still []string
				for _, line := range lacking[m] {
					if !whole(ev.Call.Result, line) {
						still = append(still, line)
					}
				}
				if len(still) < len(lacking[m]) {
					deciding[m] = append(deciding[m], i)
				}
				if lacking[m] = still; len(still) == 0 {
					return pass(deciding[m]...)
				}
			}
			if len(order) == 0 {
				got, events := callsSeen(t)
				return fail(got, events...)
			}
			best := order[0]
			for _, m := range order {
				if len(lacking[m]) < len(lacking[best]) {
					best = m
				}
			}
			return fail(fmt.Sprintf("no turn shows it all; turn %d shows %d of %d lines, and not %s",
				best.turn, len(lines)-len(lacking[best]), len(lines), show(lacking[best][0])), deciding[best]...)
		},
	}
}

type message struct {
	agent string
	turn  int
}

func sameTurn(t *trace, events []Event) behavior.Finding {
	// candidates, for each message and each pattern, in the order of the timeline
	var order []message
	found := make(map[message][][]int)
	for k, e := range events {
		all := e.all(t, yes)
		if len(all) == 0 {
			got, near := e.missing(t)
			return fail(got, near...)
		}
		for _, i := range all {
			m := message{t.Timeline[i].Agent, t.Timeline[i].Turn}
			if found[m] == nil {
				found[m] = make([][]int, len(events))
				order = append(order, m)
			}
			found[m][k] = append(found[m][k], i)
		}
	}
	var best message
	most, bestPairs := -1, []int(nil)
	for _, m := range order {
		pairs := pair(found[m])
		n := 0
		for _, i := range pairs {
			if i >= 0 {
				n++
			}
		}
		if n == len(events) {
			return pass(pairs...)
		}
		if n > most {
			best, most, bestPairs = m, n, pairs
		}
	}
	var have, lack []string
	var guilty []int
	for k, i := range bestPairs {
		if i >= 0 {
			have = append(have, at(t, i))
			guilty = append(guilty, i)
			continue
		}
		said := events[k].none()
		if len(found[best][k]) > 0 {
			said = "no second " + events[k].phrase()
		}
		for _, j := range events[k].all(t, yes) {
			if m := (message{t.Timeline[j].Agent, t.Timeline[j].Turn}); m != best {
				said += fmt.Sprintf(" (%s is of turn %d", at(t, j), m.turn)
				if m.agent != best.agent {
					said += " of another agent"
				}
				said += ")"
				guilty = append(guilty, j)
				break
			}
		}
		lack = append(lack, said)
	}
	return fail(fmt.Sprintf("turn %d has %s, and %s", best.turn, list(have, "and"), list(lack, "and")), guilty...)
}

// pair gives every pattern a candidate of its own, for as many patterns as can
// be (a maximum matching), and -1 to the others.
func pair(candidates [][]int) []int {
	owner := make(map[int]int)
	var seek func(k int, tried map[int]bool) bool
	seek = func(k int, tried map[int]bool) bool {
		for _, i := range candidates[k] {
			if tried[i] {
				continue
			}
			tried[i] = true
			if o, taken := owner[i]; !taken || seek(o, tried) {
				owner[i] = k
				return true
			}
		}
		return false
	}
	for k := range candidates {
		seek(k, make(map[int]bool))
	}
	out := make([]int, len(candidates))
	for k := range out {
		out[k] = -1
	}
	for i, k := range owner {
		out[k] = i
	}
	return out
}
