package stats

import "math"

// An Interval is a range of values at a confidence level that its maker was given.
// Both ends are NaN where there is none.
type Interval struct{ Lo, Hi float64 }

// none is the interval of data that support no interval.
var none = Interval{math.NaN(), math.NaN()}

// about is the interval of a half width on both sides of a centre, cut to [lo, hi].
func about(centre, half, lo, hi float64) Interval {
	if math.IsNaN(centre) || math.IsNaN(half) {
		return none
	}
	return Interval{max(lo, centre-half), min(hi, centre+half)}
}
