package e2e

import (
	"bytes"
	"context"
	"encoding/base64"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/gateway"
	"github.com/deeds-evals/deeds/internal/script"
	"github.com/deeds-evals/deeds/results"
)

// One go test invocation over several packages is one run, each another, and
// none is answered from go test's cache: neither when flags say what to play, which
// go test knows not to cache, nor when the environment does, and all of it passes.
func TestOneInvocationIsOneRun(t *testing.T) {
	t.Parallel()
	cases, err := suite()
	require.NoError(t, err)
	address, key := endpoint(t, cases, nil, honest)
	// Where there is no git, there is no commit.
	head, _ := exec.Command("git", "rev-parse", "HEAD").Output()
	commit := strings.TrimSpace(string(head))
	if commit != "" {
		require.Regexp(t, "^[0-9a-f]{40}$", commit)
	}
	attr := regexp.MustCompile(`(?m)^=== ATTR  Test\w+ (outcome pass|signals \S+=pass\S*|evidence \S+\.json\S*)$`)
	for name, test := range map[string]struct{ args, env []string }{
		"flags":       {args: []string{"-model=m", "-base-url=" + address, "-limit=1", "-containment=best"}},
		"environment": {env: []string{"DEEDS_MODEL=m", "DEEDS_BASE_URL=" + address, "DEEDS_LIMIT=1", "DEEDS_CONTAINMENT=best"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// It lies outside of the module, where go test looks at no file.
			root := t.TempDir()
			for n := 1; n <= 2; n++ {
				cmd := exec.Command("go", append([]string{"test", "-v", "-run=TestKnownPath|TestReadBeforeEdit", "./evals/core", "./evals/chain"}, test.args...)...)
				cmd.Dir = filepath.Join("..", "..")
				cmd.Env = append(cleanEnv(), append(test.env, "OPENAI_API_KEY="+key, "DEEDS_RESULTS="+root, "CI=1")...)
				out, err := cmd.CombinedOutput()
				require.NoError(t, err, "an honest model passes:\n%s", out)
				require.NotContains(t, string(out), "(cached)")
				said := make(map[string]int)
				for _, m := range attr.FindAllStringSubmatch(string(out), -1) {
					word, _, _ := strings.Cut(m[1], " ")
					said[word]++
				}
				require.Equal(t, map[string]int{"outcome": 2, "signals": 2, "evidence": 2}, said, "%s", out)
				dirs, err := filepath.Glob(filepath.Join(root, "runs", "2*"))
				require.NoError(t, err)
				require.Len(t, dirs, n, "%s", out)
				run, err := results.Load(dirs[n-1])
				require.NoError(t, err)
				require.Len(t, run.Plans, 2, "a plan for each package")
				require.Len(t, run.Attempts, 2)
				for _, a := range run.Attempts {
					require.Equal(t, "pass", a.Outcome)
					require.Equal(t, commit, a.Commit)
					require.NotEmpty(t, a.Digests.Case)
					require.NotEmpty(t, a.Digests.Fixture)
					require.NotEmpty(t, a.Digests.Prompt)
					require.NotEmpty(t, a.Digests.Tools)
					require.NotEmpty(t, a.Digests.Grader)
				}
			}
		})
	}
}

