//go:build unix

package sandbox

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/spf13/afero"
	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/sandbox/contain"
)

// A plainFs is a directory reached by way of the os package, path by path: what the
// workspace is compared with.
type plainFs struct{ dir string }

func (p plainFs) at(name string) string {
	if name == "" {
		return ""
	}
	return p.dir + "/" + name
}

// An operation does something with a file system and tells what came of it.
type operation struct {
	name  string
	work  func(f afero.Fs) (string, error)
	plain func(p plainFs) (string, error)
}

var start0 = fstest.MapFS{
	"file":        {Data: []byte("content\n"), Mode: 0o644},
	"script":      {Data: []byte("#!/bin/sh\n"), Mode: 0o755},
	"dir/one":     {Data: []byte("1"), Mode: 0o644},
	"dir/two":     {Data: []byte("22"), Mode: 0o600},
	"dir/sub/x":   {Data: []byte("x"), Mode: 0o644},
	"empty":       {Mode: fs.ModeDir | 0o755},
	"link":        {Data: []byte("file"), Mode: fs.ModeSymlink | 0o777},
	"dirlink":     {Data: []byte("dir"), Mode: fs.ModeSymlink | 0o777},
	"dir/up":      {Data: []byte("../file"), Mode: fs.ModeSymlink | 0o777},
	"dangling":    {Data: []byte("nowhere"), Mode: fs.ModeSymlink | 0o777},
	"loop":        {Data: []byte("loop"), Mode: fs.ModeSymlink | 0o777},
	"ünï cödé\n!": {Data: []byte("u"), Mode: 0o644},
}

// both makes the two halves of an operation that takes a path from one function.
func both(name string, work func(f afero.Fs) (string, error), plain func(p plainFs) (string, error)) operation {
	return operation{name, work, plain}
}

func readOp(path string) operation {
	return both("read "+path,
		func(f afero.Fs) (string, error) { b, err := afero.ReadFile(f, path); return string(b), err },
		func(p plainFs) (string, error) { b, err := os.ReadFile(p.at(path)); return string(b), err })
}

func openOp(path string, flag int, text string) operation {
	write := func(f interface {
		io.WriteCloser
		Stat() (fs.FileInfo, error)
	}, err error) (string, error) {
		if err != nil {
			return "", err
		}
		defer f.Close()
		if _, err := f.Write([]byte(text)); err != nil {
			return "", err
		}
		info, err := f.Stat()
		if err != nil {
			return "", err
		}
		return fmt.Sprint(info.Name(), info.Mode(), info.Size()), nil
	}
	return both(fmt.Sprintf("open %s with %#x", path, flag),
		func(f afero.Fs) (string, error) {
			file, err := f.OpenFile(path, flag, 0o640)
			return write(file, err)
		},
		func(p plainFs) (string, error) {
			file, err := os.OpenFile(p.at(path), flag, 0o640)
			return write(file, err)
		})
}

func pathOp(name, path string, work func(f afero.Fs, path string) error, plain func(path string) error) operation {
	return both(name+" "+path,
		func(f afero.Fs) (string, error) { return "", work(f, path) },
		func(p plainFs) (string, error) { return "", plain(p.at(path)) })
}

func mkdirOp(path string) operation {
	return pathOp("mkdir", path, func(f afero.Fs, p string) error { return f.Mkdir(p, 0o750) }, func(p string) error { return os.Mkdir(p, 0o750) })
}

func mkdirAllOp(path string) operation {
	return pathOp("mkdir -p", path, func(f afero.Fs, p string) error { return f.MkdirAll(p, 0o750) }, func(p string) error { return os.MkdirAll(p, 0o750) })
}

func removeOp(path string) operation {
	return pathOp("rm", path, afero.Fs.Remove, os.Remove)
}

func removeAllOp(path string) operation {
	return pathOp("rm -r", path, afero.Fs.RemoveAll, os.RemoveAll)
}

func chmodOp(path string, mode fs.FileMode) operation {
	return pathOp("chmod "+mode.String(), path, func(f afero.Fs, p string) error { return f.Chmod(p, mode) }, func(p string) error { return os.Chmod(p, mode) })
}

func chtimesOp(path string) operation {
	t := time.Unix(1_500_000_000, 123_000_000)
	return pathOp("touch", path, func(f afero.Fs, p string) error { return f.Chtimes(p, t, t) }, func(p string) error { return os.Chtimes(p, t, t) })
}

func renameOp(from, to string) operation {
	return both("mv "+from+" "+to,
		func(f afero.Fs) (string, error) { return "", f.Rename(from, to) },
		func(p plainFs) (string, error) { return "", os.Rename(p.at(from), p.at(to)) })
}

