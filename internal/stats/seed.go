package stats

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// Seed names a stream of random numbers after what it is for, say a run, a signal and
// a case, so that what is added beside it leaves it as it was, where a seed counted by
// position would move. It is the first eight bytes, most significant first, of the
// SHA-256 of the parts, each behind its length as eight such bytes: ("ab", "c") and
// ("a", "bc") differ. The mapping is fixed for ever; a test pins it.
func Seed(parts ...string) uint64 {
	h := sha256.New()
	for _, part := range parts {
		var length [8]byte
		binary.BigEndian.PutUint64(length[:], uint64(len(part)))
		h.Write(length[:])
		h.Write([]byte(part))
	}
	return binary.BigEndian.Uint64(h.Sum(nil))
}

// stream is the generator of a seed, for one of the purposes of this package: two
// purposes with one seed draw different numbers.
func stream(seed, purpose uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, purpose)) }

// What the streams of this package are for.
const (
	forWithinUnit = iota + 1
	forSignFlip
	forMargin
	forPower
)
