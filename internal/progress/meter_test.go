package progress

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// fake is a terminal that remembers what was written to it, by write.
type fake struct {
	mu     sync.Mutex
	width  int
	writes []string
	closed bool
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

func (f *fake) Width() int { return f.width }

// last is the line as it stands on the terminal.
func (f *fake) last() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.writes) == 0 {
		return ""
	}
	return strings.NewReplacer(erase+"\n", "", "\x1b[A\r", "").Replace(f.writes[len(f.writes)-1])
}

func (f *fake) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.writes)
}

func start(t *testing.T, dir string, total int) (*Meter, *fake) {
	f := &fake{width: 200}
	m := Start(Config{Dir: dir, Total: total, Terminal: func() (Terminal, error) { return f, nil }})
	t.Cleanup(func() { m.Stop("") })
	return m, f
}

func wait(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func TestMeterDraws(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, f := start(t, "", 4)
		m.Begin("core/a", "turn 1")
		wait(200 * time.Millisecond)
		require.Zero(t, f.count(), "a short run shows nothing")

		wait(200 * time.Millisecond)
		require.Equal(t, "0/4 done  1 running  0s  core/a 0s turn 1", f.last())

		m.Update("core/a", "turn 2")
		m.Update("core/unknown", "is ignored")
		m.Begin("core/b", "")
		m.Begin("model", "warming up")
		m.Forget("model")
		wait(5 * time.Second)
		require.Equal(t, "0/4 done  2 running  5s  core/a 5s turn 2", f.last())

		m.Done("core/a", "pass", 1200)
		m.Done("core/b", "fail", -1)
		m.Done("core/c", "void", 34)
		wait(4600 * time.Millisecond)
		require.Equal(t, "3/4 done  1 pass  1 fail  1 void  1.2k tokens  10s, about 3s left", f.last())

		m.Stop("")
		m.Stop("")
		require.Equal(t, erase, f.writes[len(f.writes)-1], "the line is erased")
		require.True(t, f.closed)
		for _, w := range f.writes[:len(f.writes)-1] {
			require.True(t, strings.HasPrefix(w, erase+"\n") && strings.HasSuffix(w, "\x1b[A\r"), "%q leaves the cursor somewhere", w)
			require.Equal(t, 1, strings.Count(w, "\n"), "%q", w)
		}
	})
}

func TestMeterIsThrottled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, f := start(t, "", 1)
		for i := range 2000 {
			m.Begin("a", fmt.Sprint(i))
			wait(time.Millisecond)
		}
		require.LessOrEqual(t, f.count(), 20)
		require.GreaterOrEqual(t, f.count(), 15)
	})
}

func TestStopBeforeAnythingWasDrawn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, f := start(t, "", 1)
		m.Begin("a", "")
		m.Stop("")
		require.Zero(t, f.count())
		require.True(t, f.closed)
	})
}

func TestStopLeavesTheLastWord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, f := start(t, "", 1)
		m.Begin("a", "")
		m.Stop("all passed\n")
		m.Stop("too late\n")
		require.Equal(t, []string{erase + "all passed\n"}, f.writes)
	})
}

// A process draws, the other reports to it, and takes over when it is gone.
func TestProcessesShareTheTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		a, fa := start(t, dir, 10)
		a.Begin("core/a", "")
		wait(time.Second)
		b, fb := start(t, dir, 5)
		b.Done("chain/x", "pass", 7)
		b.Begin("chain/y", "")
		wait(3400 * time.Millisecond)
		require.Equal(t, "1/15 done  1 pass  2 running  7 tokens  4s, about 1m00s left  core/a 4s", fa.last())
		require.Zero(t, fb.count(), "one writer at a time")

		a.Done("core/a", "fail", 1)
		a.Stop("")
		drawn := fa.count()
		wait(2 * time.Second)
		require.Equal(t, "2/6 done  1 pass  1 fail  1 running  8 tokens  6s, about 11s left  chain/y 5s", fb.last(),
			"what has ended still counts, and what it did not come to is no longer planned")
		require.Equal(t, drawn, fa.count())
		b.Stop("")
	})
}

