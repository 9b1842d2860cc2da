package stats

import "math"

// A Loss is one unit of which attempts were lost: how many passed, how many were
// decided and how many were not, in each arm.
type Loss struct {
	BasePassed, BaseJudged, BaseLost int
	CandPassed, CandJudged, CandLost int
}

// Bounds are the ends of what is possible, not of what is likely.
type Bounds struct{ Lo, Hi float64 }

// WorstCase bounds the mean change of the units' pass rates, whatever the attempts
// that were lost would have done: at the low end every lost attempt of the candidate
// failed and every one of the base passed, at the high end the reverse. Manski 1990,
// Nonparametric Bounds on Treatment Effects.
//
// A unit of which an arm has no attempt at all, lost or not, bounds nothing: there the
// rate may be anything in [0, 1]. Both ends are NaN where there are no units.
func WorstCase(pairs []Loss) Bounds {
	if len(pairs) == 0 {
		return Bounds{math.NaN(), math.NaN()}
	}
	var b Bounds
	for _, p := range pairs {
		base := possible(p.BasePassed, p.BaseJudged, p.BaseLost)
		cand := possible(p.CandPassed, p.CandJudged, p.CandLost)
		b.Lo += cand.Lo - base.Hi
		b.Hi += cand.Hi - base.Lo
	}
	n := float64(len(pairs))
	return Bounds{b.Lo / n, b.Hi / n}
}

// possible bounds the pass rate of one unit in one arm.
func possible(passed, judged, lost int) Bounds {
	n := judged + lost
	if n == 0 {
		return Bounds{0, 1}
	}
	return Bounds{float64(passed) / float64(n), float64(passed+lost) / float64(n)}
}
