package main

import (
	"fmt"

	"github.com/deeds-evals/deeds/internal/sim"
	"github.com/deeds-evals/deeds/results"
)

// A pair is two arms whose truth is known.
type pair struct {
	name            string
	base, candidate sim.Model
}

// regimes are pairs without any difference, each hard on a statistic in its own way:
// much chance in every unit, next to none, units that differ, and most units settled.
var regimes = []pair{
	alike("p = 0.3 everywhere", "sim:0.3"),
	alike("p = 0.95 everywhere", "sim:0.95"),
	alike("difficulty mix 0.1 to 0.9", "sim:0.1..0.9"),
	alike("80 % of cases at 1, 20 % at 0.5", "sim:1+hard=0.5"),
}

func alike(name, rates string) pair { return pair{name, model(rates), model(rates)} }

func apart(base, candidate string) pair {
	return pair{base + " → " + candidate, model(base), model(candidate)}
}

// truth is the change of the mean rate over the units of a suite.
func (p pair) truth(s suite) float64 {
	sum := 0.0
	for _, u := range s.units() {
		sum += p.candidate.Rate(u) - p.base.Rate(u)
	}
	return sum / float64(s.cases)
}

// arm plays one arm, of as many runs as are asked for.
func (l *lab) arm(s suite, m sim.Model, cell, side string, i, runs int) (results.Arm, error) {
	var all []*results.Run
	for n := range runs {
		r, err := l.run(s, m, cell, fmt.Sprint(side, n), i)
		if err != nil {
			return results.Arm{}, err
		}
		all = append(all, r)
	}
	return results.NewArm(side, all, "")
}

// compare plays both arms of a pair once and compares them.
func (l *lab) compare(s suite, p pair, cell string, i int, o results.CompareOptions) (*results.Comparison, error) {
	base, err := l.arm(s, p.base, cell, "base", i, 1)
	if err != nil {
		return nil, err
	}
	candidate, err := l.arm(s, p.candidate, cell, "candidate", i, 1)
	if err != nil {
		return nil, err
	}
	return results.Compare(base, candidate, o)
}

// moved reports whether a row claims a difference.
func moved(r results.Row) bool { return r.Verdict == results.Better || r.Verdict == results.Worse }

// offZero reports whether the interval of a row leaves zero out.
func offZero(r results.Row) bool { return r.Lo > 0 || r.Hi < 0 }
