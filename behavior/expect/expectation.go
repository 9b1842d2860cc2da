package expect

import (
	"slices"

	"github.com/deeds-evals/deeds/behavior"
)

// expectation is what every word but [Event] makes.
type expectation struct {
	spec  behavior.Spec
	check func(*trace) behavior.Finding
}

func (x expectation) Spec() behavior.Spec {
	s := x.spec
	s.Tools, s.Mentions, s.Parts = slices.Clone(s.Tools), slices.Clone(s.Mentions), slices.Clone(s.Parts)
	return s
}

func (x expectation) Check(e behavior.Evidence) behavior.Finding { return x.check(newTrace(e)) }

func (x expectation) judge(t *trace) behavior.Finding { return x.check(t) }

func pass(events ...int) behavior.Finding {
	return behavior.Finding{Outcome: behavior.Pass, Events: tidy(events)}
}

func fail(got string, events ...int) behavior.Finding {
	return behavior.Finding{Outcome: behavior.Fail, Got: got, Events: tidy(events)}
}

// tidy sorts the indexes and names each once.
func tidy(events []int) []int {
	if len(events) == 0 {
		return nil
	}
	events = slices.Clone(events)
	slices.Sort(events)
	return slices.Compact(events)
}
