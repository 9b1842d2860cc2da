//go:build unix

package e2e

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/crash/kill"
	"github.com/deeds-evals/deeds/internal/sim"
	"github.com/deeds-evals/deeds/results"
)

// simulated are the arguments of a simulated run of 29 units or fewer.
func simulated(repeat int, more ...string) []string {
	return append([]string{"-model=sim:0.8", "-seed=7", fmt.Sprint("-repeat=", repeat)}, more...)
}

// decidedOnce checks that each slot of a simulated run was decided by one play, as it
// was drawn, and that nothing else is on record.
func decidedOnce(t *testing.T, run *results.Run) {
	t.Helper()
	model, err := sim.Parse("sim:0.8")
	require.NoError(t, err)
	require.Empty(t, run.Problems)
	slots := run.Slots()
	require.Len(t, run.Attempts, len(slots))
	for _, s := range slots {
		want := results.Fail
		if model.Passes(7, s.Slot) {
			want = results.Pass
		}
		require.Equal(t, want, s.Outcome, "%v", s.Slot)
		require.Len(t, s.Plays, 1)
		require.False(t, s.Unplanned)
		_, err := run.Evidence(*s.Decided)
		require.NoError(t, err)
	}
}

// A run that is killed without warning, whenever, is gone on with until nothing is left:
// nothing that had a line is lost or played again, and nothing is left out.
func TestKilledRunIsGoneOnWith(t *testing.T) {
	t.Parallel()
	dir, err := binaries()
	require.NoError(t, err)
	root := t.TempDir()
	args := simulated(3)
	var kills int
	for kills < 3 {
		before := countLines(root)
		cmd := exec.Command(filepath.Join(dir, "core.test"), append([]string{"-j=2"}, args...)...)
		cmd.Dir = filepath.Join("..", "..", "evals", "core")
		cmd.Env = append(cleanEnv(), "DEEDS_RESULTS="+root, "CI=1")
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		kill.Apart(cmd)
		require.NoError(t, cmd.Start())
		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }()
		began := time.Now()
		for countLines(root) < before+1+rand.IntN(20) && len(done) == 0 {
			require.Less(t, time.Since(began), time.Minute, "nothing is recorded")
			time.Sleep(time.Millisecond)
		}
		require.Empty(t, done, "it ended before it could be killed:\n%s", out.String())
		require.NoError(t, kill.Group(cmd, done))
		kills++
		args = []string{"-resume=last"}
		for _, a := range (played{root: root}).run(t).Attempts {
			_, err := (played{root: root}).run(t).Evidence(a)
			require.NoError(t, err, "a line has its evidence")
		}
	}
	p := play(t, "core", root, nil, "-resume=last")
	run := p.run(t)
	decidedOnce(t, run)
	require.LessOrEqual(t, run.Torn, kills)
	require.Len(t, run.Plans, 1, "nothing was planned twice")
	require.Contains(t, p.out, "87 attempts: ", "what was before counts in the sum")
	require.NotContains(t, p.out, "not run")

	p = play(t, "core", root, nil, "-resume="+run.ID)
	require.Equal(t, 1, p.exit, "what failed is as red as it was:\n%s", p.out)
	require.Contains(t, p.out, "nothing is left to play")
	require.Contains(t, p.out, "87 attempts: ")
	require.Len(t, p.run(t).Attempts, 87)
}

// The go command is killed together with its packages, and the next one goes on with all
// of them, also with one that had not said what it would play.
func TestKilledCommandIsGoneOnWith(t *testing.T) {
	t.Parallel()
	_, err := binaries() // so that the first start builds little
	require.NoError(t, err)
	root := t.TempDir()
	start := func(args ...string) (*exec.Cmd, *bytes.Buffer) {
		cmd := exec.Command("go", append([]string{"test", "-p=1", "./evals/chain", "./evals/core", "-run=^(TestKnownPath|TestBerthRate|TestReadBeforeEdit|TestYearOfABell)$"}, args...)...)
		cmd.Dir = filepath.Join("..", "..")
		cmd.Env = append(cleanEnv(), "DEEDS_RESULTS="+root, "CI=1")
		out := new(bytes.Buffer)
		cmd.Stdout, cmd.Stderr = out, out
		kill.Apart(cmd)
		require.NoError(t, cmd.Start())
		return cmd, out
	}
	cmd, out := start(simulated(40)...)
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	require.Eventually(t, func() bool { return countLines(root) > 3 }, 2*time.Minute, 5*time.Millisecond, "nothing is recorded")
	require.NoError(t, kill.Group(cmd, done))
	before := (played{root: root, out: out.String()}).run(t)
	require.Equal(t, []string{"core"}, before.Missing(), "the second package had not begun")

	cmd, out = start("-resume=" + results.ShortID(before.ID))
	_ = cmd.Wait() // attempts fail, as they are drawn to
	run := (played{root: root, out: out.String()}).run(t)
	require.Empty(t, run.Missing(), "%s", out)
	decidedOnce(t, run)
	require.Len(t, run.Plans, 2)
	require.Equal(t, run.Plans[0].Settings, run.Plans[1].Settings, "it was planned as the run was asked for")
}

