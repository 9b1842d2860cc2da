package overview

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/deeds-evals/deeds/internal/inert"
	"github.com/deeds-evals/deeds/internal/report"
	"github.com/deeds-evals/deeds/results"
)

// Text shows the overview to whoever reads a terminal or a log. It is one write.
func (o *Overview) Text(w io.Writer, s Style) error {
	var b strings.Builder
	b.WriteString(s.paint(bold, "run "+inert.Line(o.Run)) + "  " + inert.Line(o.about()) + "\n")
	for i := range o.Arms {
		o.arm(&b, s, &o.Arms[i])
	}
	b.WriteByte('\n')
	o.closing(&b, s)
	_, err := io.WriteString(w, b.String())
	return err
}

// about says what kind of run it is, how long it took, and of which source.
func (o *Overview) about() string {
	words := []string{o.Kind}
	if o.TookMS > 0 {
		words = append(words, Duration(o.TookMS))
	}
	switch {
	case o.Commit != "" && o.Dirty:
		words = append(words, "commit "+short(o.Commit)+", dirty")
	case o.Commit != "":
		words = append(words, "commit "+short(o.Commit))
	}
	return strings.Join(words, "  ")
}

func short(commit string) string {
	if len(commit) > 12 {
		return commit[:12]
	}
	return commit
}

// Duration shows milliseconds as every report does: 1m03s.
func Duration(ms float64) string {
	return report.Duration(time.Duration(ms * float64(time.Millisecond)))
}

// label is the width of the column that names what follows.
const label = 11

// field writes what follows behind its name, and nothing where nothing follows. On a
// terminal it goes on under itself.
func (s Style) field(b *strings.Builder, name, text string) {
	text = inert.Line(text)
	for head := name; text != ""; head = "" {
		line := text
		if s.Width > 0 {
			line = s.wrap(text)
		}
		fmt.Fprintf(b, "%-*s%s\n", label, head, line)
		text = strings.TrimPrefix(text[len(line):], " ")
	}
}

// wrap is the beginning of a text that fits behind a name, up to a space if it can.
func (s Style) wrap(text string) string {
	left := max(s.Width-label, 20)
	runes := []rune(text)
	if len(runes) <= left {
		return text
	}
	head := string(runes[:left])
	if runes[left] == ' ' {
		return head
	}
	if i := strings.LastIndexByte(head, ' '); i > 0 {
		return head[:i]
	}
	return head
}

// copied writes what is there to be copied, whole.
func (s Style) copied(b *strings.Builder, name, text string) {
	s.Width = 0
	s.field(b, name, text)
}

func (o *Overview) arm(b *strings.Builder, s Style, a *Arm) {
	fmt.Fprintf(b, "\n%s in %s\n\n", s.paint(bold, inert.Line(a.Model)), inert.Line(a.Agent))
	s.columns(b, "", a.table())
	if len(a.Conditional) > 0 {
		b.WriteByte('\n')
		s.columns(b, "", a.coverage())
	}
	b.WriteByte('\n')
	s.field(b, "attempts", o.attempts(a))
	if a.Plays > 0 {
		s.field(b, "spent", a.spent())
	}
	if a.TimeMS.N > 0 {
		s.field(b, "typical", a.typical())
	}
	units := len(a.Failing) + len(a.Splits) + len(a.Voided)
	if units > 0 {
		b.WriteByte('\n')
	}
	s.units(b, "failing", red, a.Failing)
	s.units(b, "split", yellow, a.Splits)
	s.units(b, "void", yellow, a.Voided)
	if len(a.Slowest)+len(a.Dearest) > 0 {
		b.WriteByte('\n')
	}
	s.attempts(b, "slowest", a.Slowest)
	s.attempts(b, "dearest", a.Dearest)
}

