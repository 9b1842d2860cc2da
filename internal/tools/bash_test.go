package tools

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestBash(t *testing.T) {
	w := newWorld(t, Build, files{"a.txt": "a\n"})
	exit := func(n int) *int { return &n }
	for _, tt := range []struct {
		name, command string
		want          Outcome
	}{
		{"output", "echo one; echo two >&2; printf three", Outcome{Status: OK, Text: "one\ntwo\nthree\nexit status 0", Exit: exit(0)}},
		{"silence", "true", Outcome{Status: OK, Text: "(no output)\nexit status 0", Exit: exit(0)}},
		{"failure", "echo no; exit 3", Outcome{Status: Failed, Text: "no\nexit status 3", Exit: exit(3)}},
		{"silent failure", "false", Outcome{Status: Failed, Text: "(no output)\nexit status 1", Exit: exit(1)}},
		{"in the workspace", "cat a.txt", Outcome{Status: OK, Text: "a\nexit status 0", Exit: exit(0)}},
		{"blank lines stay", "echo; echo a; echo", Outcome{Status: OK, Text: "\na\n\nexit status 0", Exit: exit(0)}},
		{"no UTF-8", `printf 'caf\xe9\n'`, Outcome{Status: OK, Text: "caf\uFFFD\nexit status 0", Exit: exit(0)}},
		{"syntax error", "if", Outcome{Status: Failed, Text: "SYNTAX", Exit: exit(2)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out := w.call("bash", is{"command": tt.command})
			if tt.want.Text == "SYNTAX" {
				require.Contains(t, out.Text, "syntax error")
				out.Text = tt.want.Text
			}
			require.Equal(t, tt.want, out)
		})
	}
}

func TestBashKillsAtTheTimeout(t *testing.T) {
	w := newWorld(t, Build, nil)
	start := time.Now()
	out := w.call("bash", is{"command": "echo begun; sleep 60; echo ended", "timeout": 0.3})
	require.Less(t, time.Since(start), 30*time.Second)
	require.Equal(t, Failed, out.Status)
	require.Nil(t, out.Exit, "it has none")
	require.Equal(t, "begun\ntimed out after 0.3 s: the command and all it had started were killed; set timeout to give it longer", out.Text)
}

func TestBashWaitsTwoMinutesUnlessTold(t *testing.T) {
	for _, tt := range []struct {
		args is
		want time.Duration
	}{{is{"command": "x"}, 2 * time.Minute}, {is{"command": "x", "timeout": 7}, 7 * time.Second}, {is{"command": "x", "timeout": 180}, 3 * time.Minute}} {
		dir := t.TempDir()
		synctest.Test(t, func(t *testing.T) {
			w := world{New(Env{Dir: dir, Files: nothing{}, Shell: fakeShell{output: "a", hang: true}, Background: Background{Promote: time.Hour}}), t, dir}
			start := time.Now()
			out := w.call("bash", tt.args)
			require.Equal(t, tt.want, time.Since(start))
			require.Contains(t, out.Text, fmt.Sprintf("a\ntimed out after %v s", tt.want.Seconds()))
		})
	}
}

func TestBashIsCutWithItsContext(t *testing.T) {
	w := newWorld(t, Build, nil, withShell(fakeShell{output: "so far\n", hang: true}))
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	out := w.Run(ctx, w.Prepare("bash", `{"command":"x"}`))
	require.Equal(t, Outcome{Status: Cut, Text: "so far\nthe command was cut before its end"}, out)
}

func TestBashWithABrokenShell(t *testing.T) {
	w := newWorld(t, Build, nil, withShell(fakeShell{start: errors.New("no room")}))
	require.Equal(t, Outcome{Status: Failed, Text: "the command could not be started: no room"}, w.call("bash", is{"command": "x"}))
	w = newWorld(t, Build, nil, withShell(fakeShell{output: "a", wait: errors.New("gone")}))
	require.Equal(t, Outcome{Status: Failed, Text: "a\nthe command was lost: gone"}, w.call("bash", is{"command": "x"}))
	w = newWorld(t, Build, nil, withShell(nil))
	require.Equal(t, Unknown, w.call("bash", is{"command": "x"}).Status)
}

