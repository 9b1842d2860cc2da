package gateway

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/filelock"
)

// TestMain lets the test binary be another process of the run, too.
func TestMain(m *testing.M) {
	if os.Getenv("LIMITER_DIR") != "" {
		if err := limiterProcess(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// limiterProcess acquires as often as it is told and says when it held a slot. It
// ends when all is done, or holds what it has for ever.
func limiterProcess() error {
	number := func(name string) int {
		n, _ := strconv.Atoi(os.Getenv(name))
		return n
	}
	l, err := NewLimiter(LimiterConfig{Dir: os.Getenv("LIMITER_DIR"), Slots: number("LIMITER_SLOTS")})
	if err != nil {
		return err
	}
	defer l.Close()
	var (
		wg sync.WaitGroup
		mu sync.Mutex
	)
	for range number("LIMITER_TIMES") {
		wg.Go(func() {
			release, err := l.Acquire(context.Background())
			from := time.Now().UnixNano()
			if err != nil {
				return
			}
			if os.Getenv("LIMITER_HOLD") != "" {
				mu.Lock()
				fmt.Println("held")
				mu.Unlock()
				select {}
			}
			time.Sleep(5 * time.Millisecond)
			l.Spent(1, 0.5)
			to := time.Now().UnixNano()
			release()
			mu.Lock()
			defer mu.Unlock()
			fmt.Println(from, to)
		})
	}
	wg.Wait()
	return nil
}

// another starts another process of the run.
func another(t *testing.T, dir string, slots, times int, hold bool) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "LIMITER_DIR="+dir, fmt.Sprint("LIMITER_SLOTS=", slots), fmt.Sprint("LIMITER_TIMES=", times))
	if hold {
		cmd.Env = append(cmd.Env, "LIMITER_HOLD=1")
	}
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it has ended long ago, unless the test failed
		_ = cmd.Wait()
	})
	return cmd, bufio.NewScanner(out)
}

func TestSlotsOverProcesses(t *testing.T) {
	t.Parallel()
	const slots, processes, times = 3, 4, 25
	dir := t.TempDir()
	var outputs []*bufio.Scanner
	for range processes {
		_, out := another(t, dir, slots, times, false)
		outputs = append(outputs, out)
	}
	type edge struct {
		at   int64
		step int
	}
	var edges []edge
	for _, out := range outputs {
		for out.Scan() {
			var from, to int64
			_, err := fmt.Sscan(out.Text(), &from, &to)
			require.NoError(t, err, out.Text())
			edges = append(edges, edge{from, 1}, edge{to, -1})
		}
	}
	require.Len(t, edges, 2*processes*times, "every attempt had its turn")
	slices.SortFunc(edges, func(a, b edge) int {
		if a.at != b.at {
			return int(a.at - b.at)
		}
		return a.step - b.step
	})
	held, most := 0, 0
	for _, e := range edges {
		held += e.step
		most = max(most, held)
	}
	require.LessOrEqual(t, most, slots)
	require.Greater(t, most, 1, "slots are used at the same time")

	l, err := NewLimiter(LimiterConfig{Dir: dir})
	require.NoError(t, err)
	defer l.Close()
	tokens, cost, err := l.Used(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(processes*times), tokens)
	require.InDelta(t, processes*times*0.5, cost, 1e-9)
}

func TestSlotsOfAKilledProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cmd, out := another(t, dir, 2, 2, true)
	for range 2 {
		require.True(t, out.Scan())
	}
	l, err := NewLimiter(LimiterConfig{Dir: dir, Slots: 2})
	require.NoError(t, err)
	defer l.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err = l.Acquire(ctx)
	require.ErrorIs(t, err, context.DeadlineExceeded)

	require.NoError(t, cmd.Process.Kill())
	for range 2 {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		release, err := l.Acquire(ctx)
		require.NoError(t, err)
		defer release()
	}
}

