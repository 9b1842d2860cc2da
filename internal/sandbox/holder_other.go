//go:build !linux

package sandbox

import (
	"errors"
	"os"
	"os/exec"
	"sync"

	"github.com/deeds-evals/deeds/internal/sandbox/contain"
)

// A groupHolder starts every command in a process group of its own, and can end no
// more than those groups.
type groupHolder struct {
	spec contain.Spec

	mu       sync.Mutex
	commands []*groupCommand
}

func newHolder(spec contain.Spec) (holder, error) { return &groupHolder{spec: spec}, nil }

// A groupCommand is a bash and its process group.
type groupCommand struct {
	cmd  *exec.Cmd
	exit chan int
	done chan struct{}
}

// Start begins a command.
func (h *groupHolder) Start(script string, output *os.File) (command, error) {
	cmd := exec.Command(h.spec.Shell, "--noprofile", "--norc", "-c", script)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = h.spec.Work, h.spec.Env, output, output
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c := &groupCommand{cmd: cmd, exit: make(chan int, 1), done: make(chan struct{})}
	h.mu.Lock()
	h.commands = append(h.commands, c)
	h.mu.Unlock()
	go func() {
		_ = cmd.Wait()
		c.exit <- exitStatus(cmd.ProcessState)
		close(c.done)
	}()
	return c, nil
}

// Gone is never closed: there is no process that could end.
func (h *groupHolder) Gone() <-chan struct{} { return nil }

// Fault is never asked for, as nothing is ever gone.
func (h *groupHolder) Fault() error { return contain.ErrGone }

// Close ends every command.
func (h *groupHolder) Close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	var err error
	for _, c := range h.commands {
		err = errors.Join(err, c.Kill())
	}
	return err
}

// Exit delivers the exit status, once.
func (c *groupCommand) Exit() <-chan int { return c.exit }

// Kill ends the process group.
func (c *groupCommand) Kill() error {
	err := killGroup(c.cmd.Process)
	<-c.done
	return err
}

// pending is the number of bytes in a pipe; nothing tells on this system.
func pending(*os.File) int { return 0 }