func TestResumeNeverDuplicates(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	p := play(t, "core", root, nil, simulated(2, "-test.run=^(TestKnownPath|TestBerthRate)$", "-max-tokens=8000", "-j=1")...)
	require.Equal(t, 1, p.exit, "%s", p.out)
	first := p.run(t)
	require.NotEmpty(t, first.Attempts)
	require.Less(t, len(first.Attempts), len(first.Slots()))
	require.Equal(t, 1, strings.Count(p.out, "deeds: "), "one clear error:\n%s", p.out)
	require.Regexp(t, `deeds: the budget of the run is used up: 1\d{4} tokens of -max-tokens=8000`, p.out)
	require.Contains(t, p.out, "hint: nothing that was played is lost: go on with -resume="+first.ID)
	require.Regexp(t, `not run \(the budget of the run is used up`, p.out)
	for _, a := range first.Attempts {
		require.Contains(t, []string{"pass", "fail"}, a.Outcome, "what was under way ended")
	}

	t.Run("peers 65: what is not played under a budget stays open", func(t *testing.T) {
		p := play(t, "core", root, nil, "-resume=last")
		require.Equal(t, 1, p.exit, "the budget is still used up:\n%s", p.out)
		require.Len(t, p.run(t).Attempts, len(first.Attempts))
	})
	t.Run("peers 58: a part of it is played, and nothing is replaced", func(t *testing.T) {
		p := play(t, "core", root, nil, "-resume=last", "-max-tokens=1000000", "-test.run=TestKnownPath/attempt=2")
		run := p.run(t)
		require.Equal(t, first.Attempts, run.Attempts[:len(first.Attempts)])
	})
	t.Run("peers 56: one line for each slot", func(t *testing.T) {
		play(t, "core", root, nil, "-resume=last", "-max-tokens=1000000")
		run := p.run(t)
		decidedOnce(t, run)
		require.Nil(t, run.Stopped, "the stop from before does not count")
		require.Equal(t, first.Attempts, run.Attempts[:len(first.Attempts)])
	})
	t.Run("peers 63: the second time there is nothing to play", func(t *testing.T) {
		before := countLines(root)
		for range 2 {
			p := play(t, "core", root, nil, "-test.v", "-resume=last", "-max-tokens=1000000")
			require.Contains(t, p.out, "nothing is left to play of the run "+first.ID)
			red := slices.ContainsFunc(p.run(t).Attempts, func(a results.Attempt) bool { return a.Outcome == results.Fail })
			require.Equal(t, red, p.exit == 1, "it is red if anything failed:\n%s", p.out)
		}
		require.Equal(t, before, countLines(root))
	})
	t.Run("peers 59: a plan of another size is refused", func(t *testing.T) {
		p := play(t, "core", root, nil, "-resume=last", "-repeat=3")
		require.Equal(t, 1, p.exit)
		require.Contains(t, p.out, "deeds: -repeat=3 contradicts the run "+first.ID+", which was asked for with -repeat=2")
	})
}

// A run that was cut in two is no greener than one that was not: what failed before the
// cut makes the command red that goes on, case by case, as far as its signal was asked
// for and its case is played.
func TestResumeIsAsRedAsTheRun(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	play(t, "core", root, nil, "-model=sim:1+core/known-path=0", "-seed=1", "-test.run=^(TestKnownPath|TestBerthRate)$")
	for name, test := range map[string]struct {
		args []string
		exit int
		want string
	}{
		"all":            {nil, 1, "nothing is left to play of the run "},
		"the one":        {[]string{"-test.run=TestKnownPath"}, 1, "and not all of this case passed; see "},
		"another one":    {[]string{"-test.run=TestBerthRate"}, 0, "nothing is left to play"},
		"another signal": {[]string{"-signal=skill-discovery"}, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := play(t, "core", root, nil, append([]string{"-resume=last", "-test.v"}, test.args...)...)
			require.Equal(t, test.exit, p.exit, "%s", p.out)
			require.Contains(t, p.out, test.want)
			require.Len(t, p.run(t).Attempts, 2)
		})
	}
	t.Run("a part is played", func(t *testing.T) {
		root := t.TempDir()
		p := play(t, "core", root, nil, "-model=sim:0", "-seed=1", "-repeat=2", "-test.run=TestKnownPath", "-max-tokens=5000", "-j=1")
		require.Len(t, p.run(t).Attempts, 1)
		p = play(t, "core", root, nil, "-resume=last", "-max-tokens=50000", "-test.v")
		require.Len(t, p.run(t).Attempts, 2)
		require.Equal(t, 2, strings.Count(p.out, "--- FAIL: TestKnownPath/attempt="), "%s", p.out)
		require.Contains(t, p.out, "not played again: it failed; see ")
	})
}

