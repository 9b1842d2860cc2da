package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/internal/inert"
	"github.com/deeds-evals/deeds/internal/overview"
	"github.com/deeds-evals/deeds/results"
)

// A comparison is what there is to say of two arms.
type comparison struct {
	*results.Comparison
	// Result says in a sentence what came of it, and Next how to go on.
	Result string `json:"result"`
	Next   string `json:"next"`
	Status int    `json:"status"`
	// Fall is what Overall.Detectable is for a rise.
	Fall results.Number `json:"detectable_fall"`

	noise bool // replicates were given
}

// regressions adds the signals that got worse by more than their floors, where there
// are some.
func (c comparison) regressions() []string {
	all := slices.Clone(c.Regressions)
	for _, row := range c.Signals {
		if row.Verdict == results.Worse && row.FloorWord != results.Within && !slices.Contains(all, row.Name) {
			all = append(all, row.Name)
		}
	}
	return all
}

func (c comparison) status(strict bool) int {
	switch {
	case c.NotComparable != "":
		return 2
	case len(c.Regressions) > 0:
		return 1
	case c.Overall.Verdict == results.InsufficientData:
		return 2
	case strict && len(c.open()) > 0:
		return 2
	}
	return 0
}

// open names the guards that are inconclusive.
func (c comparison) open() []string {
	var names []string
	for _, g := range c.Guards {
		if g.Decision == results.DecisionInconclusive {
			names = append(names, g.Name)
		}
	}
	return names
}

// conclude says what came of it, and how to go on.
func (c comparison) conclude() (result, next string) {
	o, show := c.Overall, "deeds show "+overview.Quote(last(c.Candidate.Runs))
	switch {
	case c.NotComparable != "":
		return "not comparable: " + c.NotComparable, "deeds runs"
	case len(c.Regressions) > 0:
		return "worse: " + strings.Join(c.Regressions, ", "), show
	case o.Verdict == results.InsufficientData:
		return "insufficient data: " + o.Cause, "deeds run -model=" + overview.Quote(c.Candidate.Model) + " -repeat=3"
	case len(c.open()) > 0:
		return "inconclusive: neither a fall nor its absence is shown of " + strings.Join(c.open(), ", "), c.size()
	case o.Verdict == results.Better && !c.noise:
		return fmt.Sprintf("better: overall by %s; with --noise it is held against what two runs of one model differ by", change(o.Delta)),
			fmt.Sprintf("deeds compare %s %s --noise RUN,RUN", overview.Quote(c.Base.Name), overview.Quote(c.Candidate.Name))
	case o.Verdict == results.Better && o.FloorWord == results.Within:
		return fmt.Sprintf("better: overall by %s, but within its own floor: two runs of one model differ by as much; play both arms again", change(o.Delta)),
			"deeds compare RUN,RUN RUN,RUN"
	case o.Verdict == results.Worse: // and within its own floor, or it would be a regression
		return fmt.Sprintf("worse by the test: overall by %s, p %s; but within its own floor of %s: runs of one model may differ by as much. More replicates than %s narrow it, and both arms may be played again", change(o.Delta), figure("%.2g", o.P), rate(o.Floor), number(o.FloorDF+1)),
			"deeds compare RUN,RUN RUN,RUN --noise RUN,RUN,RUN,RUN"
	case o.Verdict == results.Better:
		return fmt.Sprintf("better: overall by %s", change(o.Delta)), show
	}
	result = fmt.Sprintf("no difference detected: overall changed by %s, and only %s would have shown with %s power", change(o.Delta), c.smallest(), c.power())
	if better := c.better(); len(better) > 0 {
		result += "; better by itself: " + strings.Join(better, ", ")
	}
	return result, c.size()
}

// size is the command that tells how many units the change that was seen takes.
func (c comparison) size() string {
	delta := figure("%.3f", c.Overall.Delta)
	if !c.Overall.Delta.Known() || strings.Trim(delta, "0.") == "" {
		return "deeds noise RUN RUN"
	}
	return fmt.Sprintf("deeds power --base %s --k %d --effect %s", rate(c.Overall.Base), max(c.Base.K, 1), delta)
}

