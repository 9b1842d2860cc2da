package stats

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Planted is a comparison with a known answer: the units' pass rates in the base arm,
// and by how much their mean changes in the candidate arm.
type Planted struct {
	Base   []float64 // in [0, 1], one for each unit
	Effect float64
	K      int // attempts of each unit in each arm
	// Concentrated puts the effect on as few units as can hold it. Otherwise every rate
	// moves by the same amount, as far as it has room.
	Concentrated bool
}

// SimulatedPower is the share of simulated comparisons in which the rule that decides
// does so and is right: P of WithinUnit is at most alpha, and the delta has the sign of
// the effect. With an effect of 0 it is the rate of false alarms, in either direction.
// Its standard error is sqrt(p(1-p)/draws).
//
// It is NaN without a unit, an attempt or a draw, and where the rates have no room for
// the effect.
func SimulatedPower(p Planted, alpha float64, draws int, seed uint64) float64 {
	cand, ok := p.candidate()
	if !ok || draws < 1 || p.K < 1 {
		return math.NaN()
	}
	detected := 0
	for draw := range draws {
		r := rand.New(rand.NewPCG(seed, forPower<<32|uint64(draw)))
		pairs := make([]Pair, len(p.Base))
		for i := range pairs {
			pairs[i] = Pair{passes(r, p.K, p.Base[i]), p.K, passes(r, p.K, cand[i]), p.K}
		}
		if detects(pairs, p.Effect, alpha, r) {
			detected++
		}
	}
	return float64(detected) / float64(draws)
}

// passes draws how many of k attempts pass. It always takes k numbers from the stream,
// so that what follows is the same at any rate.
func passes(r *rand.Rand, k int, rate float64) int {
	n := 0
	for range k {
		if r.Float64() < rate {
			n++
		}
	}
	return n
}

// detects is the deciding rule. Tails that are too small to matter at any alpha are cut.
// Units that all have K attempts are exact, but for a K of many thousands.
func detects(pairs []Pair, effect, alpha float64, r *rand.Rand) bool {
	delta := 0.0
	for _, p := range pairs {
		delta += p.Delta()
	}
	if effect != 0 && delta*effect <= 0 {
		return false
	}
	c := convolver{1e-12, maxSteps}
	p, _ := permuted(pairs, &c).twoSided(c, r)
	return p <= alpha
}

// candidate is the rates of the units in the candidate arm, if they have room.
func (p Planted) candidate() ([]float64, bool) {
	if len(p.Base) == 0 || !(math.Abs(p.Effect) <= 1) {
		return nil, false
	}
	rise := p.Effect >= 0
	rates := slices.Clone(p.Base)
	room := 0.0
	for i, b := range rates {
		if !(b >= 0 && b <= 1) {
			return nil, false
		}
		if !rise { // a fall is a rise of the failures
			rates[i] = 1 - b
		}
		room += 1 - rates[i]
	}
	need := math.Abs(p.Effect) * float64(len(rates))
	if need > room+1e-9 {
		return nil, false
	}
	if p.Concentrated {
		concentrate(rates, need)
	} else {
		spread(rates, need)
	}
	if !rise {
		for i := range rates {
			rates[i] = 1 - rates[i]
		}
	}
	return rates, true
}

// concentrate raises the lowest rates to 1 until their sum has risen by what is needed.
func concentrate(rates []float64, need float64) {
	order := make([]int, len(rates))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rates[a], rates[b]) })
	for _, i := range order {
		step := min(need, 1-rates[i])
		rates[i] += step
		need -= step
	}
}

// spread raises all rates alike, none above 1, until their sum has risen by what is
// needed.
func spread(rates []float64, need float64) {
	order := slices.Sorted(slices.Values(rates))
	shift := 0.0
	for i := len(order) - 1; i >= 0; i-- { // the highest has the least room
		shift = need / float64(i+1)
		if shift <= 1-order[i] {
			break
		}
		need -= 1 - order[i]
	}
	for i := range rates {
		rates[i] = min(1, rates[i]+shift)
	}
}

// sizeLimit is the largest size that is searched by simulation.
const sizeLimit = 1_000

// Simulable reports whether so many units, of k attempts an arm, are few enough to be
// simulated thousands of times while somebody waits.
func Simulable(units, k int) bool {
	const attempts, ofUnit = 20_000, 100
	return k <= ofUnit && units <= attempts/max(1, k)
}

// CasesNeededSimulated is the number of units at which the rule that decides detects a
// change from base to base+effect with the power asked for, found by simulating that
// rule, where CasesNeeded trusts a normal approximation of another one. All units have
// the same rate. Every size sees the same random numbers, a smaller one the first of
// them, so that sizes differ by what the units add; but for the steps of a discrete
// test, power rises with the size, and the answer is where a bisection finds the power
// reached, to 1 %. Each size is simulated 2,000 times, fewer where it is above 200, but
// at least 500: the power is known to one or two percentage points.
//
// It is an error to ask for an effect that does not exist, or one so small that more
// than 1,000 units, or more than is [Simulable], would have to be simulated: there the formula is as good.
func CasesNeededSimulated(base, effect float64, k int, alpha, power float64, seed uint64) (int, error) {
	formula, _, err := CasesNeeded(base, effect, k, alpha, power)
	if err != nil {
		return 0, err
	}
	draws := min(2_000, max(500, 400_000/formula))
	enough := func(n int) bool {
		planted := Planted{Base: slices.Repeat([]float64{base}, n), Effect: effect, K: k}
		return SimulatedPower(planted, alpha, draws, seed) >= power
	}
	lo, hi := 1, formula
	for {
		switch {
		case !Simulable(1, k):
			return 0, fmt.Errorf("units of %d attempts are too large to simulate: take the number of the formula", k)
		case hi <= sizeLimit && !Simulable(hi, k):
			return 0, fmt.Errorf("%d cases of %d attempts are too many to simulate: take the number of the formula", hi, k)
		case hi > sizeLimit:
			return 0, fmt.Errorf("an effect of %g needs about %d cases, too many to simulate: take the number of the formula", effect, max(formula, hi))
		}
		if enough(hi) {
			break
		}
		lo, hi = hi, hi+hi/10+1
	}
	for hi-lo > max(1, hi/100) {
		if mid := (lo + hi) / 2; enough(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi, nil
}
