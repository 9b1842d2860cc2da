package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/deeds-evals/deeds/internal/overview"
	"github.com/deeds-evals/deeds/results"
)

// A summary is what there is to know about a run at its end. The names of its JSON are
// older than those of an overview, and scripts rely on them.
type summary struct {
	runRow
	Signals []results.SignalTotal `json:"signals"`
	// Conditional expectations, and how often there was something to judge.
	Conditional []results.Coverage `json:"conditional"`
	// Missing folders have cases in the suite, and left no plan.
	Missing []string `json:"missing"`
	// Skipped cases lie in folders that were asked for whole, and were not planned.
	Skipped []string `json:"skipped,omitempty"`
	// Remark is what else is to be said, in one sentence.
	Remark string `json:"remark,omitempty"`
	// Published says how the entries of the scoreboard stand that the run is in.
	Published []string `json:"published,omitempty"`
	// Next is the command to go on with.
	Next string `json:"next"`
	// Status is the exit status.
	Status int `json:"status"`

	TookMS   float64          `json:"took_ms"`
	Commit   string           `json:"commit,omitempty"`
	Dirty    bool             `json:"dirty,omitempty"`
	Settings results.Settings `json:"settings"`
	// Arms are the models, each with its signals, what disagrees with itself, and what
	// was slow or dear.
	Arms []overview.Arm `json:"arms"`

	overview *overview.Overview
}

func summarize(info results.RunInfo, run *results.Run) *summary {
	o := overview.Of(info, run)
	s := &summary{
		runRow: newRunRow(info, run), Signals: run.Signals(), Conditional: run.Conditional(), Missing: o.Missing, Skipped: run.Skipped(), Next: o.Next,
		TookMS: o.TookMS, Commit: o.Commit, Dirty: o.Dirty, Settings: o.Settings, Arms: o.Arms, overview: o,
	}
	return s
}

// print shows the overview of the run.
func (s *summary) print(w io.Writer, colours bool, dir string) error {
	o := *s.overview
	o.Remark, o.Published = s.Remark, s.Published
	fmt.Fprintln(w)
	return o.Text(w, overview.Style{Colour: colours, Width: columns(w), Dir: dir})
}

// incomplete says what keeps a run from being whole, if anything does.
func (s *summary) incomplete(allPackages bool) (what, hint string) {
	var slots, notRun int
	for _, t := range s.Totals {
		slots, notRun = slots+t.Slots, notRun+t.NotRun
	}
	switch {
	case slots == 0:
		return "nothing was planned: no case matched", "take a filter away, or see `deeds cases` for what there is"
	case notRun > 0 && s.Stopped != "":
		return fmt.Sprintf("%d of %s not run: %s", notRun, count(slots, "attempt was", "attempts were"), s.Stopped), ""
	case notRun > 0:
		return fmt.Sprintf("%d of %s not run", notRun, count(slots, "attempt was", "attempts were")), "the output of go test says why"
	case len(s.Skipped) > 0:
		return fmt.Sprintf("%s never came to be played: %s", count(len(s.Skipped), "case", "cases"), some(s.Skipped)), "a test that is skipped measures nothing: leave it out by -skip, or let it be played"
	case allPackages && len(s.Missing) > 0:
		return "cases in " + strings.Join(s.Missing, ", ") + " were not run: they left no plan", "the output of go test says why"
	}
	return "", ""
}

// open says what keeps a run open of which all was played: attempts that are void. go
// test is red where one of them was just played, and does not see the others.
func (s *summary) open() (what, hint string) {
	var slots, void int
	for _, t := range s.Totals {
		slots, void = slots+t.Slots, void+t.Void
	}
	if void == 0 {
		return "", ""
	}
	return fmt.Sprintf("%d of %s %s void", void, count(slots, "attempt", "attempts"), map[bool]string{true: "is", false: "are"}[void == 1]), "deeds run -resume=" + s.ID + " plays what is open"
}

// dash shows a zero as something that the eye skips.
func dash(n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}
