package main

import (
	"fmt"
	"math"

	"github.com/deeds-evals/deeds/results"
)

// consistent is the operating curve of the rule that a unit passes on three of three:
// what a model of a true rate is credited with.
func consistent(l *lab) ([]section, error) {
	const attempts, cases = 3, 50
	runs := max(l.n/cases, 4)
	page := section{
		title: "The rule of three of three",
		says: fmt.Sprintf(`Units credited, of %d in each of %d runs, by the true rate of an attempt. It must be the third
power of the rate. That a unit passed three times of three shows, with 95 %% confidence, a rate above %s and no more.`, cases, runs, percent(math.Pow(0.05, 1.0/attempts))),
		head: []string{"true rate", "credited", "rate³"},
	}
	for _, rate := range []float64{0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1} {
		var credited share
		name := fmt.Sprint("sim:", rate)
		err := each(runs, func(i int) (units []results.UnitResult, err error) {
			run, err := l.run(suite{cases: cases, attempts: attempts, draw: i}, model(name), "consistent "+name, "only", i)
			if err != nil {
				return nil, err
			}
			return run.Units(), nil
		}, func(units []results.UnitResult) {
			for _, u := range units {
				credited.count(u.Outcome() == results.Pass)
			}
		})
		if err != nil {
			return nil, err
		}
		truth := math.Pow(rate, attempts)
		page.require(credited.near(truth), "a model of rate %g is credited with %s of its units, not with %s", rate, credited, percent(truth))
		page.add(fmt.Sprint(rate), credited.String(), percent(truth))
	}
	return []section{page}, nil
}
