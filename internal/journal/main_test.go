package journal

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/results"
)

// The tests of whole processes start this binary again, in a role.
func TestMain(m *testing.M) {
	for _, e := range os.Environ() {
		if name, _, _ := strings.Cut(e, "="); strings.HasPrefix(name, "DEEDS_") {
			os.Unsetenv(name)
		}
	}
	switch os.Getenv("ROLE") {
	case "":
		os.Exit(m.Run())
	case "parent": // starts two that locate, as go test starts the packages
		for range 2 {
			cmd := exec.Command(os.Args[1])
			cmd.Env = append(os.Environ(), "ROLE=locate", "DEEDS_RESULTS="+os.Args[2])
			cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
			if err := cmd.Run(); err != nil {
				os.Exit(1)
			}
		}
	case "locate":
		_, id, err := Locate(LocateConfig{Getenv: func(name string) string {
			if name == "DEEDS_RESULTS" {
				return os.Getenv("RESULTS")
			}
			return ""
		}})
		fmt.Println(id, err)
	case "forsaken": // starts one that waits to be an orphan, and is killed
		cmd := exec.Command(os.Args[1])
		cmd.Env = append(os.Environ(), "ROLE=orphan")
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		_ = cmd.Run()
	case "orphan":
		told := make(chan struct{})
		Orphaned(func() { close(told) })
		fmt.Println("waiting")
		select {
		case <-told:
			fmt.Println("orphaned")
		case <-time.After(3 * time.Second):
			fmt.Println("not told")
		}
	case "write": // appends until it is killed, and says what is safe
		w, err := Open(os.Args[1], os.Args[2], nil)
		if err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
		out := bufio.NewWriter(os.Stdout)
		for n := 1; ; n++ {
			if _, err := w.Append(play(os.Args[2], n), []byte(strings.Repeat(`{"evidence":"of some size"}`, 100))); err != nil {
				fmt.Println("error:", err)
				os.Exit(1)
			}
			fmt.Fprintln(out, n)
			out.Flush()
		}
	}
}

// role prepares this binary to start again in a role.
func role(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), "ROLE="+name)
	return cmd
}

// play is an attempt that passed.
func play(pkg string, attempt int) results.Attempt {
	return results.Attempt{
		Slot:    results.Slot{Case: pkg + "/case", World: "big", Variant: "v1", Model: "provider/model:free", Agent: "builtin", Attempt: attempt},
		Play:    1,
		Outcome: "pass",
	}
}

func environ(vars map[string]string) func(string) string {
	return func(name string) string { return vars[name] }
}

// runDir makes a folder for one run.
func runDir(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "runs", "20261129T224301Z-3f9c1a")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	return dir
}

func mustOpen(t *testing.T, dir, pkg string) *Writer {
	t.Helper()
	w, err := Open(dir, pkg, nil)
	require.NoError(t, err)
	t.Cleanup(func() { w.Close() })
	return w
}

func load(t *testing.T, dir string) *results.Run {
	t.Helper()
	r, err := results.Load(dir)
	require.NoError(t, err)
	return r
}

func linuxOnly(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("needs Linux")
	}
}
