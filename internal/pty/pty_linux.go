package pty

import (
	"fmt"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// Open opens one of that size. What is written to the terminal is read from the master.
// Whoever starts a process on the terminal closes it in the test; the master is closed
// when the test ends. Where there is none to be had the test is skipped.
func Open(t *testing.T, columns, rows int) (master, terminal *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo-terminal here: ", err)
	}
	t.Cleanup(func() { _ = master.Close() })
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal("unlock the terminal: ", err)
	}
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal("number of the terminal: ", err)
	}
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo-terminal here: ", err)
	}
	t.Cleanup(func() { _ = terminal.Close() })
	Resize(t, terminal, columns, rows)
	return master, terminal
}

// Resize makes a terminal another size, and tells the processes on it.
func Resize(t *testing.T, terminal *os.File, columns, rows int) {
	t.Helper()
	size := &unix.Winsize{Row: uint16(rows), Col: uint16(columns)}
	if err := unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, size); err != nil {
		t.Fatal("size of the terminal: ", err)
	}
}
