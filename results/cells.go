package results

import (
	"fmt"
	"slices"
)

// The kinds of rows.
const (
	overallRow = iota
	signalRow
	markerRow
)

// A rowKey names what is compared: everything, a signal or a marker.
type rowKey struct {
	kind int
	name string
}

var everything = rowKey{overallRow, Overall}

// An armUnit is what an arm has of one unit.
type armUnit struct {
	key    unitKey
	judges []judge
	asked  []asked
	runs   []unitRun // by the arm's runs
}

// A judge is what an attempt was judged by. Attempts with different ones are not
// attempts of the same thing.
type judge struct{ id, grader string }

// asked is what the agent was given, by its digests.
type asked struct{ prompt, tools string }

// A unitRun is what one run has of one unit.
type unitRun struct {
	passed, failed int // attempts
	void, notRun   int // slots
	cells          []cell
}

func (u unitRun) decided() int { return u.passed + u.failed }
func (u unitRun) lost() int    { return u.void + u.notRun }

// A cell counts what the attempts of a unit say of one row.
type cell struct {
	row                int
	passed, failed, na int
	inFailed           int // of these, attempts that failed
	conditional        bool
}

func (u *unitRun) cell(row int) *cell {
	for i := range u.cells {
		if u.cells[i].row == row {
			return &u.cells[i]
		}
	}
	u.cells = append(u.cells, cell{row: row})
	return &u.cells[len(u.cells)-1]
}

// find returns the cell of a row, and whether the unit has one.
func (u *unitRun) find(row int) (cell, bool) {
	for i := range u.cells {
		if u.cells[i].row == row {
			return u.cells[i], true
		}
	}
	return cell{}, false
}

// all adds the runs up, cells left out.
func (u *armUnit) all() unitRun {
	var sum unitRun
	for i := range u.runs {
		r := &u.runs[i]
		sum.passed += r.passed
		sum.failed += r.failed
		sum.void += r.void
		sum.notRun += r.notRun
	}
	return sum
}

// row returns the id of a row in the arm.
func (a *Arm) row(k rowKey) int {
	id, ok := a.rows[k]
	if !ok {
		id = len(a.rows)
		a.rows[k] = id
	}
	return id
}

// add counts the slots of one run.
func (a *Arm) add(run int, r *Run) error {
	planned := r.signals()
	a.traits.addRun(r)
	var said []saying
	for _, s := range r.Slots() {
		if s.Model != a.Model {
			continue
		}
		if a.Agent == "" {
			a.Agent = s.Agent
		}
		if s.Agent != a.Agent {
			return fmt.Errorf("%s: it has the agents %s and %s, and an arm is of one", a.Name, a.Agent, s.Agent)
		}
		u := a.unit(unitKey{s.Case, s.World, s.Variant})
		for len(u.runs) <= run {
			u.runs = append(u.runs, unitRun{})
		}
		n := &u.runs[run]
		for _, name := range planned.of(s.Case, s.World) {
			n.cell(a.row(rowKey{signalRow, name}))
		}
		a.summary.Slots++
		a.summary.Rerolls += s.Rerolls
		switch s.Outcome {
		case Pass:
			n.passed++
		case Fail:
			n.failed++
		case Void:
			n.void++
			a.summary.Void++
			continue
		default:
			n.notRun++
			a.summary.NotRun++
			continue
		}
		a.summary.Attempts++
		if answered(s.Decided) {
			a.summary.Answered++
		}
		a.traits.addAttempt(s.Decided)
		if j := (judge{s.Decided.Digests.Case, s.Decided.Digests.Grader}); !slices.Contains(u.judges, j) {
			u.judges = append(u.judges, j)
		}
		if q := (asked{s.Decided.Digests.Prompt, s.Decided.Digests.Tools}); !slices.Contains(u.asked, q) {
			u.asked = append(u.asked, q)
		}
		said = a.hear(said[:0], s.Decided)
		for _, v := range said {
			n.cell(v.row).count(v, s.Outcome == Fail)
		}
	}
	return nil
}

func (a *Arm) unit(k unitKey) *armUnit {
	i, ok := a.at[k]
	if !ok {
		i = len(a.units)
		a.at[k] = i
		a.units = append(a.units, armUnit{key: k})
	}
	return &a.units[i]
}

