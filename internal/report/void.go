package report

import "strings"

// A Void is what is said about an attempt that proves nothing.
type Void struct {
	// Reason is the typed reason: "provider rate-limit", "sandbox", "harness",
	// "grader", "compromised", …
	Reason string
	// Detail is what happened, on one or more lines.
	Detail string
	// Hint says what to do about it.
	Hint string
	// Timeline is what the agent had done before it broke, if that helps.
	Timeline []Event

	Closing
}

// Voided is the message for an attempt that proves nothing: something other than
// the agent broke.
func Voided(v Void) string {
	var b strings.Builder
	field(&b, "", "void", joined(v.Reason, v.Detail))
	field(&b, "", "hint", v.Hint)
	timeline(&b, v.Timeline, nil)
	closing(&b, v.Closing)
	return b.String()
}
