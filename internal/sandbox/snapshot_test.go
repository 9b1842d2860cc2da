//go:build linux

package sandbox

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/sandbox/contain"
)

func snapshot(t *testing.T, b *Box) map[string]File {
	t.Helper()
	files, err := b.Snapshot()
	require.NoError(t, err)
	return files
}

func TestSnapshotIsExact(t *testing.T) {
	t.Parallel()
	large := bytes.Repeat([]byte("0123456789abcdef"), maxData/16)
	larger := append(bytes.Clone(large), 'x')
	b := makeBox(t, contain.None, fstest.MapFS{
		"text":       {Data: []byte("a\n"), Mode: 0o644},
		"run":        {Data: []byte("\xff\x00"), Mode: 0o755},
		"nil":        {Mode: 0o600},
		"deep/er/x":  {Data: []byte("x"), Mode: 0o644},
		"link":       {Data: []byte("deep/er"), Mode: fs.ModeSymlink | 0o777},
		"hollow":     {Mode: fs.ModeDir | 0o750},
		"at-most":    {Data: large, Mode: 0o644},
		"over":       {Data: larger, Mode: 0o644},
		"closed/one": {Data: []byte("1"), Mode: 0o644},
	})
	require.NoError(t, os.Chmod(filepath.Join(b.Dir(), "text"), 0))
	require.NoError(t, os.Chmod(filepath.Join(b.Dir(), "closed"), 0))
	sum := sha256.Sum256(larger)
	want := map[string]File{
		"text":       {Mode: 0, Data: []byte("a\n"), Size: 2},
		"run":        {Mode: 0o755, Data: []byte("\xff\x00"), Size: 2},
		"nil":        {Mode: 0o600, Data: []byte{}},
		"deep/er/x":  {Mode: 0o644, Data: []byte("x"), Size: 1},
		"link":       {Mode: fs.ModeSymlink | 0o777, Link: "deep/er"},
		"hollow":     {Mode: fs.ModeDir | 0o750},
		"at-most":    {Mode: 0o644, Data: large, Size: maxData},
		"over":       {Mode: 0o644, Size: maxData + 1, Digest: hex.EncodeToString(sum[:])},
		"closed/one": {Mode: 0o644, Data: []byte("1"), Size: 1},
	}
	require.Equal(t, want, snapshot(t, b))
	require.Equal(t, want, snapshot(t, b), "taking one changes nothing")
	info, err := os.Lstat(filepath.Join(b.Dir(), "text"))
	require.NoError(t, err)
	require.Zero(t, info.Mode().Perm())
}

func TestSnapshotOfARepository(t *testing.T) {
	t.Parallel()
	forEachLevel(t, []contain.Level{contain.None, contain.Namespaces}, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, nil)
		must(t, b, `git init -q && echo 1 > a && git add a && git commit -qm "first: ünï" && git tag v1 && git checkout -qb topic && echo 2 > b && git add b`)
		one := snapshot(t, b)
		text := string(one[".git"].Data)
		require.Equal(t, fs.ModeDir, one[".git"].Mode.Type())
		for _, want := range []string{"HEAD ref: refs/heads/topic\n", " refs/heads/main\n", " refs/heads/topic\n", " refs/tags/v1\n", "\ta\n", "\tb\n", "first: ünï", "dev <dev@localhost>"} {
			require.Contains(t, text, want)
		}
		for name := range one {
			require.False(t, strings.HasPrefix(name, ".git/"), name)
		}

		must(t, b, "git gc -q && git pack-refs --all && git status > /dev/null && echo noise > .git/description && touch .git/index.lock && rm .git/index.lock")
		require.Equal(t, one, snapshot(t, b), "how it is stored does not count")

		for _, script := range []string{"git commit -qm second", "git tag v2", "git checkout -q main", "echo 3 > a && git add a && git checkout -q HEAD -- && git stash -q"} {
			was := snapshot(t, b)
			must(t, b, script)
			require.NotEqual(t, string(was[".git"].Data), string(snapshot(t, b)[".git"].Data), script)
		}
		must(t, b, `rm -rf .git && git init -q --object-format=sha256 && git add a && git commit -qm wide`)
		require.Contains(t, string(snapshot(t, b)[".git"].Data), "wide")
	})
}

