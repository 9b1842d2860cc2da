package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/internal/inert"
	"github.com/deeds-evals/deeds/results"
)

// A summary is what there is to know about a run at its end.
type summary struct {
	runRow
	Signals []results.SignalTotal `json:"signals"`
	// Conditional expectations, and how often there was something to judge.
	Conditional []results.Coverage `json:"conditional"`
	// Missing folders have cases in the suite, and left no plan.
	Missing []string `json:"missing"`
	// Remark is what else is to be said, in one sentence.
	Remark string `json:"remark,omitempty"`
	// Published says how the entries of the scoreboard stand that the run is in.
	Published []string `json:"published,omitempty"`
	// Next is the command to go on with.
	Next string `json:"next"`
	// Status is the exit status.
	Status int `json:"status"`
	// worst is the unit to look at first.
	worst *results.Unit
}

func summarize(info results.RunInfo, run *results.Run) *summary {
	s := &summary{runRow: newRunRow(info, run), Signals: run.Signals(), Conditional: run.Conditional(), Missing: run.Missing()}
	if s.Missing == nil {
		s.Missing = []string{}
	}
	units := run.Units()
	for _, bad := range []func(results.UnitResult) bool{
		func(u results.UnitResult) bool { return u.Tally.Failed > 0 },
		func(u results.UnitResult) bool { return u.Voids > 0 },
	} {
		if i := slices.IndexFunc(units, bad); i >= 0 {
			s.worst = &units[i].Unit
			break
		}
	}
	s.Next = "deeds show " + info.ID
	for _, t := range s.Totals {
		if t.NotRun > 0 && s.Kind != results.Replayed {
			s.Next = "deeds run -resume=" + info.ID
			return s
		}
	}
	if s.worst != nil {
		s.Next = showUnit(info.ID, *s.worst, len(s.Models) > 1)
	}
	return s
}

// showUnit is the command that shows a unit.
func showUnit(id string, u results.Unit, models bool) string {
	words := []string{"deeds show", id, u.Case}
	if u.World != "" {
		words = append(words, "--world", quote(u.World))
	}
	if u.Variant != "" {
		words = append(words, "--variant", quote(u.Variant))
	}
	if models {
		words = append(words, "--model", quote(u.Model))
	}
	return strings.Join(words, " ")
}

// quote quotes a word for a POSIX shell if it needs it.
func quote(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.,:/@%+=") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
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

func (s *summary) print(w io.Writer, colours bool, dir string) error {
	fmt.Fprintf(w, "\n%s  %s\n", bold.paint(colours, "run "+s.ID), s.Kind)
	for _, t := range s.Totals {
		fmt.Fprintf(w, "\n%s\n\n", inert.Line(t.Model+" in "+t.Agent))
		if err := s.signals(w, t); err != nil {
			return err
		}
		if err := s.coverage(w, t); err != nil {
			return err
		}
		if err := s.counts(w, t); err != nil {
			return err
		}
	}
	fmt.Fprintln(w)
	if len(s.Missing) > 0 {
		fmt.Fprintf(w, "not played %s\n", inert.Line(strings.Join(s.Missing, ", ")))
	}
	if s.Stopped != "" {
		fmt.Fprintf(w, "stopped    %s\n", inert.Line(s.Stopped))
	}
	if s.Torn > 0 {
		fmt.Fprintf(w, "torn       %s dropped\n", count(s.Torn, "line was", "lines were"))
	}
	if s.Remark != "" {
		fmt.Fprintf(w, "remark     %s\n", inert.Line(s.Remark))
	}
	for _, p := range s.Problems {
		fmt.Fprintf(w, "problem    %s\n", inert.Line(p))
	}
	for _, p := range s.Published {
		fmt.Fprintf(w, "scoreboard %s\n", inert.Line(p))
	}
	fmt.Fprintf(w, "evidence   %s\n", inert.Line(dir))
	_, err := fmt.Fprintf(w, "next       %s\n", inert.Line(s.Next))
	return err
}

// signals prints the table of one model. Every count is one of units, except the
// attempts.
func (s *summary) signals(w io.Writer, t results.Totals) error {
	rows := [][]string{{"SIGNAL", "PASSED", "FAILED", "SPLIT", "N/A", "NOT MEASURED", "ATTEMPTS"}}
	for _, g := range s.Signals {
		if g.Model == t.Model && g.Agent == t.Agent {
			rows = append(rows, []string{
				g.Signal, fmt.Sprintf("%d/%d", g.Passed, g.Units), dash(g.Failed), dash(g.Split), dash(g.NA), dash(g.NotMeasured), fmt.Sprint(g.Attempts),
			})
		}
	}
	rows = append(rows, []string{"(whole unit)", fmt.Sprintf("%d/%d", t.Passed, t.Units), dash(t.Failed), dash(t.Split), "", dash(t.NotMeasured), fmt.Sprint(t.Pass + t.Fail)})
	return table(w, rows)
}

// coverage prints how often each conditional expectation of one model was judged.
func (s *summary) coverage(w io.Writer, t results.Totals) error {
	rows := [][]string{{"CONDITIONAL", "CASE", "PASSED", "JUDGED IN"}}
	for _, c := range s.Conditional {
		if c.Model == t.Model && c.Agent == t.Agent {
			rows = append(rows, []string{c.Name, c.Case, fmt.Sprintf("%d/%d", c.Passed, c.Judged), fmt.Sprintf("%d of %s", c.Judged, count(c.Of, "attempt", "attempts"))})
		}
	}
	if len(rows) == 1 {
		return nil
	}
	fmt.Fprintln(w)
	return table(w, rows)
}

// dash shows a zero as something that the eye skips.
func dash(n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}

// counts prints what became of the attempts of one model.
func (s *summary) counts(w io.Writer, t results.Totals) error {
	line := fmt.Sprintf("\n%s planned: %d passed, %d failed, %d void", count(t.Slots, "attempt", "attempts"), t.Pass, t.Fail, t.Void)
	if len(t.Reasons) > 0 {
		var why []string
		for reason, n := range t.Reasons {
			why = append(why, fmt.Sprintf("%s %d", reason, n))
		}
		slices.Sort(why)
		line += " (" + strings.Join(why, ", ") + ")"
	}
	line += fmt.Sprintf(", %d not run", t.NotRun)
	if t.NotRun > 0 && s.Stopped != "" {
		line += " (" + s.Stopped + ")"
	}
	if t.Rerolls > 0 {
		line += fmt.Sprintf("; %s, not counted", count(t.Rerolls, "reroll", "rerolls"))
	}
	_, err := fmt.Fprintln(w, inert.Text(line))
	return err
}