func symlinkOp(target, name string) operation {
	return both("ln -s "+target+" "+name,
		func(f afero.Fs) (string, error) { return "", f.(afero.Symlinker).SymlinkIfPossible(target, name) },
		func(p plainFs) (string, error) { return "", os.Symlink(target, p.at(name)) })
}

func describe(info fs.FileInfo, err error) (string, error) {
	if err != nil {
		return "", err
	}
	size := info.Size()
	if info.IsDir() {
		size = 0
	}
	return fmt.Sprint(info.Name(), " ", info.Mode(), " ", size), nil
}

func statOp(path string) operation {
	return both("stat "+path,
		func(f afero.Fs) (string, error) { return describe(f.Stat(path)) },
		func(p plainFs) (string, error) { return describe(os.Stat(p.at(path))) })
}

func lstatOp(path string) operation {
	return both("lstat "+path,
		func(f afero.Fs) (string, error) {
			info, _, err := f.(afero.Lstater).LstatIfPossible(path)
			return describe(info, err)
		},
		func(p plainFs) (string, error) { return describe(os.Lstat(p.at(path))) })
}

func readlinkOp(path string) operation {
	return both("readlink "+path,
		func(f afero.Fs) (string, error) { return f.(afero.LinkReader).ReadlinkIfPossible(path) },
		func(p plainFs) (string, error) { return os.Readlink(p.at(path)) })
}

func listOp(path string) operation {
	join := func(infos []fs.FileInfo, err error) (string, error) {
		var names []string
		for _, i := range infos {
			names = append(names, i.Name()+" "+i.Mode().String())
		}
		slices.Sort(names)
		return strings.Join(names, "\n"), err
	}
	return both("ls "+path,
		func(f afero.Fs) (string, error) {
			d, err := f.Open(path)
			if err != nil {
				return "", err
			}
			defer d.Close()
			return join(d.Readdir(-1))
		},
		func(p plainFs) (string, error) {
			d, err := os.Open(p.at(path))
			if err != nil {
				return "", err
			}
			defer d.Close()
			return join(d.Readdir(-1))
		})
}

// operations are done one after the other, each to what the one before left.
func operations() (ops []operation) {
	for _, path := range []string{"file", "dir", "link", "dirlink", "dir/up", "dangling", "loop", "missing", "missing/x", "file/x", "dirlink/one", "", ".", "./file", "dir/../file", "dir//one", "file/", "dir/", "ünï cödé\n!", strings.Repeat("n", 300), "loop/x"} {
		ops = append(ops, readOp(path), statOp(path), lstatOp(path), readlinkOp(path), listOp(path))
	}
	for _, path := range []string{"file", "new1", "dir", "link", "dangling", "loop", "missing/x", "file/x", "dirlink/new", "", "dir/up"} {
		for _, flag := range []int{
			os.O_WRONLY, os.O_RDWR, os.O_RDONLY, os.O_WRONLY | os.O_APPEND, os.O_WRONLY | os.O_TRUNC,
			os.O_WRONLY | os.O_CREATE, os.O_WRONLY | os.O_CREATE | os.O_EXCL, os.O_RDWR | os.O_CREATE | os.O_TRUNC,
		} {
			ops = append(ops, openOp(path, flag, "some text"), readOp(path))
		}
	}
	for _, path := range []string{"file", "dir", "m1", "missing/m", "file/m", "m1/m2", "dirlink/m", "dangling", "link", ".", "", "m3/"} {
		ops = append(ops, mkdirOp(path), lstatOp(path))
	}
	for _, path := range []string{"dir", "a1/b/c", "file", "file/x/y", "dirlink/q/r", "link", ".", "", "a1/../a2"} {
		ops = append(ops, mkdirAllOp(path), lstatOp(path))
	}
	ops = append(ops, listOp("."), listOp("dir"))
	for _, path := range []string{"file", "dir", "link", "dirlink", "dangling", "missing", "", "loop"} {
		ops = append(ops, chmodOp(path, 0o600), chtimesOp(path), statOp(path))
	}
	ops = append(ops, chmodOp("dir", 0o755),
		symlinkOp("file", "s1"), symlinkOp("missing", "s2"), symlinkOp("x", "file"), symlinkOp("x", "missing/s"), symlinkOp("dir", "s3"),
		readOp("s1"), readOp("s2"), readlinkOp("s2"), listOp("s3"), symlinkOp("", "s4"), symlinkOp("x", ""),
		renameOp("file", "moved"), renameOp("missing", "m"), renameOp("moved", "dir"), renameOp("dir", "moved"), renameOp("moved", "dir/moved"),
		renameOp("dir", "dir/sub/dir"), renameOp("dir", "empty"), renameOp("empty", "a1"), renameOp("s1", "s5"), renameOp("a1", "missing/a1"),
		renameOp("", "x"), renameOp("s5", ""), renameOp("s5", "s5"), renameOp("empty", "ünï cödé\n!"), listOp("."), listOp("empty"))
	for _, path := range []string{"missing", "a1", "s3", "s2", "empty", "", "empty/one", "empty/sub", "file/x", "loop"} {
		ops = append(ops, removeOp(path), lstatOp(path))
	}
	for _, path := range []string{"missing", "missing/x", "dirlink", "empty", "a1/b", "ünï cödé\n!", ".", "loop", "script/x"} {
		ops = append(ops, removeAllOp(path), lstatOp(path))
	}
	return append(ops, listOp("."))
}

