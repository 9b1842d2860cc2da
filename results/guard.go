package results

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/internal/spelling"
	"github.com/deeds-evals/deeds/internal/stats"
)

// guards finds the rows that must not fall. A name is that of a row, with "signal:" or
// "marker:" in front where both have it.
func (c *comparer) guards() ([]rowKey, error) {
	keys := append([]rowKey{everything}, rowKeys(c.base, c.candidate)...)
	var found []rowKey
	for _, name := range c.o.Guards {
		var fits []rowKey
		for _, k := range keys {
			if k.name == name || k.full() == name {
				fits = append(fits, k)
			}
		}
		switch {
		case len(fits) == 0:
			var names []string
			for _, k := range keys {
				names = append(names, k.name)
			}
			return nil, unknown("guard", name, names)
		case len(fits) > 1:
			return nil, fmt.Errorf("the guard %q is a signal and a marker: say %s or %s", name, fits[0].full(), fits[1].full())
		case slices.Contains(found, fits[0]):
			return nil, fmt.Errorf("the guard %q is given twice", name)
		}
		found = append(found, fits[0])
	}
	return found, nil
}

// full returns the name with its kind in front.
func (k rowKey) full() string {
	switch k.kind {
	case signalRow:
		return "signal:" + k.name
	case markerRow:
		return "marker:" + k.name
	}
	return k.name
}

// guard decides the guards: a test of non-inferiority with a margin, Holm over the
// family. What it cannot tell is inconclusive, never a pass.
//
// Overall needs no guard: a model that is worse regressed, whether or not anyone
// thought of naming it.
func (c *comparer) guard(r *Comparison, keys []rowKey) {
	var inferior, harm []float64
	for _, k := range keys {
		g, row := GuardResult{Name: k.name, Margin: c.o.Margin, Delta: None(), Lower: None(), P: None(), PHarm: None()}, r.find(k)
		if row != nil {
			g.Delta, g.CannotFail = row.Delta, row.Degenerate
		}
		if row == nil || row.Verdict == InsufficientData || row.Verdict == Conditional {
			inferior, harm = append(inferior, float64(None())), append(harm, float64(None()))
		} else {
			pairs, _ := c.gather(k).pairs()
			m := stats.NonInferior(pairs, c.o.Margin, 1-c.o.Alpha, c.seed(k.name, "guard"))
			g.Lower = Number(m.Lower)
			inferior, harm = append(inferior, m.PNonInferior), append(harm, m.PHarm)
		}
		r.Guards = append(r.Guards, g)
	}
	inferior, harm = stats.Holm(inferior), stats.Holm(harm)
	for i := range r.Guards {
		g := &r.Guards[i]
		g.P, g.PHarm = Number(inferior[i]), Number(harm[i])
		g.decide(r.find(keys[i]), c.o.Alpha)
		if g.Decision == DecisionFail {
			r.Regressions = append(r.Regressions, g.Name)
		}
	}
	if o := r.Overall; !slices.Contains(keys, everything) && o.Verdict == Worse && o.FloorWord != Within {
		r.Regressions = append(r.Regressions, Overall)
	}
}

func (g *GuardResult) decide(row *Row, alpha float64) {
	fell := g.PHarm.Known() && float64(g.PHarm) <= alpha || row != nil && row.Verdict == Worse
	g.Decision = DecisionInconclusive
	switch {
	case row == nil:
		g.Why = "nothing of it is comparable"
	case row.Verdict == InsufficientData:
		g.Why = row.Cause
	case row.Verdict == Conditional:
		g.Why = "it is conditional: what it judges depends on what the agent chose to do"
	case g.CannotFail && row.Base == 0:
		g.Why = "it never passed in either arm, and cannot fall"
	case g.P.Known() && float64(g.P) <= alpha:
		g.Decision = DecisionPass
		g.Why = fmt.Sprintf("a fall of %.3g is excluded", g.Margin)
		if fell {
			g.Why = fmt.Sprintf("it fell, but a fall of %.3g is excluded", g.Margin)
		}
	case fell && row.FloorWord == Within:
		g.Why = "it fell by less than what runs of one model differ by"
	case fell:
		g.Decision = DecisionFail
		g.Why = "it fell, by more than chance"
	default:
		g.Why = fmt.Sprintf("neither a fall nor its absence is shown: a fall of %.3g is not excluded", g.Margin)
	}
	if g.CannotFail && row != nil && row.Base > 0 {
		g.Why += "; it passed everywhere in both arms, so it was not seen to be able to fail"
	}
}

// find returns the row of a key, nil where there is none.
func (r *Comparison) find(k rowKey) *Row {
	return rowIn(k, &r.Overall, r.Signals, r.Markers, func(row *Row) string { return row.Name })
}

// rowIn finds a row of a report by its kind and name.
func rowIn[T any](k rowKey, overall *T, signals, markers []T, name func(*T) string) *T {
	rows := signals
	switch k.kind {
	case overallRow:
		return overall
	case markerRow:
		rows = markers
	}
	for i := range rows {
		if name(&rows[i]) == k.name {
			return &rows[i]
		}
	}
	return nil
}

// unknown is the error for a name that there is not, with the nearest ones there are.
func unknown(what, name string, names []string) error {
	const shown = 3
	names = slices.Clone(names)
	slices.SortStableFunc(names, func(a, b string) int { return spelling.Distance(name, a) - spelling.Distance(name, b) })
	names = slices.Compact(names)
	return fmt.Errorf("there is no %s %q; the nearest are: %s", what, name, strings.Join(names[:min(shown, len(names))], ", "))
}
