package report

import (
	"fmt"
	"strings"
	"time"
)

// A Line is what -v says about one attempt as it ends.
type Line struct {
	Outcome  string // pass, fail or void
	Reason   string // why, for a void or a limit; for a fail the signals
	ID       string // chain/read-before-edit/WORLD/VARIANT/ATTEMPT
	Turns    int
	Calls    int
	Time     time.Duration
	Tokens   int    // negative if the endpoint does not say
	Offline  bool   // no model was asked: there are no tokens to speak of
	Evidence string // where the evidence lies, or empty
}

// String is the line, without a line end.
func (l Line) String() string {
	parts := []string{
		fmt.Sprintf("%-4s", oneLine(l.Outcome)), oneLine(l.ID),
		count(l.Turns, "turn"), count(l.Calls, "call"), Duration(l.Time),
	}
	switch {
	case l.Offline:
	case l.Tokens < 0:
		parts = append(parts, "tokens unknown")
	default:
		parts = append(parts, count(l.Tokens, "token"))
	}
	if l.Reason != "" {
		parts = append(parts, shorten(oneLine(l.Reason), maxWords))
	}
	if l.Evidence != "" {
		parts = append(parts, oneLine(l.Evidence))
	}
	return NoCommand(strings.Join(parts, "  "))
}

// Duration rounds a duration to what a reader can use: "7ms", "1.2s", "3m05s".
func Duration(d time.Duration) string {
	switch {
	case d < 0:
		return "0ms"
	case d < time.Second:
		return fmt.Sprintf("%dms", d.Milliseconds())
	case d < 59950*time.Millisecond:
		return fmt.Sprintf("%.1fs", d.Seconds())
	}
	d = d.Round(time.Second)
	if d < time.Hour {
		return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
}
