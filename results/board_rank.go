package results

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/internal/stats"
)

// leastRanked is how many current rows two entries share at least, for one to be
// called better than the other.
const leastRanked = 5

// rankAlpha is the level of the family of all pairs.
const rankAlpha = 0.05

// A Standing is the place of an entry among the others.
type Standing struct {
	Entry *Entry `json:"-"`
	Key   string `json:"key"`
	// Rank is 1 and one more for each entry that is significantly better, 0 for an
	// entry that cannot be ranked. Those of one rank are tied.
	Rank   int      `json:"rank"`
	Better []string `json:"better"`             // the keys of those entries
	Why    string   `json:"unranked,omitempty"` // why there is no rank
}

// Standings ranks entries: the best first, then those of no rank. One entry is better
// than another if its attempts passed more often over the current rows that they share,
// by the exact within-unit permutation of the arms' labels ([stats.WithinUnit]), at 5 %
// over all pairs by Holm's method. Where that shows nothing they are tied, whatever
// their scores: "not better" is no order, so ranks may leave numbers out.
func Standings(entries []*Entry) []Standing {
	all := make([]Standing, len(entries))
	for i, e := range entries {
		all[i] = Standing{Entry: e, Key: e.Key, Better: []string{}, Why: e.unfinished()}
	}
	type duel struct {
		a, b  int
		delta float64
	}
	var (
		duels  []duel
		p      []float64
		fought = make(map[int]bool)
		able   int
	)
	for i := range all {
		if all[i].Why != "" {
			continue
		}
		able++
		for j := i + 1; j < len(all); j++ {
			if all[j].Why != "" {
				continue
			}
			pairs := shared(all[i].Entry, all[j].Entry)
			if len(pairs) < leastRanked {
				continue
			}
			delta := 0.0
			for _, pair := range pairs {
				delta += pair.Delta()
			}
			fought[i], fought[j] = true, true
			duels = append(duels, duel{i, j, delta})
			p = append(p, stats.WithinUnit(pairs, stats.Seed("scoreboard", all[i].Key, all[j].Key)).P)
		}
	}
	for n, holm := range stats.Holm(p) {
		if math.IsNaN(holm) || holm > rankAlpha {
			continue
		}
		worse, better := duels[n].a, duels[n].b
		if duels[n].delta < 0 { // delta is b - a
			worse, better = better, worse
		}
		all[worse].Better = append(all[worse].Better, all[better].Key)
	}
	for i := range all {
		switch {
		case all[i].Why != "":
		case able > 1 && !fought[i]:
			all[i].Why = "it shares too few current rows with the others"
		default:
			all[i].Rank = 1 + len(all[i].Better)
		}
	}
	slices.SortStableFunc(all, func(a, b Standing) int {
		return cmp.Or(cmp.Compare(last(a.Rank), last(b.Rank)), cmp.Compare(score(b.Entry), score(a.Entry)), strings.Compare(a.Key, b.Key))
	})
	return all
}

// last puts no rank behind all others.
func last(rank int) int {
	if rank == 0 {
		return math.MaxInt
	}
	return rank
}

func score(e *Entry) float64 {
	if s := e.Aggregates.Score; s.Known() {
		return float64(s)
	}
	return -1
}

// unfinished says why an entry cannot be ranked by itself, "" if it can.
func (e *Entry) unfinished() string {
	a := e.Aggregates
	whole := !slices.ContainsFunc(e.Suite, func(c BoardCase) bool { return c.Planned != c.Digest || len(c.Units) == 0 })
	switch {
	case len(e.Rows) == 0 && len(e.Retired) > 0:
		return "it was retired"
	case !whole || a.Filled < a.Slots || a.Slots == 0:
		return "it is unfinished"
	case a.Units < leastRanked:
		return "it has too few rows"
	}
	return ""
}

// shared pairs the attempts that two entries have of the rows that are current in both:
// the same unit under the same case and grader.
func shared(a, b *Entry) []stats.Pair {
	theirs := make(map[boardVersion]UnitResult)
	b.eachCurrent(func(v boardVersion, u UnitResult) { theirs[v] = u })
	var pairs []stats.Pair
	a.eachCurrent(func(v boardVersion, u UnitResult) {
		t, ok := theirs[v]
		if n, m := u.Passed+u.Failed, t.Passed+t.Failed; ok && n > 0 && m > 0 {
			pairs = append(pairs, stats.Pair{BasePassed: u.Passed, BaseN: n, CandPassed: t.Passed, CandN: m})
		}
	})
	return pairs
}

// A boardVersion names a unit, its case and its grader.
type boardVersion struct{ Case, World, Variant, Digest, Grader string }

// eachCurrent calls f with every current row's result.
func (e *Entry) eachCurrent(f func(boardVersion, UnitResult)) {
	for _, c := range e.Suite {
		for _, u := range e.units(c) {
			row, stale, _ := e.current(boardUnit{c.Case, u.World, u.Variant}, c.Digest)
			if row != nil && !stale {
				f(boardVersion{row.Case, row.World, row.Variant, row.Digest, row.Grader}, row.result())
			}
		}
	}
}
