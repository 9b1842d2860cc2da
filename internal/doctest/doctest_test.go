package doctest_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/doctest"
)

const page = "# A page\n" +
	"```go\n$ not a command\n```\n" +
	"```console\n$ deeds run\nanything\n```\n" +
	"```console run exit=3 env=WORD=two env=OTHER=x\n" +
	"$ echo one; echo $WORD\n" +
	"one\n" +
	"two\n" +
	"$ echo three \\\n" +
	">   four; exit 3\n" +
	"...four\n" +
	"```\n"

func TestParse(t *testing.T) {
	blocks, err := doctest.Parse("README.md", []byte(page))
	require.NoError(t, err)
	require.Equal(t, []doctest.Block{
		{File: "README.md", Line: 5, Commands: []doctest.Command{{Line: 6, Text: "deeds run", Want: []string{"anything"}}}},
		{File: "README.md", Line: 9, Run: true, Exit: 3, Env: []string{"WORD=two", "OTHER=x"}, Commands: []doctest.Command{
			{Line: 10, Text: "echo one; echo $WORD", Want: []string{"one", "two"}},
			{Line: 13, Text: "echo three \\\n  four; exit 3", Want: []string{"...four"}},
		}},
	}, blocks)
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"```console\nout\n```":      `p.md:2: output without a command: a command begins with "$ "`,
		"```console\n```":           `p.md:1: a console block without a command: a command begins with "$ "`,
		"```console\n$ ls":          `p.md: a code block is not closed`,
		"```console fast\n$ x\n```": `p.md:1: a console block knows run, endpoint, exit and env, not fast`,
		"```console env=X\n```":     `p.md:1: env=X sets no variable; write env=NAME=VALUE`,
		"```console exit=x\n```":    `p.md:1: exit=x is no exit status`,
	} {
		_, err := doctest.Parse("p.md", []byte(text))
		require.EqualError(t, err, want)
	}
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		want, got string
		match     bool
	}{
		{"", "", true},
		{"a", "", false},
		{"", "a", false},
		{"a|b", "a|b", true},
		{"a|b", "a|c", false},
		{"a|b", "a|b|c", false},
		{"a|...", "a", true},
		{"a|...", "a|b|c", true},
		{"...|c", "a|b|c", true},
		{"a|...|c", "a|b|b|c|c", true},
		{"a|...|c", "a|b", false},
		{"...", "", true},
		{"ok  pkg  ...s", "ok  \tpkg\t0.02s", true},
		{"ok  pkg  ...s", "FAIL\tpkg\t0.02s", false},
		{"...b...", "abc", true},
		{"a...a", "a", false},
		{"a...b...c", "a-c-b", false},
		{"  a", "\ta", true},
		{"a", "  a", false},
		{"a", "a  ", true},
	} {
		split := func(s string) []string {
			if s == "" {
				return nil
			}
			return strings.Split(s, "|")
		}
		require.Equal(t, c.match, doctest.Match(split(c.want), split(c.got)), "%q %q", c.want, c.got)
	}
}

func TestPlay(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no bash")
	}
	play := func(text string) error {
		blocks, err := doctest.Parse("p.md", []byte(text))
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		return blocks[len(blocks)-1].Play(ctx, t.TempDir(), []string{"PATH=" + os.Getenv("PATH")})
	}
	require.NoError(t, play(page))
	require.EqualError(t, play("```console run\n$ echo a; false\na\n```"), "p.md:2: echo a; false\nwant   exit status 0\ngot    exit status 1\n       a")
	require.EqualError(t, play("```console run\n$ echo a >&2\nb\n```"), "p.md:2: echo a >&2\nwant\n       b\ngot\n       a")
	require.EqualError(t, play("```console run exit=1\n$ false\n$ false\n```"), "p.md:2: false\nwant   exit status 0\ngot    exit status 1\n       ")
	require.NoError(t, play("```console run\n$ cat\n```"), "there is no input to wait for")
}

func TestPlayEndsWithItsContext(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no bash")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	b := doctest.Block{File: "p.md", Commands: []doctest.Command{{Line: 1, Text: "sleep 20"}}}
	require.ErrorIs(t, b.Play(ctx, t.TempDir(), os.Environ()), context.DeadlineExceeded)
}

func TestLinks(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "docs"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.md"), nil, 0o644))
	text := []byte("[a](../a.md#x) [b](b.md) [c](https://example.org) [d](#here)\n[e](../e)")
	require.Equal(t, []string{
		"docs/p.md:1 links to b.md, which does not exist",
		"docs/p.md:2 links to ../e, which does not exist",
	}, doctest.Links(dir, "docs/p.md", text))
}

func TestExcerpts(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.go"), []byte("package a\n\nvar x = 1\n"), 0o644))
	text := []byte("```go file=a.go\nvar x = 1\n```\ntext\n```go\nanything\n```\n```go file=a.go\nvar x = 2\n```\n```go file=b.go\n```\n")
	require.Equal(t, []string{
		"p.md:8 is not what a.go says",
		"p.md:11 quotes b.go, which cannot be read",
	}, doctest.Excerpts(dir, "p.md", text))
}

func TestCopy(t *testing.T) {
	root := t.TempDir()
	t.Setenv("TMPDIR", t.TempDir())
	require.NoError(t, os.MkdirAll(filepath.Join(root, "a", "b"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, "a", "b", "run"), []byte("x"), 0o755))
	require.NoError(t, os.Symlink("b/run", filepath.Join(root, "a", "link")))
	files := []string{"a/b/run", "a/link", "gone"}

	one, removeOne, err := doctest.Copy(root, files)
	require.NoError(t, err)
	two, removeTwo, err := doctest.Copy(root, files)
	require.NoError(t, err)
	require.NotEqual(t, one, two, "two copies at once are two places")
	data, err := os.ReadFile(filepath.Join(two, "a", "link"))
	require.NoError(t, err)
	require.Equal(t, "x", string(data))
	info, err := os.Stat(filepath.Join(two, "a", "b", "run"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o755), info.Mode().Perm())
	removeOne()
	removeTwo()
	again, remove, err := doctest.Copy(root, nil)
	require.NoError(t, err)
	require.Equal(t, one, again)
	remove()
	left, err := os.ReadDir(os.Getenv("TMPDIR"))
	require.NoError(t, err)
	require.Empty(t, left)
}