// A secret of the developer's is in no file and on no screen, whatever the agent
// does to get at it, and whatever the endpoint sends back. Neither the key nor
// anything else in the environment that is named like a secret.
func TestTheKeyIsInNoFile(t *testing.T) {
	t.Parallel()
	const (
		key   = "sk-live-0123456789abcdefghijKLMNOP"
		other = "tok-98765/432+100" // which looks different in a URL
	)
	var secrets []string
	for _, s := range []string{key, other} {
		secrets = append(secrets, s, base64.StdEncoding.EncodeToString([]byte(s)), url.QueryEscape(s))
	}
	scripts, err := script.Parse([]byte("-- pass --\n" +
		"bash command=\"env; cat /proc/self/environ /proc/[0-9]*/environ 2>/dev/null | tr '\\\\0' '\\\\n'; ls /proc; echo $OPENAI_API_KEY $ANOTHER_SECRET_TOKEN\"\n\n" +
		"bash command=\"echo " + strings.Join(secrets[3:], "; echo ") + "\"\n\n" +
		"say Your key is " + strings.Join(secrets[:3], ", or ") + ".\n" +
		"say The other is " + strings.Join(secrets[3:], ", or ") + ".\n"))
	require.NoError(t, err)
	var saw bytes.Buffer
	address, gatewayKey := serve(t, gateway.UpstreamFunc(func(ctx context.Context, r *gateway.Request) (*gateway.Reply, error) {
		saw.Write(r.Body)
		return script.NewPlayer(scripts.Sections[0].Messages).Complete(ctx, r)
	}))
	// The gateway of the test takes only its own key; another server would take
	// any. What matters is that the run knows a secret.
	proxy := forward(t, address, gatewayKey)
	root := t.TempDir()
	p := play(t, "core", root, []string{"OPENAI_API_KEY=" + key, "ANOTHER_SECRET_TOKEN=" + other}, "-test.v", "-model=m", "-base-url="+proxy, "-limit=1")
	run := p.run(t)
	require.Len(t, run.Attempts, 1)
	require.Equal(t, "fail", run.Attempts[0].Outcome, "%s", p.out)
	evidence, err := run.Evidence(run.Attempts[0])
	require.NoError(t, err)
	require.Contains(t, string(evidence), "Your key is", "the evidence is there")
	require.Contains(t, string(evidence), "The other is")
	require.Contains(t, string(evidence), "; echo ", "what was called is there")
	require.NotContains(t, saw.String(), key, "the agent never saw the key")
	for _, s := range secrets {
		require.NotContains(t, string(evidence), s)
		require.NotContains(t, p.out, s)
	}
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, s := range secrets {
			require.False(t, bytes.Contains(data, []byte(s)), "%s has a secret", path)
		}
		return nil
	}))
}

// slow answers the honest scripts of the cases without worlds, each request after a
// while.
func slow(t *testing.T, cases []knownCase, latency time.Duration) (address, key string) {
	t.Helper()
	model := standFor(t.Errorf, cases, nil, honest)
	model.latency = latency
	return serve(t, model)
}

// begin starts a live run in the background and waits until it has recorded
// something.
func begin(t *testing.T, root string, args ...string) (cmd *exec.Cmd, out *bytes.Buffer) {
	t.Helper()
	dir, err := binaries()
	require.NoError(t, err)
	cases, err := suite()
	require.NoError(t, err)
	address, key := slow(t, cases, 100*time.Millisecond)
	out = new(bytes.Buffer)
	cmd = exec.Command(filepath.Join(dir, "core.test"), append([]string{"-test.v", "-model=m", "-base-url=" + address, "-repeat=20", "-j=2", "-containment=best", "-test.skip=" + skipPattern(cases)}, args...)...)
	cmd.Dir = filepath.Join("..", "..", "evals", "core")
	cmd.Env = append(cleanEnv(), "OPENAI_API_KEY="+key, "DEEDS_RESULTS="+root, "CI=1")
	cmd.Stdout, cmd.Stderr = out, out
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _, _ = cmd.Process.Wait() })
	require.Eventually(t, func() bool { return countLines(root) >= 3 }, time.Minute, 20*time.Millisecond, "nothing is recorded")
	return cmd, out
}

// countLines counts the attempts on record.
func countLines(root string) int {
	files, _ := filepath.Glob(filepath.Join(root, "runs", "2*", "attempts-*.jsonl"))
	n := 0
	for _, f := range files {
		data, _ := os.ReadFile(f)
		n += bytes.Count(data, []byte("\n"))
	}
	return n
}

func TestInterruptedRunEndsInGoodOrder(t *testing.T) {
	t.Parallel()
	for name, sig := range map[string]syscall.Signal{"SIGINT": syscall.SIGINT, "SIGTERM": syscall.SIGTERM} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			cmd, out := begin(t, root)
			require.NoError(t, cmd.Process.Signal(sig))
			done := make(chan error, 1)
			go func() { done <- cmd.Wait() }()
			select {
			case err := <-done:
				require.Error(t, err, "an interrupted run is not green")
			case <-time.After(20 * time.Second):
				require.Fail(t, "the run goes on after "+name)
			}
			require.Equal(t, 1, cmd.ProcessState.ExitCode(), "%s", out)
			require.Contains(t, out.String(), "not run: the run was interrupted")
			p := played{root: root, out: out.String()}
			run := p.run(t)
			passed, stopped := 0, 0
			for _, a := range run.Attempts {
				switch {
				case a.Outcome == "pass":
					passed++
				case a.Reason == "stopped":
					stopped++
				default:
					require.Fail(t, "an interruption is nobody's fault", "%s %s %s", a.Case, a.Outcome, a.Detail)
				}
			}
			require.GreaterOrEqual(t, passed, 3)
			require.LessOrEqual(t, stopped, 2, "only what was in flight")
			open := 0
			for _, s := range run.Slots() {
				if s.Outcome == "not run" {
					open++
				}
			}
			require.Positive(t, open, "the rest is accounted for")
		})
	}
}

