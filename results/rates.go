package results

import (
	"fmt"

	"github.com/deeds-evals/deeds/internal/stats"
)

// rateLevel is that of the intervals of rates, and of the one-sided bound.
const rateLevel = 0.95

// Rates tells the pass rates of an arm: pass@1, and the unbiased pass@k (Chen et al.
// 2021) and pass^k (Yao et al. 2024), each the mean over units. A k of 0 is the
// smallest number of attempts that a unit with two or more has; units with fewer than k
// attempts are in pass@1 only.
func Rates(a Arm, k int) (*RateReport, error) {
	if err := a.made(); err != nil {
		return nil, err
	}
	switch {
	case k < 0:
		return nil, fmt.Errorf("k is %d, and must be 1 or more", k)
	case k == 0:
		k = max(1, a.summary.K)
	}
	r := &RateReport{Arm: a.summary, K: k, Overall: a.rate(everything, k), Signals: []RateRow{}, Markers: []RateRow{}, Remarks: []string{}}
	for _, key := range append(rowKeys(&a), observers(&a)...) {
		row := a.rate(key, k)
		switch {
		case row.Units == 0 && row.NA == 0 && row.Lost == 0:
		case key.kind == signalRow:
			r.Signals = append(r.Signals, row)
		default:
			r.Markers = append(r.Markers, row)
		}
	}
	if n := a.changed(); n > 0 {
		r.Remarks = append(r.Remarks, fmt.Sprintf("%s judged by more than one case or grader, and left out", count(n, "unit was", "units were")))
	}
	if lost := a.summary.Void + a.summary.NotRun; lost > 0 {
		r.Remarks = append(r.Remarks, fmt.Sprintf("%d of %d slots are lost: %d void, %d not run; the rates are of the others", lost, a.summary.Slots, a.summary.Void, a.summary.NotRun))
	}
	return r, nil
}

// changed counts the units that the arm's runs judged differently.
func (a *Arm) changed() int {
	n := 0
	for i := range a.units {
		if judgedApart(&a.units[i]) != "" {
			n++
		}
	}
	return n
}

func (a *Arm) rate(k rowKey, of int) RateRow {
	declared := a.declares(k)
	row := RateRow{Name: k.name, Conditional: declared, Above: None()}
	var pass1, passAt, passPow []float64
	var cases, wideCases []string
	seen := make(map[string]bool)
	consistent := 0 // units that passed throughout
	for i := range a.units {
		u := &a.units[i]
		if judgedApart(u) != "" || !a.has(u, k) {
			continue
		}
		t := a.tally(u, k, -1, declared)
		row.Lost += t.lost
		row.NA += t.na
		n := t.judged()
		if n == 0 {
			continue
		}
		row.Conditional = row.Conditional || t.na > 0
		row.Units++
		row.Attempts += n
		row.Passed += t.passed
		seen[u.key.id] = true
		pass1, cases = append(pass1, t.rate()), append(cases, u.key.id)
		if t.failed == 0 {
			consistent++
		}
		if n >= of {
			passAt = append(passAt, stats.PassAtK(n, t.passed, of))
			passPow = append(passPow, stats.PassPowK(n, t.passed, of))
			wideCases = append(wideCases, u.key.id)
		}
	}
	row.Cases, row.KUnits = len(seen), len(passAt)
	row.PassAt1 = estimate(pass1, cases)
	row.PassAtK, row.PassPowK = estimate(passAt, wideCases), estimate(passPow, wideCases)
	row.Degenerate = row.Units > 0 && (row.Passed == 0 || row.Passed == row.Attempts)
	switch {
	case row.Units == 0:
		row.Remark = "nothing was measured"
	case consistent == row.Units && row.Units == 1:
		row.Above = Number(stats.AllPassedBound(row.Attempts, rateLevel))
		row.Remark = fmt.Sprintf("%d/%d says above %s", row.Passed, row.Attempts, above(float64(row.Above)))
	case consistent == row.Units:
		row.Above = Number(stats.AllPassedBound(row.Units, rateLevel))
		row.Remark = fmt.Sprintf("%d/%d units say above %s", row.Units, row.Units, above(float64(row.Above)))
	case row.Passed == 0:
		row.Remark = "nothing ever passed: the check was not seen to be able to"
	case row.Units == 1:
		row.Remark = "one unit has no interval: it takes two or more"
	case row.KUnits == 0:
		row.Remark = fmt.Sprintf("no unit has %d attempts", of)
	case row.KUnits < row.Units:
		row.Remark = fmt.Sprintf("%d of %d units have %d attempts", row.KUnits, row.Units, of)
	}
	return row
}

// above prints a bound with two digits: the bound of 3 in 3 is 0.368, and reads 0.37. It
// is 1 for no number of attempts.
func above(v float64) string { return fmt.Sprintf("%.2f", min(v, 0.99)) }

// estimate is the mean of values with intervals that hold for few of them. Where they
// are all 0 or all 1 it is the exact interval of as many units (Clopper and Pearson
// 1934): no spread is no certainty.
func estimate(values []float64, cases []string) Estimate {
	e := Estimate{None(), None(), None(), None(), None()}
	if len(values) == 0 {
		return e
	}
	sum, same := 0.0, true
	for _, v := range values {
		sum += v
		same = same && v == values[0]
	}
	e.Value = Number(sum / float64(len(values)))
	clusters := make(map[string]bool)
	for _, c := range cases {
		clusters[c] = true
	}
	if same && (values[0] == 0 || values[0] == 1) {
		exact := func(n int) (Number, Number) {
			i := stats.ClopperPearson(n*int(values[0]), n, rateLevel)
			return Number(i.Lo), Number(i.Hi)
		}
		e.Lo, e.Hi = exact(len(values))
		if len(clusters) > 1 {
			e.CaseLo, e.CaseHi = exact(len(clusters))
		}
		return e
	}
	if len(values) > 1 {
		i := stats.MeanInterval(values, rateLevel)
		e.Lo, e.Hi = Number(i.Lo), Number(i.Hi)
	}
	if len(clusters) > 1 {
		i := stats.ClusterInterval(values, cases, rateLevel)
		e.CaseLo, e.CaseHi = Number(i.Lo), Number(i.Hi)
	}
	return e
}
