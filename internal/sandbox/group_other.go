//go:build !unix

package sandbox

import (
	"errors"
	"os"
	"os/exec"
)

// ownGroup does nothing: there are no process groups.
func ownGroup(*exec.Cmd) {}

// killGroup ends a process, and nothing that it started.
func killGroup(p *os.Process) error {
	if err := p.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return nil
}

// exitStatus is the exit status.
func exitStatus(s *os.ProcessState) int { return s.ExitCode() }
