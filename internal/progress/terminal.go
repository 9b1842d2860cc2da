package progress

import (
	"os"
	"strings"

	"golang.org/x/term"
)

// Vouched is set in the environment by a process in the foreground for those that
// it starts in groups of their own.
const Vouched = "DEEDS_FOREGROUND"

// wanted reports whether a person would want to see how a run goes: not under CI, not on
// a terminal that cannot erase, not when test events are parsed, and not when the lines
// of -v reach the terminal as they are printed. With verbose the go command may do that
// too, though standard output is no terminal.
func wanted(getenv func(string) string, args []string, shown bool) (yes, verbose bool) {
	if ci := getenv("CI"); ci != "" && ci != "false" && ci != "0" {
		return false, false
	}
	if getenv("TERM") == "dumb" {
		return false, false
	}
	for _, arg := range args {
		// The go command says "-test.v=true" and, for -json, "-test.v=test2json".
		value, ok := strings.CutPrefix(strings.TrimLeft(arg, "-"), "test.v")
		switch {
		case !ok, value == "=false", value == "=0":
		case value == "=test2json":
			return false, false
		default:
			verbose = true
		}
	}
	return !verbose || !shown, verbose
}

// Shown reports whether what this process prints is seen as it is printed: the go
// command does not stand between.
func Shown() bool { return term.IsTerminal(int(os.Stdout.Fd())) }

// A tty is a real terminal.
type tty struct {
	*os.File
	colour bool
}

// newTTY returns a terminal that is coloured unless the user wants none of it.
func newTTY(f *os.File) tty { return tty{f, os.Getenv("NO_COLOR") == ""} }

// Size implements [Terminal]. A terminal that does not know is taken for a common one.
func (t tty) Size() (columns, rows int) {
	columns, rows, err := term.GetSize(int(t.Fd()))
	if err != nil || columns <= 0 || rows <= 0 {
		return 80, 24
	}
	return columns, rows
}

// Colour implements [Terminal].
func (t tty) Colour() bool { return t.colour }