// smallest names the least change that could show.
func (c comparison) smallest() string {
	rise, fall := c.Overall.Detectable, c.Fall
	switch {
	case rise.Known() && fall.Known():
		return fmt.Sprintf("a rise of %s or a fall of %s", rate(rise), rate(fall))
	case rise.Known():
		return fmt.Sprintf("a rise of %s and no fall", rate(rise))
	case fall.Known():
		return fmt.Sprintf("a fall of %s and no rise", rate(fall))
	}
	return "nothing"
}

// power is the power at which that is said.
func (c comparison) power() string { return number(results.Number(100*c.Power)) + " %" }

func (c comparison) leastFall() results.Number {
	return leastFall(c.Overall.Base, max(1, min(c.Base.K, c.Candidate.K)), c.Overall.Paired, c.Alpha, c.Power)
}

// leastFall is the least fall that a number of units shows: falls from a rate are rises
// of what is left to one.
func leastFall(base results.Number, k, units int, alpha, power float64) results.Number {
	r, err := results.PlanPower(results.PowerOptions{Base: 1 - float64(base), K: k, Cases: units, Alpha: alpha, Power: power})
	if err != nil {
		return results.None()
	}
	return r.DetectableEffect
}

// better names the signals that got better.
func (c comparison) better() []string {
	var names []string
	for _, row := range c.Signals {
		if row.Verdict == results.Better {
			names = append(names, row.Name)
		}
	}
	return names
}

func last(names []string) string {
	if len(names) == 0 {
		return "last"
	}
	return names[len(names)-1]
}

func (c comparison) print(w io.Writer, colours bool) error {
	fmt.Fprintf(w, "base       %s: %s\n", inert.Line(c.Base.Name), inert.Line(describeArm(c.Base)))
	fmt.Fprintf(w, "candidate  %s: %s\n\n", inert.Line(c.Candidate.Name), inert.Line(describeArm(c.Candidate)))
	fmt.Fprintln(w, c.detectable())
	for _, section := range []func(io.Writer) error{c.rows, c.coverage, c.observations, c.notes, c.lost, c.changed, c.remarks, c.guards} {
		if err := section(w); err != nil {
			return err
		}
	}
	style := normal
	switch c.Status {
	case 1:
		style = red
	case 2:
		style = yellow
	}
	_, err := fmt.Fprintf(w, "\n%s\nnext       %s\n", style.paint(colours, inert.Line(c.Result)), inert.Line(c.Next))
	return err
}

// detectable says what these arms could show at all.
func (c comparison) detectable() string {
	size := fmt.Sprintf("%s in both arms, %s a unit", count(c.Paired, "unit", "units"), sides(c.Base.K, c.Candidate.K))
	if c.Overall.Verdict == results.InsufficientData {
		return "detectable: nothing, from " + size
	}
	return fmt.Sprintf("detectable: %s overall, with %s power at alpha %s, from %s", c.smallest(), c.power(), number(results.Number(c.Alpha)), size)
}

// sides spells the attempts of a unit in both arms.
func sides(base, candidate int) string {
	if base == candidate {
		return count(base, "attempt", "attempts")
	}
	return fmt.Sprintf("%d and %d attempts", base, candidate)
}

// rows prints everything that is judged: overall, the signals, the markers.
func (c comparison) rows(w io.Writer) error {
	for _, t := range []struct {
		head string
		rows []results.Row
	}{{"OVERALL", []results.Row{c.Overall}}, {"SIGNAL", c.Signals}, {"MARKER", c.Markers}} {
		cells := [][]string{{t.head, "PAIRED", "BASE", "CANDIDATE", "DELTA", c.level() + " INTERVAL", "P", "P (HOLM)", "VERDICT", "DETECTABLE RISE", "UP/DOWN/TIE"}}
		if c.noise {
			cells[0] = append(cells[0], "AGAINST ITS OWN FLOOR")
		}
		for _, r := range t.rows {
			if r.Conditional {
				continue
			}
			name := r.Name
			if t.head == "OVERALL" {
				name = "pass rate of attempts"
			}
			cells = append(cells, append([]string{
				name, paired(r), rate(r.Base), rate(r.Candidate), change(r.Delta), interval(r.Lo, r.Hi, change), sampled(r), chance(r.PHolm),
				r.Verdict, rate(r.Detectable), fmt.Sprintf("%d/%d/%d", r.Up, r.Down, r.Tie),
			}, c.floor(r)...))
		}
		if len(cells) == 1 {
			continue
		}
		fmt.Fprintln(w)
		if err := table(w, cells); err != nil {
			return err
		}
	}
	return nil
}

