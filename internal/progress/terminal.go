package progress

import (
	"os"
	"strings"

	"golang.org/x/term"
)

// Vouched is set in the environment by a process in the foreground for those that
// it starts in groups of their own.
const Vouched = "DEEDS_FOREGROUND"

// wanted reports whether a person would want the line: not under CI, not on a
// terminal that cannot erase, not when test events are parsed, and not when the
// lines of -v reach the terminal as they are printed.
func wanted(getenv func(string) string, args []string, stdoutIsTerminal bool) bool {
	if ci := getenv("CI"); ci != "" && ci != "false" && ci != "0" {
		return false
	}
	if getenv("TERM") == "dumb" {
		return false
	}
	verbose := false
	for _, arg := range args {
		// The go command says "-test.v=true" and, for -json, "-test.v=test2json".
		value, ok := strings.CutPrefix(strings.TrimLeft(arg, "-"), "test.v")
		switch {
		case !ok, value == "=false", value == "=0":
		case value == "=test2json":
			return false
		default:
			verbose = true
		}
	}
	return !verbose || !stdoutIsTerminal
}

func stdoutIsTerminal() bool { return term.IsTerminal(int(os.Stdout.Fd())) }

// A tty is a real terminal.
type tty struct{ *os.File }

// Width implements [Terminal]. A terminal that does not know is taken for a
// common one.
func (t tty) Width() int {
	width, _, err := term.GetSize(int(t.Fd()))
	if err != nil || width <= 0 {
		return 80
	}
	return width
}
