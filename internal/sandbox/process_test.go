//go:build linux

package sandbox

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/sandbox/contain"
)

func TestExitStatus(t *testing.T) {
	t.Parallel()
	forEachLevel(t, allLevels, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, nil)
		for script, want := range map[string]int{
			"true":                0,
			"exit 3":              3,
			"no-such-command":     127,
			"kill -9 $$":          137,
			"kill -TERM $$":       143,
			"if":                  2,
			"(exit 7)":            7,
			"exit 0\nexit 1":      0,
			"[ $$ = $BASHPID ]":   0,
			"[ -z \"$(jobs)\" ]":  0,
			"read x":              1, // standard input is empty
			"cd /; [ $PWD = / ]":  0,
			"set -e; false; true": 1,
		} {
			_, exit := run(t, b, script)
			require.Equal(t, want, exit, script)
		}
	})
}

func TestOutputKeepsOrderAndBytes(t *testing.T) {
	t.Parallel()
	forEachLevel(t, allLevels, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, nil)
		for script, want := range map[string]string{
			`echo a; echo b >&2; echo c`:                         "a\nb\nc\n",
			`printf '\xff\xfe\x00\xc3('`:                         "\xff\xfe\x00\xc3(",
			`echo a > /dev/stdout; echo b > /dev/stderr`:         "a\nb\n",
			`cat <(echo from a substitution)`:                    "from a substitution\n",
			`echo hi | tee f; cat f`:                             "hi\nhi\n",
			`cat /dev/null; head -c 3 /dev/zero | od -An -c`:     "  \\0  \\0  \\0\n",
			`echo hi > f; mkdir d; mv f d; cat d/f; rm -r d; ls`: "hi\nhi\n"[:3],
		} {
			out := must(t, b, script)
			require.Equal(t, want, out, script)
		}
	})
}

func TestWorkspaceHomeAndTemp(t *testing.T) {
	t.Parallel()
	forEachLevel(t, allLevels, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, nil)
		require.Equal(t, b.Dir()+"\n", must(t, b, "pwd"))
		must(t, b, `echo x > "$HOME/x" && cat "$HOME/x" && f=$(mktemp) && echo y > "$f" && mv "$f" kept && cat kept`)
		must(t, b, `echo '#!/bin/sh' > run && chmod +x run && ./run`)
		require.Equal(t, "dev\n", must(t, b, "echo $USER"))
		require.NoError(t, b.Check())
	})
}

func TestCommitWorksWithoutAnIdentityOfTheHost(t *testing.T) {
	t.Parallel()
	forEachLevel(t, allLevels, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, nil)
		out := must(t, b, `git init -q && echo x > f && git add f && git commit -qm one && git log --format='%an <%ae> %s' && git status --short && git branch --show-current`)
		require.Equal(t, "dev <dev@localhost> one\nmain\n", out)
	})
}

func TestLongScript(t *testing.T) {
	t.Parallel()
	forEachLevel(t, allLevels, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, nil)
		text := strings.Repeat("0123456789abcde\n", 40_000) // 640 kB; the kernel takes 128
		out := must(t, b, "cat > f <<'END'\n"+text+"END\nwc -c < f; [ -e /dev/fd/3 ] && echo open; true")
		require.Equal(t, fmt.Sprintf("%d\n", len(text)), strings.TrimLeft(out, " "))
		got, exit := run(t, b, "exit 5 #"+text)
		require.Equal(t, 5, exit, got)
	})
}

func TestManyMegabytesStreamInBoundedMemory(t *testing.T) {
	// Not parallel: it watches the memory of the process.
	needLevel(t, contain.None)
	b := makeBox(t, contain.None, nil)
	runtime.GC()
	var before, during runtime.MemStats
	runtime.ReadMemStats(&before)
	count := &counter{each: func() {
		runtime.ReadMemStats(&during)
		require.Less(t, int64(during.HeapAlloc)-int64(before.HeapAlloc), int64(16<<20))
	}}
	p, err := b.Start(context.Background(), "head -c 104857600 /dev/zero", count)
	require.NoError(t, err)
	exit, err := p.Wait(context.Background())
	require.NoError(t, err)
	require.Zero(t, exit)
	require.Equal(t, 104857600, count.n)
}