// table is that of the signals. Every count is one of units.
func (a *Arm) table() [][]cell {
	rows := [][]cell{{{text: "SIGNAL"}, {text: "PASSED"}, {text: "95 %"}, {text: "FAILED"}, {text: "SPLIT"}, {text: "N/A"}, {text: "NOT MEASURED"}}}
	row := func(name string, s results.SignalTotal, lo, hi results.Number) {
		colour := yellow
		switch {
		case s.Failed > 0:
			colour = red
		case s.Passed == s.Units:
			colour = green
		}
		rows = append(rows, []cell{
			{text: name}, {measured(s.Passed, s.Failed, s.Units).String(), colour}, {text: Percents(lo, hi)},
			{text: dash(s.Failed)}, {text: dash(s.Split)}, {text: dash(s.NA)}, {text: dash(s.NotMeasured)},
		})
	}
	for _, g := range a.Signals {
		row(g.Signal, g.SignalTotal, g.Lo, g.Hi)
	}
	lo, hi := a.interval()
	row(WholeUnit, results.SignalTotal{Units: a.Units, Passed: a.Passed, Failed: a.Failed, Split: a.Split, NotMeasured: a.NotMeasured}, lo, hi)
	return rows
}

// coverage says how often each conditional expectation was judged.
func (a *Arm) coverage() [][]cell {
	rows := [][]cell{{{text: "CONDITIONAL"}, {text: "CASE"}, {text: "PASSED"}, {text: "JUDGED IN"}}}
	for _, c := range a.Conditional {
		rows = append(rows, []cell{{text: c.Name}, {text: c.Case}, {text: fmt.Sprintf("%d/%d", c.Passed, c.Judged)}, {text: fmt.Sprintf("%d of %s", c.Judged, count(c.Of, "attempt"))}})
	}
	return rows
}

// attempts says what became of every planned attempt.
func (o *Overview) attempts(a *Arm) string {
	planned := grouped(a.Slots-a.Unplanned) + " planned"
	if a.Unplanned > 0 {
		planned += " and " + grouped(a.Unplanned) + " in no plan"
	}
	text := fmt.Sprintf("%s: %s passed, %s failed, %s void", planned, grouped(a.Pass), grouped(a.Fail), grouped(a.Void))
	if why := a.why(); len(why) > 0 {
		text += " (" + strings.Join(why, ", ") + ")"
	}
	text += fmt.Sprintf(", %s not run", grouped(a.NotRun))
	if a.NotRun > 0 && o.Stopped != "" {
		text += " (" + o.Stopped + ")"
	}
	if a.Rerolls > 0 {
		text += fmt.Sprintf("; %s, not counted", count(a.Rerolls, "reroll"))
	}
	return text
}

// why counts the void attempts by reason.
func (a *Arm) why() []string {
	var all []string
	for reason, n := range a.Reasons {
		all = append(all, fmt.Sprintf("%s %d", reason, n))
	}
	slices.Sort(all)
	return all
}

// spent says what all plays took together.
func (a *Arm) spent() string {
	text := fmt.Sprintf("%s (%s in, %s out)", count(a.PromptTokens+a.CompletionTokens, "token"), grouped(a.PromptTokens), grouped(a.CompletionTokens))
	if a.TokensUnknown > 0 {
		text += fmt.Sprintf(", unknown of %s", count(a.TokensUnknown, "play"))
	}
	switch {
	case a.Cost == nil:
		text += "; cost unknown"
	case a.CostUnknown > 0:
		text += fmt.Sprintf("; %s, unknown of %s", dollars(*a.Cost), count(a.CostUnknown, "play"))
	default:
		text += "; " + dollars(*a.Cost)
	}
	return text
}

// typical says what an attempt takes.
func (a *Arm) typical() string {
	takes := func(ms, turns, tokens results.Number) string {
		text := Duration(float64(ms)) + ", " + count(int(turns), "turn")
		if tokens.Known() && a.Tokens.P90 > 0 {
			text += ", " + count(int(tokens), "token")
		}
		return text
	}
	return "half within " + takes(a.TimeMS.P50, a.Turns.P50, a.Tokens.P50) + "; 90 % within " + takes(a.TimeMS.P90, a.Turns.P90, a.Tokens.P90)
}