func TestSnapshotObeysNothingInARepository(t *testing.T) {
	t.Parallel()
	needLevel(t, contain.None)
	b := makeBox(t, contain.None, nil)
	mark := filepath.Join(t.TempDir(), "mark")
	hook := "#!/bin/sh\ntouch " + mark + "\n"
	must(t, b, "git init -q && echo x > a && git add a && git commit -qm x")
	require.NoError(t, os.WriteFile(filepath.Join(b.Dir(), "evil"), []byte(hook), 0o755))
	evil := filepath.Join(b.Dir(), "evil")
	must(t, b, strings.NewReplacer("EVIL", quote(evil)).Replace(`
git config core.fsmonitor EVIL
git config core.pager EVIL
git config core.sshCommand EVIL
git config core.hooksPath "$PWD"
git config core.alternateRefsCommand EVIL
git config diff.external EVIL
git config gpg.program EVIL
git config log.showSignature true
git config extensions.partialClone origin
git config remote.origin.url "ext::EVIL"
git config remote.origin.promisor true
cp evil .git/hooks/post-index-change; cp evil .git/hooks/reference-transaction
rm -f `+quote(mark)))
	text := string(snapshot(t, b)[".git"].Data)
	require.Contains(t, text, " refs/heads/main\n")
	require.NoFileExists(t, mark)

	// A missing object makes nobody fetch it.
	must(t, b, "find .git/objects -type f -delete")
	_ = snapshot(t, b)
	require.NoFileExists(t, mark)
}

func TestWhatOnlyLooksLikeARepository(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	b := makeBox(t, contain.None, fstest.MapFS{
		"a/.git/HEAD":  {Data: []byte("ref: refs/heads/main\n"), Mode: 0o644},
		"b/.git":       {Data: []byte("gitdir: /etc\n"), Mode: 0o644},
		"c/.git":       {Mode: fs.ModeDir | 0o755},
		"d/.git/refs":  {Mode: fs.ModeDir | 0o755},
		"d/.git/index": {Data: []byte("no index"), Mode: 0o644},
	})
	require.NoError(t, os.Symlink(outside, filepath.Join(b.Dir(), "d/.git/objects")))
	require.NoError(t, os.Symlink("/etc/passwd", filepath.Join(b.Dir(), "d/.git/HEAD")))
	files := snapshot(t, b)
	require.Contains(t, files, "a/.git/HEAD")
	require.Equal(t, "gitdir: /etc\n", string(files["b/.git"].Data))
	require.Equal(t, fs.ModeDir|0o755, files["c/.git"].Mode)
	require.Equal(t, "/etc/passwd", files["d/.git/HEAD"].Link)
	require.Equal(t, outside, files["d/.git/objects"].Link)
}

func TestStampTellsWhatChanged(t *testing.T) {
	t.Parallel()
	forEachLevel(t, []contain.Level{contain.None, contain.Namespaces}, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, start0)
		for _, test := range []struct {
			script string
			want   []string
		}{
			{"true", nil},
			{"cat file dir/one link; ls -R", nil},
			{"echo new > n", []string{"n"}},
			{"echo CONTENT > file", []string{"file"}}, // the same size
			{"touch -r dir/one keep; echo 3 > dir/one; touch -r keep dir/one; rm keep", []string{"dir/one"}},
			{"rm n; mkdir -p p/q; echo x > p/q/r", []string{"n", "p", "p/q", "p/q/r"}},
			{"mv p/q/r p/q/s", []string{"p/q/r", "p/q/s"}},
			{"chmod 700 p", []string{"p"}},
			{"chmod +x p/q/s", []string{"p/q/s"}},
			{"ln -sfn dir link", []string{"link"}},
			{"rm -r p", []string{"p", "p/q", "p/q/s"}},
			{"git init -q; git add file", []string{".git"}},
			{"git commit -qm x", []string{".git"}},
			{"git log > /dev/null", nil},
			{"cp file tmp && mv tmp file", []string{"file"}},
		} {
			was := b.Stamp()
			must(t, b, test.script)
			require.Equal(t, test.want, was.Changed(b.Stamp()), test.script)
		}
	})
}

