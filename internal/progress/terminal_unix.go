//go:build darwin || linux || freebsd || netbsd || openbsd || dragonfly

package progress

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// openTerminal opens the terminal of this process, if it is in the foreground: a
// job in the background has no business there, and may be stopped for trying.
func openTerminal() (Terminal, error) {
	f, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	group, err := unix.IoctlGetInt(int(f.Fd()), unix.TIOCGPGRP)
	if err != nil || group != unix.Getpgrp() {
		_ = f.Close()
		return nil, errors.New("progress: not in the foreground of the terminal")
	}
	return tty{f}, nil
}
