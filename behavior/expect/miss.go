package expect

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/behavior"
)

// missing says that nothing matched, and explains the nearest miss: the event
// of the right sort that satisfies the most clauses, the first of equals.
func (e Event) missing(t *trace) (got string, events []int) {
	got, events, _ = e.nearest(t)
	return got, events
}

// nearest is missing, and reports whether the events are nearer to the pattern than
// that they happened too.
func (e Event) nearest(t *trace) (got string, events []int, near bool) {
	got = e.none() + t.factsIn(e.phrase())
	if e.besides != nil {
		got += e.besides(t)
	}
	best, most, others := -1, -1, 0
	var reason string
	for i := range t.Timeline {
		if e.is(t, i) == no || e.near != nil && !e.near(t, i) {
			continue
		}
		others++
		n, why := 0, ""
		for _, c := range e.clauses {
			if c.test(t, i) == yes {
				n += 2
			} else if why == "" {
				why = c.seen(t, i)
			}
		}
		if e.ended(t.Timeline[i]) {
			n++
		} else if why == "" {
			why = endedHow(t.Timeline[i])
		}
		if n > most {
			best, most, reason = i, n, why
		}
	}
	if best < 0 {
		words, events, near := e.instead(t)
		return got + words, events, near
	}
	if reason == "" {
		reason = "cannot be told for certain"
	}
	got += fmt.Sprintf("; %s %s", at(t, best), reason)
	if others > 1 {
		got += fmt.Sprintf(", the nearest of %d", others)
	}
	return got, []int{best}, true
}

// factsIn tells the values of the facts that are named in the words.
func (t *trace) factsIn(words string) string {
	var said []string
	for _, n := range slices.Sorted(maps.Keys(t.Facts)) {
		if n != "" && strings.Contains(words, "{"+n+"}") {
			said = append(said, fmt.Sprintf("{%s} is %s", plain(n), show(t.Facts[n])))
		}
	}
	if len(said) == 0 {
		return ""
	}
	return " (" + list(said, "and") + ")"
}

// instead says what there was where nothing was even of the right sort.
func (e Event) instead(t *trace) (words string, events []int, near bool) {
	if e.kind == behavior.KindCall {
		words, events = callsSeen(t)
		return "; " + words, events, false
	}
	if e.kind == behavior.KindServed {
		words, events = servedSeen(t)
		return "; " + words, events, false
	}
	// A moment that a tool brings about may have been tried for.
	for i, ev := range t.Timeline {
		if ev.Kind == behavior.KindCall && ev.Call != nil && ev.Call.Status != behavior.OK && len(e.tools) == 1 && ev.Call.Tool == e.tools[0] {
			return fmt.Sprintf("; %s %s", at(t, i), endedHow(ev)), []int{i}, true
		}
	}
	switch e.kind {
	case behavior.KindMode, behavior.KindPlan, behavior.KindNotice, behavior.KindBackground, behavior.KindChild,
		behavior.KindSkill, behavior.KindRule, behavior.KindFault:
		var others []int
		for i, ev := range t.Timeline {
			if ev.Kind == e.kind {
				others = append(others, i)
			}
		}
		if len(others) > 0 {
			return "; only " + ats(t, others), others, true
		}
	case behavior.KindTodo:
		for i := len(t.Timeline) - 1; i >= 0; i-- {
			if t.Timeline[i].Kind == behavior.KindTodo {
				return "; the last list is\n" + todoLines(t.Timeline[i].Todos), []int{i}, true
			}
		}
	}
	return "", nil, false
}

// endedHow says how a call ended, in words that follow "event 4".
func endedHow(ev behavior.Event) string {
	if ev.Call == nil {
		return "is no call"
	}
	var how string
	switch ev.Call.Status {
	case behavior.OK:
		return "succeeded"
	case behavior.Failed:
		how = "failed"
	case behavior.Refused:
		how = "was refused"
	case behavior.Malformed:
		how = "was malformed"
	case behavior.Unknown:
		how = "names an unknown tool"
	case behavior.Cut:
		how = "was cut off"
	default:
		how = "ended as " + show(string(ev.Call.Status))
	}
	if line := firstLine(ev.Call.Result); line != "" {
		how += ": " + show(line)
	}
	return how
}

// callsSeen sums up what was called, for want of anything nearer.
func callsSeen(t *trace) (string, []int) {
	names, events := summed(t, func(ev behavior.Event) (string, bool) {
		if ev.Kind != behavior.KindCall || ev.Call == nil {
			return "", false
		}
		return ev.Call.Tool, true
	})
	if names == "" {
		return "nothing was called", nil
	}
	return "only " + names, events
}

// summed lists names and how often each occurs, "ls and read (2 times)", and the events
// that it speaks of: all of them where they are few, else the first of each name.
func summed(t *trace, name func(behavior.Event) (string, bool)) (words string, events []int) {
	of := make(map[string][]int)
	for i, ev := range t.Timeline {
		if n, ok := name(ev); ok {
			of[n] = append(of[n], i)
			events = append(events, i)
		}
	}
	names := slices.Sorted(maps.Keys(of))
	const most = 8
	if len(events) > most {
		events = nil
		for _, n := range names[:min(most, len(names))] {
			events = append(events, of[n][0])
		}
	}
	var said []string
	for _, n := range names {
		if len(said) == most {
			said = append(said, fmt.Sprintf("%d more", len(names)-most))
			break
		}
		s := plain(n)
		if len(of[n]) > 1 {
			s += fmt.Sprintf(" (%d times)", len(of[n]))
		}
		said = append(said, s)
	}
	return list(said, "and"), events
}
