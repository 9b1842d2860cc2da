//go:build unix

package cli

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gotest.tools/v3/icmd"
	"gotest.tools/v3/poll"
)

// withGo is a module with cases whose go command is a shell script. It notes its
// arguments in $DIR/args; $R is the folder of the run.
func withGo(t *testing.T, script string) *module {
	t.Helper()
	m := newModule(t)
	require.NoError(t, os.MkdirAll(filepath.Join(m.dir, "evals", "core"), 0o755))
	bin := t.TempDir()
	text := "#!/bin/sh\nDIR=" + m.dir + "\necho \"$@\" >$DIR/args\nR=$DEEDS_RESULTS/runs/$DEEDS_RUN\n" + script + "\n"
	// Written by another process: a file that is open for writing in a sibling that
	// was just forked cannot be started.
	write := exec.Command("sh", "-c", `cat >"$0" && chmod +x "$0"`, filepath.Join(bin, "go"))
	write.Stdin = strings.NewReader(text)
	require.NoError(t, write.Run())
	m.environ = []string{"PATH=" + bin + ":/usr/bin:/bin"}
	return m
}

func (m *module) args(t *testing.T) string {
	t.Helper()
	args, err := os.ReadFile(filepath.Join(m.dir, "args"))
	require.NoError(t, err)
	return strings.TrimSpace(string(args))
}

// The lines of a record, as shell commands.
const (
	planTwo = `mkdir -p $R
echo '{"schema":1,"package":"core","kind":"live","settings":{"models":["m"]},"suite":[{"case":"core/a"},{"case":"chain/b"}],"signals":{"core/a":["required-tool"]},
 "slots":[{"case":"core/a","model":"m","agent":"builtin","attempt":1},{"case":"core/a","model":"m","agent":"builtin","attempt":2}]}' >$R/plan-core.json
`
	firstPass  = `echo '{"schema":1,"case":"core/a","model":"m","agent":"builtin","attempt":1,"play":1,"outcome":"pass","signals":{"required-tool":"pass"}}' >>$R/attempts-core.jsonl` + "\n"
	secondPass = `echo '{"schema":1,"case":"core/a","model":"m","agent":"builtin","attempt":2,"play":1,"outcome":"pass","signals":{"required-tool":"pass"}}' >>$R/attempts-core.jsonl` + "\n"
	secondFail = `echo '{"schema":1,"case":"core/a","model":"m","agent":"builtin","attempt":2,"play":1,"outcome":"fail","signals":{"required-tool":"fail"}}' >>$R/attempts-core.jsonl` + "\n"
	secondVoid = `echo '{"schema":1,"case":"core/a","model":"m","agent":"builtin","attempt":2,"play":1,"outcome":"void","reason":"provider"}' >>$R/attempts-core.jsonl` + "\n"
	ok         = "printf 'ok  \\tm/evals/core\\t0.1s\\n'\n"
	failed     = "printf 'FAIL\\tm/evals/core\\t0.1s\\n'; exit 1\n"
)

