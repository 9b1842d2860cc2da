package overview

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/results"
)

// next is the command to go on with: play what is open, or void for a reason that another
// play may mend; else look at the first unit of which every attempt failed, at the first
// that is split, or at the first void one.
func next(o *Overview, units []results.UnitResult, several bool) string {
	open := func(u results.UnitResult) bool { return u.Tally.NotRun > 0 || slices.ContainsFunc(u.Slots, mendable) }
	if o.Kind != results.Replayed && slices.ContainsFunc(units, open) {
		return "deeds run -resume=" + o.Run
	}
	for _, bad := range []func(results.UnitResult) bool{
		func(u results.UnitResult) bool { return u.Tally.Failed > 0 && u.Tally.Passed == 0 },
		func(u results.UnitResult) bool { return u.Tally.Failed > 0 },
		func(u results.UnitResult) bool { return u.Voids > 0 },
	} {
		if i := slices.IndexFunc(units, bad); i >= 0 {
			return showUnit(o.Run, units[i].Unit, several)
		}
	}
	return "deeds show " + o.Run
}

// mendable reports whether a slot is void because of the endpoint, the machine, the agent's
// own code or an interrupt: what has been put right, or was a matter of chance, may go
// well in another play. What the case or its expectations broke will break again.
func mendable(s results.SlotResult) bool {
	if s.Outcome != results.Void || s.Unplanned || s.Decided == nil {
		return false
	}
	why, _, _ := strings.Cut(s.Decided.Reason, " ")
	switch why {
	case "provider", "stopped", "sandbox", "harness":
		return true
	}
	return false
}

// showUnit is the command that shows a unit.
func showUnit(id string, u results.Unit, several bool) string {
	words := []string{"deeds show", id, Quote(u.Case)}
	if u.World != "" {
		words = append(words, "--world", Quote(u.World))
	}
	if u.Variant != "" {
		words = append(words, "--variant", Quote(u.Variant))
	}
	if several {
		words = append(words, "--model", Quote(u.Model))
	}
	return strings.Join(words, " ")
}

// ShowAttempt is the command that shows an attempt. With several models it names the one.
func ShowAttempt(id string, s results.Slot, several bool) string {
	return showUnit(id, s.Unit(), several) + fmt.Sprintf(" --attempt %d", s.Attempt)
}

// Quote quotes a word for a POSIX shell if it needs it.
func Quote(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.,:/@%+=") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
