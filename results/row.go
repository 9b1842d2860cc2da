package results

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/internal/stats"
)

// rowData is what a row rests on.
type rowData struct {
	units       []rowUnit
	conditional bool
}

// A rowUnit is what both arms say of one row of one unit.
type rowUnit struct {
	key             unitKey
	base, candidate tally
	whole           bool // both arms could judge it
}

// gather collects what there is on a row, over everything that was planned.
func (c *comparer) gather(k rowKey) rowData {
	declared := c.base.declares(k) || c.candidate.declares(k)
	d := rowData{conditional: declared}
	for _, u := range c.units {
		if (u.base == nil || !c.base.has(u.base, k)) && (u.candidate == nil || !c.candidate.has(u.candidate, k)) {
			continue
		}
		v := rowUnit{key: u.key}
		if u.base != nil {
			v.base = c.base.tally(u.base, k, -1, declared)
		}
		if u.candidate != nil {
			v.candidate = c.candidate.tally(u.candidate, k, -1, declared)
		}
		// An arm that does not have the unit lost as much as the other one has.
		if u.base == nil {
			v.base.lost = v.candidate.slots()
		}
		if u.candidate == nil {
			v.candidate.lost = v.base.slots()
		}
		both := v.base.plus(v.candidate)
		if both.judged() == 0 && both.lost == 0 {
			continue // it asks for something else
		}
		// Where it judges some attempts of a unit and others not, it rests on what the
		// agent did.
		d.conditional = d.conditional || both.judged() > 0 && both.na > 0
		v.whole = v.base.judged() > 0 && v.candidate.judged() > 0
		d.units = append(d.units, v)
	}
	return d
}

func (t tally) slots() int { return t.judged() + t.na + t.lost }

func (c *comparer) row(k rowKey, r *Comparison) Row {
	d := c.gather(k)
	row := Row{
		Name: k.name, Conditional: d.conditional, Base: None(), Candidate: None(), Delta: None(), Lo: None(), Hi: None(),
		P: None(), PHolm: None(), LeastP: None(), PSignFlip: None(), PSignFlipCases: None(), PMcNemar: None(),
		WorstLo: None(), WorstHi: None(), Detectable: None(), Floor: None(), FloorDF: None(),
		BaseCoverage: None(), CandidateCoverage: None(), CoverageP: None(),
	}
	d.bound(&row)
	if d.conditional {
		c.cover(&row, d)
	}
	pairs, cases := d.pairs()
	row.Paired = len(pairs)
	if len(pairs) > 0 {
		c.measure(&row, pairs, cases)
		d.consistent(&row)
	}
	c.floor(&row, k)
	switch {
	case r.NotComparable != "":
		row.Verdict, row.Cause = InsufficientData, r.NotComparable
	case row.Paired < leastPaired:
		row.Verdict = InsufficientData
		row.Cause = fmt.Sprintf("it takes %d paired units, and there are %d", leastPaired, row.Paired)
	case row.Conditional:
		row.Verdict = Conditional
	case float64(row.LeastP) > c.o.Alpha:
		row.Verdict = InsufficientData
		row.Cause = fmt.Sprintf("no outcome of so few attempts could be told from chance: p is never below %.3f", float64(row.LeastP))
	}
	return row
}

// absent reports whether nothing was planned for the row that is still comparable.
func (row *Row) absent() bool { return row.Paired == 0 && !row.WorstLo.Known() }

// pairs returns the units that both arms could judge, and the case of each.
func (d rowData) pairs() ([]stats.Pair, []string) {
	pairs := make([]stats.Pair, 0, len(d.units))
	cases := make([]string, 0, len(d.units))
	for _, u := range d.units {
		if u.whole {
			pairs = append(pairs, stats.Pair{BasePassed: u.base.passed, BaseN: u.base.judged(), CandPassed: u.candidate.passed, CandN: u.candidate.judged()})
			cases = append(cases, u.key.id)
		}
	}
	return pairs, cases
}

// bound brackets the change over everything that was planned (Manski 1990).
func (d rowData) bound(row *Row) {
	var all []stats.Loss
	for _, u := range d.units {
		l := stats.Loss{
			BasePassed: u.base.passed, BaseJudged: u.base.judged(), BaseLost: u.base.lost + u.base.na,
			CandPassed: u.candidate.passed, CandJudged: u.candidate.judged(), CandLost: u.candidate.lost + u.candidate.na,
		}
		if l.BaseJudged+l.BaseLost > 0 && l.CandJudged+l.CandLost > 0 {
			all = append(all, l)
		}
	}
	if len(all) > 0 {
		b := stats.WorstCase(all)
		row.WorstLo, row.WorstHi = Number(b.Lo), Number(b.Hi)
	}
}

// cover compares how often the condition was met.
func (c *comparer) cover(row *Row, d rowData) {
	var pairs []stats.Pair
	var base, candidate float64
	for _, u := range d.units {
		p := stats.Pair{
			BasePassed: u.base.judged(), BaseN: u.base.judged() + u.base.na,
			CandPassed: u.candidate.judged(), CandN: u.candidate.judged() + u.candidate.na,
		}
		if p.BaseN > 0 && p.CandN > 0 {
			pairs = append(pairs, p)
			base += float64(p.BasePassed) / float64(p.BaseN)
			candidate += float64(p.CandPassed) / float64(p.CandN)
		}
	}
	if len(pairs) == 0 {
		return
	}
	row.BaseCoverage = Number(base / float64(len(pairs)))
	row.CandidateCoverage = Number(candidate / float64(len(pairs)))
	row.CoverageP = Number(stats.WithinUnit(pairs, c.seed(row.Name, "coverage")).P)
}

