package expect

import (
	"fmt"

	"github.com/deeds-evals/deeds/behavior"
)

// Times means that it happened exactly n times.
func (e Event) Times(n int) behavior.Expectation { return e.counted("exactly", n, n, n) }

// AtLeast means that it happened n times or more.
func (e Event) AtLeast(n int) behavior.Expectation { return e.counted("at least", n, n, -1) }

// AtMost means that it happened n times or fewer. An agent that does nothing
// satisfies it.
func (e Event) AtMost(n int) behavior.Expectation { return e.counted("at most", n, 0, n) }

// counted means between least and most times; most is -1 for no bound.
func (e Event) counted(how string, n, least, most int) behavior.Expectation {
	spec := behavior.Spec{
		Name:  fmt.Sprintf("%s %s %d", e.name(), how, n),
		Want:  fmt.Sprintf("%s %s", how, times(n, e.words())),
		Where: here(), Negative: least <= 0, Mentions: e.mentions,
	}
	if least > 0 {
		spec.Tools = e.tools
	}
	return expectation{spec, func(t *trace) behavior.Finding {
		sure := e.all(t, yes)
		switch n := len(sure); {
		case n < least && n == 0:
			got, near := e.missing(t)
			return fail(got, near...)
		case n < least:
			return fail(fmt.Sprintf("%s: %s", times(n, ""), ats(t, sure)), sure...)
		case most >= 0 && n > most:
			return fail(fmt.Sprintf("%s: %s", times(n, ""), ats(t, sure)), sure...)
		}
		if most >= 0 {
			if all := e.all(t, maybe); len(all) > most {
				return fail(unruled(t, unsure(all, sure)), all...)
			}
		}
		return pass(sure...)
	}}
}

func times(n int, what string) string {
	var s string
	switch n {
	case 1:
		s = "once"
	case 2:
		s = "twice"
	default:
		s = fmt.Sprintf("%d times", n)
	}
	if what == "" {
		return s
	}
	return s + ": " + what
}

// unsure are the events of all that are not among the sure ones.
func unsure(all, sure []int) []int {
	known := make(map[int]bool, len(sure))
	for _, i := range sure {
		known[i] = true
	}
	var out []int
	for _, i := range all {
		if !known[i] {
			out = append(out, i)
		}
	}
	return out
}

// unruled says that events cannot be ruled out.
func unruled(t *trace, events []int) string {
	return "cannot rule it out for " + ats(t, events) + ", which runs what is not spelled out"
}
