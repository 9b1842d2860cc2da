package main

import (
	"fmt"
	"math"

	"github.com/deeds-evals/deeds/results"
)

// power counts how often a change is found, and holds the plan against it.
func power(l *lab) ([]section, error) {
	page := section{
		title: "Power",
		says: fmt.Sprintf(`How often a true change is found (verdict better or worse), %d attempts a unit, beside
what `+"`deeds power`"+` says of it: by the simulation of the deciding rule, which must agree, and by the formula, which
leaves out what an exact test costs: it may promise up to 10 points more.`, attempts),
		head: []string{"rates", "cases", "found", "by simulation", "by formula"},
	}
	const sigmas, planned = 3, 2000 // of the plan: how many simulations it rests on
	for _, x := range []struct {
		base, effect float64
		cases        int
	}{{0.3, 0.15, 15}, {0.3, 0.15, 34}, {0.3, 0.15, 40}, {0.3, 0.10, 89}, {0.3, 0.25, 15}, {0.95, -0.15, 34}} {
		p := apart(fmt.Sprintf("sim:%g", x.base), fmt.Sprintf("sim:%.3g", x.base+x.effect))
		var found share
		cell := fmt.Sprint("power ", p.name, x.cases)
		err := each(l.n, func(i int) (*results.Comparison, error) {
			return l.compare(suite{cases: x.cases, attempts: attempts, draw: i}, p, cell, i, results.CompareOptions{})
		}, func(c *results.Comparison) { found.count(moved(c.Signals[0])) })
		if err != nil {
			return nil, err
		}
		plan, err := results.PlanPower(results.PowerOptions{Base: x.base, K: attempts, Effect: x.effect, Cases: x.cases})
		if err != nil {
			return nil, err
		}
		simulated, formula := float64(plan.PowerSimulated), float64(plan.PowerAt)
		where := fmt.Sprintf("%s in %d cases", p.name, x.cases)
		page.require(math.Abs(found.rate()-simulated) <= sigmas*math.Hypot(errorOf(simulated, l.n), errorOf(simulated, planned)), "%s is found in %s, and planned to be in %s", where, found, percent(simulated))
		page.require(formula-found.rate() <= 0.10+sigmas*errorOf(found.rate(), l.n), "%s is found in %s, and the formula says %s", where, found, percent(formula))
		page.add(p.name, fmt.Sprint(x.cases), found.String(), percent(simulated), percent(formula))
	}
	return []section{page}, nil
}