// What a run has on record is of one kind: neither a simulation nor a model is added to
// what was replayed, or to each other.
func TestRunHasOneKind(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	one := "-test.run=TestKnownPath"
	play(t, "core", root, []string{"DEEDS_RUN=" + playedID}, "-model=sim:1", "-seed=1", one)
	play(t, "core", root, []string{"DEEDS_RUN=" + replayedID}, "-replay="+playedID)
	for name, test := range map[string]struct {
		run  string
		args []string
		want string
	}{
		"sim to replay":  {replayedID, []string{"-model=sim:1"}, "which is replayed, and this run is simulated"},
		"live to replay": {replayedID, []string{"-model=m", "-base-url=http://127.0.0.1:1/v1", "-containment=best"}, "which is replayed, and this run is live"},
		"live to sim":    {playedID, []string{"-model=m", "-base-url=http://127.0.0.1:1/v1", "-containment=best"}, "which is simulated, and this run is live"},
		"replay to sim":  {playedID, []string{"-replay=" + playedID}, "which is no replay of " + playedID},
		"go on with it":  {"", []string{"-resume=" + replayedID}, "cannot be gone on with: it was replayed, and asked no model"},
	} {
		t.Run(name, func(t *testing.T) {
			env := []string{"DEEDS_RUN=" + test.run}
			if test.run == "" {
				env = nil
			}
			p := play(t, "core", root, env, append(test.args, one)...)
			require.Equal(t, 1, p.exit, "%s", p.out)
			require.Contains(t, p.out, test.want)
			require.Contains(t, p.out, "hint: ")
			for _, id := range []string{playedID, replayedID} {
				require.Len(t, load(t, root, id).Attempts, 1)
				require.Len(t, load(t, root, id).Plans, 1)
			}
		})
	}
}

// Two that go on with one run at once would play the same: the second is told who is
// at it, and plays nothing.
func TestTwoResumesAtOnce(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	cmd, out := begin(t, root)
	p := play(t, "core", root, nil, "-resume=last")
	require.Equal(t, 1, p.exit, "%s", p.out)
	require.Equal(t, 1, strings.Count(p.out, "deeds: "), "one clear error:\n%s", p.out)
	require.Regexp(t, fmt.Sprintf(`deeds: the run \S+ is being played by process %d, since 2\d{3}-`, cmd.Process.Pid), p.out)
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	_ = cmd.Wait()
	require.Contains(t, out.String(), "not run: the run was interrupted")
	for _, s := range p.run(t).Slots() {
		require.LessOrEqual(t, len(s.Plays), 1)
	}
}

// What an interruption cut short is void, and is played again; the stop does not count.
func TestInterruptedRunIsGoneOnWith(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	cases, err := suite()
	require.NoError(t, err)
	cmd, _ := begin(t, root, "-test.run=^(TestKnownPath|TestBerthRate)$", "-repeat=10")
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	_ = cmd.Wait()
	before := (played{root: root}).run(t)
	// It has a new address: a server of the machine that was started again.
	address, key := endpoint(t, cases, nil, honest)
	p := play(t, "core", root, []string{"OPENAI_API_KEY=" + key}, "-resume=last", "-base-url="+address)
	require.Equal(t, 1, p.exit)
	require.Contains(t, p.out, "deeds: -base-url="+address+" contradicts the run "+before.ID)
	require.Equal(t, before.Attempts, p.run(t).Attempts)
}

func TestResumeOfNothing(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"no run":      {[]string{"-resume=last"}, "hint: play one first, with -model=NAME: a rehearsal leaves no record"},
		"two at once": {[]string{"-resume=x", "-replay=y"}, "deeds: -resume and -replay do not go together"},
	} {
		t.Run(name, func(t *testing.T) {
			p := play(t, "core", root, nil, test.args...)
			require.Equal(t, 1, p.exit, "%s", p.out)
			require.Contains(t, p.out, test.want)
			require.Equal(t, 1, strings.Count(p.out, "deeds: "), "one clear error:\n%s", p.out)
		})
	}
}

// A run that could not record any more is gone on with when there is room again.
func TestRunThatCouldNotRecordIsGoneOnWith(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	const id = "20260101T000000Z-abcdef"
	blocked := filepath.Join(root, "runs", id, "evidence")
	require.NoError(t, os.MkdirAll(filepath.Dir(blocked), 0o755))
	require.NoError(t, os.WriteFile(blocked, nil, 0o644))
	p := play(t, "core", root, []string{"DEEDS_RUN=" + id}, simulated(3, "-limit=3")...)
	require.Equal(t, 1, p.exit)
	require.NoError(t, os.Remove(blocked))
	p = play(t, "core", root, nil, "-resume=abcdef")
	decidedOnce(t, p.run(t))
	require.Nil(t, p.run(t).Stopped)
}

