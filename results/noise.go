package results

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/internal/stats"
)

// floorLevel is that of the band which a noise report shows.
const floorLevel = 0.95

// Noise tells what one model differs by from itself: the floor of every row, from two
// or more runs. An arm of several runs counts as that many replicates. Two runs are an
// A/A comparison: Flipped is how many unit verdicts the second one turned.
//
// A run's mean is over the units that all of the replicates could judge, each weighing
// the same. Within is the variance of that mean which the attempts explain,
//
//	(1/n²) Σ s²/k, s² = p(1-p)·N/(N-1)
//
// with p over all N attempts of a unit and k of them in a run; what the means vary
// beyond it, Tau2, is what a run as a whole adds: a date, a server, a setting.
func Noise(replicates []Arm) (*NoiseReport, error) {
	var arms []Arm
	for _, a := range replicates {
		if err := a.made(); err != nil {
			return nil, err
		}
		parts, err := a.replicates()
		if err != nil {
			return nil, err
		}
		arms = append(arms, parts...)
	}
	if len(arms) < 2 {
		return nil, fmt.Errorf("noise takes two or more runs of one model, and this is %d: one run says nothing of what another would show", len(arms))
	}
	n := &noise{arms: arms}
	report := &NoiseReport{
		Model: arms[0].Model, Agent: arms[0].Agent, Kind: arms[0].summary.Kind,
		Signals: []NoiseRow{}, Markers: []NoiseRow{}, Changed: []LostUnit{}, Remarks: []string{},
	}
	for _, a := range arms {
		id := a.ids[0]
		switch {
		case a.Model != report.Model:
			return nil, fmt.Errorf("replicates are runs of one model, and these are of %s and %s", report.Model, a.Model)
		case a.Agent != report.Agent:
			return nil, fmt.Errorf("replicates are runs of one agent, and these are of %s and %s", report.Agent, a.Agent)
		case id != "" && slices.Contains(report.Runs, id):
			return nil, fmt.Errorf("run %s is given twice: it would agree with itself", id)
		case a.summary.Kind != report.Kind:
			return nil, fmt.Errorf("replicates are of one kind, and these are %s and %s", orUnknown(report.Kind), orUnknown(a.summary.Kind))
		}
		report.Runs = append(report.Runs, id)
	}
	n.gather(report)
	if len(n.units) == 0 {
		return nil, errors.New("the replicates have no unit in common that the same case and grader judged")
	}
	report.Overall = n.row(everything)
	for _, k := range rowKeys(n.pointers()...) {
		switch k.kind {
		case signalRow:
			report.Signals = append(report.Signals, n.row(k))
		case markerRow:
			report.Markers = append(report.Markers, n.row(k))
		}
	}
	for i := range arms {
		report.Remarks = append(report.Remarks, arms[i].damaged()...)
	}
	report.Remarks = append(report.Remarks, n.remarks(report)...)
	return report, nil
}

// noise is a report in the making.
type noise struct {
	arms  []Arm
	units [][]*armUnit // those in every replicate, by replicate
}

func (n *noise) pointers() []*Arm {
	all := make([]*Arm, len(n.arms))
	for i := range n.arms {
		all[i] = &n.arms[i]
	}
	return all
}

// gather finds the units that every replicate has.
func (n *noise) gather(report *NoiseReport) {
	for _, k := range unitKeys(n.pointers()...) {
		report.Planned++
		found := make([]*armUnit, 0, len(n.arms))
		for i := range n.arms {
			if u := n.arms[i].find(k); u != nil {
				found = append(found, u)
			}
		}
		switch {
		case len(found) < len(n.arms):
		case judgedApart(found...) != "":
			report.Changed = append(report.Changed, LostUnit{k.String(), judgedApart(found...)})
		default:
			n.units = append(n.units, found)
		}
	}
	report.Units = len(n.units)
}