func TestRun(t *testing.T) {
	t.Parallel()
	for file, tt := range map[string]struct {
		script, args string
		status       int
	}{
		"run-pass":          {planTwo + firstPass + secondPass + ok, "-model=m -run=A ./evals/core", 0},
		"run-fail":          {planTwo + firstPass + secondFail + failed, "-model=m ./evals/core", 1},
		"run-void":          {planTwo + firstPass + secondVoid + failed, "-model=m ./evals/core", 1},
		"run-hole":          {planTwo + firstPass + ok, "-model=m -run=A", 2},
		"run-stopped":       {planTwo + firstPass + `echo '{"reason":"the budget is spent","at":"2026-11-29T22:43:02Z"}' >$R/stopped.json` + "\n" + ok, "-model=m -run=A", 2},
		"run-package":       {planTwo + firstPass + secondPass + ok, "-model=m", 2},
		"run-broken":        {planTwo + firstPass + secondPass + ok + "printf 'FAIL\\tm/evals/chain [build failed]\\nFAIL\\n'; exit 1\n", "-model=m -signal=required-tool", 2},
		"run-green":         {planTwo + firstPass + secondFail + ok, "-model=m -run=A", 1},
		"run-skipped":       {strings.Replace(planTwo, `{"case":"chain/b"}`, `{"case":"core/b"}`, 1) + firstPass + secondPass + ok, "-model=m ./evals/core", 2},
		"run-nothing":       {"printf 'ok  \\tm/evals/core\\t0.1s [no tests to run]\\n'", "-model=m -run=Zzz", 2},
		"run-build":         {"echo '# m/evals/core' >&2; echo 'x.go:1: no' >&2; " + failed, "-model=m", 1},
		"rehearsal":         {ok, "", 0},
		"rehearsal-nothing": {"printf 'ok  \\tm/evals/core\\t0.1s [no tests to run]\\n?   \\tm/evals\\t[no test files]\\n'", "-run=Zzz", 2},
		"rehearsal-fail":    {failed, "", 1},
		"dry-run":           {"echo 3 slots", "-dry-run -model=m", 0},
	} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			m := withGo(t, tt.script)
			m.environ = append(m.environ, "DEEDS_RUN="+sampleID)
			args := append([]string{"run"}, strings.Fields(tt.args)...)
			m.golden(t, file, args...)
			require.NoError(t, os.RemoveAll(filepath.Join(m.dir, "results")))
			_, _, status := m.deeds(args...)
			require.Equal(t, tt.status, status)
		})
	}
}

func TestRunOrdersArguments(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ args, environ, want string }{
		{"", "", "test ./evals/..."},
		{"-v", "", "test ./evals/... -v"},
		{"-model m ./evals/core", "", "test ./evals/core -model=m -timeout=0"},
		{"-model=m -timeout 5m", "", "test ./evals/... -model=m -timeout=5m"},
		{"-model=m -test.timeout=5m", "", "test ./evals/... -model=m -test.timeout=5m"},
		{"", "DEEDS_MODEL=m", "test ./evals/... -timeout=0"},
		{"-model=m", "GOFLAGS=-timeout=1h", "test ./evals/... -model=m"},
		{"-scoreboard ./a", "", "test ./a -scoreboard -timeout=0"},
		{"-model=m --json", "", "test ./evals/... -model=m -timeout=0"},
		{"-model=m ./a -args x", "", "test ./a -model=m -timeout=0 -args x"},
	} {
		m := withGo(t, ok)
		m.environ = append(m.environ, tt.environ)
		m.deeds(append([]string{"run"}, strings.Fields(tt.args)...)...)
		require.Equal(t, tt.want, m.args(t), "%s %s", tt.args, tt.environ)
	}
}

func TestRunKnowsItsRun(t *testing.T) {
	t.Parallel()
	m := withGo(t, planTwo+firstPass+secondPass+ok)
	out, errs, status := m.deeds("run", "-model=m", "-run=A", "--json")
	require.Zero(t, status, errs)
	v := decode(t, out)
	require.Regexp(t, `^20261130T010203Z-[0-9a-f]{6}$`, v["id"])
	require.EqualValues(t, 0, v["status"])
	require.Contains(t, errs, "ok  \tm/evals/core", "go test has gone to standard error")
	require.DirExists(t, filepath.Join(m.dir, "results", "runs", v["id"].(string)))
	again, _, _ := m.deeds("run", "-model=m", "-run=A", "--json")
	require.NotEqual(t, v["id"], decode(t, again)["id"])

	// go test -json keeps standard output to itself.
	out, errs, _ = m.deeds("run", "-model=m", "-run=A", "-json")
	require.Equal(t, "ok  \tm/evals/core\t0.1s\n", out)
	require.Contains(t, errs, "required-tool")
}