func TestKilledRunLosesNothingThatHadFinished(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	cmd, _ := begin(t, root)
	before := countLines(root)
	require.NoError(t, cmd.Process.Kill())
	_, _ = cmd.Process.Wait()
	p := played{root: root}
	run := p.run(t)
	require.GreaterOrEqual(t, len(run.Attempts), before)
	for _, a := range run.Attempts {
		require.Equal(t, "pass", a.Outcome)
		_, err := run.Evidence(a)
		require.NoError(t, err, "its evidence is whole")
	}
	require.NotEmpty(t, run.Plans[0].Slots)
	require.Greater(t, len(run.Slots()), len(run.Attempts))
}

// What is played into a run that has the slot on record already is a reroll of it.
func TestPlaysIntoAnOldRunAreRerolls(t *testing.T) {
	t.Parallel()
	address, key := serve(t, script.NewPlayer(script.Silence()))
	root := t.TempDir()
	var p played
	for range 2 {
		p = play(t, "core", root, []string{"OPENAI_API_KEY=" + key, "DEEDS_RUN=20260101T000000Z-abcdef"}, "-model=m", "-base-url="+address, "-limit=1", "-containment=best")
		require.Equal(t, 1, p.exit, "%s", p.out)
	}
	run := p.run(t)
	require.Len(t, run.Attempts, 2)
	require.Equal(t, []any{1, false}, []any{run.Attempts[0].Play, run.Attempts[0].Reroll})
	require.Equal(t, []any{2, true}, []any{run.Attempts[1].Play, run.Attempts[1].Reroll})
	require.NotEqual(t, run.Attempts[0].Evidence, run.Attempts[1].Evidence)
}

// What cannot be recorded is not worth paying for: the run stops at the first
// attempt that is lost.
func TestRunThatCannotRecordStops(t *testing.T) {
	t.Parallel()
	var requests atomic.Int64
	address, key := serve(t, gateway.UpstreamFunc(func(ctx context.Context, r *gateway.Request) (*gateway.Reply, error) {
		requests.Add(1)
		return script.NewPlayer(script.Silence()).Complete(ctx, r)
	}))
	root := t.TempDir()
	const id = "20260101T000000Z-abcdef"
	require.NoError(t, os.MkdirAll(filepath.Join(root, "runs", id), 0o755))
	// Where the evidence should go is a file: no permission helps, not even root's.
	require.NoError(t, os.WriteFile(filepath.Join(root, "runs", id, "evidence"), nil, 0o644))
	p := play(t, "core", root, []string{"OPENAI_API_KEY=" + key, "DEEDS_RUN=" + id}, "-model=m", "-base-url="+address, "-repeat=20", "-j=2", "-containment=best")
	require.Equal(t, 1, p.exit, "%s", p.out)
	require.Equal(t, 1, strings.Count(p.out, "deeds: "), "one clear error:\n%s", p.out)
	require.Contains(t, p.out, "deeds: an attempt could not be recorded")
	require.Contains(t, p.out, "0 passed, 0 failed", "what is not recorded is not counted")
	require.LessOrEqual(t, requests.Load(), int64(10), "nothing is asked after it")
	for _, s := range p.run(t).Slots() {
		require.Equal(t, results.NotRun, s.Outcome)
	}
}

// The command that is printed to play an attempt again selects it, whatever the
// model is called.
func TestSlotOfAModelWithASpaceIsSelected(t *testing.T) {
	t.Parallel()
	address, key := serve(t, script.NewPlayer(script.Silence()))
	for _, pattern := range []string{"^TestKnownPath$/^a b$", "TestKnownPath/a_b"} {
		p := play(t, "core", t.TempDir(), []string{"OPENAI_API_KEY=" + key}, "-model=a b,c", "-base-url="+address, "-test.run="+pattern, "-containment=best")
		require.Equal(t, 1, p.exit, "%s", p.out)
		run := p.run(t)
		require.Len(t, run.Attempts, 1, "%s", p.out)
		require.Equal(t, "a b", run.Attempts[0].Model)
	}
}