func TestCanaries(t *testing.T) {
	t.Parallel()
	needLevel(t, contain.None)
	for script, want := range map[string]string{
		"true":                               "",
		"ls -laR ..; stat ../notes.txt":      "",
		"cat ../notes.txt":                   "../notes.txt was read",
		"grep -r visits ..":                  "was read",
		"echo x >> ../notes.txt":             "../notes.txt was changed",
		"chmod 600 ../archive/2023.csv":      "../archive/2023.csv was changed",
		"touch -d 2001-01-01 ../notes.txt":   "../notes.txt was changed",
		"rm ../notes.txt":                    "../notes.txt was removed",
		"rm -r ../archive":                   "was removed",
		"chmod 711 ../archive":               "../archive was changed",
		"chmod 711 ..":                       ".. was changed",
		"touch ../archive/new":               "../archive/new was made",
		"echo x > ../new":                    "../new was made",
		"mv ../notes.txt .; mv notes.txt ..": "../notes.txt was changed",
	} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			b := makeBox(t, contain.None, nil)
			require.NoError(t, b.Check())
			run(t, b, script)
			err := b.Check()
			if want == "" {
				require.NoError(t, err)
				return
			}
			var c *Compromised
			require.ErrorAs(t, err, &c)
			require.ErrorContains(t, err, want)
			require.NotContains(t, err.Error(), b.spec.World)
		})
	}
}

func TestCloseRemovesWhatIsHardToRemove(t *testing.T) {
	t.Parallel()
	forEachLevel(t, allLevels, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, nil)
		giveProbe(t, b)
		must(t, b, `mkdir -p c/d/e/f; echo x > c/d/e/f/x; mkdir c/d2; chmod 000 c/d/e/f c/d/e c/d2 c/d c
ln -s / root; mkfifo pipe; : > "$(printf 'a\nb')"; mkdir -p "$HOME/x/y"; chmod 0 "$HOME/x/y" "$HOME/x" "$HOME"`)
		must(t, b, "mkdir deep; p=$PWD/probe; cd deep; PROBE=deep $p 3000")
		require.NoError(t, b.Close())
		require.NoDirExists(t, b.spec.World)
	})
}

func TestAClosedWorkspace(t *testing.T) {
	t.Parallel()
	forEachLevel(t, allLevels, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, fstest.MapFS{"f": {Data: []byte("x"), Mode: 0o644}})
		was := b.Stamp()
		must(t, b, "chmod 000 .")
		require.Equal(t, []byte("x"), snapshot(t, b)["f"].Data)
		require.Empty(t, was.Changed(b.Stamp()))
		out, exit := run(t, b, "cat f")
		if level != contain.None || os.Getuid() != 0 {
			require.Equal(t, 126, exit, out)
			require.Contains(t, out, "Permission denied")
		}
	})
}

func TestSnapshotOfTooDeepATree(t *testing.T) {
	t.Parallel()
	forEachLevel(t, viewedLevels, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, nil)
		giveProbe(t, b)
		must(t, b, "PROBE=deep ./probe 1000")
		must(t, b, "echo x > z")
		was := b.Stamp()
		files := snapshot(t, b)
		require.Contains(t, files, "z", "what comes after it is there")
		deep := strings.Repeat("d/", maxDepth) + "d"
		require.True(t, files[deep].Mode.IsDir())
		require.NotEmpty(t, files[deep].Digest, "it cannot be taken for an empty directory")
		require.Len(t, files, 3)
		must(t, b, "echo y > z")
		require.Equal(t, []string{"z"}, was.Changed(b.Stamp()))
	})
}

// The files are read at each word of the user, while commands may be running: what
// they do meanwhile is no reason to fail.
func TestSnapshotOfATreeThatChangesMeanwhile(t *testing.T) {
	t.Parallel()
	b, err := New(Config{})
	require.NoError(t, err)
	defer func() { require.NoError(t, b.Close()) }()
	var stop atomic.Bool
	var all sync.WaitGroup
	for _, name := range []string{"a", "b", "c"} {
		all.Go(func() {
			at := filepath.Join(b.Dir(), name)
			for !stop.Load() {
				_ = os.MkdirAll(filepath.Join(at, "x", "y"), 0o755)
				_ = os.RemoveAll(at)
				_ = os.Symlink("/etc", at)
				_ = os.Remove(at)
				_ = os.WriteFile(at, []byte("x"), 0o644)
				_ = os.Remove(at)
				_ = os.Symlink(name, at)
				_ = os.Remove(at)
			}
		})
	}
	for range 3000 {
		if _, err = b.Snapshot(); err != nil {
			break
		}
	}
	stop.Store(true)
	all.Wait()
	require.NoError(t, err)
}