func TestRunResumes(t *testing.T) {
	t.Parallel()
	m := withGo(t, secondPass+ok)
	first := filepath.Join(m.dir, "results", "runs", sampleID)
	require.NoError(t, os.MkdirAll(first, 0o755))
	sh := exec.Command("sh", "-c", planTwo+firstPass)
	sh.Env = []string{"R=" + first, "PATH=/usr/bin:/bin"}
	require.NoError(t, sh.Run())
	_, errs, status := m.deeds("run", "-resume=3f9c1a")
	require.Zero(t, status, errs)
	require.Equal(t, "test ./evals/... -resume=3f9c1a -timeout=0", m.args(t))
	out, errs, status := m.deeds("run", "-resume", "./results/runs/"+sampleID, "-retries", "2")
	require.Zero(t, status, errs)
	require.Equal(t, "test ./evals/... -resume=./results/runs/"+sampleID+" -retries=2 -resume="+first+" -timeout=0", m.args(t), "go test starts a package in its own folder")
	require.Contains(t, out, "attempts   2 planned: 2 passed, 0 failed", "the sum is that of the whole run")
	require.NotContains(t, out, "remark")
	_, errs, status = m.deeds("run", "-resume=nope")
	require.Equal(t, 2, status)
	require.Contains(t, errs, `there is no run "nope"`)
	m.environ = withGo(t, ok).environ
	out, errs, status = m.deeds("run", "-resume=last", "./evals/core")
	require.Zero(t, status, errs)
	require.Contains(t, out, "remark     nothing was played: it is all on record\n")
	m = withSample(t)
	m.environ = withGo(t, ok).environ
	out, _, status = m.deeds("run", "-resume=last", "./evals/core")
	require.Equal(t, 2, status)
	require.Contains(t, out, "remark     nothing was played\n", "and it is not all on record")
}

// go test is green where the part that was gone on with is: what is void elsewhere is
// open all the same.
func TestRunWithAVoidLeftIsNotGreen(t *testing.T) {
	t.Parallel()
	m := withGo(t, planTwo+firstPass+secondVoid+ok)
	out, errs, status := m.deeds("run", "-model=m", "-run=A")
	require.Contains(t, out, "1 void (provider 1)")
	require.Equal(t, 2, status, out)
	require.Regexp(t, `(?m)^deeds: 1 of 2 attempts is void\nhint: deeds run -resume=\S+ plays what is open$`, errs)
}

func TestRunHelp(t *testing.T) {
	t.Parallel()
	m := withGo(t, "exit 7")
	for _, flag := range []string{"-h", "-help", "--help"} {
		out, _, status := m.deeds("run", flag)
		require.Zero(t, status)
		require.Contains(t, out, "The arguments are those of go test")
	}
	_, _, status := m.deeds("run", "-args", "-h")
	require.Equal(t, 7, status, "what follows -args is not ours")
}

func TestRunWithoutGo(t *testing.T) {
	t.Parallel()
	m := withGo(t, "")
	m.environ = []string{"PATH=" + t.TempDir()}
	_, errs, status := m.deeds("run")
	require.Equal(t, 2, status)
	require.Contains(t, errs, "deeds: the go command is not in the PATH")
}

func TestRunIsTheRealGoTest(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compiles a test")
	}
	m := newModule(t)
	m.environ = os.Environ()
	require.NoError(t, os.MkdirAll(filepath.Join(m.dir, "evals", "core"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(m.dir, "evals", "core", "a_test.go"), []byte(`package core

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var model = flag.String("model", "", "")

func TestA(t *testing.T) {
	if *model == "" {
		return
	}
	dir := filepath.Join(os.Getenv("DEEDS_RESULTS"), "runs", os.Getenv("DEEDS_RUN"))
	os.MkdirAll(dir, 0o755)
	os.WriteFile(filepath.Join(dir, "plan-core.json"), []byte(`+"`"+`{"schema":1,"package":"core","kind":"live","slots":[{"case":"core/a","model":"`+"`+*model+`"+`","agent":"builtin","attempt":1}]}`+"`"+`), 0o644)
	os.WriteFile(filepath.Join(dir, "attempts-core.jsonl"), []byte(`+"`"+`{"schema":1,"case":"core/a","model":"`+"`+*model+`"+`","agent":"builtin","attempt":1,"play":1,"outcome":"pass"}`+"`"+`), 0o644)
}
`), 0o644))
	out, errs, status := m.deeds("run", "-model", "m")
	require.Zero(t, status, out+errs)
	require.Contains(t, out, "attempts   1 planned: 1 passed")
	out, errs, status = m.deeds("run", "-run", "Zzz")
	require.Equal(t, 2, status, out+errs)
	require.Contains(t, errs, "nothing was rehearsed")
	out, errs, status = m.deeds("run")
	require.Zero(t, status, out+errs)
	require.Contains(t, out, "rehearsal: 1 package passed on scripts")
}

