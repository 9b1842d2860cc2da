package e2e

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/pty"
)

// watched plays cases of a package as the go command does, which keeps what they print,
// on a terminal of 80 columns and 24 rows. It returns what the terminal was sent, too.
func watched(t *testing.T, pkg string, env []string, args ...string) (p played, seen string) {
	t.Helper()
	return watchedIn(t, t.TempDir(), pkg, env, args...)
}

// watchedIn is watched with the results in a folder of one's own.
func watchedIn(t *testing.T, root, pkg string, env []string, args ...string) (p played, seen string) {
	t.Helper()
	dir, err := binaries()
	require.NoError(t, err)
	master, slave := pty.Open(t, 80, 24)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(dir, pkg+".test"), append([]string{"-test.paniconexit0", "-test.timeout=10m"}, args...)...)
	cmd.Dir = filepath.Join("..", "..", "evals", pkg)
	p.root = root
	cmd.Env = append(cleanEnv(), append(env, "DEEDS_RESULTS="+p.root, "CI=", "TERM=xterm", "NO_COLOR=1")...)
	cmd.Stdin = slave
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	require.NoError(t, cmd.Start())
	require.NoError(t, slave.Close())
	read := make(chan string, 1)
	go func() {
		text, _ := io.ReadAll(master) // an error says that the other side has been closed
		read <- string(text)
	}()
	_ = cmd.Wait()
	require.NoError(t, ctx.Err(), "the run hangs:\n%s", out.String())
	p.exit, p.out = cmd.ProcessState.ExitCode(), out.String()
	return p, strings.ReplaceAll(<-read, "\r\n", "\n")
}

// What passes is swallowed by the go command: the last words go to the terminal.
func TestTableIsLeftOnTheTerminal(t *testing.T) {
	t.Parallel()
	args := []string{"-test.run=^TestBerthRate$", "-model=sim:1"}
	p, seen := watched(t, "core", nil, args...)
	require.Zero(t, p.exit, p.out)
	require.Contains(t, p.out, "1 case, 1 attempt: 1 passed")
	require.NotContains(t, p.out, "SIGNAL", "it is for a person")
	require.Contains(t, seen, "1 case, 1 attempt: 1 passed")
	require.Equal(t, 1, strings.Count(seen, "SIGNAL"), seen)
	require.Contains(t, seen, "next ")

	p, seen = watched(t, "core", []string{"DEEDS_FOREGROUND=1"}, args...)
	require.Zero(t, p.exit, p.out)
	require.NotContains(t, p.out+seen, "SIGNAL", "deeds run says it itself")
	require.Contains(t, seen, "1 case, 1 attempt: 1 passed")

	p, seen = watched(t, "core", nil, "-test.run=^TestBerthRate$")
	require.Zero(t, p.exit, p.out)
	require.NotContains(t, p.out+seen, "SIGNAL", "nothing was recorded")
	require.Contains(t, seen, "no model was asked")

	p, seen = watched(t, "core", nil, append(args, "-test.v=test2json")...)
	require.Zero(t, p.exit, p.out)
	require.Empty(t, seen, "somebody parses that")
}

// What fails is passed on by the go command: the last words come behind the failures.
// Meanwhile the terminal shows what is going on.
func TestRunIsWatched(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch asked.Add(1) {
		case 1: // the first is to see whether anybody is there
		case 2:
			w.Header().Set("Retry-After", "2")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		case 3:
			io.WriteString(w, `{"choices":[{"message":{"role":"assistant","tool_calls":[{"id":"1","type":"function",
				"function":{"name":"bash","arguments":"{\"command\":\"sleep 1; echo \\u001b[2J\"}"}}]},"finish_reason":"tool_calls"}],
				"usage":{"prompt_tokens":1200,"completion_tokens":34,"cost":0.25}}`)
			return
		}
		io.WriteString(w, `{"choices":[{"message":{"role":"assistant","content":"No idea."},"finish_reason":"stop"}],"usage":{"prompt_tokens":1200,"completion_tokens":34,"cost":0.25}}`)
	}))
	defer endpoint.Close()

	p, seen := watched(t, "core", []string{"OPENAI_BASE_URL=" + endpoint.URL + "/v1", "OPENAI_API_KEY=k"}, "-test.run=^TestBerthRate$", "-model=m")
	require.Equal(t, 1, p.exit, p.out)
	require.Contains(t, seen, "0/1 done  1 running")
	require.Regexp(t, `\nwaiting for the endpoint: 429, \ds more`, seen)
	require.Regexp(t, `\n     \ds  core/berth-rate  turn 1  waits \ds: 429`, seen)
	require.Regexp(t, `\n     \ds  core/berth-rate  turn 1  bash sleep 1; echo \\x1b\[2J`, seen)
	require.NotContains(t, seen, "\x1b[2J")
	require.NotContains(t, seen, "1 attempt: 0 passed", "the go command says it")
	require.NotContains(t, seen, "SIGNAL")

	failure, table := strings.Index(p.out, "score  0 of 1"), strings.Index(p.out, "    SIGNAL")
	require.Positive(t, failure, p.out)
	require.Greater(t, table, failure, p.out)
	require.Equal(t, 1, strings.Count(p.out, "SIGNAL"))
}

// A run that is gone on with is counted anew: what an earlier invocation has counted is
// not of this one, and none of them leaves its counts in the run's folder.
func TestResumeIsCountedAnew(t *testing.T) {
	t.Parallel()
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(700 * time.Millisecond)
		io.WriteString(w, `{"choices":[{"message":{"role":"assistant","content":"No idea."},"finish_reason":"stop"}],"usage":{"prompt_tokens":1200,"completion_tokens":34}}`)
	}))
	defer endpoint.Close()
	root, env := t.TempDir(), []string{"OPENAI_BASE_URL=" + endpoint.URL + "/v1", "OPENAI_API_KEY=k"}
	p, seen := watchedIn(t, root, "core", env, "-test.run=^TestBerthRate$", "-model=m", "-repeat=3", "-j=1", "-max-tokens=2000")
	require.Equal(t, 1, p.exit, p.out)
	require.Contains(t, seen, "0/3 done  1 running")
	n := len(p.run(t).Attempts)
	require.True(t, n == 1 || n == 2, "%d were played", n)

	p, seen = watchedIn(t, root, "core", env, "-resume=last", "-j=1", "-max-tokens=100000")
	require.Equal(t, 1, p.exit, p.out)
	require.Len(t, p.run(t).Attempts, 3)
	require.Contains(t, seen, fmt.Sprintf("0/%d done  1 running", 3-n))
	require.NotContains(t, seen, "/3 done")
	left, err := filepath.Glob(filepath.Join(p.run(t).Dir, "shared", "*"))
	require.NoError(t, err)
	for _, name := range left {
		require.NotRegexp(t, `progress|quiet`, filepath.Base(name))
	}
}