// level names the confidence of the intervals.
func (c comparison) level() string { return number(results.Number(100*(1-c.Alpha))) + " %" }

// paired says what a row rests on.
func paired(r results.Row) string {
	return fmt.Sprintf("%s, %s", count(r.Paired, "unit", "units"), count(r.Cases, "case", "cases"))
}

// sampled shows the p-value that decides, and marks one that is not exact.
func sampled(r results.Row) string {
	if r.P.Known() && !r.Exact {
		return "~" + chance(r.P)
	}
	return chance(r.P)
}

// floor is the last cell of a row, if there is one.
func (c comparison) floor(r results.Row) []string {
	switch {
	case !c.noise:
		return nil
	case r.Floor.Known() && r.FloorDF.Known():
		return []string{fmt.Sprintf("%s %s (df %s)", r.FloorWord, rate(r.Floor), number(r.FloorDF))}
	case r.Floor.Known():
		return []string{r.FloorWord + " " + rate(r.Floor)}
	}
	return []string{r.FloorWord}
}

// coverage prints the rows that rest on what the agent chose to do.
func (c comparison) coverage(w io.Writer) error {
	cells := [][]string{{"CONDITIONAL", "PAIRED", "BASE", "JUDGED IN", "CANDIDATE", "JUDGED IN", "DELTA", c.level() + " INTERVAL", "P (JUDGED IN)"}}
	for _, r := range slices.Concat(c.Signals, c.Markers) {
		if r.Conditional {
			cells = append(cells, []string{
				r.Name, paired(r), rate(r.Base), percent(r.BaseCoverage), rate(r.Candidate), percent(r.CandidateCoverage),
				change(r.Delta), interval(r.Lo, r.Hi, change), chance(r.CoverageP),
			})
		}
	}
	if len(cells) == 1 {
		return nil
	}
	fmt.Fprintln(w)
	if err := table(w, cells); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, "conditional rows rest on attempts that chose to act, and are not judged")
	return err
}

// observations prints how often the fact that decides was seen at all.
func (c comparison) observations(w io.Writer) error {
	if len(c.Observed) == 0 {
		return nil
	}
	cells := [][]string{{"SAW THE FACT", "BASE", "CANDIDATE"}}
	for _, o := range c.Observed {
		cells = append(cells, []string{o.Name, share(o.Base, o.BaseOf), share(o.Candidate, o.CandidateOf)})
	}
	fmt.Fprintln(w)
	return table(w, cells)
}

func share(of results.Number, n int) string {
	return fmt.Sprintf("%s of %s", percent(of), count(n, "attempt", "attempts"))
}

// notes says of each row what its figures hide.
func (c comparison) notes(w io.Writer) error {
	var notes []string
	o := c.Overall
	if o.PSignFlip.Known() {
		cases := ", nothing for new cases, since it is one"
		if o.PSignFlipCases.Known() {
			cases = fmt.Sprintf(" and %s for new cases", chance(o.PSignFlipCases))
		}
		// All of nine attempts pass less often than all of three.
		whole := "consistent verdicts are not compared, since they rest on unequal attempts"
		if c.Base.K == c.Candidate.K {
			whole = fmt.Sprintf("consistent verdicts %d up, %d down, McNemar p %s", o.McNemarUp, o.McNemarDown, chance(o.PMcNemar))
		}
		notes = append(notes, fmt.Sprintf("overall, beside it: sign-flip p %s for new units%s; %s", chance(o.PSignFlip), cases, whole))
	}
	if o.UnitsNeeded != nil && o.Verdict == results.NoDifference && o.Delta != 0 {
		notes = append(notes, fmt.Sprintf("overall: to detect the %s that was seen takes %d units", change(o.Delta), *o.UnitsNeeded))
	}
	notes = append(notes, together(slices.Concat([]results.Row{o}, c.Signals, c.Markers), c.rowNotes)...)
	if len(notes) == 0 {
		return nil
	}
	fmt.Fprintln(w)
	return bullets(w, "notes", notes)
}

