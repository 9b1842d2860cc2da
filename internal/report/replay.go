package report

import (
	"fmt"
	"slices"
	"strings"
)

// A Replay is what the replay of a run, or of one package of it, comes to.
type Replay struct {
	Run      string   `json:"run"`      // whose answers were given again
	Attempts int      `json:"attempts"` // that were driven again
	Diverged int      `json:"diverged"` // of which asked for something else than on record
	Void     int      `json:"void"`     // of which are void for another reason
	Left     int      `json:"left"`     // that broke off, and cannot be driven again
	Flips    []Flip   `json:"flips"`
	Gone     []string `json:"gone,omitempty"` // cases and units of the run that are no more, and why
}

// Plus adds another package of the same run.
func (r Replay) Plus(o Replay) Replay {
	r.Run = o.Run
	r.Attempts, r.Diverged, r.Void, r.Left = r.Attempts+o.Attempts, r.Diverged+o.Diverged, r.Void+o.Void, r.Left+o.Left
	r.Flips, r.Gone = slices.Concat(r.Flips, o.Flips), slices.Concat(r.Gone, o.Gone)
	return r
}

// String lists the flips, and says how far the replay is the same as what was played.
func (r Replay) String() string {
	var b strings.Builder
	b.WriteString(Flips(r.Flips))
	for _, id := range r.Gone {
		writeLine(&b, "gone   "+oneLine(id))
	}
	if r.Left > 0 {
		writeLine(&b, fmt.Sprintf("left   %s broke off, and cannot be driven again", count(r.Left, "attempt")))
	}
	line := fmt.Sprintf("replayed %s of %s: %s diverged", count(r.Attempts, "attempt"), oneLine(r.Run), grouped(r.Diverged))
	if r.Void > 0 {
		line += fmt.Sprintf(", %s void for another reason", grouped(r.Void))
	}
	verdicts, outcomes := flips(r.Flips)
	writeLine(&b, line+"; "+flipped(verdicts, outcomes, "flipped"))
	return b.String()
}

// flipped says how many verdicts and outcomes did.
func flipped(verdicts, outcomes int, verb string) string {
	return fmt.Sprintf("%s %s, %s", count(verdicts, "verdict"), verb, count(outcomes, "outcome"))
}
