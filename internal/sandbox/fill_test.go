//go:build unix

package sandbox

import (
	"embed"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/sandbox/contain"
)

//go:embed doc.go contain/doc.go
var embedded embed.FS

func TestFillKeepsWhatTheFileSystemTells(t *testing.T) {
	t.Parallel()
	src := t.TempDir()
	when := time.Date(2020, 2, 3, 4, 5, 6, 789_000_000, time.UTC)
	for name, mode := range map[string]fs.FileMode{"a/plain": 0o644, "a/private": 0o600, "a/run": 0o755, "a/ro": 0o444, "a/odd": 0o461} {
		path := filepath.Join(src, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(name), 0o600))
		require.NoError(t, os.Chmod(path, mode))
		require.NoError(t, os.Chtimes(path, when, when))
	}
	require.NoError(t, os.Mkdir(filepath.Join(src, "closed"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(src, "closed/in"), nil, 0o644))
	require.NoError(t, os.Mkdir(filepath.Join(src, "hollow"), 0o755))
	require.NoError(t, os.Symlink("a/plain", filepath.Join(src, "link")))
	require.NoError(t, os.Symlink("../a", filepath.Join(src, "closed/back")))
	require.NoError(t, os.Symlink("nowhere", filepath.Join(src, "dangling")))
	require.NoError(t, os.Chmod(filepath.Join(src, "closed"), 0o550))
	defer os.Chmod(filepath.Join(src, "closed"), 0o700)
	require.NoError(t, os.Chtimes(filepath.Join(src, "a"), when, when))

	b := makeBox(t, contain.None, os.DirFS(src))
	err := filepath.WalkDir(src, func(path string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		rel, err := filepath.Rel(src, path)
		require.NoError(t, err)
		if rel == "." {
			return nil
		}
		want, err := os.Lstat(path)
		require.NoError(t, err)
		got, err := os.Lstat(filepath.Join(b.Dir(), rel))
		require.NoError(t, err)
		require.Equal(t, want.Mode(), got.Mode(), rel)
		if want.Mode().Type() != fs.ModeSymlink {
			require.True(t, want.ModTime().Equal(got.ModTime()), rel)
			return nil
		}
		wantTarget, _ := os.Readlink(path)
		gotTarget, err := os.Readlink(filepath.Join(b.Dir(), rel))
		require.NoError(t, err)
		require.Equal(t, wantTarget, gotTarget)
		return nil
	})
	require.NoError(t, err)
}

func TestFillMakesUpForWhatAFileSystemDoesNotTell(t *testing.T) {
	t.Parallel()
	mode := func(b *Box, name string) fs.FileMode {
		info, err := os.Lstat(filepath.Join(b.Dir(), name))
		require.NoError(t, err)
		return info.Mode().Perm()
	}
	b := makeBox(t, contain.None, embedded)
	require.Equal(t, fs.FileMode(0o644), mode(b, "doc.go"))
	require.Equal(t, fs.FileMode(0o755), mode(b, "contain"))
	b = makeBox(t, contain.None, fstest.MapFS{"d/bare": {}, "d/ro": {Mode: 0o444}, "e": {Mode: fs.ModeDir | 0o500}})
	require.Equal(t, fs.FileMode(0o755), mode(b, "d"))
	require.Equal(t, fs.FileMode(0o644), mode(b, "d/bare"))
	require.Equal(t, fs.FileMode(0o444), mode(b, "d/ro"))
	require.Equal(t, fs.FileMode(0o500), mode(b, "e"))
}

func TestFillRefuses(t *testing.T) {
	t.Parallel()
	hard := t.TempDir()
	writeFile(t, filepath.Join(hard, "a"), "x")
	require.NoError(t, os.Link(filepath.Join(hard, "a"), filepath.Join(hard, "b")))
	link := func(target string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(target), Mode: fs.ModeSymlink | 0o777}
	}
	for name, test := range map[string]struct {
		files fs.FS
		want  string
	}{
		"a hard link":             {os.DirFS(hard), "one of several hard links"},
		"an absolute link":        {fstest.MapFS{"l": link("/etc/passwd")}, "the link l leads out of the workspace, to /etc/passwd"},
		"a link upwards":          {fstest.MapFS{"d/l": link("../../x")}, "the link d/l leads out of the workspace, to ../../x"},
		"a link to the parent":    {fstest.MapFS{"l": link("..")}, "the link l leads out"},
		"a link by way of links":  {fstest.MapFS{"d/e/f": {}, "a": link("d/e"), "b": link("a/../../..")}, "the link b leads out"},
		"a pipe":                  {fstest.MapFS{"p": {Mode: fs.ModeNamedPipe | 0o644}}, "neither a file, a directory nor a link"},
		"a file system that errs": {broken{errors.New("no files today")}, "no files today"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			parent := t.TempDir()
			_, err := newBox(Config{Files: test.files, Parent: parent}, contain.None)
			require.ErrorContains(t, err, test.want)
			require.NotContains(t, err.Error(), parent)
			entries, err := os.ReadDir(parent)
			require.NoError(t, err)
			require.Empty(t, entries, "it leaves nothing")
		})
	}
}

// A broken file system has only errors.
type broken struct{ err error }

func (b broken) Open(string) (fs.File, error) { return nil, b.err }

func TestWhereABoxIsMade(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	names := []string{"one", "one", "two"}
	next := func() string { n := names[0]; names = names[1:]; return n }
	config := Config{Parent: parent, Name: next, Containment: None}
	a, err := New(config)
	require.NoError(t, err)
	defer a.Close()
	b, err := New(config)
	require.NoError(t, err)
	defer b.Close()
	parent, err = filepath.EvalSymlinks(parent)
	require.NoError(t, err)
	require.Equal(t, filepath.Join(parent, "w-one", "project"), a.Dir())
	require.Equal(t, filepath.Join(parent, "w-two", "project"), b.Dir())
	require.Equal(t, "none", a.Level())
	require.False(t, a.Strict())

	_, err = New(Config{Parent: filepath.Join(parent, "missing"), Containment: None})
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = New(Config{Parent: parent, Name: func() string { return "one" }, Containment: None})
	require.ErrorContains(t, err, "every name that was drawn is taken")
}
