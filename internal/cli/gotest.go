package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// goTest runs the go command in the environment, and returns its exit status.
func (c *Config) goTest(ctx context.Context, args, environ []string, stdout, stderr io.Writer) (int, error) {
	goTool, err := c.lookGo()
	if err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, goTool, args...)
	cmd.Dir, cmd.Env = c.Dir, environ
	cmd.Stdout, cmd.Stderr = stdout, stderr // and no input: what is apart from a terminal must not read from it
	apart(cmd)
	// Linux counts a process as the child of the thread that started it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("start go test: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for n := 1; ; {
		select {
		case s := <-c.Interrupts:
			pass(cmd, s, n)
			n++
		case err := <-ended:
			return status(err)
		}
	}
}

// lookGo finds the go command in the PATH of the environment.
func (c *Config) lookGo() (string, error) {
	for _, dir := range filepath.SplitList(c.getenv("PATH")) {
		if path, err := exec.LookPath(filepath.Join(dir, "go")); err == nil && filepath.IsAbs(path) {
			return path, nil
		}
	}
	return "", misuse("the go command is not in the PATH, and the cases are Go tests", "install Go: https://go.dev/dl")
}

// status is the exit status of a command that has ended.
func status(err error) (int, error) {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0, nil
	case errors.As(err, &exit) && exit.ExitCode() > 0:
		return exit.ExitCode(), nil
	case errors.As(err, &exit): // of a signal
		return 1, nil
	}
	return 0, fmt.Errorf("run go test: %w", err)
}

// shared is a writer for several goroutines: each output of a process is copied by
// one of its own.
type shared struct {
	mu sync.Mutex
	w  io.Writer
}

func (s *shared) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(b)
}

// with returns the environment with variables set, each as NAME=value.
func with(environ []string, set ...string) []string {
	out := slices.Clone(environ)
	for _, s := range set {
		name, _, _ := strings.Cut(s, "=")
		out = slices.DeleteFunc(out, func(e string) bool { return strings.HasPrefix(e, name+"=") })
		out = append(out, s)
	}
	return out
}