// together tells notes that several rows share once, behind the names of those rows.
func together(rows []results.Row, notesOf func(results.Row) []string) (notes []string) {
	names := make(map[string][]string)
	var texts []string
	for _, r := range rows {
		for _, text := range notesOf(r) {
			if names[text] == nil {
				texts = append(texts, text)
			}
			names[text] = append(names[text], r.Name)
		}
	}
	for _, text := range texts {
		notes = append(notes, strings.Join(names[text], ", ")+": "+text)
	}
	return notes
}

func (c comparison) rowNotes(r results.Row) (notes []string) {
	if r.Cause != "" && r.Cause != c.NotComparable {
		notes = append(notes, r.Cause)
	}
	if r.Degenerate {
		notes = append(notes, "degenerate, the same in every attempt of both arms: it was not shown to be able to be otherwise")
	}
	if r.Ceiling {
		notes = append(notes, "at the ceiling: little is left to gain")
	}
	if r.WorstLo.Known() && r.WorstHi.Known() && r.Delta.Known() && (r.WorstLo < r.Delta-0.0005 || r.WorstHi > r.Delta+0.0005) {
		what := "with what was lost"
		if r.Conditional {
			what = "with the attempts that had nothing to judge"
		}
		notes = append(notes, fmt.Sprintf("%s, the change lies between %s and %s at worst", what, change(r.WorstLo), change(r.WorstHi)))
	}
	return notes
}

// bullets lists sentences under a word.
func bullets(w io.Writer, head string, all []string) error {
	_, err := fmt.Fprintln(w, head)
	for _, text := range all {
		_, err = fmt.Fprintln(w, "  "+inert.Line(text))
	}
	return err
}

func (c comparison) lost(w io.Writer) error {
	return leftOut(w, fmt.Sprintf("lost       %s", count(len(c.Lost), "unit", "units")), c.Lost)
}

func (c comparison) changed(w io.Writer) error {
	return leftOut(w, fmt.Sprintf("changed    %s, and not comparable", count(len(c.Changed), "unit", "units")), c.Changed)
}

// leftOut lists units that are left out. Of many only the first are named.
func leftOut(w io.Writer, head string, units []results.LostUnit) error {
	if len(units) == 0 {
		return nil
	}
	const few = 8
	var lines []string
	for _, u := range units[:min(few, len(units))] {
		lines = append(lines, u.Unit+": "+u.Why)
	}
	if len(units) > few {
		lines = append(lines, fmt.Sprintf("and %d more, which --json lists", len(units)-few))
	}
	fmt.Fprintln(w)
	return bullets(w, head, lines)
}

func (c comparison) remarks(w io.Writer) error { return remarks(w, c.Remarks) }

func remarks(w io.Writer, all []string) error {
	if len(all) == 0 {
		return nil
	}
	fmt.Fprintln(w)
	return bullets(w, "remarks", all)
}

func (c comparison) guards(w io.Writer) error {
	if len(c.Guards) == 0 {
		return nil
	}
	cells := [][]string{{"GUARD", "MARGIN", "DELTA", "AT LEAST", "P (FELL BY IT)", "P (DID NOT FALL)", "DECISION", ""}}
	for _, g := range c.Guards {
		cells = append(cells, []string{g.Name, number(results.Number(g.Margin)), change(g.Delta), change(g.Lower), chance(g.P), chance(g.PHarm), g.Decision, g.Why})
	}
	fmt.Fprintln(w)
	return table(w, cells)
}