// kind is what a caller can tell of an error.
func kind(err error) string {
	if err == nil {
		return "none"
	}
	var kinds []string
	for _, k := range []error{fs.ErrNotExist, fs.ErrExist, fs.ErrPermission, io.EOF} {
		if errors.Is(err, k) {
			kinds = append(kinds, k.Error())
		}
	}
	var errno syscall.Errno
	if errors.As(err, &errno) {
		kinds = append(kinds, errno.Error())
	}
	if len(kinds) == 0 {
		return "other: " + err.Error()
	}
	return strings.Join(kinds, ", ")
}

// TestTheWorkspaceIsLikeAPlainDirectory does the same to both and compares.
func TestTheWorkspaceIsLikeAPlainDirectory(t *testing.T) {
	t.Parallel()
	forEachLevel(t, []contain.Level{contain.None, contain.Namespaces}, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, start0)
		plain := plainFs{t.TempDir()}
		_, err := fill(plain.dir, start0, 0)
		require.NoError(t, err)
		for _, op := range operations() {
			gotText, gotErr := op.work(b.Fs())
			wantText, wantErr := op.plain(plain)
			require.Equal(t, kind(wantErr), kind(gotErr), "%s: %v; plain: %v", op.name, gotErr, wantErr)
			require.Equal(t, wantText, gotText, op.name)
			if gotErr != nil {
				require.NotContains(t, gotErr.Error(), b.spec.World, op.name)
			}
		}
	})
}

func TestFilesOfToolsBelongToTheShellToo(t *testing.T) {
	t.Parallel()
	forEachLevel(t, []contain.Level{contain.None, contain.Landlock, contain.Namespaces}, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, start0)
		f := b.Fs()
		require.NoError(t, f.MkdirAll("p/q/r", 0o755))
		require.NoError(t, f.Mkdir("single", 0o755))
		require.NoError(t, afero.WriteFile(f, "p/q/r/x", []byte("tool\n"), 0o600))
		require.NoError(t, f.(afero.Symlinker).SymlinkIfPossible("p", "s"))
		out := must(t, b, "cat p/q/r/x && echo shell >> p/q/r/x && touch single/y p/y p/q/y && chmod 700 p/q && mv s s2 && echo more >> dir/two && rm -r empty && cat s2/q/r/x")
		require.Equal(t, "tool\ntool\nshell\n", out)
		must(t, b, "umask 077; mkdir -p z/w && echo mine > z/w/f")
		got, err := afero.ReadFile(f, "z/w/f")
		require.NoError(t, err)
		require.Equal(t, "mine\n", string(got))
		require.NoError(t, f.RemoveAll("z"))
	})
}

