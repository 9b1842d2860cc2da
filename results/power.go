package results

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/deeds-evals/deeds/internal/stats"
)

// powerDraws is how many comparisons are simulated for one power.
const powerDraws = 2000

// PlanPower tells how many units it takes to see an effect, and which effect a number
// of units shows: by the formula of the binomial model, by simulation of the very rule
// that decides, and, with a run to measure, with the spread of its units.
func PlanPower(o PowerOptions) (*PowerReport, error) {
	r := &PowerReport{
		Base: o.Base, K: o.K, Alpha: o.Alpha, Power: o.Power, Row: o.Row, Remarks: []string{},
		Effect: None(), SD: None(), DetectableEffect: None(), PowerAt: None(), PowerSimulated: None(),
	}
	if r.Alpha == 0 {
		r.Alpha = 0.05
	}
	if r.Power == 0 {
		r.Power = 0.80
	}
	var units []float64 // pass rates, as measured
	if o.From != nil {
		var err error
		if units, err = r.take(o); err != nil {
			return nil, err
		}
	}
	if err := r.check(o); err != nil {
		return nil, err
	}
	if o.Effect != 0 {
		if err := r.size(o.Effect); err != nil {
			return nil, err
		}
	}
	if o.Cases != 0 {
		r.Cases = &o.Cases
		r.DetectableEffect = Number(stats.DetectableEffect(o.Cases, r.Base, r.K, r.Alpha, r.Power))
	}
	if o.Effect != 0 && o.Cases != 0 {
		if units == nil {
			units = []float64{r.Base}
		}
		r.PowerAt = Number(stats.PowerOf(o.Cases, r.Base, o.Effect, r.K, r.Alpha))
		if stats.Simulable(o.Cases, r.K) {
			planted := stats.Planted{Base: resize(units, o.Cases), Effect: o.Effect, K: r.K}
			r.PowerSimulated = Number(stats.SimulatedPower(planted, r.Alpha, powerDraws, r.seed("power")))
		} else {
			r.Remarks = append(r.Remarks, fmt.Sprintf("not simulated: %d cases of %d attempts are too many: take the power of the formula", o.Cases, r.K))
		}
	}
	return r, nil
}

func (r *PowerReport) check(o PowerOptions) error {
	switch {
	case !(r.Base >= 0 && r.Base <= 1):
		return fmt.Errorf("the base is %v, and must be a rate from 0 to 1", r.Base)
	case r.K < 1:
		return fmt.Errorf("the attempts of a unit are %d, and must be 1 or more", r.K)
	case !(r.Alpha > 0 && r.Alpha < 1):
		return fmt.Errorf("alpha is %v, and must lie between 0 and 1", r.Alpha)
	case !(r.Power > 0 && r.Power < 1):
		return fmt.Errorf("the power is %v, and must lie between 0 and 1", r.Power)
	case !(o.Effect > -1 && o.Effect < 1):
		return fmt.Errorf("the effect is %v, and must lie between -1 and 1", o.Effect)
	case o.Cases < 0:
		return fmt.Errorf("the cases are %d, and must be 2 or more", o.Cases)
	case o.Cases == 1:
		return errors.New("one case shows nothing: it takes two or more")
	case o.Effect == 0 && o.Cases == 0:
		return errors.New("say which effect is to be seen, or how many cases there are")
	}
	return nil
}

// take measures the base, the attempts and the spread of an arm, and returns the pass
// rates of its units.
//
// SD is of the difference of two runs like it: sqrt(2·mean(s²/k)), s² = p(1-p)·k/(k-1)
// of each unit's k attempts. Units differ in difficulty, and where they do it is less
// than the binomial model has for their mean.
func (r *PowerReport) take(o PowerOptions) ([]float64, error) {
	a := o.From
	if err := a.made(); err != nil {
		return nil, err
	}
	key, err := a.named(o.Row)
	if err != nil {
		return nil, err
	}
	r.Row = key.name
	var units []float64
	var inverse, within float64
	spread := 0 // units with two attempts or more
	conditional := a.declares(key)
	for i := range a.units {
		u := &a.units[i]
		if judgedApart(u) != "" || !a.has(u, key) {
			continue
		}
		t := a.tally(u, key, -1, conditional)
		if t.judged() == 0 {
			continue
		}
		k := float64(t.judged())
		units = append(units, t.rate())
		inverse += 1 / k
		if k > 1 {
			within += t.rate() * (1 - t.rate()) / (k - 1)
			spread++
		}
	}
	if len(units) == 0 {
		return nil, fmt.Errorf("%s: nothing of %s was measured", a.Name, key.name)
	}
	r.Base = mean(units)
	if r.K == 0 {
		r.K = max(1, int(math.Round(float64(len(units))/inverse)))
	}
	if spread > 0 && within > 0 {
		// Of K attempts, where another number than the measured one is asked about.
		r.SD = Number(math.Sqrt(2 * within / float64(spread) * float64(len(units)) / inverse / float64(r.K)))
	} else {
		r.Remarks = append(r.Remarks, fmt.Sprintf("DEGENERATE: no unit of %s has attempts that differ, so no spread could be measured", a.Name))
	}
	if r.Base >= 0.9 {
		r.Remarks = append(r.Remarks, fmt.Sprintf("CEILING: the base passes %.3f, and a gain of more than %.3f does not exist", r.Base, 1-r.Base))
	}
	return units, nil
}

// named finds a row of the arm, "" being everything.
func (a *Arm) named(name string) (rowKey, error) {
	if name == "" {
		return everything, nil
	}
	keys := append([]rowKey{everything}, rowKeys(a)...)
	var names []string
	for _, k := range keys {
		if k.name == name || k.full() == name {
			return k, nil
		}
		names = append(names, k.name)
	}
	return rowKey{}, unknown("signal or marker", name, names)
}

// size finds the units that an effect takes.
func (r *PowerReport) size(effect float64) error {
	r.Effect = Number(effect)
	formula, concentrated, err := stats.CasesNeeded(r.Base, effect, r.K, r.Alpha, r.Power)
	if err != nil {
		return fmt.Errorf("size the comparison: %w", err)
	}
	r.CasesNeeded, r.CasesConcentrated = &formula, &concentrated
	simulated, err := stats.CasesNeededSimulated(r.Base, effect, r.K, r.Alpha, r.Power, r.seed("cases"))
	if err != nil {
		r.Remarks = append(r.Remarks, fmt.Sprintf("not simulated: %v", err))
	} else {
		r.CasesNeededSim = &simulated
	}
	if r.SD.Known() {
		measured, err := stats.CasesNeededSD(float64(r.SD), math.Abs(effect), r.Alpha, r.Power)
		if err != nil {
			return fmt.Errorf("size the comparison by the measured spread: %w", err)
		}
		r.CasesNeededMeasure = &measured
	}
	return nil
}

func (r *PowerReport) seed(what string) uint64 {
	return stats.Seed("power", what, strings.Join([]string{fmt.Sprint(r.Base), fmt.Sprint(r.K)}, " "))
}

// resize repeats the pass rates until there are n of them.
func resize(units []float64, n int) []float64 {
	all := make([]float64, n)
	for i := range all {
		all[i] = units[i%len(units)]
	}
	return all
}
