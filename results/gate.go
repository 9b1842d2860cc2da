package results

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/internal/stats"
)

// Gate decides whether an arm is good enough: for each need, whether the share of the
// signal's units that passed, by the rule of consistency, reaches it.
//
// Units that were not measured may have gone either way: where that matters, or nothing
// was measured, the gate cannot decide, which is no pass.
func Gate(a Arm, needs []Need, o GateOptions) (*GateReport, error) {
	if err := a.made(); err != nil {
		return nil, err
	}
	if o.Level == 0 {
		o.Level = 0.95
	}
	if !(o.Level > 0 && o.Level < 1) {
		return nil, fmt.Errorf("the level is %v, and must lie between 0 and 1", o.Level)
	}
	if len(needs) == 0 && o.Baseline == nil {
		return nil, errors.New("a gate needs something to hold the run against: a signal and its rate, or a baseline")
	}
	r := &GateReport{Arm: a.summary, Decision: DecisionPass, Signals: []GateRow{}, Regressions: []string{}, Remarks: []string{}}
	seen := make(map[string]bool)
	for _, n := range needs {
		if !(n.Rate >= 0 && n.Rate <= 1) {
			return nil, fmt.Errorf("%s: the rate is %v, and must be from 0 to 1", n.Signal, n.Rate)
		}
		if seen[n.Signal] {
			return nil, fmt.Errorf("%s is needed twice", n.Signal)
		}
		seen[n.Signal] = true
		k, err := a.signal(n.Signal)
		if err != nil {
			return nil, err
		}
		row := a.gate(k, n.Rate, o)
		r.Signals = append(r.Signals, row)
		r.decide(row.Decision)
	}
	if o.Baseline != nil {
		if err := r.compare(a, o); err != nil {
			return nil, err
		}
	}
	if damaged := a.damaged(); len(damaged) > 0 {
		r.decide(DecisionOpen)
		r.Remarks = append(r.Remarks, damaged...)
	}
	if n := a.changed(); n > 0 {
		r.Remarks = append(r.Remarks, fmt.Sprintf("%s judged by more than one case or grader, and counts as not measured", count(n, "unit was", "units were")))
	}
	if missing := a.missing(); len(missing) > 0 {
		r.Remarks = append(r.Remarks, fmt.Sprintf("the cases of %s left no plan: they were not asked for, or their package broke", strings.Join(missing, ", ")))
	}
	if left := a.filters(); len(left) > 0 {
		r.Remarks = append(r.Remarks, "a part of the suite was left out by "+strings.Join(left, ", "))
	}
	switch a.summary.Kind {
	case Simulated:
		r.Remarks = append(r.Remarks, "the run is simulated: it says nothing of any model")
	case Replayed:
		r.Remarks = append(r.Remarks, "the run was replayed: it asked no model")
	}
	return r, nil
}

// filters names the flags by which the runs were narrowed.
func (a *Arm) filters() []string {
	var all []string
	for _, run := range a.Runs {
		for _, p := range run.Plans {
			for _, f := range p.Settings.filters() {
				if !slices.Contains(all, f) {
					all = append(all, f)
				}
			}
		}
	}
	return all
}

// missing lists the folders of the suite that no run of the arm has planned.
func (a *Arm) missing() []string {
	all := a.Runs[0].Missing()
	for _, run := range a.Runs[1:] {
		also := run.Missing()
		all = slices.DeleteFunc(all, func(dir string) bool { return !slices.Contains(also, dir) })
	}
	return all
}

// decide folds one decision into that of the whole gate: a fail is one, whatever else
// is open.
func (r *GateReport) decide(decision string) {
	if decision == DecisionFail || decision == DecisionOpen && r.Decision == DecisionPass {
		r.Decision = decision
	}
}

// signal finds a signal by its name.
func (a *Arm) signal(name string) (rowKey, error) {
	if name == Overall {
		return everything, nil
	}
	names := []string{Overall}
	for _, k := range rowKeys(a) {
		if k.kind != signalRow {
			continue
		}
		if k.name == name {
			return k, nil
		}
		names = append(names, k.name)
	}
	return rowKey{}, unknown("signal", name, names)
}

