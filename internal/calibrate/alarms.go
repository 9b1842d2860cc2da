package main

import (
	"fmt"

	"github.com/deeds-evals/deeds/results"
)

const (
	attempts = 4
	alpha    = 0.05
)

var sizes = []int{5, 8, 15, 34}

// alarms counts how often two arms of one model are said to differ, by the rule that
// decides and by what stands beside it.
func alarms(l *lab) ([]section, error) {
	page := section{
		title: "False alarms of compare",
		says: fmt.Sprintf(`Two arms of one model, %d attempts a unit: how often a verdict says better or worse, how often the
exact sign-flip has p ≤ %.2f, and how often the interval leaves zero out. The first two must not be above
%.0f %%. The interval decides nothing.`, attempts, alpha, 100*alpha),
		head: []string{"regime", "cases", "verdict", "sign-flip", "McNemar", "interval off zero"},
	}
	for _, p := range regimes {
		for _, cases := range sizes {
			cell := fmt.Sprint("alarms ", p.name, cases)
			var verdict, flip, mcnemar, interval share
			err := each(l.n, func(i int) (*results.Comparison, error) {
				return l.compare(suite{cases: cases, attempts: attempts, draw: i}, p, cell, i, results.CompareOptions{})
			}, func(c *results.Comparison) {
				row := c.Signals[0]
				verdict.count(moved(row))
				flip.count(row.PSignFlip <= alpha)
				mcnemar.count(row.PMcNemar <= alpha)
				interval.count(offZero(row))
			})
			if err != nil {
				return nil, err
			}
			where := fmt.Sprintf("%s, %d cases", p.name, cases)
			page.require(verdict.atMost(alpha), "the verdicts of %s are false in %s", where, verdict)
			page.require(flip.atMost(alpha), "the sign-flip of %s is false in %s", where, flip)
			page.require(mcnemar.atMost(alpha), "McNemar of %s is false in %s", where, mcnemar)
			page.require(interval.atMost(0.07), "the interval of %s leaves zero out in %s", where, interval)
			page.add(p.name, fmt.Sprint(cases), verdict.String(), flip.String(), mcnemar.String(), interval.String())
		}
	}
	unequal, err := unequalAttempts(l)
	if err != nil {
		return nil, err
	}
	families, err := family(l)
	return []section{page, unequal, families}, err
}

// unequalAttempts does the same where one arm was attempted more often: the tests must
// hold for any number of attempts.
func unequalAttempts(l *lab) (section, error) {
	page := section{
		title: "False alarms with unequal attempts",
		says:  "The same, with 5 attempts a unit in one arm and 2 in the other, of 15 cases.",
		head:  []string{"regime", "verdict", "interval off zero"},
	}
	for _, p := range regimes {
		cell := "unequal " + p.name
		var verdict, interval share
		err := each(l.n, func(i int) (*results.Comparison, error) {
			base, err := l.arm(suite{cases: 15, attempts: 5, draw: i}, p.base, cell, "base", i, 1)
			if err != nil {
				return nil, err
			}
			candidate, err := l.arm(suite{cases: 15, attempts: 2, draw: i}, p.candidate, cell, "candidate", i, 1)
			if err != nil {
				return nil, err
			}
			return results.Compare(base, candidate, results.CompareOptions{})
		}, func(c *results.Comparison) {
			verdict.count(moved(c.Signals[0]))
			interval.count(offZero(c.Signals[0]))
		})
		if err != nil {
			return page, err
		}
		page.require(verdict.atMost(alpha), "the verdicts of %s with unequal attempts are false in %s", p.name, verdict)
		page.add(p.name, verdict.String(), interval.String())
	}
	return page, nil
}

// family counts how often any of several signals is said to differ.
func family(l *lab) (section, error) {
	page := section{
		title: "False alarms of a whole comparison",
		says: fmt.Sprintf(`Two arms of one model over 15 cases with several signals, drawn apart: how often any signal is
said to differ, which must not be above %.0f %%, and how often any would be without the correction of Holm.`, 100*alpha),
		head: []string{"regime", "signals", "any verdict", "any p ≤ 0.05"},
	}
	for _, p := range regimes {
		for _, signals := range []int{3, 8} {
			cell := fmt.Sprint("family ", p.name, signals)
			var any, raw share
			err := each(l.n, func(i int) (*results.Comparison, error) {
				return l.compare(suite{cases: 15, attempts: attempts, signals: signals, draw: i}, p, cell, i, results.CompareOptions{})
			}, func(c *results.Comparison) {
				hit, rawHit := false, false
				for _, row := range c.Signals {
					hit = hit || moved(row)
					rawHit = rawHit || row.P <= alpha
				}
				any.count(hit)
				raw.count(rawHit)
			})
			if err != nil {
				return page, err
			}
			page.require(any.atMost(alpha), "a comparison of %d signals at %s is false in %s", signals, p.name, any)
			page.add(p.name, fmt.Sprint(signals), any.String(), raw.String())
		}
	}
	return page, nil
}
