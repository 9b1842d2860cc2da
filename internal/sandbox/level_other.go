//go:build !linux

package sandbox

import (
	"errors"
	"runtime"

	"github.com/deeds-evals/deeds/internal/sandbox/contain"
)

// Available tells what a containment comes to on this machine; the error says what
// to do.
func Available(c Containment) (level string, err error) {
	if err := c.check(); err != nil {
		return "", err
	}
	if c == Strict {
		return "", &Unavailable{errors.New(runtime.GOOS + " has no means that this program knows")}
	}
	return string(contain.None), nil
}

// hint says how to get strict containment.
const hint = "run it on Linux, or give -containment=none and do without"

// ordinaryUser is 0: commands run as the user that the run is.
func ordinaryUser(contain.Level) int { return 0 }