// A counter counts what is written to it, and looks about every ten megabytes.
type counter struct {
	n, next int
	each    func()
}

func (c *counter) Write(b []byte) (int, error) {
	if c.n += len(b); c.n > c.next {
		c.next += 10 << 20
		c.each()
	}
	return len(b), nil
}

// A slow writer takes its time; what a command wrote before it ended still arrives.
type slow struct{ bytes.Buffer }

func (s *slow) Write(b []byte) (int, error) {
	time.Sleep(20 * time.Millisecond)
	return s.Buffer.Write(b)
}

func TestNothingIsLostOnASlowReader(t *testing.T) {
	t.Parallel()
	forEachLevel(t, allLevels, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, nil)
		var out slow
		// The pipe is full and held open by another when the shell ends.
		p, err := b.Start(context.Background(), "sleep 30 & head -c 400000 /dev/zero; echo -n end", &out)
		require.NoError(t, err)
		exit, err := p.Wait(context.Background())
		require.NoError(t, err)
		require.Zero(t, exit)
		require.Equal(t, 400003, out.Len())
		require.True(t, strings.HasSuffix(out.String(), "end"))
	})
}

func TestWaitDoesNotHangOnAChildThatHoldsTheOutput(t *testing.T) {
	t.Parallel()
	forEachLevel(t, allLevels, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, nil)
		began := time.Now()
		out := must(t, b, "sleep 60 & echo started")
		require.Equal(t, "started\n", out)
		require.Less(t, time.Since(began), 20*time.Second)

		// One that writes on and on does not choke, and is not listened to.
		must(t, b, `(while :; do echo tick >&1 && echo . >> ticks; sleep 0.05; done) & true`)
		size := func() int { return len(must(t, b, "cat ticks 2>/dev/null; true")) }
		eventually(t, "it goes on after the shell has ended", func() bool { return size() > 10 })
	})
}

func TestKillEndsOneCommandAndAllOfItsDescendants(t *testing.T) {
	t.Parallel()
	forEachLevel(t, allLevels, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, nil)
		other, err := b.Start(context.Background(), "sleep 61 & (setsid sleep 61 &); wait", new(bytes.Buffer))
		require.NoError(t, err)
		p, err := b.Start(context.Background(), survivors+"sleep 60", new(bytes.Buffer))
		require.NoError(t, err)
		beats := func() string { return must(t, b, "cat beat.* 2>/dev/null | wc -c") }
		eventually(t, "all beat", func() bool {
			_, exit := run(t, b, "for i in 1 2 3 4 5 6; do [ -s beat.$i ] || exit 1; done")
			return exit == 0
		})

		require.NoError(t, p.Kill())
		exit, err := p.Wait(context.Background())
		require.NoError(t, err)
		require.Equal(t, 137, exit)
		still := beats()
		time.Sleep(300 * time.Millisecond)
		require.Equal(t, still, beats(), "something still beats")
		require.NoError(t, p.Kill(), "killing twice")

		select {
		case <-other.(*process).done:
			require.Fail(t, "the other command ended too")
		default:
		}
		require.NoError(t, other.Kill())
	})
}

func TestKillAfterTheEndReachesWhatWasLeftBehind(t *testing.T) {
	t.Parallel()
	forEachLevel(t, allLevels, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, nil)
		p, err := b.Start(context.Background(), survivors+"sleep 0.2", new(bytes.Buffer))
		require.NoError(t, err)
		exit, err := p.Wait(context.Background())
		require.NoError(t, err)
		require.Zero(t, exit)
		beats := func() string { return must(t, b, "cat beat.* 2>/dev/null | wc -c") }
		was := beats()
		eventually(t, "they live on", func() bool { return beats() != was })
		require.NoError(t, p.Kill())
		was = beats()
		time.Sleep(300 * time.Millisecond)
		require.Equal(t, was, beats())
		exit, err = p.Wait(context.Background())
		require.NoError(t, err)
		require.Zero(t, exit, "the status stays what it was")
	})
}

