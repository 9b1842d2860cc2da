package expect

import (
	"fmt"
	"slices"

	"github.com/deeds-evals/deeds/behavior"
)

// InTurn means that x holds of the user's n-th turn alone, counted from 1: of what
// happened from the moment at which the user spoke for the n-th time until it spoke
// again. What the user says while the agent works counts as speaking. The files
// before and after are those of the two moments, less what somebody else
// changed along with the word that follows; the end is the attempt's own in the last
// turn only. The first turn has what came before the user's first word too.
//
// A turn that never came is a failure, even of an expectation that silence
// satisfies: it has shown nothing. Scratch, home and usage are those of the whole
// attempt, and so are the files where no moment is on record.
func InTurn(n int, x behavior.Expectation) behavior.Expectation { return InTurns(n, n, x) }

// InTurns is [InTurn] for all of the user's turns from the first number to the
// last, taken together.
func InTurns(from, to int, x behavior.Expectation) behavior.Expectation {
	spec := x.Spec()
	name, want := fmt.Sprintf("turn %d", from), "in the user's "+ordinal(from)+" turn"
	if from != to {
		name, want = fmt.Sprintf("turns %d to %d", from, to), fmt.Sprintf("in the user's turns %d to %d", from, to)
	}
	spec.Name, spec.Want = name+": "+nameOf(spec), want+",\n"+spec.Want
	if spec.Where == "" {
		spec.Where = here()
	}
	counted := 1 <= from && from <= to
	spec.Negative = spec.Negative && counted
	parts := make([]behavior.Expectation, len(spec.Parts))
	for i, p := range spec.Parts {
		parts[i] = InTurns(from, to, p)
	}
	spec.Parts = slices.Clip(parts)
	if len(parts) == 0 {
		spec.Parts = nil
	}
	return expectation{spec, func(t *trace) behavior.Finding {
		if !counted {
			return fail(fmt.Sprintf("the case asks for turns %d to %d, and turns are counted from 1", from, to))
		}
		first, last, got := t.span(from, to)
		if got != "" {
			return fail(got)
		}
		f := judge(x, t.slice(first, last))
		for k, i := range f.Events {
			f.Events[k] = i + first
		}
		return f
	}}
}

// span is where the turns lie in the timeline, or why there are none.
func (t *trace) span(from, to int) (first, last int, lacks string) {
	words := t.userWords()
	if len(words) < to {
		lacks = "the user never spoke " + nth(max(from, len(words)+1))
		if len(words) > 0 {
			lacks += ", only " + times(len(words), "")
		}
		return 0, 0, lacks
	}
	last = len(t.Timeline)
	if to < len(words) {
		last = t.opening(words[to])
	}
	if from > 1 {
		first = t.opening(words[from-1])
	}
	return first, last, ""
}

// userWords lists the user's words.
func (t *trace) userWords() []int {
	if t.words != nil {
		return t.words
	}
	for i, ev := range t.Timeline {
		if ev.Kind == behavior.KindUser && ev.Agent == "" {
			t.words = append(t.words, i)
		}
	}
	return t.words
}

// opening is the first of the events that come with the user's word i: a new
// conversation, and what was made of the workspace for it.
func (t *trace) opening(i int) int {
	for i > 0 && (t.Timeline[i-1].Kind == behavior.KindSession || t.Timeline[i-1].Kind == behavior.KindOutside) {
		i--
	}
	return i
}

// slice is the evidence of some events alone, from a first one to before a last
// one. Events keep their numbers in what is said of them.
func (t *trace) slice(first, last int) *trace {
	e := t.Evidence
	e.Timeline = slices.Clip(t.Timeline[first:last])
	e.Turns = nil
	// A word that was never marked leaves the files of the whole.
	for _, u := range t.Turns {
		switch {
		case u.Event < 0 || u.Event >= len(t.Timeline):
		case u.Event >= last && t.opening(u.Event) == last:
			if e.After = u.Files; u.Left != nil {
				e.After = u.Left
			}
		case u.Event >= first && u.Event < last:
			if first > 0 && t.opening(u.Event) == first {
				e.Before = u.Files
			}
			u.Event -= first
			e.Turns = append(e.Turns, u)
		}
	}
	if last < len(t.Timeline) {
		e.End = behavior.End{Reason: endOf(e.Timeline)}
	}
	part := newTrace(e)
	part.whole, part.base = t, t.base+first
	return part
}

// endOf is how a turn that another followed has ended: the agent waits for a word
// where that is the last thing it did.
func endOf(events []behavior.Event) behavior.EndReason {
	for _, ev := range slices.Backward(events) {
		switch {
		case ev.Agent != "":
		case ev.Kind == behavior.KindQuestion:
			return behavior.EndQuestion
		case ev.Kind == behavior.KindPlan && (ev.State == "asked" || ev.State == "ready"):
			return behavior.EndPlan
		case ev.Kind == behavior.KindMessage || ev.Kind == behavior.KindUser:
			return behavior.EndStop
		}
	}
	return behavior.EndStop
}

// judge puts an expectation to a part of the evidence. One of this package takes
// the trace as it is, and so says where in the whole an event is.
func judge(x behavior.Expectation, t *trace) behavior.Finding {
	var f behavior.Finding
	if own, ok := x.(interface {
		judge(*trace) behavior.Finding
	}); ok {
		f = own.judge(t)
	} else {
		f = x.Check(t.Evidence)
	}
	f.Events = slices.Clone(f.Events)
	return f
}

// ordinal is "1st", "2nd", "11th".
func ordinal(n int) string {
	suffix := "th"
	if tens := n % 100; tens < 11 || tens > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return fmt.Sprintf("%d%s", n, suffix)
}

// nth is "at all", "a 2nd time".
func nth(n int) string {
	if n == 1 {
		return "at all"
	}
	return "a " + ordinal(n) + " time"
}
