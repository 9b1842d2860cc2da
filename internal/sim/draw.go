package sim

import (
	"crypto/sha256"
	"encoding/binary"
	"strconv"

	"github.com/deeds-evals/deeds/results"
)

// Passes decides whether the attempt passes.
func (m Model) Passes(seed int64, s results.Slot) bool {
	return m.draw(seed, s, "pass") < m.Rate(s.Unit())
}

// Choose picks one of n ways in which the attempt may go, each as likely as any other.
// It is 0 where n is less than 2.
func (m Model) Choose(seed int64, s results.Slot, n int) int {
	return min(int(m.draw(seed, s, "choose")*float64(n)), max(n-1, 0))
}

// draw is the attempt's number for one purpose, from 0 up to but not including 1. No
// other purpose, attempt, unit, model or seed moves it.
func (m Model) draw(seed int64, s results.Slot, purpose string) float64 {
	return uniform(purpose, strconv.FormatInt(seed, 10), m.name, s.Case, s.World, s.Variant, strconv.Itoa(s.Attempt))
}

// SeedOf is the seed of a run that was given none: it is drawn from the name of the
// run, so that all of its packages have the same, a resumed run has it again, and
// another run has another. It lies in 0 … 10¹²-1, which every JSON reader keeps whole.
func SeedOf(run string) int64 {
	return int64(uniform("seed", run) * 1e12)
}

// uniform is a number in [0, 1), all 53 bits of it a hash of the words.
func uniform(words ...string) float64 {
	buf := make([]byte, 0, 192)
	for _, w := range words {
		// With its length before it no word runs over into the next.
		buf = binary.AppendUvarint(buf, uint64(len(w)))
		buf = append(buf, w...)
	}
	sum := sha256.Sum256(buf)
	return float64(binary.BigEndian.Uint64(sum[:])>>11) / (1 << 53)
}