// An interrupt, to deeds alone, reaches the whole of go test once as an interrupt,
// and deeds waits for it.
func TestRunPassesSignalsOn(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			m := withGo(t, `trap 'echo int >>$DIR/got' INT
trap 'echo term >>$DIR/got' TERM
touch $DIR/ready
while [ ! -e $DIR/got ]; do sleep 0.02; done
sleep 0.2
`+planTwo+firstPass+"echo ended; exit 1")
			self, err := os.Executable()
			require.NoError(t, err)
			cmd := icmd.Command(self, "run", "-model=m")
			cmd.Dir, cmd.Env = m.dir, append(m.environ, "BE_DEEDS=1", "DEEDS_RUN="+sampleID)
			result := icmd.StartCmd(cmd)
			poll.WaitOn(t, func(poll.LogT) poll.Result {
				if _, err := os.Stat(filepath.Join(m.dir, "ready")); err != nil {
					return poll.Continue("not ready")
				}
				return poll.Success()
			}, poll.WithTimeout(20*time.Second), poll.WithDelay(10*time.Millisecond))
			require.NoError(t, result.Cmd.Process.Signal(sig))
			result = icmd.WaitOnCmd(20*time.Second, result)
			require.Equal(t, 1, result.ExitCode, result.Combined())
			require.Contains(t, result.Stdout(), "ended")
			require.Contains(t, result.Stderr(), "1 of 2 attempts were not run")
			got, err := os.ReadFile(filepath.Join(m.dir, "got"))
			require.NoError(t, err)
			require.Equal(t, "int\n", string(got))
		})
	}
}

// A run by the name of one that there is, in which nothing new was played, shows old
// attempts: they are not what was asked for.
func TestRunIntoAnOldRunPlaysSomething(t *testing.T) {
	t.Parallel()
	m := withGo(t, `if [ ! -e $DIR/before ]; then touch $DIR/before
`+planTwo+firstPass+secondPass+"fi\n"+ok)
	m.environ = append(m.environ, "DEEDS_RUN="+sampleID)
	_, errs, status := m.deeds("run", "-model=m", "-run=A")
	require.Zero(t, status, errs)
	_, errs, status = m.deeds("run", "-model=m", "-run=A")
	require.Equal(t, 2, status)
	require.Contains(t, errs, "deeds: nothing was played: what is shown is what the run had on record\nhint: deeds run -resume="+sampleID)
	_, errs, status = m.deeds("run", "-resume="+sampleID)
	require.Zero(t, status, errs)
}

// The tests of a run must not go on, and cost money, when deeds is killed or its
// terminal is closed.
func TestRunEndsWithDeeds(t *testing.T) {
	t.Parallel()
	// A signal that is caught here is not ignored there, as it would be under nohup.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(caught) })
	signals := []syscall.Signal{syscall.SIGHUP}
	if runtime.GOOS == "linux" {
		signals = append(signals, syscall.SIGKILL)
	}
	for _, sig := range signals {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			m := withGo(t, `trap 'echo told >$DIR/got; exit 1' INT TERM
touch $DIR/ready
n=0; while [ $n -lt 2000 ]; do sleep 0.02; n=$((n+1)); done`)
			self, err := os.Executable()
			require.NoError(t, err)
			cmd := icmd.Command(self, "run", "-model=m")
			cmd.Dir, cmd.Env = m.dir, append(m.environ, "BE_DEEDS=1", "DEEDS_RUN="+sampleID)
			result := icmd.StartCmd(cmd)
			exists := func(name string) poll.Check {
				return func(poll.LogT) poll.Result {
					if _, err := os.Stat(filepath.Join(m.dir, name)); err != nil {
						return poll.Continue("%s is not there", name)
					}
					return poll.Success()
				}
			}
			poll.WaitOn(t, exists("ready"), poll.WithTimeout(20*time.Second), poll.WithDelay(10*time.Millisecond))
			require.NoError(t, result.Cmd.Process.Signal(sig))
			poll.WaitOn(t, exists("got"), poll.WithTimeout(20*time.Second), poll.WithDelay(10*time.Millisecond))
			icmd.WaitOnCmd(20*time.Second, result)
		})
	}
}
