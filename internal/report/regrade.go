package report

import (
	"fmt"
	"slices"
	"strings"
)

// A Regrade is what judging the evidence of a run again, or of one package of it,
// comes to.
type Regrade struct {
	Run      string `json:"run"`
	Attempts int    `json:"attempts"` // that were judged
	Cases    int    `json:"cases"`
	Void     int    `json:"void"` // attempts that are void, and were left so
	Flips    []Flip `json:"flips"`
	// New and Dropped are expectations that were not there when the run was judged, and
	// those that are not there now: each with its unit, its signal and its outcome, and
	// in how many attempts.
	New     []string `json:"new,omitempty"`
	Dropped []string `json:"dropped,omitempty"`
	Unread  []string `json:"unread,omitempty"`  // attempts that could not be judged, and why
	Unknown []string `json:"unknown,omitempty"` // cases that the run does not have
	Gone    []string `json:"gone,omitempty"`    // cases and units of the run that are no more
	// Open are units with attempts that were planned and are not on record, and NotRun is
	// how many: nothing is known of them.
	Open   []string `json:"open,omitempty"`
	NotRun int      `json:"not_run,omitempty"`
}

// Plus adds another package of the same run.
func (r Regrade) Plus(o Regrade) Regrade {
	r.Run = o.Run
	r.Attempts, r.Cases, r.Void, r.NotRun = r.Attempts+o.Attempts, r.Cases+o.Cases, r.Void+o.Void, r.NotRun+o.NotRun
	r.Open = slices.Concat(r.Open, o.Open)
	r.Flips = slices.Concat(r.Flips, o.Flips)
	r.New, r.Dropped = slices.Concat(r.New, o.New), slices.Concat(r.Dropped, o.Dropped)
	r.Unread, r.Unknown, r.Gone = slices.Concat(r.Unread, o.Unread), slices.Concat(r.Unknown, o.Unknown), slices.Concat(r.Gone, o.Gone)
	return r
}

// String lists what is not as it was, and sums up. The flips are told with their case.
func (r Regrade) String() string {
	var b strings.Builder
	for _, group := range []struct {
		name string
		all  []string
	}{{"error", r.Unread}, {"gone", r.Gone}, {"open", r.Open}, {"absent", r.unknown()}, {"new", r.New}, {"lost", r.Dropped}} {
		for _, line := range group.all {
			writeLine(&b, fmt.Sprintf("%-*s", label, group.name)+shorten(oneLine(line), maxLine))
		}
	}
	writeLine(&b, r.line())
	return b.String()
}

// unknown is one line for all of the cases: a run of a few leaves most of them out.
func (r Regrade) unknown() []string {
	if len(r.Unknown) == 0 {
		return nil
	}
	verb := "are"
	if len(r.Unknown) == 1 {
		verb = "is"
	}
	return []string{fmt.Sprintf("%s %s not in the run: %s", count(len(r.Unknown), "case"), verb, strings.Join(r.Unknown, ", "))}
}

// line is the sum.
func (r Regrade) line() string {
	verdicts, outcomes := flips(r.Flips)
	verb := "flip"
	if verdicts == 1 {
		verb = "flips"
	}
	line := fmt.Sprintf("regraded %s of %s: %s", count(r.Attempts, "attempt"), count(r.Cases, "case"), flipped(verdicts, outcomes, verb))
	if n := len(r.Unread); n > 0 {
		line += fmt.Sprintf("; %s could not be judged", grouped(n))
	}
	if r.NotRun > 0 {
		line += fmt.Sprintf("; %s planned and not run", grouped(r.NotRun))
	}
	if r.Void > 0 {
		line += fmt.Sprintf("; %s void, and left so", grouped(r.Void))
	}
	return line
}
