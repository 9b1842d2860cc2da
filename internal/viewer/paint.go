package viewer

import "strings"

// A style is how text stands out on the screen.
type style string

const (
	normal style = ""
	bold   style = "1"
	faint  style = "2"
	hit    style = "7" // reverse
	red    style = "31"
	green  style = "32"
	yellow style = "33"
	blue   style = "34"
	alarm  style = "1;31"
	found  style = "30;43" // the hit at hand
)

// paint returns the text in a style. Where there are no colours only what was searched
// for stands out.
func (s style) paint(colour bool, text string) string {
	switch {
	case s == hit || s == found:
		if !colour {
			s = hit
		}
	case !colour || s == normal || strings.TrimSpace(text) == "":
		return text
	}
	if text == "" {
		return ""
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}

// ofOutcome is the style of an outcome.
func ofOutcome(outcome string) style {
	switch outcome {
	case "pass":
		return green
	case "fail":
		return alarm
	case "n/a":
		return faint
	}
	return yellow
}

// ofDiff is the style of a line of a difference.
func ofDiff(line string) style {
	switch {
	case line == "":
		return normal
	case line[0] == '+':
		return green
	case line[0] == '-':
		return red
	case line[0] == '@', line[0] == '\\':
		return faint
	}
	return normal
}