func (a *Arm) gate(k rowKey, need float64, o GateOptions) GateRow {
	row := GateRow{Name: k.name, Need: need, Rate: None(), Lo: None(), Hi: None(), Unmeasured: []LostUnit{}}
	for i := range a.units {
		u := &a.units[i]
		if !a.has(u, k) {
			continue
		}
		t, why := a.tally(u, k, -1, false), judgedApart(u)
		switch o := t.outcome(); {
		case why != "":
			row.Unmeasured = append(row.Unmeasured, LostUnit{u.key.String(), why})
		case o == Pass:
			row.Passed++
		case o == Fail:
			row.Failed++
		case o == NA:
			// What the agent did decides whether there was anything to judge, and must
			// not decide what is counted.
			row.NA++
			row.Unmeasured = append(row.Unmeasured, LostUnit{u.key.String(), "nothing to judge"})
		default:
			n := u.all()
			row.Unmeasured = append(row.Unmeasured, LostUnit{u.key.String(), fmt.Sprintf("%d void, %d not run", n.void, n.notRun)})
		}
	}
	measured, open := row.Passed+row.Failed, len(row.Unmeasured)
	row.Total = measured + open
	row.Decision = DecisionOpen
	if measured == 0 {
		row.Remark = "nothing was measured"
		return row
	}
	total := float64(row.Total)
	row.Rate = Number(float64(row.Passed) / float64(measured))
	row.Lo = Number(stats.ClopperPearson(row.Passed, row.Total, o.Level).Lo)
	row.Hi = Number(stats.ClopperPearson(row.Passed+open, row.Total, o.Level).Hi)
	least, most := float64(row.Passed)/total, float64(row.Passed+open)/total
	if o.Confident {
		least, most = float64(row.Lo), float64(row.Hi)
	}
	switch {
	case least >= need:
		row.Decision = DecisionPass
	case most < need:
		row.Decision = DecisionFail
	}
	row.Remark = row.remark(o)
	return row
}

// remark says what so many units cannot tell.
func (row *GateRow) remark(o GateOptions) string {
	var said []string
	open := len(row.Unmeasured)
	if row.Decision == DecisionOpen {
		switch {
		case open > 0 && float64(row.Passed+open)/float64(row.Total) >= row.Need && float64(row.Passed)/float64(row.Total) < row.Need:
			said = append(said, fmt.Sprintf("%s not measured, and decide it: the rate is from %.3f to %.3f", count(open, "unit was", "units were"),
				float64(row.Passed)/float64(row.Total), float64(row.Passed+open)/float64(row.Total)))
		case o.Confident:
			said = append(said, "the interval holds the need")
		}
	}
	if row.Passed == row.Total {
		said = append(said, fmt.Sprintf("%d of %d: a true rate of %s would show this one time in twenty", row.Passed, row.Total, above(stats.AllPassedBound(row.Total, 0.95))))
	} else {
		said = append(said, fmt.Sprintf("%d of %d: true rates from %.2f to %.2f are not at odds with it", row.Passed, row.Total, float64(row.Lo), float64(row.Hi)))
	}
	if row.NA > 0 {
		said = append(said, count(row.NA, "of them had nothing to judge, and counts as not measured", "of them had nothing to judge, and count as not measured"))
	}
	return strings.Join(said, "; ")
}

// compare holds the arm against the baseline. Units that were judged by something else
// make the two no baseline and no run of it.
func (r *GateReport) compare(a Arm, o GateOptions) error {
	c, err := Compare(*o.Baseline, a, CompareOptions{Alpha: o.Alpha})
	if err != nil {
		return err
	}
	if len(c.Changed) > 0 {
		return fmt.Errorf("the baseline %s was judged by another suite: in %s, %s; save a new one",
			o.Baseline.Name, c.Changed[0].Unit, c.Changed[0].Why)
	}
	r.Baseline = c
	if c.NotComparable != "" {
		r.decide(DecisionOpen)
		r.Remarks = append(r.Remarks, "against the baseline: "+c.NotComparable)
		return nil
	}
	if c.Overall.Verdict == InsufficientData { // a fall would not have shown
		r.decide(DecisionOpen)
		r.Remarks = append(r.Remarks, "against the baseline: "+c.Overall.Cause)
	}
	var open, conditional int
	for _, row := range c.Signals {
		switch row.Verdict {
		case Worse:
			r.Regressions = append(r.Regressions, row.Name)
		case InsufficientData:
			open++
		case Conditional:
			conditional++
		}
	}
	if c.Overall.Verdict == Worse {
		r.Regressions = append(r.Regressions, Overall)
	}
	if len(r.Regressions) > 0 {
		r.decide(DecisionFail)
	}
	if open > 0 {
		r.Remarks = append(r.Remarks, fmt.Sprintf("against the baseline: %s too few units to tell", count(open, "signal has", "signals have")))
	}
	if conditional > 0 {
		r.Remarks = append(r.Remarks, fmt.Sprintf("against the baseline: %s conditional, and a fall of it shows in overall alone", count(conditional, "signal is", "signals are")))
	}
	r.Remarks = append(r.Remarks, c.Remarks...)
	return nil
}
