package main

import (
	"fmt"

	"github.com/deeds-evals/deeds/results"
)

// ranks counts how often the scoreboard ranks equal models apart, and how often it finds
// the one that is better.
func ranks(l *lab) ([]section, error) {
	page := section{
		title: "Ranks",
		says: fmt.Sprintf(`Four models on the scoreboard, of three attempts a unit: how often any of them is called better than
another that is its equal, which must not be above %.0f %%, and how often one of another rate is alone at the top.`, 100*alpha),
		head: []string{"rates", "cases", "equals told apart", "the best alone"},
	}
	for _, x := range []struct{ others, best string }{
		{"sim:0.3", "sim:0.3"}, {"sim:0.95", "sim:0.95"}, {"sim:0.1..0.9", "sim:0.1..0.9"}, {"sim:1+hard=0.5", "sim:1+hard=0.5"},
		{"sim:0.5", "sim:0.7"}, {"sim:0.5", "sim:0.9"},
	} {
		for _, cases := range []int{15, 34} {
			cell := fmt.Sprint("ranks ", x, cases)
			var apart, alone share
			// What is said of the entries is kept, and not the entries.
			type found struct{ wrong, alone bool }
			err := each(l.n, func(i int) (f found, err error) {
				var entries []*results.Entry
				for n, rates := range []string{x.best, x.others, x.others, x.others} {
					run, err := l.run(suite{cases: cases, attempts: results.BoardAttempts, draw: i}, model(rates), cell, fmt.Sprint("model", n), i)
					if err != nil {
						return f, err
					}
					entries = append(entries, entry(fmt.Sprint("model-", n), run))
				}
				all := results.Standings(entries)
				for _, s := range all {
					for _, better := range s.Better {
						f.wrong = f.wrong || x.best == x.others || better != "model-0"
					}
				}
				f.alone = all[0].Key == "model-0" && all[0].Rank == 1 && all[1].Rank > 1
				return f, nil
			}, func(f found) {
				apart.count(f.wrong)
				alone.count(f.alone)
			})
			if err != nil {
				return nil, err
			}
			page.require(apart.atMost(alpha), "equal models of %s over %d cases are ranked apart in %s", x.others, cases, apart)
			name, best := x.others, "–"
			if x.best != x.others {
				name, best = "one "+x.best+", three "+x.others, alone.String()
			}
			page.add(name, fmt.Sprint(cases), apart.String(), best)
		}
	}
	return []section{page}, nil
}

// entry is the scoreboard's entry of a run that was published.
func entry(key string, run *results.Run) *results.Entry {
	e := &results.Entry{Schema: results.BoardSchema, Key: key, Agent: "builtin", Model: key}
	rows := make(map[results.Unit]int)
	for _, a := range run.Attempts {
		u := a.Unit()
		n, ok := rows[u]
		if !ok {
			n = len(e.Rows)
			rows[u] = n
			signals := run.Plans[0].Signals[u.Case]
			e.Grader = a.Digests.Grader
			e.Suite = append(e.Suite, results.BoardCase{
				Case: u.Case, Dir: "evals", Digest: a.Digests.Case, Planned: a.Digests.Case,
				Units: []results.BoardUnit{{World: u.World, Variant: u.Variant, Signals: signals}},
			})
			e.Rows = append(e.Rows, results.BoardRow{
				Case: u.Case, World: u.World, Variant: u.Variant,
				Digest: a.Digests.Case, Grader: a.Digests.Grader, Signals: signals,
			})
		}
		e.Rows[n].Plays = append(e.Rows[n].Plays, results.BoardPlay{
			Attempt: a.Attempt, Play: a.Play, Run: a.Run, Outcome: a.Outcome, Signals: a.Signals,
			Containment: a.Containment, Digests: a.Digests, Started: a.Started, Published: a.Started,
		})
	}
	e.Aggregates = results.Aggregate(e)
	return e
}