func TestBashSaysWhatChanged(t *testing.T) {
	watched := 0
	watch := func(e *Env) {
		e.Watch = func() func() []string {
			watched++
			before, err := os.ReadDir(e.Dir)
			require.NoError(t, err)
			return func() []string {
				after, err := os.ReadDir(e.Dir)
				require.NoError(t, err)
				var names []string
				for _, f := range after[len(before):] {
					names = append(names, f.Name())
				}
				return names
			}
		}
	}
	w := newWorld(t, Build, files{"a": ""}, watch)
	require.Equal(t, []string{"b"}, w.call("bash", is{"command": "touch b; false"}).Changed)
	require.Equal(t, 1, watched)
	require.Empty(t, w.call("bash", is{"command": "ls"}).Changed)
	require.Equal(t, 1, watched, "what only reads runs beside others, and is not watched")
}

func TestBashKeepsTheEndOfLongOutput(t *testing.T) {
	w := newWorld(t, Build, nil)
	out := w.call("bash", is{"command": "seq 1 5000"})
	first, rest, _ := strings.Cut(out.Text, "\n")
	require.Equal(t, "(the first 13893 bytes of 23893 are left out, 3000 lines; redirect to a file to see them)", first)
	require.True(t, strings.HasPrefix(rest, "3001\n") && strings.HasSuffix(rest, "\n5000\nexit status 0"))

	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	out = w.call("bash", is{"command": "head -c 100000000 /dev/zero | tr '\\0' x"})
	runtime.ReadMemStats(&after)
	require.Contains(t, out.Text[:100], "(the first 99868928 bytes of 100000000 are left out, 0 lines")
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(20<<20), "memory does not grow with the output")
}

func TestTail(t *testing.T) {
	long := strings.Repeat("x", maxBytes)
	for _, tt := range []struct {
		name   string
		writes []string
		want   string
	}{
		{"nothing", nil, "(no output)"},
		{"empty", []string{""}, "(no output)"},
		{"newline", []string{"\n"}, ""},
		{"line", []string{"a", "b\n"}, "ab"},
		{"exactly full", []string{long}, long},
		{"one byte over", []string{"y", long}, "(the first 1 bytes of 131073 are left out, 0 lines; redirect to a file to see them)\n" + long},
		{"one line over", []string{"y\n", long}, "(the first 2 bytes of 131074 are left out, 1 lines; redirect to a file to see them)\n" + long},
		{"one large write", []string{"y\n" + long}, "(the first 2 bytes of 131074 are left out, 1 lines; redirect to a file to see them)\n" + long},
		{"begins at a line", []string{"ab\ncd\n", long[6:], "\ntail\n"}, "(the first 6 bytes of 131078 are left out, 2 lines; redirect to a file to see them)\n" + long[6:] + "\ntail"},
		{"cut within a line", []string{"abc", long[100:], "\n", long[100:], "\n"}, "(the first 130976 bytes of 261949 are left out, 1 lines; redirect to a file to see them)\n" + long[100:]},
		{"cut within a long line", []string{long, "\nshort\n"}, "(the first 7 bytes of 131079 are left out, 0 lines; redirect to a file to see them)\n" + long[7:] + "\nshort"},
		{"many lines", []string{strings.Repeat("\n", maxLines+5)}, "(the first 5 bytes of 2005 are left out, 5 lines; redirect to a file to see them)\n" + strings.Repeat("\n", maxLines-1)},
		{"cut within a rune", []string{"é" + long[1:]}, "(the first 1 bytes of 131073 are left out, 0 lines; redirect to a file to see them)\n\uFFFD" + long[1:]},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out tail
			for _, s := range tt.writes {
				n, err := out.Write([]byte(s))
				require.NoError(t, err)
				require.Equal(t, len(s), n)
			}
			got := out.close()
			require.Equal(t, len(tt.want), len(got), got[:min(len(got), 200)])
			require.True(t, tt.want == got)
			_, err := out.Write([]byte("late"))
			require.NoError(t, err)
			require.True(t, tt.want == out.close(), "what comes late is lost")
		})
	}
}

// However output is divided into writes, the same is kept of it.
func TestTailDoesNotDependOnWrites(t *testing.T) {
	text := strings.Repeat(lines(1, 900), 60)
	var whole tail
	_, _ = whole.Write([]byte(text))
	want := whole.close()
	for _, size := range []int{1, 7, 4096, maxBytes - 1, maxBytes, maxBytes + 1, 2*maxBytes + 1} {
		var out tail
		for s := text; s != ""; {
			n := min(size, len(s))
			_, _ = out.Write([]byte(s[:n]))
			s = s[n:]
		}
		require.True(t, want == out.close(), "writes of %d bytes", size)
	}
}
