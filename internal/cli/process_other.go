//go:build !unix

package cli

import (
	"os"
	"os/exec"
	"os/signal"
)

func interrupts() <-chan os.Signal {
	c := make(chan os.Signal, 4)
	signal.Notify(c, os.Interrupt)
	return c
}

// apart does nothing: the console interrupts all of its processes by itself.
func apart(*exec.Cmd) {}

func pass(cmd *exec.Cmd, _ os.Signal, n int) {
	if n > 2 {
		_ = cmd.Process.Kill() // fails only where it has ended
	}
}
