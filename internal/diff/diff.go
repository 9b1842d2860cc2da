// Package diff shows how one text differs from another.
package diff

import (
	"fmt"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

const (
	context  = 3       // unchanged lines kept around a change
	maxBytes = 1 << 18 // of both texts together; larger ones are not compared line by line
)

// Unified returns the changes that make b of a as a unified diff without the two
// header lines, and "" where the texts are equal. A last line without a newline
// is marked, as everywhere, by "\ No newline at end of file". Texts too large to
// be worth reading are said to differ, with the line at which they begin to.
func Unified(a, b string) string {
	if a == b {
		return ""
	}
	if len(a)+len(b) > maxBytes {
		return large(a, b)
	}
	u, err := udiff.ToUnified("a", "b", a, udiff.Lines(a, b), context)
	if err != nil {
		return large(a, b)
	}
	// The headers are the first two lines: "--- a" and "+++ b".
	for range 2 {
		if _, rest, ok := strings.Cut(u, "\n"); ok {
			u = rest
		}
	}
	return u
}

func large(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	line := 1 + strings.Count(a[:n], "\n")
	return fmt.Sprintf("texts of %d and %d bytes differ from line %d on\n", len(a), len(b), line)
}
