package results

import (
	"bytes"
	"encoding/json"
	"math"
)

// A Number is a figure that may be absent: one that cannot be had from the record is
// None, which prints as nothing and is null in JSON, so that nobody takes it for a
// zero.
type Number float64

// None returns the absent number.
func None() Number { return Number(math.NaN()) }

// Known reports whether there is a number.
func (n Number) Known() bool { return !math.IsNaN(float64(n)) && !math.IsInf(float64(n), 0) }

// MarshalJSON writes null for a number that there is not.
func (n Number) MarshalJSON() ([]byte, error) {
	if !n.Known() {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// UnmarshalJSON reads null as None.
func (n *Number) UnmarshalJSON(data []byte) error {
	if bytes.Equal(data, []byte("null")) {
		*n = None()
		return nil
	}
	return json.Unmarshal(data, (*float64)(n))
}
