package report

import (
	"fmt"
	"strings"
)

// An Attempt is what is said about an attempt that failed. Empty parts are left
// out.
type Attempt struct {
	// Verdicts are the failing ones. They are grouped by signal, in the order in
	// which the signals first come.
	Verdicts []Verdict
	Timeline []Event
	Files    []FileDiff
	// End is set if the agent did not end its turn by itself.
	End End

	Closing
}

// A Verdict is one expectation that was not met.
type Verdict struct {
	Signal string
	Where  string // the expectation's place, from the folder of the case: "file_test.go:12"
	Want   string
	Got    string
	Events []int // indexes in the timeline of the events that decided
}

// A FileDiff is what happened to one file of the workspace.
type FileDiff struct {
	Path string
	// Diff is a unified diff, or a remark such as "binary, 12 bytes".
	Diff string
}

// End says why an attempt ended: one of the limits, or a fault of the agent's own.
type End struct {
	Reason string // "limit-turns"
	Detail string // "40 turns, and the agent had not ended"
}

// Closing is what stands at the end of every message about a case.
type Closing struct {
	Claim string
	Score Score
	// Again are the exact commands that show it again.
	Again []string
}

// Fail is the message for an attempt that failed.
func Fail(a Attempt) string {
	var b strings.Builder
	if a.End.Reason != "" {
		field(&b, "", "fail", joined(a.End.Reason, a.End.Detail))
	}
	guilty := make(map[int]bool)
	for _, group := range bySignal(a.Verdicts) {
		writeLine(&b, oneLine(group[0].Signal))
		for _, v := range group {
			if v.Where != "" {
				writeLine(&b, "  "+oneLine(v.Where)+":")
			}
			field(&b, "  ", "want", v.Want)
			field(&b, "  ", "got", v.Got)
			for _, i := range v.Events {
				guilty[i] = true
			}
		}
	}
	timeline(&b, a.Timeline, guilty)
	files(&b, a.Files)
	closing(&b, a.Closing)
	return b.String()
}

// Close is the message that ends a case whose attempts have been reported.
func Close(c Closing) string {
	var b strings.Builder
	closing(&b, c)
	return b.String()
}

func closing(b *strings.Builder, c Closing) {
	field(b, "", "claim", c.Claim)
	field(b, "", "score", c.Score.String())
	name := "again"
	for _, command := range c.Again {
		// A command is never cut: it is there to be copied.
		writeLine(b, fmt.Sprintf("%-*s%s", label, name, oneLine(command)))
		name = ""
	}
}

// files writes the diff of each file, without the header that repeats its name.
func files(b *strings.Builder, diffs []FileDiff) {
	if len(diffs) == 0 {
		return
	}
	const most = 20
	writeLine(b, "files")
	for i, f := range diffs {
		if i == most {
			writeLine(b, fmt.Sprintf("  … %s", count(len(diffs)-most, "more file")))
			return
		}
		writeLine(b, "  "+oneLine(f.Path))
		for _, line := range block(withoutHeader(f.Diff)) {
			writeLine(b, "    "+line)
		}
	}
}

func withoutHeader(diff string) string {
	lines := strings.SplitN(diff, "\n", 3)
	if len(lines) == 3 && strings.HasPrefix(lines[0], "--- ") && strings.HasPrefix(lines[1], "+++ ") {
		return lines[2]
	}
	return diff
}

// bySignal groups verdicts by signal, both in the order in which they came.
func bySignal(verdicts []Verdict) [][]Verdict {
	var groups [][]Verdict
	place := make(map[string]int)
	for _, v := range verdicts {
		i, ok := place[v.Signal]
		if !ok {
			i = len(groups)
			place[v.Signal] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], v)
	}
	return groups
}

// joined puts a detail behind its reason.
func joined(reason, detail string) string {
	if detail == "" {
		return reason
	}
	return reason + ": " + detail
}
