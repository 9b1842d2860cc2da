package report

import (
	"fmt"
	"strings"
)

// A Flip is what came out otherwise than it is on record: the verdict of one
// expectation in one attempt, or the outcome of the attempt where Signal is empty.
type Flip struct {
	ID     string `json:"attempt"` // chain/read-before-edit/WORLD/VARIANT/ATTEMPT
	Signal string `json:"signal,omitempty"`
	Name   string `json:"name,omitempty"`
	Where  string `json:"where,omitempty"` // the expectation's place in the case today
	Want   string `json:"want,omitempty"`
	Got    string `json:"got,omitempty"`
	Was    string `json:"was"`
	Is     string `json:"is"`
}

// String says it on one line, and below it what is wanted and what was got.
func (f Flip) String() string {
	var b strings.Builder
	change := fmt.Sprintf("%s → %s", f.Was, f.Is)
	if f.Signal == "" {
		writeLine(&b, oneLine(fmt.Sprintf("flip   %s  outcome  %s", f.ID, change)))
		return b.String()
	}
	writeLine(&b, oneLine(fmt.Sprintf("flip   %s  %s  %s", f.ID, f.Signal, change)))
	field(&b, "  ", "name", shorten(oneLine(f.Name), maxLine))
	field(&b, "  ", "at", oneLine(f.Where))
	field(&b, "  ", "want", f.Want)
	field(&b, "  ", "got", f.Got)
	return b.String()
}

// Flips says each of them.
func Flips(all []Flip) string {
	var b strings.Builder
	for _, f := range all {
		b.WriteString(f.String())
	}
	return b.String()
}

// flips counts the verdicts and the outcomes that flip.
func flips(all []Flip) (verdicts, outcomes int) {
	for _, f := range all {
		if f.Signal == "" {
			outcomes++
		} else {
			verdicts++
		}
	}
	return verdicts, outcomes
}
