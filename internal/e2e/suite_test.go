package e2e

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/results"
)

// packages are the folders of the suite.
var packages = []string{"core", "chain"}

// scratch is the folder of what the tests of this package build, once.
var scratch string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "suite")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	scratch = dir
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// binaries are the test binaries of the suite, as go test builds them.
var binaries = sync.OnceValues(func() (string, error) {
	args := []string{"test", "-c", "-o", scratch + "/"}
	for _, p := range packages {
		args = append(args, "./evals/"+p)
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = filepath.Join("..", "..")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%v\n%s", err, out)
	}
	return scratch, nil
})

// played is what one start of a test binary left behind.
type played struct {
	exit int
	out  string
	root string // of the results
}

// play starts the test binary of one package.
func play(t *testing.T, pkg, root string, env []string, args ...string) played {
	t.Helper()
	dir, err := binaries()
	require.NoError(t, err)
	return start(t, filepath.Join(dir, pkg+".test"), pkg, root, env, args...)
}

// start starts a test binary of one package.
func start(t *testing.T, binary, pkg, root string, env []string, args ...string) played {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, append([]string{"-test.paniconexit0", "-test.timeout=10m"}, args...)...)
	cmd.Dir = filepath.Join("..", "..", "evals", pkg)
	cmd.Env = append(cleanEnv(), append(env, "DEEDS_RESULTS="+root, "CI=1")...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	require.NoError(t, ctx.Err(), "the run hangs:\n%s", out.String())
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		require.NoError(t, err)
	}
	return played{exit: cmd.ProcessState.ExitCode(), out: out.String(), root: root}
}

// cleanEnv is the environment without anything that steers a run.
func cleanEnv() []string {
	var env []string
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "DEEDS_") && !strings.HasPrefix(kv, "OPENAI_") {
			env = append(env, kv)
		}
	}
	return env
}

// run reads the one run that was recorded below the root.
func (p played) run(t *testing.T) *results.Run {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join(p.root, "runs", "2*"))
	require.NoError(t, err)
	require.Len(t, dirs, 1, "one run:\n%s", p.out)
	run, err := results.Load(dirs[0])
	require.NoError(t, err)
	return run
}
