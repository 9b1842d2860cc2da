package results

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/internal/stats"
)

// leastPaired is how many units it takes for a verdict.
const leastPaired = 5

// leastShared is the share of the planned units that both arms must have.
const leastShared = 0.5

// Compare holds the candidate against the base, paired by unit: case, world and
// variant. The exact within-unit permutation decides, signals and markers each being a
// family of their own (Holm 1979); everything else stands beside it.
//
// Units that one arm lost, and units whose case or grader changed, are left out and
// listed; where they leave less than half, nothing is judged. Lost attempts are
// bracketed by what they might have been.
func Compare(base, candidate Arm, o CompareOptions) (*Comparison, error) {
	for _, a := range []Arm{base, candidate} {
		if err := a.made(); err != nil {
			return nil, err
		}
	}
	if err := o.settle(); err != nil {
		return nil, err
	}
	c := &comparer{base: &base, candidate: &candidate, o: o}
	if len(o.Noise) > 0 {
		floors, err := Noise(o.Noise)
		if err != nil {
			return nil, fmt.Errorf("measure the floors: %w", err)
		}
		c.floors = floors
	}
	guards, err := c.guards()
	if err != nil {
		return nil, err
	}
	r := &Comparison{
		Base: base.summary, Candidate: candidate.summary, Alpha: o.Alpha, Power: o.Power,
		Observed: []Observation{}, Guards: []GuardResult{}, Regressions: []string{},
		Lost: []LostUnit{}, Changed: []LostUnit{}, Remarks: []string{},
	}
	c.pair(r)
	c.compareRows(r)
	c.observe(r)
	c.guard(r, guards)
	c.remark(r)
	return r, nil
}

func (o *CompareOptions) settle() error {
	if o.Alpha == 0 {
		o.Alpha = 0.05
	}
	if o.Power == 0 {
		o.Power = 0.80
	}
	if o.Margin == 0 {
		o.Margin = 0.05
	}
	for _, v := range []struct {
		name  string
		value float64
	}{{"alpha", o.Alpha}, {"power", o.Power}, {"margin", o.Margin}} {
		if !(v.value > 0 && v.value < 1) {
			return fmt.Errorf("%s is %v, and must lie between 0 and 1", v.name, v.value)
		}
	}
	return nil
}

// comparer is a comparison in the making.
type comparer struct {
	base, candidate *Arm
	o               CompareOptions
	floors          *NoiseReport // nil without
	units           []pairedUnit // planned in either arm, and unchanged
}

// pair finds the units, and says which of them are lost.
func (c *comparer) pair(r *Comparison) {
	for _, k := range unitKeys(c.base, c.candidate) {
		r.Planned++
		u := pairedUnit{k, c.base.find(k), c.candidate.find(k)}
		var both []*armUnit
		for _, side := range []*armUnit{u.base, u.candidate} {
			if side != nil {
				both = append(both, side)
			}
		}
		if why := judgedApart(both...); why != "" {
			r.Changed = append(r.Changed, LostUnit{k.String(), why})
			continue
		}
		c.units = append(c.units, u)
		if u.whole() {
			r.Paired++
		}
		if why := c.lost(u); why != "" {
			r.Lost = append(r.Lost, LostUnit{k.String(), why})
		}
	}
	if share := float64(r.Paired) / float64(r.Planned); share < leastShared {
		r.NotComparable = fmt.Sprintf("the arms share %d of %d units, and it takes half of them", r.Paired, r.Planned)
		if len(r.Changed) > 0 {
			r.NotComparable += fmt.Sprintf(": %d changed", len(r.Changed))
		}
	}
}

// lost says what is missing of a unit, "" for nothing.
func (c *comparer) lost(u pairedUnit) string {
	var said []string
	for _, side := range []struct {
		arm  *Arm
		unit *armUnit
	}{{c.base, u.base}, {c.candidate, u.candidate}} {
		if side.unit == nil {
			said = append(said, fmt.Sprintf("not planned in %s", side.arm.Name))
			continue
		}
		n := side.unit.all()
		total := n.decided() + n.lost()
		switch {
		case n.decided() == 0:
			said = append(said, fmt.Sprintf("lost entirely in %s: %d void, %d not run", side.arm.Name, n.void, n.notRun))
		case n.lost() > 0:
			said = append(said, fmt.Sprintf("%d of %d attempts lost in %s: %d void, %d not run", n.lost(), total, side.arm.Name, n.void, n.notRun))
		}
	}
	return strings.Join(said, "; ")
}

