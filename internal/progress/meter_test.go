package progress

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// fake is a terminal that remembers what was written to it, by write.
type fake struct {
	mu            sync.Mutex
	columns, rows int
	writes        []string
	closed        bool
}

func (f *fake) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.writes = append(f.writes, string(p))
	return len(p), nil
}

func (f *fake) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	return nil
}

func (f *fake) Size() (columns, rows int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.columns, f.rows
}

func (f *fake) resize(columns, rows int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.columns, f.rows = columns, rows
}

func (f *fake) Colour() bool { return false }

// last is the block as it stands on the terminal.
func (f *fake) last() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.writes) == 0 {
		return ""
	}
	text := strings.TrimPrefix(f.writes[len(f.writes)-1], "\r\x1b[K\n")
	text, _, _ = strings.Cut(text, "\x1b[K\x1b[J")
	return strings.ReplaceAll(text, "\x1b[K", "")
}

func (f *fake) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.writes)
}

func begin(t *testing.T, dir string, total int) (*Meter, *fake) {
	return beginWith(t, Config{Dir: dir, Total: total}, false)
}

func beginWith(t *testing.T, c Config, verbose bool) (*Meter, *fake) {
	f := &fake{columns: 200, rows: 24}
	m := start(c, func() (Terminal, error) { return f, nil }, verbose)
	t.Cleanup(func() { m.Stop("") })
	return m, f
}

func wait(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func lines(s ...string) string { return strings.Join(s, "\n") }

var (
	pass = Result{Outcome: "pass"}
	fail = Result{Outcome: "fail"}
)

func TestMeterDraws(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, f := begin(t, "", 4)
		m.Begin("core/a#1", Attempt{Name: "core/a", Number: 1})
		m.Update("core/a#1", 1, "asks the model")
		wait(200 * time.Millisecond)
		require.Zero(t, f.count(), "a short run shows nothing")

		wait(200 * time.Millisecond)
		require.Equal(t, lines(
			"0/4 done  1 running  0s",
			"     0s  core/a #1  turn 1  asks the model",
		), f.last())

		m.Update("core/a#1", 2, "bash go test ./...")
		m.Update("core/unknown", 3, "is ignored")
		m.Begin("core/b#1", Attempt{Name: "core/b", Number: 1})
		m.Begin("model", Attempt{Name: "model"})
		m.Forget("model")
		wait(5 * time.Second)
		require.Equal(t, lines(
			"0/4 done  2 running  5s",
			"     5s  core/a #1  turn 2  bash go test ./...",
			"     4s  core/b #1",
		), f.last())

		cost := 0.25
		m.Done("core/a#1", Result{Outcome: "pass", Tokens: 1200, Cost: &cost, Signals: map[string]bool{"tool-chain": true, "policy-branch": true}})
		m.Done("core/b#1", Result{Outcome: "fail", Tokens: -1, Signals: map[string]bool{"tool-chain": false}})
		m.Done("core/c#1", Result{Outcome: "void", Tokens: 34, Signals: map[string]bool{"tool-chain": false}})
		wait(4600 * time.Millisecond)
		require.Equal(t, lines(
			"3/4 done  1 pass  1 fail  1 void  10s, about 3s left  1.2k tokens  $0.250 and more",
			"signals  tool-chain 1/2  1 without a failure",
		), f.last(), "a void measures no signal")

		m.Stop("")
		m.Stop("")
		require.Equal(t, erase, f.writes[len(f.writes)-1], "the block is erased")
		require.True(t, f.closed)
		for _, w := range f.writes[:len(f.writes)-1] {
			n := strings.Count(w, "\n")
			require.True(t, strings.HasPrefix(w, "\r\x1b[K\n") && strings.HasSuffix(w, fmt.Sprintf("\x1b[J\x1b[%dA\r", n)), "%q leaves the cursor somewhere", w)
		}
	})
}

func TestMeterIsThrottled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, f := begin(t, "", 1)
		for i := range 2000 {
			m.Begin("a", Attempt{Name: fmt.Sprint(i)})
			wait(time.Millisecond)
		}
		require.LessOrEqual(t, f.count(), 20)
		require.GreaterOrEqual(t, f.count(), 15)
	})
}

func TestMeterFollowsTheTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, f := begin(t, "", 30)
		for i := range 30 {
			m.Begin(fmt.Sprint(i), Attempt{Name: "core/case", Number: i})
		}
		wait(2100 * time.Millisecond)
		drawn := f.count()
		require.Equal(t, 11, strings.Count(f.last(), "\n"), "half of 24 rows")
		f.resize(30, 8)
		wait(200 * time.Millisecond)
		require.Equal(t, drawn+1, f.count(), "at once")
		require.Equal(t, lines(
			"0/30 done  30 running  2s",
			"     2s  core/case",
			"     2s  core/case #1",
			"         and 28 more",
		), f.last())
		f.resize(30, 1)
		wait(2 * time.Second)
		require.Equal(t, drawn+1, f.count(), "there is no room for anything")
	})
}

func TestAttemptIsPlayedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, f := begin(t, "", 1)
		m.Begin("a", Attempt{Name: "core/a"})
		m.Update("a", 3, "bash make")
		m.Wait("a", "429", time.Now().Add(time.Hour))
		m.Again("a", Result{Outcome: "void", Tokens: 7})
		wait(1500 * time.Millisecond)
		require.Equal(t, lines("0/1 done  1 running  1s  7 tokens", "     1s  core/a  void, played again"), f.last())
		m.Done("a", pass)
		wait(time.Second)
		require.Equal(t, "1/1 done  1 pass  2s  7 tokens", f.last(), "an attempt counts once")
		m.Stop("")
	})
}

func TestMeterSaysWhatIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, f := begin(t, "", 3)
		for _, id := range []string{"a", "b", "c"} {
			m.Begin(id, Attempt{Name: "core/" + id})
			m.Update(id, 1, "asks the model")
		}
		m.Wait("a", "429", time.Now().Add(20*time.Second))
		m.Wait("b", "429", time.Now().Add(10*time.Second))
		m.Wait("c", "-rpm", time.Now().Add(30*time.Second))
		wait(5450 * time.Millisecond)
		require.Equal(t, lines(
			"0/3 done  3 running  5s",
			"waiting for the endpoint: 429, 15s more, 2 of 3 running",
			"     5s  core/a  turn 1  waits 15s: 429",
			"     5s  core/b  turn 1  waits 5s: 429",
			"     5s  core/c  turn 1  waits 25s: -rpm",
		), f.last())
		m.Wait("a", "", time.Time{})
		m.Forget("c")
		wait(6 * time.Second)
		require.Equal(t, lines(
			"0/3 done  2 running  11s",
			"    11s  core/a  turn 1  asks the model",
			"    11s  core/b  turn 1  asks the model",
		), f.last(), "a wait that nobody ended is over when its time is")
	})
}

func TestHush(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, f := begin(t, t.TempDir(), 1)
		m.Hush()
		require.Zero(t, f.count(), "there is nothing to take away")
		m.Begin("a", Attempt{Name: "core/a"})
		wait(time.Second)
		m.Hush()
		drawn := f.count()
		require.Equal(t, erase, f.writes[drawn-1])
		m.Update("a", 2, "")
		wait(quietAfter - 10*time.Millisecond)
		require.Equal(t, drawn, f.count())
		wait(200 * time.Millisecond)
		require.Equal(t, drawn+1, f.count())
	})
}

func TestRehearsalIsCountedInCases(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, f := beginWith(t, Config{Total: 9, Rehearsal: true}, false)
		m.Begin("core/a", Attempt{Name: "core/a"})
		m.Update("core/a", 0, "3 of 20 scripts")
		m.Done("core/b", pass)
		m.Done("core/c", fail)
		wait(1500 * time.Millisecond)
		require.Equal(t, lines("2/9 cases rehearsed  1 broken  1s, about 5s left", "     1s  core/a  3 of 20 scripts"), f.last())
	})
}

func TestStopBeforeAnythingWasDrawn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, f := begin(t, "", 1)
		m.Begin("a", Attempt{})
		m.Stop("")
		require.Zero(t, f.count())
		require.True(t, f.closed)
	})
}

func TestStopLeavesTheLastWord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, f := begin(t, "", 1)
		m.Begin("a", Attempt{})
		m.Stop("all passed\n")
		m.Stop("too late\n")
		require.Equal(t, []string{erase + "all passed\n"}, f.writes)
	})
}

// A process draws, the other reports to it, and takes over when it is gone.
func TestProcessesShareTheTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		a, fa := begin(t, dir, 10)
		a.Begin("core/a", Attempt{Name: "core/a"})
		wait(time.Second)
		b, fb := begin(t, dir, 5)
		b.Done("chain/x", Result{Outcome: "pass", Tokens: 7, Signals: map[string]bool{"tool-chain": true}})
		b.Begin("chain/y", Attempt{Name: "chain/y"})
		wait(3400 * time.Millisecond)
		require.Equal(t, lines(
			"1/15 done  1 pass  2 running  4s  7 tokens",
			"signals  1 without a failure",
			"     4s  core/a",
			"     3s  chain/y",
		), fa.last())
		require.Zero(t, fb.count(), "one writer at a time")

		a.Done("core/a", Result{Outcome: "fail", Tokens: 1, Signals: map[string]bool{"tool-chain": false}})
		require.False(t, a.Last(), "the other is at work")
		a.Stop("")
		drawn := fa.count()
		wait(2 * time.Second)
		require.Zero(t, fb.count(), "the go command is about to print what the one that ended had to say")
		wait(3 * time.Second)
		require.Equal(t, lines(
			"2/6 done  1 pass  1 fail  1 running  9s, about 18s left  8 tokens",
			"signals  tool-chain 1/2",
			"     8s  chain/y",
		), fb.last(), "what has ended still counts, and what it did not come to is no longer planned")
		require.Equal(t, drawn, fa.count())
		require.True(t, b.Last())
		require.False(t, b.Last(), "once")
		b.Stop("")
	})
}

