package report

import (
	"fmt"
	"strings"
	"time"
)

// A Summary is what one package's part of a run comes to.
type Summary struct {
	Model   string
	Cases   int
	Planned int // slots
	Passed  int
	Failed  int
	Void    int
	Tokens  int // negative if some endpoint did not say
	Time    time.Duration
	// NotRun says why slots were not played: "the budget of $2.00 is spent".
	NotRun string
	// Run is the directory that holds the record, or empty.
	Run string
}

// String says what was measured, whole: passed, failed, void and not run add up
// to the slots.
func (s Summary) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, %s: %s passed, %s failed, %s void", oneLine(s.Model),
		count(s.Cases, "case"), count(s.Planned, "attempt"), grouped(s.Passed), grouped(s.Failed), grouped(s.Void))
	if left := s.Planned - s.Passed - s.Failed - s.Void; left > 0 {
		fmt.Fprintf(&b, ", %s not run", grouped(left))
		if s.NotRun != "" {
			fmt.Fprintf(&b, " (%s)", oneLine(s.NotRun))
		}
	}
	tokens := "tokens unknown"
	if s.Tokens >= 0 {
		tokens = count(s.Tokens, "token")
	}
	fmt.Fprintf(&b, "; %s, %s\n", tokens, Duration(s.Time))
	if s.Planned > 0 && s.Passed+s.Failed == 0 {
		writeLine(&b, "nothing was measured: not one attempt passed or failed")
	}
	if s.Run != "" {
		writeLine(&b, "run    "+oneLine(s.Run))
	}
	return b.String()
}

// A Rehearsal is what the rehearsal of one package comes to.
type Rehearsal struct {
	Cases    int
	Sections int // scripts played, those made up unasked included
	Biting   int // expectations that some script made fail
	Total    int // expectations
	Broken   int // cases
	Time     time.Duration
}

// String says what was shown, and that no model was asked.
func (r Rehearsal) String() string {
	rate := "no expectation was played"
	if r.Total > 0 {
		rate = fmt.Sprintf("kill rate %s (%s of %s bite)", percent(r.Biting, r.Total), grouped(r.Biting), count(r.Total, "expectation"))
	}
	broken := "none broken"
	if r.Broken > 0 {
		broken = fmt.Sprintf("%s broken", grouped(r.Broken))
	}
	return fmt.Sprintf("rehearsal: %s, %s, %s played, %s, %s; no model was asked\n",
		count(r.Cases, "case"), broken, count(r.Sections, "script"), rate, Duration(r.Time))
}

// percent says a part in whole percent; only the whole is 100 %, only nothing 0 %.
func percent(part, whole int) string {
	p := (200*part + whole) / (2 * whole)
	switch {
	case part < whole && p == 100:
		p = 99
	case part > 0 && p == 0:
		p = 1
	}
	return fmt.Sprintf("%d %%", p)
}
