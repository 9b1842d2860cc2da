package stats

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// CasesNeeded is the number of units at which a change of the pass rate from base to
// base+effect is detected with the power asked for, each unit attempted k times in both
// arms: ((z_{1-alpha/2} + z_power)·sd/effect)² rounded up, at least 2. The model: every
// unit passes at the same rate, and the arms are independent given the unit, so that
// sd² = (p(1-p) + q(1-q))/k with q = p + effect. Units that differ in difficulty need
// fewer; the formula knows nothing of the test that decides and is a little optimistic
// about it (see CasesNeededSimulated). Miller 2024, Adding Error Bars to Evals, section 5.
//
// Concentrated is the number if the change sits on as few units as can hold it: the
// share s = effect/(1-p) of them, which then always passes. The deltas' variance is
// ((1-s)·2p(1-p) + s·p(1-p))/k + effect²(1-s)/s. A fall is the mirror image of a rise.
//
// It is an error to ask for an effect that does not exist, above 1-base or below -base.
func CasesNeeded(base, effect float64, k int, alpha, power float64) (n int, concentrated int, err error) {
	if err := plan(base, effect, k); err != nil {
		return 0, 0, err
	}
	if effect < 0 {
		base, effect = 1-base, -effect
	}
	n, err = size(modelSD(base, effect, k), effect, alpha, power)
	if err != nil {
		return 0, 0, err
	}
	share := min(1, effect/(1-base))
	one := base * (1 - base) / float64(k)
	variance := (1-share)*2*one + share*one + effect*effect*(1-share)/share
	concentrated, err = size(math.Sqrt(variance), effect, alpha, power)
	return n, concentrated, err
}

// CasesNeededSD is CasesNeeded with the standard deviation of the units' deltas as it
// was measured, which needs no model.
func CasesNeededSD(sd, effect, alpha, power float64) (int, error) {
	switch {
	case !(sd > 0) || math.IsInf(sd, 1):
		return 0, errors.New("units that do not differ say nothing about how many are needed: give a positive standard deviation")
	case effect == 0 || math.IsNaN(effect):
		return 0, errNoEffect
	}
	return size(sd, effect, alpha, power)
}

var errNoEffect = errors.New("no number of cases detects an effect of 0: give the smallest that matters")

// plan says what is wrong with a planned comparison.
func plan(base, effect float64, k int) error {
	switch {
	case !(base >= 0 && base <= 1):
		return fmt.Errorf("a base rate of %g is outside 0 to 1", base)
	case k < 1:
		return fmt.Errorf("%d attempts of a case detect nothing: give at least 1", k)
	case effect == 0 || math.IsNaN(effect):
		return errNoEffect
	case !exists(base, effect):
		return fmt.Errorf("there is no effect of %+g on a base rate of %g: it can only change by %+.4g to %+.4g", effect, base, -base, 1-base)
	}
	return nil
}

// exists says whether a rate can change by that much; what rounding adds is forgiven.
func exists(base, effect float64) bool {
	return base+effect <= 1+1e-12 && base+effect >= -1e-12
}

// size is the least number of units, at least 2.
func size(sd, effect, alpha, power float64) (int, error) {
	z := normal(1-alpha/2) + normal(power)
	if math.IsNaN(z) {
		return 0, fmt.Errorf("a level of %g with a power of %g: both must be between 0 and 1", alpha, power)
	}
	n := math.Ceil(math.Pow(z*sd/effect, 2) - 1e-9)
	if n > math.MaxInt32 {
		return 0, fmt.Errorf("an effect of %g needs more than %d cases", effect, math.MaxInt32)
	}
	return max(2, int(n)), nil
}

// modelSD is the standard deviation of a unit's delta; see CasesNeeded.
func modelSD(base, effect float64, k int) float64 {
	q := min(1, max(0, base+effect))
	return math.Sqrt((base*(1-base) + q*(1-q)) / float64(k))
}

// DetectableEffect is the smallest rise that n units would show with the power asked
// for, in the model of CasesNeeded. It is the positive root e of
//
//	n·e² = z²·sd(e)², that is (nk + z²)e² - z²(1-2p)e - 2z²p(1-p) = 0
//
// which at base 0 is z²/(nk + z²); an iteration that begins at 0 stays there. For the
// smallest fall, give 1-base.
//
// It is NaN for fewer than 2 units, for rates, levels and powers outside their ranges,
// and where the rate has no room for the rise: nothing that could be gained would be
// detected.
func DetectableEffect(n int, base float64, k int, alpha, power float64) float64 {
	z := normal(1-alpha/2) + normal(power)
	if n < 2 || k < 1 || !(base >= 0 && base <= 1) || math.IsNaN(z) || z <= 0 {
		return math.NaN()
	}
	a := float64(n)*float64(k) + z*z
	b := z * z * (1 - 2*base)
	c := 2 * z * z * base * (1 - base)
	effect := (b + math.Sqrt(b*b+4*a*c)) / (2 * a)
	if effect <= 0 || !exists(base, effect) {
		return math.NaN()
	}
	return effect
}

// PowerOf is the probability that n units show a change of the pass rate from base to
// base+effect in the right direction, in the model of CasesNeeded: Phi(|effect|·sqrt(n)/sd
// - z_{1-alpha/2}). It is 1 where nothing varies, and NaN where the effect does not exist
// or is 0.
func PowerOf(n int, base, effect float64, k int, alpha float64) float64 {
	z := normal(1 - alpha/2)
	if n < 1 || plan(base, effect, k) != nil || math.IsNaN(z) {
		return math.NaN()
	}
	return distuv.UnitNormal.CDF(math.Abs(effect)*math.Sqrt(float64(n))/modelSD(base, effect, k) - z)
}
