//go:build !(darwin || linux || freebsd || netbsd || openbsd || dragonfly)

package progress

import "errors"

// openTerminal says that there is none: a run is counted in its last line.
func openTerminal() (Terminal, error) {
	return nil, errors.New("progress: no terminal to draw on, on this system")
}

// Foreground reports whether this process has a terminal and its foreground.
func Foreground() bool { return false }
