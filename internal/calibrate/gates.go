package main

import (
	"fmt"
	"math"

	"github.com/deeds-evals/deeds/results"
)

// gates counts the decisions of a gate whose interval decides.
func gates(l *lab) ([]section, error) {
	const attempts = 3
	page := section{
		title: "Gates that must be confident",
		says: fmt.Sprintf(`What `+"`deeds gate --confident`"+` decides about a model whose true share of units with %d of %d passed is
known. At the need itself, where neither a pass nor a fail is right, each must not be above %.1f %%; below it a pass
is wrong, above it a fail.`, attempts, attempts, 100*alpha/2),
		head: []string{"true share", "need", "units", "pass", "fail", "cannot decide"},
	}
	for _, x := range []struct{ truth, need float64 }{{0.8, 0.8}, {0.5, 0.5}, {0.95, 0.95}, {0.7, 0.8}, {0.95, 0.8}, {0.5, 0.8}, {1, 0.9}} {
		for _, cases := range []int{15, 34, 100} {
			m := model(fmt.Sprintf("sim:%.12g", math.Pow(x.truth, 1.0/attempts)))
			var pass, fail, open share
			cell := fmt.Sprint("gate ", x, cases)
			err := each(l.n, func(i int) (*results.GateReport, error) {
				arm, err := l.arm(suite{cases: cases, attempts: attempts, draw: i}, m, cell, "arm", i, 1)
				if err != nil {
					return nil, err
				}
				return results.Gate(arm, []results.Need{{Signal: signalName(0), Rate: x.need}}, results.GateOptions{Confident: true})
			}, func(g *results.GateReport) {
				pass.count(g.Decision == results.DecisionPass)
				fail.count(g.Decision == results.DecisionFail)
				open.count(g.Decision == results.DecisionOpen)
			})
			if err != nil {
				return nil, err
			}
			where := fmt.Sprintf("a true share of %g, a need of %g and %d units", x.truth, x.need, cases)
			page.require(x.truth > x.need || pass.atMost(alpha/2), "with %s the gate passes in %s", where, pass)
			page.require(x.truth < x.need || fail.atMost(alpha/2), "with %s the gate fails in %s", where, fail)
			page.require(pass.hits+fail.hits+open.hits == pass.n, "with %s the gate has decided something else", where)
			page.add(fmt.Sprint(x.truth), fmt.Sprint(x.need), fmt.Sprint(cases), pass.String(), fail.String(), open.String())
		}
	}
	return []section{page}, nil
}
