package behavior

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// A Draw is a fact whose value is drawn anew for each attempt, so that nobody can
// know it who has not found it out. The same attempt of the same unit draws the
// same, whatever model plays it.
//
// Of its ways the first that is set counts: Of, Hex, else a number.
type Draw struct {
	// Of is one of these.
	Of []string
	// Hex is that many hexadecimal digits, beginning with a letter.
	Hex int
	// Lo and Hi bound a number, both included, with so many Decimals.
	Lo, Hi   float64
	Decimals int
	// Threshold is a number that the range must not straddle, because another branch
	// begins there: a world that forces a branch says so. Zero is none.
	Threshold float64
}

// check says what is wrong with a draw.
func (d Draw) check() error {
	switch {
	case len(d.Of) > 0, d.Hex > 0:
		return nil
	case d.Hi < d.Lo:
		return fmt.Errorf("ends before it begins: %g to %g\nhint: Lo is the lower one", d.Lo, d.Hi)
	case d.Lo == 0 && d.Hi == 0:
		return fmt.Errorf("has neither words, digits nor a range\nhint: set Of, Hex, or Lo and Hi")
	case d.Threshold != 0 && d.Lo <= d.Threshold && d.Threshold <= d.Hi:
		return fmt.Errorf("straddles the threshold %g: %g to %g forces no branch\nhint: draw from one side of it, and from the other in another world", d.Threshold, d.Lo, d.Hi)
	}
	return nil
}

// draw draws a value.
func (d Draw) draw(r *rand.Rand) string {
	switch {
	case len(d.Of) > 0:
		return d.Of[r.IntN(len(d.Of))]
	case d.Hex > 0:
		const letters, digits = "abcdef", "0123456789abcdef"
		var b strings.Builder
		b.WriteByte(letters[r.IntN(len(letters))])
		for b.Len() < d.Hex {
			b.WriteByte(digits[r.IntN(len(digits))])
		}
		return b.String()
	}
	unit := 1.0
	for range d.Decimals {
		unit *= 10
	}
	lo, hi := int64(d.Lo*unit+0.5), int64(d.Hi*unit+0.5)
	return strconv.FormatFloat(float64(lo+r.Int64N(hi-lo+1))/unit, 'f', d.Decimals, 64)
}