// A record that is removed while the run goes on is one clear error.
func TestRunWhoseFolderIsRemovedStops(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	cmd, out := begin(t, root)
	dirs, err := filepath.Glob(filepath.Join(root, "runs", "2*"))
	require.NoError(t, err)
	require.Len(t, dirs, 1)
	require.NoError(t, os.Rename(dirs[0], filepath.Join(root, "gone")))
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err := <-done:
		require.Error(t, err)
	case <-time.After(30 * time.Second):
		require.Fail(t, "the run goes on without a record")
	}
	require.Equal(t, 1, strings.Count(out.String(), "deeds: "), "one clear error:\n%s", out)
	require.Contains(t, out.String(), "the record was removed while the run went on")
}

// Models are played side by side: what happens to the endpoint happens to both. What is
// printed about an attempt finds it.
func TestModelsAreInterleaved(t *testing.T) {
	t.Parallel()
	cases, err := suite()
	require.NoError(t, err)
	address, key := slow(t, cases, 20*time.Millisecond)
	p := play(t, "core", t.TempDir(), []string{"OPENAI_API_KEY=" + key}, "-model=a,b", "-repeat=10", "-j=2", "-base-url="+address, "-containment=best", "-test.run=^TestKnownPath$")
	require.Zero(t, p.exit, "%s", p.out)
	run := p.run(t)
	require.Len(t, run.Attempts, 20)
	ahead, changes := 0, 0
	for i, a := range run.Attempts {
		ahead += map[string]int{"a": 1, "b": -1}[a.Model]
		require.LessOrEqual(t, max(ahead, -ahead), 6, "neither model is played before the other")
		if i > 0 && a.Model != run.Attempts[i-1].Model {
			changes++
		}
	}
	require.Zero(t, ahead)
	require.GreaterOrEqual(t, changes, 5, "they take turns")

	p = play(t, "core", t.TempDir(), nil, "-model=sim:1,sim:0", "-seed=7", "-repeat=2", "-test.run=^TestKnownPath$")
	require.Equal(t, 1, p.exit)
	require.Contains(t, p.out, "core/known-path --model sim:0 --attempt 1")
	require.Contains(t, p.out, `-run '^TestKnownPath$/^sim:0$/^attempt=1$' -model=sim:1,sim:0 -repeat=2`)
	again := play(t, "core", t.TempDir(), nil, "-test.run=^TestKnownPath$/^sim:0$/^attempt=1$", "-model=sim:1,sim:0", "-repeat=2", "-seed=7")
	require.Len(t, again.run(t).Attempts, 1, "the command that is printed plays that attempt")
	require.Equal(t, results.Slot{Case: "core/known-path", Model: "sim:0", Agent: "builtin", Attempt: 1}, again.run(t).Attempts[0].Slot)
}

// An endpoint that does not report what is to be counted ends the run at its first
// answer, with what to do.
func TestBudgetThatCannotBeKept(t *testing.T) {
	t.Parallel()
	for flag, want := range map[string]string{
		"-budget=2":        "hint: give -max-tokens=N instead of -budget",
		"-max-tokens=1000": "hint: leave -max-tokens out",
	} {
		t.Run(flag, func(t *testing.T) {
			t.Parallel()
			var requests atomic.Int64
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				requests.Add(1)
				fmt.Fprint(w, `{"id":"1","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"OK"},"finish_reason":"stop"}]}`)
			}))
			t.Cleanup(s.Close)
			p := play(t, "core", t.TempDir(), nil, "-model=m", "-base-url="+s.URL+"/v1", "-containment=best", "-limit=5", flag)
			require.Equal(t, 1, p.exit, "%s", p.out)
			require.Contains(t, p.out, "deeds: budget: the endpoint does not report")
			require.Contains(t, p.out, want)
			require.Equal(t, 1, strings.Count(p.out, "deeds: "), "one clear error:\n%s", p.out)
			require.LessOrEqual(t, requests.Load(), int64(1))
		})
	}
}

func TestDryRunSaysTheBillAgainstTheBudget(t *testing.T) {
	t.Parallel()
	p := play(t, "core", t.TempDir(), nil, "-test.v", "-dry-run", "-model=m", "-limit=2", "-max-tokens=100000", "-base-url=http://127.0.0.1:1/v1")
	require.Zero(t, p.exit, "%s", p.out)
	require.Regexp(t, `about \d+ prompt tokens, \d+ so far in this package, \d+ % of -max-tokens=100000; `, p.out)
}
