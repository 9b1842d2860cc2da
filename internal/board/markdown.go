package board

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/deeds-evals/deeds/internal/inert"
	"github.com/deeds-evals/deeds/results"
)

const head = "# Scoreboard\n\n" +
	"Made from the files in `scoreboard/`, which hold every attempt. `deeds scoreboard` checks it, `deeds scoreboard --render` makes it anew.\n\n" +
	"A unit, which is a case in one world and variant, has credit if all three attempts passed. The score is the share of today's units that have it, " +
	"with an exact 95 % interval (Clopper and Pearson). An attempt is its first pass or fail: what was played after that is a reroll and counts nowhere. " +
	"An entry is certified if it has 80 %, lacks nothing, and can be trusted in every attempt. " +
	"The rank is 1 and one more for each model that is significantly better (exact permutation within units, 5 % over all pairs by Holm): equal ranks are ties, whatever the scores.\n"

// Markdown is the page as results/SCOREBOARD.md has it.
func (p Page) Markdown() []byte {
	var b bytes.Buffer
	b.WriteString(head)
	b.WriteString("\n| rank | model | agent | score | 95 % interval | certified | stale | rerolls | retired |\n|---:|---|---|---:|---|---|---:|---:|---|\n")
	for _, l := range p.Lines {
		row(&b, l.Place(), code(l.Name()), code(l.Agent), l.Score(), l.Interval(), l.Certified(),
			fmt.Sprint(len(l.Aggregates.Stale)), fmt.Sprint(l.Aggregates.Rerolls), times(len(l.Retired)))
	}
	for _, l := range p.Lines {
		l.markdown(&b)
	}
	return b.Bytes()
}

func (l Line) markdown(b *bytes.Buffer) {
	fmt.Fprintf(b, "\n## %s\n\n", code(l.Name()))
	if l.Aggregates.Certified {
		b.WriteString("Certified.\n")
	} else {
		b.WriteString("Not certified:\n\n")
		for _, why := range l.Aggregates.Why {
			fmt.Fprintf(b, "- %s\n", plain(why))
		}
	}
	if ratios := append(append([]results.Ratio{}, l.Aggregates.Packages...), l.Aggregates.Signals...); len(ratios) > 0 {
		b.WriteString("\n| package or signal | credited | units |\n|---|---:|---:|\n")
		for _, r := range ratios {
			row(b, code(r.Name), fmt.Sprint(r.Credited), fmt.Sprint(r.Units))
		}
	}
	b.WriteString("\n| of the attempts that count | n | p50 | p90 | p99 |\n|---|---:|---:|---:|---:|\n")
	for _, m := range l.Measures() {
		row(b, append([]string{m.Name}, m.Cells()...)...)
	}
	b.WriteString("\n")
	for _, f := range l.Facts() {
		fmt.Fprintf(b, "- %s: %s\n", f.Name, plain(f.Text))
	}
	for _, r := range l.Retired {
		fmt.Fprintf(b, "  - %s\n", plain(Says(r)))
	}
}

func row(b *bytes.Buffer, cells ...string) {
	fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
}

// code is text in a code span, in which nothing else means anything. A bar would end
// the cell of a table all the same.
func code(s string) string {
	s = inert.Line(s)
	if strings.TrimSpace(s) == "" {
		return "(none)"
	}
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		s = " " + s + " "
	}
	return fence + strings.ReplaceAll(s, "|", `\|`) + fence
}

// special are the characters that Markdown gives a meaning within a line.
var special = func() *strings.Replacer {
	var pairs []string
	for _, c := range "\\`*_{}[]<>#|~&!@$^" {
		pairs = append(pairs, string(c), `\`+string(c))
	}
	return strings.NewReplacer(append(pairs, "://", `\://`, "www.", `www\.`)...)
}()

// plain is text in which nothing means anything.
func plain(s string) string { return special.Replace(inert.Line(s)) }