func TestNoPathLeadsOutOfTheWorkspace(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	secret := filepath.Join(outside, "secret")
	writeFile(t, secret, "hunter2")
	b := makeBox(t, contain.None, fstest.MapFS{"in/file": {Data: []byte("x"), Mode: 0o644}})
	f := b.Fs()
	up := strings.Repeat("../", 30)
	relative := up[:len(up)-1] + secret
	for name, target := range map[string]string{
		"absolute": secret, "relative": relative, "directory": outside, "relative-directory": up[:len(up)-1] + outside,
		"unborn": filepath.Join(outside, "unborn"), "parent": "..", "root": "/", "self": "/proc/self/root" + secret,
		"in/step": "../..",
	} {
		require.NoError(t, os.Symlink(target, filepath.Join(b.Dir(), name)))
	}
	require.NoError(t, os.Symlink("absolute", filepath.Join(b.Dir(), "chain")))
	require.NoError(t, os.Symlink(b.Dir()+"/in/../../notes.txt", filepath.Join(b.Dir(), "dotted")))

	for _, path := range []string{
		"absolute", "relative", "directory/secret", "relative-directory/secret", "unborn", "parent/notes.txt", "root" + secret,
		"self", "chain", "dotted", "in/step/notes.txt",
		"../notes.txt", "in/../../notes.txt", "/etc/passwd", secret, "/", "/../etc/passwd", b.Dir() + "/../notes.txt", b.spec.World,
		b.Dir() + "x", "..", "./..", relative,
	} {
		for what, do := range map[string]func() error{
			"open":     func() error { _, err := f.Open(path); return err },
			"create":   func() error { _, err := f.Create(path); return err },
			"append":   func() error { _, err := f.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0); return err },
			"stat":     func() error { _, err := f.Stat(path); return err },
			"chmod":    func() error { return f.Chmod(path, 0) },
			"chown":    func() error { return f.Chown(path, os.Getuid(), os.Getgid()) },
			"chtimes":  func() error { return f.Chtimes(path, time.Now(), time.Now()) },
			"mkdirall": func() error { return f.MkdirAll(path+"/deep/er", 0o777) },
			"child":    func() error { _, err := f.Create(path + "/new"); return err },
			"mkdir":    func() error { return f.Mkdir(path+"/new", 0o777) },
			"rename":   func() error { return f.Rename("in/file", path+"/file") },
			"steal":    func() error { return f.Rename(path+"/secret", "stolen") },
			"remove":   func() error { return f.Remove(path + "/secret") },
		} {
			err := do()
			require.Error(t, err, "%s %s", what, path)
			if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
				continue // what it would be in the workspace is not there
			}
			require.ErrorIs(t, err, ErrOutside, "%s %s", what, path)
			require.ErrorIs(t, err, fs.ErrPermission)
		}
	}
	require.ErrorIs(t, f.RemoveAll("directory/secret"), ErrOutside)
	require.ErrorIs(t, f.Remove("../notes.txt"), ErrOutside)
	require.ErrorIs(t, f.RemoveAll(".."), ErrOutside)
	require.ErrorIs(t, f.RemoveAll(secret), ErrOutside)

	got, err := os.ReadFile(secret)
	require.NoError(t, err)
	require.Equal(t, "hunter2", string(got))
	entries, err := os.ReadDir(outside)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.NoError(t, b.Check())

	// The links themselves are the workspace's, and say what they say.
	target, err := f.(afero.LinkReader).ReadlinkIfPossible("absolute")
	require.NoError(t, err)
	require.Equal(t, secret, target)
	require.NoError(t, f.Rename("absolute", "renamed"))
	require.NoError(t, f.Remove("renamed"))
	require.NoError(t, f.RemoveAll("directory"))
	require.FileExists(t, secret)
	tree, err := b.Snapshot()
	require.NoError(t, err)
	require.Equal(t, "/", tree["root"].Link)
}

func TestAbsolutePathsAndLinksIntoTheWorkspace(t *testing.T) {
	t.Parallel()
	b := makeBox(t, contain.None, start0)
	f := b.Fs()
	for name, target := range map[string]string{
		"abs": b.Dir() + "/file", "absdir": b.Dir() + "/dir", "top": b.Dir(), "dir/back": b.Dir() + "/dirlink", "absloop": b.Dir() + "/absloop",
		"unborn": b.Dir() + "/dir/unborn",
	} {
		require.NoError(t, os.Symlink(target, filepath.Join(b.Dir(), name)))
	}
	for path, want := range map[string]string{
		"abs": "content\n", "absdir/one": "1", "top/file": "content\n", "dir/back/one": "1", b.Dir() + "/absdir/../file": "content\n",
		b.Dir() + "/file": "content\n", b.Dir() + "//dir/./one": "1", "top/top/absdir/back/two": "22",
	} {
		got, err := afero.ReadFile(f, path)
		require.NoError(t, err, path)
		require.Equal(t, want, string(got), path)
	}
	_, err := f.Stat("absloop")
	require.ErrorIs(t, err, syscall.ELOOP)
	require.NoError(t, afero.WriteFile(f, "unborn", []byte("now"), 0o644))
	got, err := afero.ReadFile(f, "dir/unborn")
	require.NoError(t, err)
	require.Equal(t, "now", string(got))
	require.NoError(t, f.Rename("absdir/one", "top/renamed"))
	require.NoError(t, f.Remove("top/renamed"))
	require.NoError(t, f.MkdirAll("absdir/k/l", 0o755))
	require.DirExists(t, filepath.Join(b.Dir(), "dir/k/l"))
	require.NoError(t, f.Remove("abs"))
	require.FileExists(t, filepath.Join(b.Dir(), "file"))
	info, err := f.Stat(b.Dir())
	require.NoError(t, err)
	require.True(t, info.IsDir())

	_, err = f.Open(b.Dir() + "/missing")
	require.EqualError(t, err, "open missing: no such file or directory")
	_, err = f.Open("/etc/passwd")
	require.EqualError(t, err, "open /etc/passwd: the path leads outside the workspace")
	_, err = f.Open("a\x00b")
	require.ErrorIs(t, err, syscall.EINVAL)
}