// survivors starts six processes that try to outlive what started them, in every way
// that is known. Each beats by writing to a file.
const survivors = `
beat() { while :; do echo -n . >> beat.$1; sleep 0.02; done; }
export -f beat
beat 1 &
nohup bash -c 'beat 2' > /dev/null 2>&1 &
setsid bash -c 'beat 3' &
( ( beat 4 & ) & )
setsid -f bash -c 'beat 5'
env -i PATH="$PATH" setsid bash -c 'cd /; cd "$0"; while :; do echo -n . >> beat.6; sleep 0.02; done' "$PWD" &
disown -a
`

func TestContextEndsACommand(t *testing.T) {
	t.Parallel()
	forEachLevel(t, allLevels, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, nil)
		t.Run("of Start", func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			p, err := b.Start(ctx, survivors+"sleep 60", new(bytes.Buffer))
			require.NoError(t, err)
			time.AfterFunc(100*time.Millisecond, cancel)
			_, err = p.Wait(context.Background())
			require.ErrorIs(t, err, context.Canceled)
		})
		t.Run("of Wait", func(t *testing.T) {
			p, err := b.Start(context.Background(), survivors+"sleep 60", new(bytes.Buffer))
			require.NoError(t, err)
			ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
			defer cancel()
			_, err = p.Wait(ctx)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			was := must(t, b, "cat beat.* | wc -c")
			time.Sleep(200 * time.Millisecond)
			require.Equal(t, was, must(t, b, "cat beat.* | wc -c"))
		})
		t.Run("before Start", func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			_, err := b.Start(ctx, "true", new(bytes.Buffer))
			require.ErrorIs(t, err, context.Canceled)
		})
		t.Run("right after the end", func(t *testing.T) {
			for range 20 {
				ctx, cancel := context.WithCancel(context.Background())
				var pid bytes.Buffer
				p, err := b.Start(ctx, "sleep 60 >/dev/null 2>&1 & echo -n $!", &pid)
				require.NoError(t, err)
				_, err = p.Wait(ctx)
				cancel()
				require.NoError(t, err)
				// What was left running still runs, and is there to be ended.
				must(t, b, "sleep 0.02; kill -9 "+pid.String())
			}
		})
		t.Run("after the end", func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			p, err := b.Start(ctx, "exit 4", new(bytes.Buffer))
			require.NoError(t, err)
			exit, err := p.Wait(ctx)
			require.NoError(t, err)
			cancel()
			require.Equal(t, 4, exit)
			exit, err = p.Wait(ctx)
			require.NoError(t, err)
			require.Equal(t, 4, exit)
		})
	})
}

func TestCommandsRunSideBySide(t *testing.T) {
	t.Parallel()
	forEachLevel(t, allLevels, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, nil)
		var wg sync.WaitGroup
		for i := range 12 {
			wg.Go(func() {
				out, exit := run(t, b, fmt.Sprintf("echo %d; exit %d", i, i))
				if out != fmt.Sprintf("%d\n", i) || exit != i {
					t.Errorf("command %d said %q and ended with %d", i, out, exit)
				}
			})
		}
		wg.Wait()
	})
}

func TestClosedBox(t *testing.T) {
	t.Parallel()
	forEachLevel(t, allLevels, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, nil)
		p, err := b.Start(context.Background(), survivors+"chmod 000 .; sleep 60", new(bytes.Buffer))
		require.NoError(t, err)
		time.Sleep(100 * time.Millisecond)
		require.NoError(t, b.Close())
		require.NoDirExists(t, b.spec.World)
		_, err = p.Wait(context.Background())
		if err != nil {
			require.ErrorIs(t, err, contain.ErrGone)
		}
		require.NoError(t, p.Kill())
		require.NoError(t, b.Close(), "closing twice")
		_, err = b.Start(context.Background(), "true", new(bytes.Buffer))
		require.ErrorIs(t, err, errClosed)
	})
}
