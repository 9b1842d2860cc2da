package page

import (
	"fmt"
	"math"

	"github.com/deeds-evals/deeds/results"
)

// mostArms is how many models are held against the first of them unasked.
const mostArms = 8

// between compares the first model of the run with each of the others. What cannot be
// compared is said in why.
func between(run *results.Run) (all []*results.Comparison, why []string) {
	models := run.Models()
	if len(models) < 2 {
		return nil, nil
	}
	if more := len(models) - 1 - mostArms; more > 0 {
		why = append(why, fmt.Sprintf("%s more can be compared by `deeds compare`.", count(more, "model", "models")))
		models = models[:1+mostArms]
	}
	base, err := results.NewArm(models[0], []*results.Run{run}, models[0])
	if err != nil {
		return nil, append(why, "The models are not compared: "+err.Error()+".")
	}
	for _, model := range models[1:] {
		arm, err := results.NewArm(model, []*results.Run{run}, model)
		if err == nil {
			var c *results.Comparison
			if c, err = results.Compare(base, arm, results.CompareOptions{}); err == nil {
				all = append(all, c)
				continue
			}
		}
		why = append(why, fmt.Sprintf("%s is not compared: %v.", model, err))
	}
	return all, why
}

// A comparison is one as it is drawn.
type comparison struct {
	*results.Comparison
	Base, Candidate string // of the arms
	Rows            []comparisonRow
	Markers         []comparisonRow
	Span            int // the axis goes from -Span to +Span percentage points
}

// A compareHead is the head of a table of rows.
type compareHead struct {
	What string // a row is
	Span int
}

// Head is the head of the table of signals, or of markers.
func (c comparison) Head(what string) compareHead { return compareHead{what, c.Span} }

// A comparisonRow has its interval in per mille of the axis.
type comparisonRow struct {
	results.Row
	Drawn      bool
	Lo, Hi, At int
	Class      string
	PHolm      string
	Change     string
	Range      string
}

func draw(all []*results.Comparison) []comparison {
	out := make([]comparison, 0, len(all))
	for _, c := range all {
		d := comparison{Comparison: c, Base: c.Base.Name, Candidate: c.Candidate.Name, Span: span(c)}
		rows := append([]results.Row{c.Overall}, c.Signals...)
		for _, r := range rows {
			d.Rows = append(d.Rows, newComparisonRow(r, d.Span))
		}
		for _, r := range c.Markers {
			d.Markers = append(d.Markers, newComparisonRow(r, d.Span))
		}
		out = append(out, d)
	}
	return out
}

// span is the least of a few that holds every interval.
func span(c *results.Comparison) int {
	most := 0.0
	for _, r := range append([]results.Row{c.Overall}, c.Signals...) {
		for _, n := range []results.Number{r.Lo, r.Hi, r.Delta} {
			if n.Known() {
				most = max(most, math.Abs(float64(n)))
			}
		}
	}
	for _, s := range []int{10, 25, 50} {
		if most <= float64(s)/100 {
			return s
		}
	}
	return 100
}

func newComparisonRow(r results.Row, span int) comparisonRow {
	at := func(n results.Number) int {
		return int(math.Round(500 + 500*100*float64(n)/float64(span)))
	}
	within := func(n int) int { return max(0, min(1000, n)) }
	out := comparisonRow{Row: r, Class: "same", PHolm: chance(r.PHolm), Change: points(r.Delta), Range: absent}
	switch r.Verdict {
	case results.Better:
		out.Class = "better"
	case results.Worse:
		out.Class = "worse"
	case results.InsufficientData:
		out.Class = "unknown"
	}
	if r.Delta.Known() {
		out.Drawn = true
		out.At = within(at(r.Delta))
		out.Lo, out.Hi = out.At, out.At
	}
	if r.Lo.Known() && r.Hi.Known() {
		out.Lo, out.Hi = within(at(r.Lo)), within(at(r.Hi))
		out.Range = points(r.Lo) + " to " + points(r.Hi)
	}
	return out
}
