package expect

import (
	"fmt"

	"github.com/deeds-evals/deeds/behavior"
)

// ReturnedAtMost means that the results of all calls that match have no more than n
// bytes between them: what a look around cost. A call that cannot be ruled out
// counts. An agent that does nothing satisfies it.
func ReturnedAtMost(n int, e Event) behavior.Expectation {
	return expectation{
		behavior.Spec{
			Name: fmt.Sprintf("%s returned at most %d", e.name(), n), Want: fmt.Sprintf("at most %s from every %s", count(n, "byte"), e.phrase()),
			Where: here(), Negative: n >= 0,
		},
		func(t *trace) behavior.Finding {
			all, sum := e.all(t, maybe), 0
			for _, i := range all {
				if c := t.Timeline[i].Call; c != nil {
					sum += len(c.Result)
				}
			}
			if sum > n {
				return fail(fmt.Sprintf("%s: %s", count(sum, "byte"), ats(t, all)), all...)
			}
			if n < 0 {
				return fail("the case allows fewer bytes than none")
			}
			return pass(all...)
		},
	}
}