// A process that is killed says no last word.
func TestProcessThatDied(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		s, err := join(dir)
		require.NoError(t, err)
		s.publish(status{Total: 9, Pass: 1, Start: time.Now(), Running: map[string]attempt{"core/dead": {Since: time.Now()}}})
		require.NoError(t, s.lock.Close())
		require.NoError(t, os.WriteFile(filepath.Join(dir, "progress-torn.json"), []byte(`{"total":`), 0o644))

		m, f := start(t, dir, 1)
		wait(time.Second)
		require.Contains(t, f.last(), "1/10 done  1 pass  1 running")
		wait(stale + time.Second)
		require.Equal(t, "1/2 done  1 pass  6s, about 6s left", f.last())
		m.Stop("")
	})
}

func TestRunTotal(t *testing.T) {
	require.Equal(t, 30, sum(status{Total: 10}, []status{{Total: 5}}, 30).Total)
	require.Equal(t, 15, sum(status{Total: 10}, []status{{Total: 5}}, 0).Total)
}

func TestNoTerminalNoMeter(t *testing.T) {
	m := Start(Config{Total: 1, Terminal: func() (Terminal, error) { return nil, errors.New("none") }})
	require.Nil(t, m)
	m.Begin("a", "")
	m.Update("a", "")
	m.Done("a", "pass", 1)
	m.Stop("")

	f := &fake{width: 80}
	m = Start(Config{Dir: filepath.Join(t.TempDir(), "missing"), Terminal: func() (Terminal, error) { return f, nil }})
	require.Nil(t, m, "who cannot share the terminal does not draw")
	require.True(t, f.closed)
}

func TestWanted(t *testing.T) {
	for _, c := range []struct {
		name   string
		env    map[string]string
		args   []string
		stdout bool
		want   bool
	}{
		{name: "plain", want: true},
		{name: "local", stdout: true, want: true},
		{name: "ci", env: map[string]string{"CI": "true"}},
		{name: "no ci", env: map[string]string{"CI": "false"}, want: true},
		{name: "dumb", env: map[string]string{"TERM": "dumb"}},
		{name: "json", args: []string{"x.test", "-test.v=test2json"}},
		{name: "verbose and live", args: []string{"-test.v=true"}, stdout: true},
		{name: "verbose and held back", args: []string{"-test.v=true"}, want: true},
		{name: "not verbose", args: []string{"-test.v=false", "-test.run=v"}, stdout: true, want: true},
	} {
		getenv := func(name string) string { return c.env[name] }
		require.Equal(t, c.want, wanted(getenv, c.args, c.stdout), c.name)
	}
}

func TestLineFits(t *testing.T) {
	s := status{Total: 90, Pass: 9, Fail: 2, Void: 1, Tokens: 34_512, Running: map[string]attempt{
		"chain/second": {Text: "turn 1"}, "chain/first": {Text: "turn\x1b[2J 日本語 2"},
	}}
	now := time.Time{}.Add(62 * time.Second)
	require.Equal(t, "12/90 done  9 pass  2 fail  1 void  2 running  34.5k tokens  1m02s, about 6m43s left  chain/first 1m02s turn?[2J 日本語 2", line(s, 200, now))
	for width := range 130 {
		got := line(s, width, now)
		n := 0
		for _, r := range got {
			n += columns(r)
		}
		require.LessOrEqual(t, n, max(width-1, 0), "%q", got)
	}
	require.Equal(t, "0/0 done  0s", line(status{}, 80, time.Time{}))
}

func TestShort(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1.0k", 999_949: "999.9k", 999_950: "1.0M", 12_345_678: "12.3M"} {
		require.Equal(t, want, short(n))
	}
}

func TestMeterIsSafeForConcurrentUse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, f := start(t, t.TempDir(), 800)
		var wg sync.WaitGroup
		for w := range 8 {
			wg.Go(func() {
				for i := range 100 {
					id := fmt.Sprint(w, "/", i)
					m.Begin(id, "")
					m.Update(id, "x")
					time.Sleep(time.Millisecond)
					m.Done(id, "pass", 1)
				}
			})
		}
		wg.Wait()
		wait(2 * time.Second)
		require.Equal(t, "800/800 done  800 pass  800 tokens  1s", f.last())
		m.Stop("")
	})
}
