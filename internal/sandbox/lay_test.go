//go:build linux

package sandbox

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"github.com/spf13/afero"
	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/sandbox/contain"
)

func TestLay(t *testing.T) {
	t.Parallel()
	forEachLevel(t, allLevels, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, fstest.MapFS{
			"keep":      {Data: []byte("keep"), Mode: 0o644},
			"a":         {Data: []byte("old and longer"), Mode: 0o600},
			"dir/in":    {Data: []byte("in"), Mode: 0o644},
			"dir/gone":  {Data: []byte("gone"), Mode: 0o644},
			"tree/x/y":  {Data: []byte("y"), Mode: 0o644},
			"closed":    {Mode: fs.ModeDir | 0o700},
			"file":      {Data: []byte("is to be a directory"), Mode: 0o644},
			"folder/in": {Data: []byte("is to be a file"), Mode: 0o644},
			"link":      {Data: []byte("keep"), Mode: fs.ModeSymlink | 0o777},
		})
		must(t, b, "echo by the command > mine; ln -s keep trap; ln -s dir way")
		when := time.Date(2021, 2, 3, 4, 5, 6, 0, time.UTC)
		require.NoError(t, b.Lay(fstest.MapFS{
			"a":           {Data: []byte("new"), Mode: 0o755, ModTime: when},
			"dir/in":      {Data: []byte("changed"), Mode: 0o644},
			"closed/more": {Mode: 0o644},
			"file/in":     {Data: []byte("1"), Mode: 0o644},
			"folder":      {Data: []byte("2"), Mode: 0o644},
			"trap":        {Data: []byte("not through the link"), Mode: 0o644},
			"way/in":      {Data: []byte("nor here"), Mode: 0o644},
			"link":        {Data: []byte("dir/in"), Mode: fs.ModeSymlink | 0o777},
			"made":        {Mode: fs.ModeDir | 0o750},
		}, []string{"dir/gone", "tree", "never/there", "keep/not"}))
		want := map[string]File{
			"keep":        {Mode: 0o644, Data: []byte("keep"), Size: 4},
			"a":           {Mode: 0o755, Data: []byte("new"), Size: 3},
			"dir/in":      {Mode: 0o644, Data: []byte("changed"), Size: 7},
			"closed/more": {Mode: 0o644, Data: []byte{}},
			"file/in":     {Mode: 0o644, Data: []byte("1"), Size: 1},
			"folder":      {Mode: 0o644, Data: []byte("2"), Size: 1},
			"trap":        {Mode: 0o644, Data: []byte("not through the link"), Size: 20},
			"way/in":      {Mode: 0o644, Data: []byte("nor here"), Size: 8},
			"link":        {Mode: fs.ModeSymlink | 0o777, Link: "dir/in"},
			"made":        {Mode: fs.ModeDir | 0o750},
			"mine":        {Mode: 0o644, Data: []byte("by the command\n"), Size: 15},
		}
		require.Equal(t, want, snapshot(t, b))
		info, err := os.Lstat(filepath.Join(b.Dir(), "a"))
		require.NoError(t, err)
		require.True(t, info.ModTime().Equal(when))
		info, err = os.Lstat(filepath.Join(b.Dir(), "closed"))
		require.NoError(t, err)
		require.Equal(t, fs.FileMode(0o700), info.Mode().Perm(), "it had a mode, and nobody gave it another")

		// It is the command's as much as the rest.
		must(t, b, "echo x >> a; echo x >> file/in; rm -r way made closed link; echo x > closed")
		require.NoError(t, b.Check())
		require.NoError(t, b.Lay(nil, nil))
	})
}

func TestLayRefuses(t *testing.T) {
	t.Parallel()
	needLevel(t, contain.None)
	b := makeBox(t, contain.None, fstest.MapFS{"dir/sub/x": {Mode: 0o644}})
	outside := t.TempDir()
	require.NoError(t, os.Symlink(outside, filepath.Join(b.Dir(), "out")))
	link := func(target string) fs.FS {
		return fstest.MapFS{"dir/l": {Data: []byte(target), Mode: fs.ModeSymlink | 0o777}}
	}
	for want, err := range map[string]error{
		`"../notes.txt" is no slash path`:                        b.Lay(nil, []string{"../notes.txt"}),
		`"." is no slash path`:                                   b.Lay(nil, []string{"."}),
		"the link dir/l leads out of the workspace, to /etc":     b.Lay(link("/etc"), nil),
		"the link dir/l leads out of the workspace, to ../../x":  b.Lay(link("../../x"), nil),
		"the link dir/l leads out of the workspace, to ../out/x": b.Lay(link("../out/x"), nil),
		"p is neither a file":                                    b.Lay(fstest.MapFS{"p": {Mode: fs.ModeNamedPipe}}, nil),
	} {
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, "changing the workspace: ")
		require.NotContains(t, err.Error(), b.spec.World)
	}
	// What the agent has put behind a link is gone for whoever asks.
	require.NoError(t, os.Symlink("loop", filepath.Join(b.Dir(), "loop")))
	require.NoError(t, os.WriteFile(filepath.Join(outside, "kept"), nil, 0o644))
	require.NoError(t, b.Lay(nil, []string{"out/kept", "out/gone", "loop/x"}))
	require.FileExists(t, filepath.Join(outside, "kept"))
	require.NoError(t, os.Remove(filepath.Join(outside, "kept")))
	// A link on the way is replaced, not followed.
	require.NoError(t, b.Lay(fstest.MapFS{"out/x": {Data: []byte("x"), Mode: 0o644}}, nil))
	left, err := os.ReadDir(outside)
	require.NoError(t, err)
	require.Empty(t, left)
	require.NoError(t, b.Check())
}

