package stats

// A Pair is one unit that was attempted in both arms: how many of its attempts passed,
// of how many that were decided. Both numbers of attempts are at least 1.
type Pair struct{ BasePassed, BaseN, CandPassed, CandN int }

// Delta is the change of the unit's pass rate, candidate minus base, in [-1, 1].
func (p Pair) Delta() float64 {
	return float64(p.CandPassed)/float64(p.CandN) - float64(p.BasePassed)/float64(p.BaseN)
}

// deltas returns the change of every unit.
func deltas(pairs []Pair) []float64 {
	d := make([]float64, len(pairs))
	for i, p := range pairs {
		d[i] = p.Delta()
	}
	return d
}