// seed gives every row a stream of its own, the same one whichever arm is the base.
func (c *comparer) seed(parts ...string) uint64 {
	a, b := c.base, c.candidate
	if cmp.Or(strings.Compare(a.Model, b.Model), slices.Compare(a.ids, b.ids)) > 0 {
		a, b = b, a
	}
	all := append([]string{a.Model, b.Model}, a.ids...)
	all = append(append(all, "/"), b.ids...)
	return stats.Seed(append(all, parts...)...)
}

// measure fills in the estimates and the tests of a row with at least one pair.
func (c *comparer) measure(row *Row, pairs []stats.Pair, cases []string) {
	var base, candidate, inverse float64
	var passed, judged, room int
	diffs := make([]float64, len(pairs))
	byCase := make(map[string]int)
	var sums []float64 // of the differences, by case
	for i, p := range pairs {
		b, a := float64(p.BasePassed)/float64(p.BaseN), float64(p.CandPassed)/float64(p.CandN)
		base += b
		candidate += a
		inverse += 1/float64(p.BaseN) + 1/float64(p.CandN)
		passed += p.BasePassed + p.CandPassed
		judged += p.BaseN + p.CandN
		row.BaseAttempts += p.BaseN
		row.CandidateAttempts += p.CandN
		if p.BasePassed < p.BaseN {
			room++
		}
		diffs[i] = p.Delta()
		switch {
		case diffs[i] > 0:
			row.Up++
		case diffs[i] < 0:
			row.Down++
		default:
			row.Tie++
		}
		n, ok := byCase[cases[i]]
		if !ok {
			n = len(sums)
			byCase[cases[i]] = n
			sums = append(sums, 0)
		}
		sums[n] += diffs[i]
	}
	n := float64(len(pairs))
	row.Cases = len(sums)
	row.Base, row.Candidate = Number(base/n), Number(candidate/n)
	row.Delta = Number(mean(diffs))
	row.Degenerate = passed == 0 || passed == judged
	row.Ceiling = row.Base >= 0.9 || room < 20 && 2*room < len(pairs)

	test := stats.WithinUnit(pairs, c.seed(row.Name))
	row.P, row.Exact, row.LeastP = Number(test.P), test.Exact, Number(test.Least)
	row.PSignFlip = Number(stats.SignFlip(diffs, c.seed(row.Name, "units")).P)
	if len(sums) > 1 {
		row.PSignFlipCases = Number(stats.SignFlip(sums, c.seed(row.Name, "cases")).P)
	}
	// A row of one value has no interval: it was not shown to be able to take another.
	if !row.Degenerate {
		i := stats.PairedInterval(pairs, 1-c.o.Alpha)
		row.Lo, row.Hi = Number(i.Lo), Number(i.Hi)
	}
	k := max(1, int(math.Round(2*n/inverse))) // harmonic mean of the attempts
	row.Detectable = Number(stats.DetectableEffect(len(pairs), float64(row.Base), k, c.o.Alpha, c.o.Power))
	if sd := spread(diffs); sd > 0 && row.Delta != 0 {
		if needed, err := stats.CasesNeededSD(sd, math.Abs(float64(row.Delta)), c.o.Alpha, c.o.Power); err == nil {
			row.UnitsNeeded = &needed
		}
	}
}

// spread returns the sample standard deviation, 0 for fewer than two values.
func spread(values []float64) float64 {
	if len(values) < 2 {
		return 0
	}
	m := mean(values)
	var sum float64
	for _, v := range values {
		sum += (v - m) * (v - m)
	}
	return math.Sqrt(sum / float64(len(values)-1))
}

// consistent compares the verdicts by the rule of consistency (McNemar 1947, exact).
func (d rowData) consistent(row *Row) {
	for _, u := range d.units {
		switch base, candidate := u.base.outcome(), u.candidate.outcome(); {
		case base == Fail && candidate == Pass:
			row.McNemarUp++
		case base == Pass && candidate == Fail:
			row.McNemarDown++
		}
	}
	row.PMcNemar = Number(stats.McNemar(row.McNemarUp, row.McNemarDown))
}

// floor holds the row against its own floor: there is no borrowing.
func (c *comparer) floor(row *Row, k rowKey) {
	if c.floors == nil {
		return
	}
	row.FloorWord = NoFloor
	f := c.floors.find(k)
	if f == nil || !row.Delta.Known() {
		return
	}
	row.Floor = f.band(len(c.base.ids), len(c.candidate.ids), 1-c.o.Alpha)
	if !row.Floor.Known() {
		return
	}
	row.FloorDF = f.DF
	clears := row.Delta != 0 && math.Abs(float64(row.Delta)) >= float64(row.Floor)
	row.Clears = &clears
	row.FloorWord = Within
	if clears {
		row.FloorWord = Clears
	}
}

func (n *NoiseReport) find(k rowKey) *NoiseRow {
	return rowIn(k, &n.Overall, n.Signals, n.Markers, func(row *NoiseRow) string { return row.Name })
}