// answered reports whether there was an answer at all: one that told no usage counts,
// one that was cut off at the model's output limit does not.
func answered(a *Attempt) bool {
	return a.End != "length" && a.Turns > 0 && a.Usage.Prompt+a.Usage.Completion+a.Usage.Unreported > 0
}

// A saying is what one attempt says of one row.
type saying struct {
	row         int
	outcome     string
	conditional bool
}

// hear appends what an attempt says of its signals and markers. Several expectations
// of one name are one marker: it fails if one of them does.
func (a *Arm) hear(said []saying, t *Attempt) []saying {
	for name, outcome := range t.Signals {
		said = append(said, saying{row: a.row(rowKey{signalRow, name}), outcome: outcome})
	}
	first := len(said)
	for i := range t.Verdicts {
		v := &t.Verdicts[i]
		if !v.Marker {
			continue
		}
		row := a.row(rowKey{markerRow, v.Name})
		n := slices.IndexFunc(said[first:], func(s saying) bool { return s.row == row })
		if n < 0 {
			said = append(said, saying{row, v.Outcome, v.Conditional})
			continue
		}
		s := &said[first+n]
		s.conditional = s.conditional || v.Conditional
		if v.Outcome == Fail || s.outcome != Fail && v.Outcome == Pass {
			s.outcome = v.Outcome
		}
	}
	return said
}

func (c *cell) count(s saying, failed bool) {
	switch s.outcome {
	case Pass:
		c.passed++
	case Fail:
		c.failed++
	default:
		c.na++
	}
	if failed {
		c.inFailed++
	}
	c.conditional = c.conditional || s.conditional
}

// A tally counts the slots of one unit for one row.
type tally struct{ passed, failed, na, lost int }

func (t tally) judged() int   { return t.passed + t.failed }
func (t tally) rate() float64 { return float64(t.passed) / float64(t.judged()) }

func (t tally) plus(o tally) tally {
	return tally{t.passed + o.passed, t.failed + o.failed, t.na + o.na, t.lost + o.lost}
}

// outcome applies the rule of consistency, as Tally.Outcome does.
func (t tally) outcome() string {
	return Tally{Passed: t.passed, Failed: t.failed, NA: t.na, Voids: t.lost}.Outcome()
}

// tally counts a row over the unit's runs, or over one of them if run is not negative.
//
// An attempt that failed without a word on the row, since a limit cut it short, failed
// it too, unless the row asks about a condition that nobody saw met; one that passed
// without a word had nothing to judge.
func (a *Arm) tally(u *armUnit, k rowKey, run int, conditional bool) tally {
	row, known := a.rows[k]
	var sum tally
	for i := range u.runs {
		if run >= 0 && i != run {
			continue
		}
		r := &u.runs[i]
		if k.kind == overallRow {
			sum = sum.plus(tally{r.passed, r.failed, 0, r.lost()})
			continue
		}
		var c cell
		if known {
			c, _ = r.find(row)
		}
		t := tally{c.passed, c.failed, c.na, r.lost()}
		if mute := r.failed - c.inFailed; conditional {
			t.na += mute
		} else {
			t.failed += mute
		}
		t.na += r.passed - (c.passed + c.failed + c.na - c.inFailed)
		sum = sum.plus(t)
	}
	return sum
}

// has reports whether the unit has the row: it was planned, or an attempt speaks of it.
func (a *Arm) has(u *armUnit, k rowKey) bool {
	if k.kind == overallRow {
		return true
	}
	row, known := a.rows[k]
	return known && slices.ContainsFunc(u.runs, func(r unitRun) bool {
		_, ok := r.find(row)
		return ok
	})
}

// declares reports whether some expectation behind the row is conditional.
func (a *Arm) declares(k rowKey) bool {
	row, known := a.rows[k]
	if !known || k.kind != markerRow {
		return false
	}
	for i := range a.units {
		for j := range a.units[i].runs {
			if c, ok := a.units[i].runs[j].find(row); ok && c.conditional {
				return true
			}
		}
	}
	return false
}

// find returns what the arm has of a unit, nil for nothing.
func (a *Arm) find(k unitKey) *armUnit {
	if i, ok := a.at[k]; ok {
		return &a.units[i]
	}
	return nil
}