// TestSlotsAreShared has a big package and a small one that comes later. The
// small one does not wait for the big one's end.
func TestSlotsAreShared(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const attempts = 60
	var left atomic.Int64
	left.Store(attempts)
	play := func(l *Limiter, wg *sync.WaitGroup, n int, done func()) {
		for range n {
			wg.Go(func() {
				release, err := l.Acquire(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				time.Sleep(20 * time.Millisecond)
				release()
				done()
			})
		}
	}
	var big, small sync.WaitGroup
	a, err := NewLimiter(LimiterConfig{Dir: dir, Slots: 2})
	require.NoError(t, err)
	defer a.Close()
	b, err := NewLimiter(LimiterConfig{Dir: dir, Slots: 2})
	require.NoError(t, err)
	defer b.Close()
	play(a, &big, attempts, func() { left.Add(-1) })
	time.Sleep(30 * time.Millisecond)
	play(b, &small, 3, func() {})
	small.Wait()
	require.Greater(t, left.Load(), int64(attempts/3))
	big.Wait()
}

// TestQueue checks what holds with and without a directory.
func TestQueue(t *testing.T) {
	t.Parallel()
	for name, dir := range map[string]string{"memory": "", "files": t.TempDir()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, err := NewLimiter(LimiterConfig{Dir: dir, Slots: 1})
			require.NoError(t, err)
			first, err := l.Acquire(t.Context())
			require.NoError(t, err)

			// First come, first served.
			var (
				mu    sync.Mutex
				order []int
				wg    sync.WaitGroup
			)
			for i := range 5 {
				wg.Go(func() {
					release, err := l.Acquire(t.Context())
					if err != nil {
						t.Error(err)
						return
					}
					mu.Lock()
					order = append(order, i)
					mu.Unlock()
					release()
				})
				require.Eventually(t, func() bool {
					l.queue.mu.Lock()
					defer l.queue.mu.Unlock()
					return len(l.queue.waiting) == i+1
				}, 10*time.Second, time.Millisecond)
			}
			// Who gives up is passed over.
			ctx, cancel := context.WithCancelCause(t.Context())
			why := errors.New("had enough")
			cancel(why)
			_, err = l.Acquire(ctx)
			require.ErrorIs(t, err, why)
			first()
			first() // twice is once
			wg.Wait()
			require.Equal(t, []int{0, 1, 2, 3, 4}, order)

			// Who waits when it is closed is told.
			_, err = l.Acquire(t.Context())
			require.NoError(t, err)
			wg.Go(func() {
				_, err := l.Acquire(t.Context())
				if err == nil {
					t.Error("a closed limiter gave a slot")
				}
			})
			require.Eventually(t, func() bool {
				l.queue.mu.Lock()
				defer l.queue.mu.Unlock()
				return len(l.queue.waiting) == 1
			}, 10*time.Second, time.Millisecond)
			require.NoError(t, l.Close())
			wg.Wait()
		})
	}
}

// TestSlotThatComesTooLate cancels and releases at the same moment. Whoever wins,
// the slot is not lost.
func TestSlotThatComesTooLate(t *testing.T) {
	t.Parallel()
	l, err := NewLimiter(LimiterConfig{Slots: 1})
	require.NoError(t, err)
	defer l.Close()
	for range 2000 {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		held, err := l.Acquire(ctx)
		require.NoError(t, err, "a slot was lost")
		waits, giveUp := context.WithCancel(ctx)
		var wg sync.WaitGroup
		wg.Go(func() {
			if release, err := l.Acquire(waits); err == nil {
				release()
			}
		})
		wg.Go(giveUp)
		wg.Go(held)
		wg.Wait()
		cancel()
	}
}

func TestNoLimits(t *testing.T) {
	t.Parallel()
	var none *Limiter
	empty, err := NewLimiter(LimiterConfig{})
	require.NoError(t, err)
	for _, l := range []*Limiter{none, empty} {
		release, err := l.Acquire(t.Context())
		require.NoError(t, err)
		require.NoError(t, l.BeforeRequest(t.Context()))
		l.Spent(5, 1)
		l.Pause(0)
		release()
		require.NoError(t, l.Close())
	}
}

func TestLimiterConfig(t *testing.T) {
	t.Parallel()
	nan := 0.0
	nan /= nan
	for _, c := range []LimiterConfig{{Slots: -1}, {RPM: -1}, {MaxTokens: -1}, {MaxCost: -1}, {MaxCost: nan}, {Dir: "/dev/null/x"}} {
		_, err := NewLimiter(c)
		require.Error(t, err, "%+v", c)
	}
}

func TestRate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l, err := NewLimiter(LimiterConfig{RPM: 120})
		require.NoError(t, err)
		begun := time.Now()
		var wg sync.WaitGroup
		for range 243 {
			wg.Go(func() { require.NoError(t, l.BeforeRequest(t.Context())) })
		}
		wg.Wait()
		require.Equal(t, 2*time.Minute, time.Since(begun), "three at once, and 240 in two minutes")

		time.Sleep(time.Hour)
		begun = time.Now()
		for range 4 {
			require.NoError(t, l.BeforeRequest(t.Context()))
		}
		require.Equal(t, 500*time.Millisecond, time.Since(begun), "an idle hour is no hour's worth of requests")
	})
}