// compareRows fills in the rows, and judges each family.
func (c *comparer) compareRows(r *Comparison) {
	overall := []Row{c.row(everything, r)}
	signals, markers := []Row{}, []Row{}
	for _, k := range rowKeys(c.base, c.candidate) {
		row := c.row(k, r)
		switch {
		case row.absent():
		case k.kind == signalRow:
			signals = append(signals, row)
		default:
			markers = append(markers, row)
		}
	}
	for _, family := range [][]Row{overall, signals, markers} {
		c.judge(family)
	}
	r.Overall, r.Signals, r.Markers = overall[0], signals, markers
}

// judge decides the rows of a family together. Rows that could not be judged are not of
// it, and rows of one value neither: whatever the arms' labels, they would be that.
func (c *comparer) judge(family []Row) {
	ps := make([]float64, len(family))
	for i := range family {
		ps[i] = float64(None())
		if row := &family[i]; row.Verdict == "" && !row.Degenerate {
			ps[i] = float64(row.P)
		}
	}
	for i, p := range stats.Holm(ps) {
		row := &family[i]
		row.PHolm = Number(p)
		switch {
		case row.Verdict != "":
		case !row.PHolm.Known() || p > c.o.Alpha || row.Delta == 0:
			row.Verdict = NoDifference
		case row.Delta > 0:
			row.Verdict = Better
		default:
			row.Verdict = Worse
		}
	}
}

// observe counts how often the deciding facts were seen.
func (c *comparer) observe(r *Comparison) {
	for _, k := range observers(c.base, c.candidate) {
		var base, candidate tally
		for _, u := range c.units {
			if !u.whole() || !c.base.has(u.base, k) && !c.candidate.has(u.candidate, k) {
				continue
			}
			base = base.plus(c.base.tally(u.base, k, -1, false))
			candidate = candidate.plus(c.candidate.tally(u.candidate, k, -1, false))
		}
		o := Observation{Name: k.name, BaseOf: base.judged() + base.na, CandidateOf: candidate.judged() + candidate.na}
		o.Base = Number(float64(base.passed) / float64(o.BaseOf))
		o.Candidate = Number(float64(candidate.passed) / float64(o.CandidateOf))
		r.Observed = append(r.Observed, o)
	}
}

// remark says what else there is to know.
func (c *comparer) remark(r *Comparison) {
	say := func(format string, args ...any) { r.Remarks = append(r.Remarks, fmt.Sprintf(format, args...)) }
	b, d := r.Base, r.Candidate
	if b.K != d.K || b.Unequal || d.Unequal {
		short := 0
		for _, u := range c.units {
			if u.whole() && u.base.all().decided() != u.candidate.all().decided() {
				short++
			}
		}
		if short > 0 {
			say("unequal attempts: %d of a unit in %s, %d in %s, and %d of %d paired units differ; the test is exact for any, but what was lost may not be a fair draw: see the worst case",
				b.K, b.Name, d.K, d.Name, short, r.Paired)
		}
	}
	if b.Attempts > 0 && d.Attempts > 0 {
		const large = 0.10
		x, y := float64(b.Answered)/float64(b.Attempts), float64(d.Answered)/float64(d.Attempts)
		if x-y > large || y-x > large {
			say("the arms differ in whether there was an answer at all: %d of %d attempts in %s, %d of %d in %s; a change in the rates may be that and nothing else",
				b.Answered, b.Attempts, b.Name, d.Answered, d.Attempts, d.Name)
		}
	}
	if b.Model == d.Model {
		for _, id := range c.base.ids {
			if id != "" && slices.Contains(c.candidate.ids, id) {
				say("run %s is in both arms: its attempts agree with themselves", id)
			}
		}
	}
	if b.Rerolls+d.Rerolls > 0 {
		say("%s on record, none of them counted", count(b.Rerolls+d.Rerolls, "play after a pass or fail is", "plays after a pass or fail are"))
	}
	r.Remarks = append(r.Remarks, c.base.damaged()...)
	r.Remarks = append(r.Remarks, c.candidate.damaged()...)
	r.Remarks = append(r.Remarks, differences(c.base, c.candidate)...)
	if c.floors != nil {
		for _, f := range c.floors.Remarks {
			say("floors: %s", f)
		}
		if c.floors.Units != r.Paired {
			say("floors: they rest on %s, the comparison on %d", count(c.floors.Units, "unit", "units"), r.Paired)
		}
		if c.floors.Kind != b.Kind {
			say("floors: they are of %s runs, and %s is %s", c.floors.Kind, b.Name, b.Kind)
		}
		if c.floors.Model != c.base.Model && c.floors.Model != c.candidate.Model {
			say("floors: they are of %s, which is in neither arm", c.floors.Model)
		}
	}
}