func (n *noise) row(k rowKey) NoiseRow {
	row := NoiseRow{Name: k.name, Means: []float64{}, Mean: None(), SD: None(), DF: None(), Band: None(), Within: None(), Tau2: None(), ChiSquare: None(), P: None()}
	declared := slices.ContainsFunc(n.pointers(), func(a *Arm) bool { return a.declares(k) })
	row.Conditional = declared
	judgedBy := make([]int, len(n.arms)) // units
	var all [][]tally
	var total tally
	for _, unit := range n.units {
		tallies := make([]tally, len(n.arms))
		var sum tally
		has, whole := false, true
		for i := range n.arms {
			has = has || n.arms[i].has(unit[i], k)
			tallies[i] = n.arms[i].tally(unit[i], k, -1, declared)
			sum = sum.plus(tallies[i])
		}
		if !has || sum.judged() == 0 {
			continue
		}
		row.Conditional = row.Conditional || sum.na > 0
		for i, t := range tallies {
			if t.judged() > 0 {
				judgedBy[i]++
			} else {
				whole = false
			}
		}
		if whole {
			all = append(all, tallies)
			total = total.plus(sum)
		}
		row.flip(tallies)
	}
	row.Units = len(all)
	if i := slices.Index(judgedBy, 0); i >= 0 {
		row.Word, row.Why = NoFloor, fmt.Sprintf("run %s has nothing of it", n.arms[i].ids[0])
		return row
	}
	if len(all) == 0 {
		row.Word, row.Why = NoFloor, "the runs judged it in no unit in common"
		return row
	}
	row.Degenerate = total.passed == 0 || total.failed == 0
	row.measure(all)
	return row
}

// flip counts the unit where it has a consistent verdict in every run.
func (row *NoiseRow) flip(tallies []tally) {
	first, flipped := tallies[0].outcome(), false
	for _, t := range tallies {
		o := t.outcome()
		if o != Pass && o != Fail {
			return
		}
		flipped = flipped || o != first
	}
	row.Compared++
	if flipped {
		row.Flipped++
	}
}

func (row *NoiseRow) measure(units [][]tally) {
	runs := len(units[0])
	row.Means = make([]float64, runs)
	var within float64
	for _, tallies := range units {
		var sum tally
		var share float64 // Σ 1/k over the runs
		for i, t := range tallies {
			row.Means[i] += t.rate()
			share += 1 / float64(t.judged())
			sum = sum.plus(t)
		}
		n, p := float64(sum.judged()), sum.rate()
		within += p * (1 - p) * n / (n - 1) * share / float64(runs)
	}
	n := float64(len(units))
	within /= n * n
	for i := range row.Means {
		row.Means[i] /= n
	}
	v := stats.RunVariance(row.Means, within)
	row.Mean = Number(mean(row.Means))
	row.SD, row.DF = Number(v.SD), Number(v.DF)
	row.Within, row.Tau2, row.ChiSquare, row.P = Number(v.Within), Number(v.Tau2), Number(v.ChiSquare), Number(v.P)
	row.Band = row.band(1, 1, floorLevel)
}

// band is what a change between two groups of runs of one model stays under.
func (row *NoiseRow) band(nBase, nCandidate int, level float64) Number {
	if row.Word == NoFloor {
		return None()
	}
	return Number(stats.Band(float64(row.SD), float64(row.DF), nBase, nCandidate, level))
}

func (n *noise) remarks(report *NoiseReport) []string {
	var said []string
	if len(n.arms) == 2 {
		said = append(said, "two runs give one difference and no spread worth using: the floor has one degree of freedom, and three runs or more make it useful")
	}
	if report.Units+len(report.Changed) < report.Planned {
		said = append(said, fmt.Sprintf("the runs differ in their units: %d of %d are in all of them, and the floors rest on these", report.Units, report.Planned))
	}
	if len(report.Changed) > 0 {
		said = append(said, fmt.Sprintf("%s left out: the case or its grader changed between the runs", count(len(report.Changed), "unit is", "units are")))
	}
	var flat []string
	for _, row := range append([]NoiseRow{report.Overall}, append(slices.Clone(report.Signals), report.Markers...)...) {
		if row.SD == 0 && !row.Degenerate {
			flat = append(flat, row.Name)
		}
	}
	if len(flat) > 0 {
		said = append(said, fmt.Sprintf("the runs happen to agree to the digit in %s: a floor of 0 is no promise that the next run will", strings.Join(flat, ", ")))
	}
	for i := 1; i < len(n.arms); i++ {
		for _, d := range differences(&n.arms[0], &n.arms[i]) {
			if !slices.Contains(said, d) {
				said = append(said, d)
			}
		}
		if seed := sameSeed(&n.arms[0], &n.arms[i]); seed != "" {
			said = append(said, fmt.Sprintf("%s and %s were sampled with the same seed, %s: what it fixes does not vary here", n.arms[0].Name, n.arms[i].Name, seed))
		}
	}
	return said
}
