package results

import "fmt"

// damaged says in sentences which runs of the arm cannot be read whole. What they have
// lost may be slots that were planned and never played, or attempts that failed: what is
// left of them can look better than they were.
func (a *Arm) damaged() (remarks []string) {
	for _, run := range a.Runs {
		if skipped := run.Skipped(); len(skipped) > 0 {
			remarks = append(remarks, fmt.Sprintf("%s of run %s never came to be played, and was not filtered out: its test was skipped%s", skipped[0], run.ID, more(len(skipped)-1)))
		}
		if n := run.unplanned(); n > 0 {
			remarks = append(remarks, fmt.Sprintf("run %s has %s that no plan of it has: what else was planned nobody knows", run.ID, count(n, "attempt", "attempts")))
		}
		if n := len(run.Problems); n > 0 {
			remarks = append(remarks, fmt.Sprintf("the record of run %s cannot be read whole, and what it lost is not counted: %s%s", run.ID, run.Problems[0], more(n-1)))
		}
	}
	return remarks
}

// unplanned counts the slots that were played without a plan.
func (r *Run) unplanned() int {
	n := 0
	for _, s := range r.Slots() {
		if s.Unplanned {
			n++
		}
	}
	return n
}

func more(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (and %d more)", n)
}
