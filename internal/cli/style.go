package cli

import (
	"io"
	"os"

	"golang.org/x/term"
)

// colour reports whether a file is a terminal whose user wants colours.
func colour(f *os.File, getenv func(string) string) bool {
	return getenv("NO_COLOR") == "" && getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

// columns is the width of the terminal that is written to, 0 where there is none.
func columns(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// A style is how text stands out on a terminal.
type style string

const (
	normal style = ""
	bold   style = "1"
	faint  style = "2"
	red    style = "31"
	green  style = "32"
	yellow style = "33"
	blue   style = "34"
)

// paint returns the text in a style, as it is where there are no colours.
func (s style) paint(on bool, text string) string {
	if !on || s == normal || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}

// ofOutcome is the style of an outcome.
func ofOutcome(outcome string) style {
	switch outcome {
	case "pass":
		return green
	case "fail":
		return red
	}
	return yellow
}