// units lists units that a reader should look at.
func (s Style) units(b *strings.Builder, name, colour string, units []Unit) {
	if len(units) == 0 {
		return
	}
	most := s.most(len(units))
	var rows [][]cell
	for _, u := range units[:most] {
		outcomes := tally(u.Outcomes)
		about := strings.Join(u.Signals, ", ")
		if len(u.Reasons) > 0 {
			about = strings.TrimPrefix(about+" ("+strings.Join(u.Reasons, ", ")+")", " ")
		}
		rows = append(rows, []cell{{text: u.name()}, {outcomes, colour}, {about, faint}})
	}
	s.list(b, name, rows, len(units)-most, "unit")
}

// list writes rows behind a name, and how many more there are.
func (s Style) list(b *strings.Builder, name string, rows [][]cell, more int, noun string) {
	used := label
	for i := range rows[0][:len(rows[0])-1] {
		wide := 0
		for _, row := range rows {
			wide = max(wide, len([]rune(inert.Line(row[i].text))))
		}
		used += wide + 2
	}
	for _, row := range rows {
		last := &row[len(row)-1]
		last.text = s.fit(inert.Line(last.text), used)
	}
	var text strings.Builder
	s.columns(&text, strings.Repeat(" ", label), rows)
	if more > 0 {
		fmt.Fprintf(&text, "%*sand %s more\n", label, "", count(more, noun))
	}
	b.WriteString(fmt.Sprintf("%-*s", label, name) + text.String()[label:])
}

// name is that of a unit without its model.
func (u Unit) name() string { return place(u.Case, u.World, u.Variant) }

func place(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "/")
}

// tally counts outcomes in the order in which a reader cares: "2 fail, 1 pass".
func tally(outcomes []string) string {
	var all []string
	for _, outcome := range []string{results.Fail, results.Void, results.Pass, results.NotRun} {
		n := 0
		for _, o := range outcomes {
			if o == outcome {
				n++
			}
		}
		if n > 0 {
			all = append(all, grouped(n)+" "+outcome)
		}
	}
	return strings.Join(all, ", ")
}

// attempts lists the first of the attempts that stand out.
func (s Style) attempts(b *strings.Builder, name string, attempts []Attempt) {
	const most = 3
	if len(attempts) == 0 {
		return
	}
	var rows [][]cell
	for _, a := range attempts[:min(most, len(attempts))] {
		row := []cell{{text: a.Name()}, {text: Duration(a.TimeMS)}, {text: count(a.Tokens, "token")}}
		if a.Cost != nil {
			row[2].text += ", " + dollars(*a.Cost)
		}
		rows = append(rows, append(row, cell{text: a.Outcome}))
	}
	s.list(b, name, rows, 0, "attempt")
}

// Name names the attempt within its run: case, world, variant and number.
func (a Attempt) Name() string {
	return place(a.Case, a.World, a.Variant, fmt.Sprint(a.Attempt))
}

func (o *Overview) closing(b *strings.Builder, s Style) {
	if len(o.Missing) > 0 {
		s.field(b, "not played", strings.Join(o.Missing, ", "))
	}
	if o.Stopped != "" {
		s.field(b, "stopped", o.Stopped)
	}
	if o.Torn > 0 {
		was := " was dropped"
		if o.Torn > 1 {
			was = " were dropped"
		}
		s.field(b, "torn", count(o.Torn, "line")+was)
	}
	if o.Remark != "" {
		s.field(b, "remark", o.Remark)
	}
	for _, p := range o.Problems {
		s.field(b, "problem", p)
	}
	for _, p := range o.Published {
		s.field(b, "scoreboard", p)
	}
	dir := o.Dir
	if s.Dir != "" {
		dir = s.Dir
	}
	s.copied(b, "evidence", dir)
	s.copied(b, "next", s.command(o.Next))
}