// One that does not draw takes the block of the other away before it leaves a text.
func TestProcessEndsWhileAnotherDraws(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		a, fa := begin(t, dir, 10)
		wait(time.Second)
		b, fb := begin(t, dir, 5)
		a.Begin("core/a", Attempt{Name: "core/a"})
		wait(2 * time.Second)
		b.Stop("chain: 5 of 5\n")
		require.Equal(t, []string{erase + "chain: 5 of 5\n"}, fb.writes)
		drawn := fa.count()
		wait(time.Second)
		require.Equal(t, drawn, fa.count(), "quiet is kept")
		require.True(t, a.Last())
	})
}

// Both end at once: one of them is the last.
func TestOneIsTheLast(t *testing.T) {
	for range 20 {
		dir := t.TempDir()
		var all []*Meter
		for range 4 {
			m, _ := begin(t, dir, 1)
			all = append(all, m)
		}
		var last atomic.Int32
		var wg sync.WaitGroup
		for _, m := range all {
			wg.Go(func() {
				if m.Last() {
					last.Add(1)
				}
			})
		}
		wg.Wait()
		require.EqualValues(t, 1, last.Load())
		for _, m := range all {
			m.Stop("")
		}
	}
}

// Under -v the go command passes on what a package prints while it prints it, but never
// where two run side by side.
func TestVerboseDrawsOnlyInCompany(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		a, fa := beginWith(t, Config{Dir: dir, Total: 1}, true)
		a.Begin("a", Attempt{Name: "core/a"})
		wait(3 * time.Second)
		require.Zero(t, fa.count())
		b, _ := beginWith(t, Config{Dir: dir, Total: 1}, true)
		wait(time.Second)
		require.Contains(t, fa.last(), "0/2 done  1 running")
		b.Stop("")
	})
}

// A process that is killed says no last word.
func TestProcessThatDied(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		s, err := join(dir)
		require.NoError(t, err)
		s.publish(status{Total: 9, Pass: 1, Start: time.Now(), Running: map[string]running{"core/dead": {Since: time.Now()}}})
		s.close()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "progress-torn.json"), []byte(`{"total":`), 0o644))

		m, f := begin(t, dir, 1)
		wait(time.Second)
		require.Contains(t, f.last(), "1/10 done  1 pass  1 running")
		wait(stale + time.Second)
		require.Equal(t, "1/2 done  1 pass  6s, about 6s left", f.last())
		require.True(t, m.Last(), "the dead are not waited for")
		m.Stop("")
	})
}

func TestNoTerminalNoMeter(t *testing.T) {
	m := Start(Config{Total: 1, Terminal: func() (Terminal, error) { return nil, errors.New("none") }})
	require.Nil(t, m)
	m.Begin("a", Attempt{})
	m.Update("a", 1, "")
	m.Wait("a", "429", time.Now())
	m.Again("a", pass)
	m.Done("a", pass)
	m.Forget("a")
	m.Hush()
	require.False(t, m.Last())
	columns, colour := m.Look()
	require.Zero(t, columns)
	require.False(t, colour)
	m.Stop("")

	f := &fake{columns: 80, rows: 24}
	m = Start(Config{Dir: filepath.Join(t.TempDir(), "missing"), Terminal: func() (Terminal, error) { return f, nil }})
	require.Nil(t, m, "who cannot share the terminal does not draw")
	require.True(t, f.closed)
}

func TestWanted(t *testing.T) {
	for _, c := range []struct {
		name          string
		env           map[string]string
		args          []string
		shown         bool
		want, verbose bool
	}{
		{name: "plain", want: true},
		{name: "local", shown: true, want: true},
		{name: "ci", env: map[string]string{"CI": "true"}},
		{name: "no ci", env: map[string]string{"CI": "false"}, want: true},
		{name: "dumb", env: map[string]string{"TERM": "dumb"}},
		{name: "json", args: []string{"x.test", "-test.v=test2json"}},
		{name: "verbose and live", args: []string{"-test.v=true"}, shown: true, verbose: true},
		{name: "verbose and perhaps held back", args: []string{"-test.v=true"}, want: true, verbose: true},
		{name: "not verbose", args: []string{"-test.v=false", "-test.run=v"}, shown: true, want: true},
	} {
		getenv := func(name string) string { return c.env[name] }
		yes, verbose := wanted(getenv, c.args, c.shown)
		require.Equal(t, c.want, yes, c.name)
		require.Equal(t, c.verbose, verbose, c.name)
	}
}

func TestMeterIsSafeForConcurrentUse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, f := begin(t, t.TempDir(), 800)
		var wg sync.WaitGroup
		for w := range 8 {
			wg.Go(func() {
				for i := range 100 {
					id := fmt.Sprint(w, "/", i)
					m.Begin(id, Attempt{Name: id})
					m.Update(id, 1, "x")
					time.Sleep(time.Millisecond)
					m.Done(id, Result{Outcome: "pass", Tokens: 1, Signals: map[string]bool{"tool-chain": true}})
				}
			})
		}
		wg.Wait()
		wait(2 * time.Second)
		require.Equal(t, lines("800/800 done  800 pass  1s  800 tokens", "signals  1 without a failure"), f.last())
		m.Stop("")
	})
}
