package main

import (
	"fmt"

	"github.com/deeds-evals/deeds/results"
)

// coverage counts how often the interval of the change holds the true change.
func coverage(l *lab) ([]section, error) {
	page := section{
		title: "Coverage of the interval",
		says: fmt.Sprintf(`How often the 95 %% interval of the change holds the true change, with and without one, %d attempts
a unit. It must be in 93–97 %%. Where few attempts come out otherwise than the others of their unit, their small number
leaves an interval no choice but to hold the change more often: there, in the rows marked *, only the lower bound is held
against it. A comparison in which every attempt of both arms came out the same has no interval, and is not counted.`, attempts),
		head: []string{"rates", "cases", "mean change", "coverage", "mean width", "no interval"},
	}
	pairs := append(append([]pair{}, regimes...),
		apart("sim:0.3", "sim:0.45"), apart("sim:0.95", "sim:0.8"), apart("sim:0.1..0.75", "sim:0.25..0.9"),
		apart("sim:0.3", "sim:0.3..0.6"), apart("sim:1+hard=0.5", "sim:1+hard=0.8"))
	for _, p := range pairs {
		for _, cases := range sizes {
			type found struct {
				row   results.Row
				truth float64
			}
			var (
				held, none   share
				width, moved float64
				cell         = fmt.Sprint("coverage ", p.name, cases)
			)
			err := each(l.n, func(i int) (found, error) {
				s := suite{cases: cases, attempts: attempts, draw: i}
				c, err := l.compare(s, p, cell, i, results.CompareOptions{})
				if err != nil {
					return found{}, err
				}
				return found{c.Signals[0], p.truth(s)}, nil
			}, func(f found) {
				moved += f.truth / float64(l.n)
				if !f.row.Lo.Known() {
					none.count(true)
					return // it says that it cannot say
				}
				none.count(false)
				held.count(float64(f.row.Lo) <= f.truth && f.truth <= float64(f.row.Hi))
				width += float64(f.row.Hi - f.row.Lo)
			})
			if err != nil {
				return nil, err
			}
			where := fmt.Sprintf("%s, %d cases", p.name, cases)
			page.require(held.atLeast(0.93), "the interval of %s holds the change in only %s", where, held)
			mark := ""
			if settled(p, cases) {
				mark = " *"
			} else {
				page.require(held.atMost(0.97), "the interval of %s is too wide: it holds the change in %s", where, held)
			}
			page.add(p.name+mark, fmt.Sprint(cases), fmt.Sprintf("%+.3f", moved), held.String(), fmt.Sprintf("%.3f", width/float64(held.n)), none.String())
		}
	}
	return []section{page}, nil
}

// settled reports whether fewer than ten attempts of an arm are expected to come out
// otherwise than most attempts of their unit: too few for an interval to be exact.
func settled(p pair, cases int) bool {
	odd := 0.0
	for _, u := range (suite{cases: cases}).units() {
		for _, rate := range []float64{p.base.Rate(u), p.candidate.Rate(u)} {
			odd += attempts * min(rate, 1-rate) / 2
		}
	}
	return odd < 10
}