func TestErrorsOfOpenFilesNameNoPathOfTheHost(t *testing.T) {
	t.Parallel()
	b := makeBox(t, contain.None, start0)
	file, err := b.Fs().Open("dir/one")
	require.NoError(t, err)
	require.Equal(t, filepath.FromSlash("dir/one"), file.Name())
	_, err = file.Write([]byte("x"))
	require.ErrorContains(t, err, "write dir/one: ")
	require.NotContains(t, err.Error(), b.Dir())
	require.Error(t, file.Truncate(0))
	_, err = file.Readdirnames(1)
	require.Error(t, err)
	require.NotContains(t, err.Error(), b.Dir())
	require.NoError(t, file.Close())
	_, err = file.Read(make([]byte, 1))
	require.ErrorIs(t, err, os.ErrClosed)
	require.NotContains(t, err.Error(), b.Dir())
}

func TestFsPassesTheStandardTest(t *testing.T) {
	t.Parallel()
	b := makeBox(t, contain.None, fstest.MapFS{
		"a/b/c.txt": {Data: []byte("x"), Mode: 0o644}, "d.txt": {Data: []byte("yy"), Mode: 0o600}, "e": {Mode: fs.ModeDir | 0o755},
	})
	require.NoError(t, fstest.TestFS(afero.NewIOFS(b.Fs()), "a/b/c.txt", "d.txt", "e"))
}

func TestNamedPipesDoNotHang(t *testing.T) {
	t.Parallel()
	needLevel(t, contain.None)
	b := makeBox(t, contain.None, nil)
	must(t, b, "mkfifo pipe")
	_, err := b.Fs().Open("pipe")
	require.ErrorContains(t, err, "not a regular file")
	_, err = b.Fs().OpenFile("pipe", os.O_WRONLY, 0)
	require.ErrorIs(t, err, syscall.ENXIO)
	// One that somebody holds and says nothing into would keep a reader for good.
	p, err := b.Start(t.Context(), "exec 3<>pipe; echo held; sleep 60", io.Discard)
	require.NoError(t, err)
	defer p.Kill()
	eventually(t, "the pipe is held", func() bool {
		_, err := b.Fs().OpenFile("pipe", os.O_WRONLY, 0)
		return !errors.Is(err, syscall.ENXIO)
	})
	for _, flag := range []int{os.O_RDONLY, os.O_WRONLY, os.O_RDWR, os.O_RDWR | os.O_CREATE | os.O_TRUNC} {
		_, err = b.Fs().OpenFile("pipe", flag, 0o644)
		require.ErrorContains(t, err, "not a regular file")
	}
	_, err = afero.ReadFile(b.Fs(), "pipe")
	require.Error(t, err)
	tree, err := b.Snapshot()
	require.NoError(t, err)
	require.Equal(t, fs.ModeNamedPipe, tree["pipe"].Mode.Type())
}

func TestWorkspaceUnderAttackByAShell(t *testing.T) {
	// A shell swaps a directory for a link out while tools walk through it.
	t.Parallel()
	outside := t.TempDir()
	writeFile(t, filepath.Join(outside, "f"), "outside")
	needLevel(t, contain.None)
	b := makeBox(t, contain.None, fstest.MapFS{"d/f": {Data: []byte("inside"), Mode: 0o644}})
	p, err := b.Start(t.Context(), "while :; do mv d e; ln -s "+quote(outside)+" d; rm d; mv e d; done", io.Discard)
	require.NoError(t, err)
	for range 3000 {
		if got, err := afero.ReadFile(b.Fs(), "d/f"); err == nil && string(got) != "" {
			require.Equal(t, "inside", string(got))
		}
		if file, err := b.Fs().OpenFile("d/f", os.O_WRONLY, 0); err == nil {
			_, _ = file.Write([]byte("inside"))
			_ = file.Close()
		}
	}
	require.NoError(t, p.Kill())
	got, err := os.ReadFile(filepath.Join(outside, "f"))
	require.NoError(t, err)
	require.Equal(t, "outside", string(got))
}
