package sandbox

import (
	"os"

	"golang.org/x/sys/unix"

	"github.com/deeds-evals/deeds/internal/sandbox/contain"
)

// An initHolder is the init process of a box.
type initHolder struct{ *contain.Init }

func newHolder(spec contain.Spec) (holder, error) {
	i, err := contain.Launch(spec)
	if err != nil {
		return nil, err
	}
	return initHolder{i}, nil
}

// Start begins a command.
func (h initHolder) Start(script string, output *os.File) (command, error) {
	c, err := h.Init.Start(script, output)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// pending is the number of bytes in a pipe.
func pending(r *os.File) (n int) {
	conn, err := r.SyscallConn()
	if err != nil {
		return 0
	}
	_ = conn.Control(func(fd uintptr) { n, _ = unix.IoctlGetInt(int(fd), unix.TIOCINQ) })
	return n
}
