package main

import (
	"fmt"

	"github.com/deeds-evals/deeds/results"
)

// noise counts how often two arms of one model clear the floor of three replicates.
func noise(l *lab) ([]section, error) {
	page := section{
		title: "Floors from three replicates",
		says: fmt.Sprintf(`A floor is made of three runs of one model, and two more arms of it are compared: how often the change
clears the floor, which must not be above %.0f %%, how often that and the verdict agree on a difference that is none,
and how often the runs are said to vary by more than their attempts explain (p ≤ 0.05).`, 100*alpha),
		head: []string{"regime", "cases", "runs a side", "clears", "clears and verdict", "runs said to vary"},
	}
	for _, p := range regimes {
		for _, cases := range []int{15, 34} {
			for _, runs := range []int{1, 3} {
				if runs > 1 && cases > 15 {
					continue // it takes long, and shows nothing else
				}
				type found struct {
					row  results.Row
					seen results.NoiseRow
				}
				cell := fmt.Sprint("noise ", p.name, cases, runs)
				var clears, both, vary share
				err := each(l.n, func(i int) (f found, err error) {
					s := suite{cases: cases, attempts: attempts, draw: i}
					var replicates []results.Arm
					for n := range 3 {
						arm, err := l.arm(s, p.base, cell, fmt.Sprint("replicate", n), i, 1)
						if err != nil {
							return f, err
						}
						replicates = append(replicates, arm)
					}
					base, err := l.arm(s, p.base, cell, "base", i, runs)
					if err != nil {
						return f, err
					}
					candidate, err := l.arm(s, p.candidate, cell, "candidate", i, runs)
					if err != nil {
						return f, err
					}
					c, err := results.Compare(base, candidate, results.CompareOptions{Noise: replicates})
					if err != nil {
						return f, err
					}
					report, err := results.Noise(replicates)
					if err != nil {
						return f, err
					}
					return found{c.Signals[0], report.Signals[0]}, nil
				}, func(f found) {
					cleared := f.row.Clears != nil && *f.row.Clears
					clears.count(cleared)
					both.count(cleared && moved(f.row))
					vary.count(f.seen.P <= alpha)
				})
				if err != nil {
					return nil, err
				}
				where := fmt.Sprintf("%s, %d cases, %d runs a side", p.name, cases, runs)
				page.require(clears.atMost(alpha), "the floor of %s is cleared in %s", where, clears)
				page.require(both.atMost(alpha), "the floor and the verdict of %s are false in %s", where, both)
				page.add(p.name, fmt.Sprint(cases), fmt.Sprint(runs), clears.String(), both.String(), vary.String())
			}
		}
	}
	return []section{page}, nil
}