func TestSignalSelectsAndDecides(t *testing.T) {
	t.Parallel()
	cases, err := suite()
	require.NoError(t, err)
	address, key := serve(t, script.NewPlayer(script.Silence()))
	root := t.TempDir()
	p := play(t, "core", root, []string{"OPENAI_API_KEY=" + key}, "-test.v", "-model=m", "-base-url="+address, "-signal=parallel-tools,mode-selection", "-containment=best")
	require.Equal(t, 1, p.exit, "%s", p.out)
	want := 0
	for _, k := range cases {
		for _, s := range k.Signals {
			if k.pkg() == "core" && (s == "parallel-tools" || s == "mode-selection") {
				want += len(k.Units)
				break
			}
		}
	}
	run := p.run(t)
	require.Len(t, run.Attempts, want)
	for _, a := range run.Attempts {
		require.NotEmpty(t, a.Signals, "every expectation is judged, whatever decides")
	}
	require.Contains(t, p.out, "none of its signals was asked for")
}

// With -signal, what fails besides is on record and turns nothing red.
func TestOnlyTheSignalsAskedForDecide(t *testing.T) {
	t.Parallel()
	cases, err := suite()
	require.NoError(t, err)
	address, key := endpoint(t, cases, nil, wrong)
	i := slices.IndexFunc(cases, func(k knownCase) bool {
		return len(k.Units) == 1 && len(k.Worlds) == 0 && len(k.Signals) > 1 && len(fails(t, k, k.Units[0])) == 1
	})
	require.NotEqual(t, -1, i, "no case has a wrong deed that fails one of its signals only")
	k := cases[i]
	failed := fails(t, k, k.Units[0])
	for _, asked := range k.Signals {
		t.Run(asked, func(t *testing.T) {
			t.Parallel()
			p := play(t, k.pkg(), t.TempDir(), []string{"OPENAI_API_KEY=" + key}, "-test.run=^"+testName(k)+"$", "-signal="+asked, "-model=m", "-base-url="+address, "-containment=best")
			want := 0
			if asked == failed[0] {
				want = 1
			}
			require.Equal(t, want, p.exit, "%s", p.out)
			run := p.run(t)
			require.Len(t, run.Attempts, 1)
			require.Equal(t, "fail", run.Attempts[0].Outcome, "every expectation is judged, whatever decides")
			require.Equal(t, failed, failing(run.Attempts[0]))
		})
	}
}

func TestDryRunCallsNothing(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	p := play(t, "core", root, nil, "-test.v", "-dry-run", "-model=m", "-repeat=3", "-base-url=http://127.0.0.1:1/v1")
	require.Zero(t, p.exit, "%s", p.out)
	require.Contains(t, p.out, "3 attempts, about ")
	require.Contains(t, p.out, "  m attempt 3\n")
	entries, err := os.ReadDir(root)
	require.NoError(t, err)
	require.Empty(t, entries, "a dry run leaves no record")
}

func TestRehearsalLeavesNoRecord(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	p := play(t, "core", root, nil)
	require.Zero(t, p.exit, "%s", p.out)
	entries, err := os.ReadDir(root)
	require.NoError(t, err)
	require.Empty(t, entries)
	require.NotContains(t, strings.ToLower(p.out), "fail")
}

// Under -count a case is played again. What had passed or failed stands, and the
// second play is on record as what it is.
func TestPlaysAgainAreRerolls(t *testing.T) {
	t.Parallel()
	address, key := serve(t, script.NewPlayer(script.Silence()))
	p := play(t, "core", t.TempDir(), []string{"OPENAI_API_KEY=" + key}, "-test.count=2", "-model=m", "-base-url="+address, "-limit=2", "-containment=best")
	require.Equal(t, 1, p.exit, "%s", p.out)
	run := p.run(t)
	require.Len(t, run.Plans, 1)
	require.Len(t, run.Slots(), 2)
	require.Len(t, run.Attempts, 4)
	rerolls := 0
	for _, a := range run.Attempts {
		if a.Reroll {
			rerolls++
			require.Equal(t, 2, a.Play)
		}
	}
	require.Equal(t, 2, rerolls)
}
