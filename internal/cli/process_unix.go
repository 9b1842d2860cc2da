//go:build unix

package cli

import (
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

func interrupts() <-chan os.Signal {
	c := make(chan os.Signal, 4)
	signal.Notify(c, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as under nohup
		signal.Notify(c, syscall.SIGHUP)
	}
	return c
}

// apart gives the command a process group of its own, so that each signal
// reaches each of its processes exactly once, by our hand.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	endWithUs(cmd.SysProcAttr)
}

// pass passes the nth signal on. The first one is an interrupt whatever it was:
// the go command dies of anything else at once, and its tests could not end in
// good order. Whoever signals again means it.
func pass(cmd *exec.Cmd, s os.Signal, n int) {
	sig, ok := s.(syscall.Signal)
	switch {
	case n == 1 || !ok:
		sig = syscall.SIGINT
	case n > 2:
		sig = syscall.SIGKILL
	}
	_ = syscall.Kill(-cmd.Process.Pid, sig) // fails only where all have ended
}
