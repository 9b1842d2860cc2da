package main

import (
	"fmt"
	"math"

	"github.com/deeds-evals/deeds/results"
)

// guards counts the decisions of a guard against a fall that is known.
func guards(l *lab) ([]section, error) {
	page := section{
		title: "Guards",
		says: fmt.Sprintf(`What a guard with a margin decides, %d attempts a unit. Where the true fall is the margin or more, a pass is
false, and where there is none, a fail is: neither must be above %.0f %%.`, attempts, 100*alpha),
		head: []string{"rates", "cases", "margin", "true change", "pass", "fail", "inconclusive"},
	}
	for _, x := range []struct {
		base, candidate string
		margin          float64
	}{
		{"sim:0.5", "sim:0.45", 0.05},
		{"sim:0.8", "sim:0.75", 0.05},
		{"sim:0.95", "sim:0.9", 0.05},
		{"sim:0.2..0.9", "sim:0.1..0.8", 0.10},
		{"sim:1", "sim:0.95", 0.05},
		{"sim:1", "sim:1+hard=0.5", 0.10},
		{"sim:0.8", "sim:0.8", 0.05},
		{"sim:0.8", "sim:0.8", 0.10},
		{"sim:0.95", "sim:0.95", 0.10},
		{"sim:0.8", "sim:0.6", 0.05},
	} {
		for _, cases := range []int{8, 15, 34} {
			p := apart(x.base, x.candidate)
			s := suite{cases: cases, attempts: attempts}
			// The hard cases are a fifth only of whole fifths: the margin is the fall.
			truth, margin := p.truth(s), x.margin
			if truth < 0 && truth > -margin {
				margin = -truth
			}
			var pass, fail, open share
			cell := fmt.Sprint("guard ", p.name, cases, margin)
			err := each(l.n, func(i int) (*results.Comparison, error) {
				s := s
				s.draw = i
				return l.compare(s, p, cell, i, results.CompareOptions{Guards: []string{signalName(0)}, Margin: margin})
			}, func(c *results.Comparison) {
				decision := c.Guards[0].Decision
				pass.count(decision == results.DecisionPass)
				fail.count(decision == results.DecisionFail)
				open.count(decision == results.DecisionInconclusive)
			})
			if err != nil {
				return nil, err
			}
			where := fmt.Sprintf("%s, %d cases, margin %.3f", p.name, cases, margin)
			if truth <= -margin+1e-9 {
				page.require(pass.atMost(alpha), "the guard of %s passes a fall of its margin in %s", where, pass)
			}
			if math.Abs(truth) < 1e-9 {
				page.require(fail.atMost(alpha), "the guard of %s fails without a fall in %s", where, fail)
			}
			page.require(pass.hits+fail.hits+open.hits == pass.n, "the guard of %s has decided something else", where)
			page.add(p.name, fmt.Sprint(cases), fmt.Sprintf("%.3f", margin), fmt.Sprintf("%+.3f", truth), pass.String(), fail.String(), open.String())
		}
	}
	return []section{page}, nil
}
