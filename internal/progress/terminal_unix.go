//go:build darwin || linux || freebsd || netbsd || openbsd || dragonfly

package progress

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// openTerminal opens the terminal of this process, if it is in the foreground, or
// was started by one that is and vouches for it: a job in the background has no
// business there, and may be stopped for trying.
func openTerminal() (Terminal, error) {
	f, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	if os.Getenv(Vouched) == "" && !foreground(f) {
		_ = f.Close()
		return nil, errors.New("progress: not in the foreground of the terminal")
	}
	return newTTY(f), nil
}

// Foreground reports whether this process has a terminal and its foreground.
func Foreground() bool {
	f, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	return foreground(f)
}

func foreground(f *os.File) bool {
	group, err := unix.IoctlGetInt(int(f.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}