// Directories that a command has closed, to its own user too, keep nobody out.
func TestLayIntoClosedDirectories(t *testing.T) {
	t.Parallel()
	b, err := New(Config{Files: fstest.MapFS{
		"docs/a":        {Mode: 0o644},
		"docs/in/b":     {Mode: 0o644},
		"closed/away/c": {Mode: 0o644},
	}})
	require.NoError(t, err)
	defer func() { require.NoError(t, b.Close()) }()
	for _, dir := range []string{"docs/in", "docs", "closed/away", "closed", "."} {
		require.NoError(t, os.Chmod(filepath.Join(b.Dir(), dir), 0))
	}
	require.NoError(t, b.Lay(fstest.MapFS{
		"docs/a":      {Data: []byte("x"), Mode: 0o644},
		"docs/in/new": {Data: []byte("y"), Mode: 0o644},
	}, []string{"docs/in/b", "closed"}))
	files := snapshot(t, b)
	require.Len(t, files, 2)
	require.Equal(t, "x", string(files["docs/a"].Data))
	require.Equal(t, "y", string(files["docs/in/new"].Data))
}

func TestHomeAndScratch(t *testing.T) {
	t.Parallel()
	forEachLevel(t, allLevels, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, nil)
		home, err := b.SnapshotHome()
		require.NoError(t, err)
		require.Empty(t, home, "what it is furnished with does not count")
		scratch, err := b.SnapshotScratch()
		require.NoError(t, err)
		require.Empty(t, scratch)

		// Both ways reach the same directory under the same name.
		must(t, b, `test "$TMPDIR" = `+quote(b.Scratch())+` && echo 1 > "$TMPDIR/one" && case "$(mktemp)" in "$TMPDIR"/*) rm "$TMPDIR"/tmp.*;; *) exit 1;; esac`)
		data, err := afero.ReadFile(b.ScratchFs(), filepath.Join(b.Scratch(), "one"))
		require.NoError(t, err)
		require.Equal(t, "1\n", string(data))
		require.NoError(t, afero.WriteFile(b.ScratchFs(), "two", []byte("2"), 0o644))
		must(t, b, "cd "+quote(b.Scratch())+" && grep -q 2 two && echo 3 >> two")
		if level.Private() {
			must(t, b, "cat /tmp/one")
		}
		require.NoError(t, b.HomeFs().MkdirAll("notes", 0o755))
		require.NoError(t, afero.WriteFile(b.HomeFs(), "notes/a", []byte("a"), 0o644))
		must(t, b, `echo b >> "$HOME/notes/a"`)

		home, err = b.SnapshotHome()
		require.NoError(t, err)
		require.Equal(t, map[string]File{"notes/a": {Mode: 0o644, Data: []byte("ab\n"), Size: 3}}, home)
		scratch, err = b.SnapshotScratch()
		require.NoError(t, err)
		require.Equal(t, map[string]File{
			"one": {Mode: 0o644, Data: []byte("1\n"), Size: 2},
			"two": {Mode: 0o644, Data: []byte("23\n"), Size: 3},
		}, scratch)
		require.Empty(t, snapshot(t, b))
		must(t, b, "git config --global user.name x")
		home, err = b.SnapshotHome()
		require.NoError(t, err)
		require.Contains(t, home, ".gitconfig")

		for _, f := range []afero.Fs{b.HomeFs(), b.ScratchFs()} {
			_, err = f.Open("../notes.txt")
			require.ErrorIs(t, err, ErrOutside)
			_, err = f.Open(filepath.Join(b.Dir(), "x"))
			require.ErrorIs(t, err, ErrOutside)
		}
		require.NoError(t, b.Check())
	})
}

func TestScratchOfABoxInTheTemporaryDirectory(t *testing.T) {
	t.Parallel()
	forEachLevel(t, viewedLevels, func(t *testing.T, level contain.Level) {
		parent, err := os.MkdirTemp("/tmp", "p-")
		require.NoError(t, err)
		defer os.RemoveAll(parent)
		require.NoError(t, os.Chmod(parent, 0o755))
		b, err := newBox(Config{Parent: parent}, level)
		require.NoError(t, err)
		defer b.Close()
		must(t, b, `echo 1 > "$TMPDIR/one"; cd "$HOME"; cat /tmp/one`)
		scratch, err := b.SnapshotScratch()
		require.NoError(t, err)
		require.Equal(t, map[string]File{"one": {Mode: 0o644, Data: []byte("1\n"), Size: 2}}, scratch)
	})
}
