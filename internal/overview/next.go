package overview

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/results"
)

// next is the command to go on with: play what is open, else look at the first unit
// that failed, or at the first void one.
func next(o *Overview, units []results.UnitResult, several bool) string {
	for _, a := range o.Arms {
		if a.NotRun > 0 && o.Kind != results.Replayed {
			return "deeds run -resume=" + o.Run
		}
	}
	for _, bad := range []func(results.UnitResult) bool{
		func(u results.UnitResult) bool { return u.Tally.Failed > 0 },
		func(u results.UnitResult) bool { return u.Voids > 0 },
	} {
		if i := slices.IndexFunc(units, bad); i >= 0 {
			return showUnit(o.Run, units[i].Unit, several)
		}
	}
	return "deeds show " + o.Run
}

// showUnit is the command that shows a unit.
func showUnit(id string, u results.Unit, several bool) string {
	words := []string{"deeds show", id, quote(u.Case)}
	if u.World != "" {
		words = append(words, "--world", quote(u.World))
	}
	if u.Variant != "" {
		words = append(words, "--variant", quote(u.Variant))
	}
	if several {
		words = append(words, "--model", quote(u.Model))
	}
	return strings.Join(words, " ")
}

// ShowAttempt is the command that shows an attempt. With several models it names the one.
func ShowAttempt(id string, s results.Slot, several bool) string {
	return showUnit(id, s.Unit(), several) + fmt.Sprintf(" --attempt %d", s.Attempt)
}

// quote quotes a word for a POSIX shell if it needs it.
func quote(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.,:/@%+=") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
