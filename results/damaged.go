package results

import "fmt"

// damaged says in sentences which runs of the arm cannot be read whole. What they have
// lost may be slots that were planned and never played, or attempts that failed: what is
// left of them can look better than they were.
func (a *Arm) damaged() (remarks []string) {
	for _, run := range a.Runs {
		if n := len(run.Problems); n > 0 {
			remarks = append(remarks, fmt.Sprintf("the record of run %s cannot be read whole, and what it lost is not counted: %s%s", run.ID, run.Problems[0], more(n-1)))
		}
	}
	return remarks
}

func more(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (and %d more)", n)
}