func TestPause(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l, err := NewLimiter(LimiterConfig{})
		require.NoError(t, err)
		begun := time.Now()
		l.Pause(time.Minute)
		l.Pause(time.Second) // a shorter one does not end it
		require.NoError(t, l.BeforeRequest(t.Context()))
		require.GreaterOrEqual(t, time.Since(begun), time.Minute)
		require.LessOrEqual(t, time.Since(begun), 61*time.Second)

		l.Pause(time.Minute)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.ErrorIs(t, l.BeforeRequest(ctx), context.DeadlineExceeded)
	})
}

// An endpoint that asks to wait for a year must not make a run that never ends.
func TestPauseThatIsTooLong(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l, err := NewLimiter(LimiterConfig{Patience: time.Minute})
		require.NoError(t, err)
		l.Pause(time.Hour)
		begun := time.Now()
		var f *Fault
		require.ErrorAs(t, l.BeforeRequest(t.Context()), &f)
		require.Zero(t, time.Since(begun))
		require.Equal(t, RateLimit, f.Kind)
		require.Equal(t, time.Hour, f.RetryAfter)
		time.Sleep(59*time.Minute + time.Second)
		require.NoError(t, l.BeforeRequest(t.Context()), "the rest of it is waited for")
	})
}

func TestPauseOverProcesses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, err := NewLimiter(LimiterConfig{Dir: dir})
	require.NoError(t, err)
	defer a.Close()
	b, err := NewLimiter(LimiterConfig{Dir: dir})
	require.NoError(t, err)
	defer b.Close()
	begun := time.Now()
	a.Pause(150 * time.Millisecond)
	require.NoError(t, b.BeforeRequest(t.Context()))
	require.GreaterOrEqual(t, time.Since(begun), 150*time.Millisecond)
}

func TestBudget(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]LimiterConfig{
		"tokens": {MaxTokens: 10}, "cost": {MaxCost: 1}, "tokens over processes": {Dir: t.TempDir(), MaxTokens: 10, Slots: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, err := NewLimiter(c)
			require.NoError(t, err)
			defer l.Close()
			l.Spent(9, 0.9)
			release, err := l.Acquire(t.Context())
			require.NoError(t, err)
			l.Spent(1, 0.1)
			require.NoError(t, l.BeforeRequest(t.Context()), "what has begun goes on")
			release()
			_, err = l.Acquire(t.Context())
			require.ErrorIs(t, err, ErrBudget)
			var f *Fault
			require.ErrorAs(t, err, &f)
			require.True(t, f.StopsRun())
		})
	}
}

func TestStoreThatIsDamaged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "limits.json"), []byte("{half"), 0o600))
	_, err := NewLimiter(LimiterConfig{Dir: dir})
	require.ErrorContains(t, err, "damaged")
}

// TestStoreShrinks writes less than was there.
func TestStoreShrinks(t *testing.T) {
	t.Parallel()
	s, err := openStore(t.TempDir())
	require.NoError(t, err)
	defer s.close()
	long := process{Held: 1, Seen: time.Now()}
	for _, procs := range []map[string]process{{strings.Repeat("x", 300): long, "b": long}, nil, {"c": long}} {
		require.NoError(t, s.update(t.Context(), func(s *shared) bool {
			s.Procs = procs
			return true
		}))
		require.NoError(t, s.update(t.Context(), func(s *shared) bool {
			require.Len(t, s.Procs, len(procs))
			return false
		}))
	}
}

// TestStoreLockedByAnother does not wait longer than it is let.
func TestStoreLockedByAnother(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := openStore(dir)
	require.NoError(t, err)
	defer s.close()
	other, err := os.OpenFile(filepath.Join(dir, "limits.json"), os.O_RDWR, 0)
	require.NoError(t, err)
	require.NoError(t, filelock.Try(other))
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, s.update(ctx, func(*shared) bool { return true }), context.DeadlineExceeded)

	// What is spent meanwhile is not lost.
	go func() {
		time.Sleep(50 * time.Millisecond)
		_ = other.Close()
	}()
	s.spend(7, 0)
	b, err := os.ReadFile(filepath.Join(dir, "limits.json"))
	require.NoError(t, err)
	require.Contains(t, string(b), `"tokens":7`)
}

func BenchmarkAcquireOverFiles(b *testing.B) {
	l, err := NewLimiter(LimiterConfig{Dir: b.TempDir(), Slots: 200})
	require.NoError(b, err)
	defer l.Close()
	for b.Loop() {
		release, err := l.Acquire(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		release()
	}
}

var _ io.Closer = (*Limiter)(nil)
