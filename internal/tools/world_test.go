package tools

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/spf13/afero"
	"github.com/stretchr/testify/require"
)

// A world is a workspace on disk with the tools that act on it.
type world struct {
	*Set
	t   *testing.T
	dir string
}

// files are paths and contents; a path that ends in a slash is a folder.
type files map[string]string

func newWorld(t *testing.T, mode Mode, tree files, change ...func(*Env)) world {
	t.Helper()
	dir := t.TempDir()
	for name, content := range tree {
		full := filepath.Join(dir, name)
		if name[len(name)-1] == '/' {
			require.NoError(t, os.MkdirAll(full, 0o755))
			continue
		}
		require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
		require.NoError(t, os.WriteFile(full, []byte(content), 0o644))
	}
	env := Env{Dir: dir, Files: afero.NewBasePathFs(afero.NewOsFs(), dir), Shell: realShell{dir}, Mode: mode}
	for _, c := range change {
		c(&env)
	}
	return world{New(env), t, dir}
}

// call makes a call whose arguments are any value that JSON can hold.
func (w world) call(name string, arguments any) Outcome {
	w.t.Helper()
	b, err := json.Marshal(arguments)
	require.NoError(w.t, err)
	return w.raw(name, string(b))
}

func (w world) raw(name, arguments string) Outcome {
	w.t.Helper()
	out := w.Run(w.t.Context(), w.Prepare(name, arguments))
	require.NotEmpty(w.t, out.Text)
	return out
}

func (w world) content(name string) string {
	w.t.Helper()
	b, err := os.ReadFile(filepath.Join(w.dir, name))
	require.NoError(w.t, err)
	return string(b)
}

// is short for arguments.
type is = map[string]any

// A realShell runs bash for real. It is no sandbox.
type realShell struct{ dir string }

func (s realShell) Start(_ context.Context, script string, output io.Writer) (Process, error) {
	cmd := exec.Command("bash", "-c", script)
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.dir, output, output
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &realProcess{cmd: cmd, done: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // the state says it all
		close(p.done)
	}()
	return p, nil
}

type realProcess struct {
	cmd  *exec.Cmd
	done chan struct{}
}

func (p *realProcess) Wait(ctx context.Context) (int, error) {
	select {
	case <-p.done:
		return p.cmd.ProcessState.ExitCode(), nil
	case <-ctx.Done():
		_ = p.Kill()
		<-p.done
		return 0, ctx.Err()
	}
}

func (p *realProcess) Kill() error { return killGroup(p.cmd) }

// A fakeShell answers every command in the same way.
type fakeShell struct {
	start  error
	output string
	exit   int
	wait   error
	hang   bool // until the context ends
	ran    *[]string
}

func (s fakeShell) Start(_ context.Context, script string, output io.Writer) (Process, error) {
	if s.ran != nil {
		*s.ran = append(*s.ran, script)
	}
	if s.start != nil {
		return nil, s.start
	}
	_, err := io.WriteString(output, s.output)
	return s, err
}

func (s fakeShell) Wait(ctx context.Context) (int, error) {
	if s.hang {
		<-ctx.Done()
		return 0, ctx.Err()
	}
	return s.exit, s.wait
}

func (fakeShell) Kill() error { return errors.New("it has ended") }

func withShell(s Shell) func(*Env) { return func(e *Env) { e.Shell = s } }
