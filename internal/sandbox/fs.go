package sandbox

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/afero"
)

// ErrOutside says that a path leads out of the workspace. It is a kind of
// [fs.ErrPermission].
var ErrOutside error = outside{}

// errIrregular says that something is there, but no file.
var errIrregular = errors.New("not a regular file")

type outside struct{}

func (outside) Error() string        { return "the path leads outside the workspace" }
func (outside) Is(target error) bool { return target == fs.ErrPermission }

// A rootFs is a workspace as an afero.Fs. All it does goes through an os.Root, which
// follows no link out of the directory it was opened on.
type rootFs struct {
	root *os.Root
	dir  string // its absolute path
	uid  int    // the user that new files are given to; 0: as they come
}

var (
	_ afero.Fs        = (*rootFs)(nil)
	_ afero.Symlinker = (*rootFs)(nil)
)

// Name says what kind of file system it is.
func (f *rootFs) Name() string { return "workspace" }

// Create opens a new or emptied file.
func (f *rootFs) Create(name string) (afero.File, error) {
	return f.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
}

// Open opens a file to read.
func (f *rootFs) Open(name string) (afero.File, error) {
	return f.OpenFile(name, os.O_RDONLY, 0)
}

// OpenFile opens a file or a directory. It refuses what is neither: a named pipe
// could hold up whoever reads it for as long as a command pleases.
func (f *rootFs) OpenFile(name string, flag int, perm fs.FileMode) (afero.File, error) {
	var opened *os.File
	short, err := f.at("open", name, true, func(p string) (err error) {
		opened, err = f.root.OpenFile(p, flag|noWait, perm)
		return err
	})
	if err != nil {
		return nil, err
	}
	info, err := opened.Stat()
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		err = errIrregular
	}
	if err != nil {
		_ = opened.Close()
		return nil, failure("open", short, err)
	}
	if f.uid != 0 && flag&os.O_CREATE != 0 {
		if owner(info) != f.uid {
			if err := opened.Chown(f.uid, f.uid); err != nil {
				return nil, errors.Join(failure("open", short, err), opened.Close())
			}
		}
	}
	return &file{opened, short}, nil
}

// Mkdir makes a directory.
func (f *rootFs) Mkdir(name string, perm fs.FileMode) error {
	_, err := f.at("mkdir", name, false, func(p string) error {
		if err := f.root.Mkdir(p, perm); err != nil {
			return err
		}
		return f.own(p)
	})
	return err
}

// MkdirAll makes a directory and those above it, step by step like [os.MkdirAll]:
// os.Root's own does not follow links on the way, and fails differently.
func (f *rootFs) MkdirAll(name string, perm fs.FileMode) error {
	switch info, err := f.Stat(name); {
	case err == nil && info.IsDir():
		return nil
	case err == nil:
		return failure("mkdir", f.short(name), syscall.ENOTDIR)
	case errors.Is(err, ErrOutside):
		return failure("mkdir", f.short(name), ErrOutside)
	}
	trimmed := strings.TrimRightFunc(name, isSeparator)
	if parent := trimmed[:strings.LastIndexFunc(trimmed, isSeparator)+1]; parent != "" && parent != name {
		if err := f.MkdirAll(strings.TrimRightFunc(parent, isSeparator), perm); err != nil {
			return err
		}
	}
	err := f.Mkdir(name, perm)
	if err != nil {
		// Somebody else may have made it meanwhile.
		if info, _, e := f.LstatIfPossible(name); e == nil && info.IsDir() {
			return nil
		}
	}
	return err
}

// isSeparator reports whether a rune separates the parts of a path here.
func isSeparator(r rune) bool { return r == '/' || r == filepath.Separator }

// short is a path relative to the workspace, for messages.
func (f *rootFs) short(name string) string {
	if p, err := f.name(name); err == nil {
		return p
	}
	return name
}

// Remove removes a file or an empty directory.
func (f *rootFs) Remove(name string) error {
	_, err := f.at("remove", name, false, f.root.Remove)
	return err
}

// RemoveAll removes a file or a directory with all that is in it.
func (f *rootFs) RemoveAll(name string) error {
	_, err := f.at("remove", name, false, f.root.RemoveAll)
	return err
}

// Rename moves a file.
func (f *rootFs) Rename(oldname, newname string) error {
	from, err := f.name(oldname)
	if err != nil {
		return &os.LinkError{Op: "rename", Old: oldname, New: newname, Err: err}
	}
	to, err := f.name(newname)
	if err != nil {
		return &os.LinkError{Op: "rename", Old: oldname, New: newname, Err: err}
	}
	err = f.root.Rename(from, to)
	if escapes(err) {
		var e1, e2 error
		from, e1 = f.resolve(from, false)
		to, e2 = f.resolve(to, false)
		if err = errors.Join(e1, e2); err == nil {
			err = f.root.Rename(from, to)
		}
	}
	if err == nil {
		return nil
	}
	return &os.LinkError{Op: "rename", Old: oldname, New: newname, Err: cause(err)}
}

// Stat describes a file, and follows links.
func (f *rootFs) Stat(name string) (info fs.FileInfo, err error) {
	_, err = f.at("stat", name, true, func(p string) (err error) {
		info, err = f.root.Stat(p)
		return err
	})
	return info, err
}

// LstatIfPossible describes a file or a link. It always can.
func (f *rootFs) LstatIfPossible(name string) (info fs.FileInfo, lstat bool, err error) {
	_, err = f.at("lstat", name, false, func(p string) (err error) {
		info, err = f.root.Lstat(p)
		return err
	})
	return info, true, err
}

// ReadlinkIfPossible returns the target of a link, whatever it is.
func (f *rootFs) ReadlinkIfPossible(name string) (target string, err error) {
	_, err = f.at("readlink", name, false, func(p string) (err error) {
		target, err = f.root.Readlink(p)
		return err
	})
	return target, err
}

// SymlinkIfPossible makes a link. Its target may be anything: it is never followed
// out of the workspace.
func (f *rootFs) SymlinkIfPossible(target, name string) error {
	_, err := f.at("symlink", name, false, func(p string) error {
		if err := f.root.Symlink(target, p); err != nil {
			return err
		}
		return f.own(p)
	})
	return err
}

// Chmod changes the mode of a file.
func (f *rootFs) Chmod(name string, mode fs.FileMode) error {
	_, err := f.at("chmod", name, true, func(p string) error { return f.root.Chmod(p, mode) })
	return err
}

// Chown changes the owner of a file.
func (f *rootFs) Chown(name string, uid, gid int) error {
	_, err := f.at("chown", name, true, func(p string) error { return f.root.Chown(p, uid, gid) })
	return err
}

// Chtimes changes the times of a file.
func (f *rootFs) Chtimes(name string, atime, mtime time.Time) error {
	_, err := f.at("chtimes", name, true, func(p string) error { return f.root.Chtimes(p, atime, mtime) })
	return err
}

// own gives a new file to the user of the box.
func (f *rootFs) own(p string) error {
	if f.uid == 0 {
		return nil
	}
	info, err := f.root.Lstat(p)
	if err != nil || owner(info) == f.uid {
		return err
	}
	return f.root.Lchown(p, f.uid, f.uid)
}

// at does something at a path. follow says whether it follows a link at the end of
// the path. It returns the path relative to the workspace.
func (f *rootFs) at(op, name string, follow bool, do func(string) error) (short string, err error) {
	p, err := f.name(name)
	if err != nil {
		return name, failure(op, name, err)
	}
	err = do(p)
	if escapes(err) {
		// Either it does, or an absolute link leads back into the workspace, which
		// os.Root does not look at.
		var resolved string
		if resolved, err = f.resolve(p, follow); err == nil {
			err = do(resolved)
		}
	}
	if err != nil {
		return p, failure(op, p, err)
	}
	return p, nil
}

// name turns a path as an agent writes it into one relative to the workspace.
func (f *rootFs) name(p string) (string, error) {
	if p == "" {
		return "", syscall.ENOENT
	}
	if strings.ContainsRune(p, 0) {
		return "", syscall.EINVAL
	}
	if !filepath.IsAbs(p) {
		return p, nil
	}
	rel, err := filepath.Rel(f.dir, p)
	if err != nil || !filepath.IsLocal(rel) {
		return "", ErrOutside
	}
	return rel, nil
}

// maxLinks is how many links a path can lead through; it is Linux's limit.
const maxLinks = 40

// resolve follows the links in a path, absolute ones too, as long as they stay in
// the workspace. What it returns goes through os.Root again: if links have changed
// meanwhile it can be wrong, but it cannot lead out.
func (f *rootFs) resolve(p string, follow bool) (string, error) {
	todo := strings.Split(filepath.ToSlash(p), "/")
	done := []string{}
	for links := 0; len(todo) > 0; {
		part := todo[0]
		todo = todo[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			if len(done) == 0 {
				return "", ErrOutside
			}
			done = done[:len(done)-1]
			continue
		}
		here := path.Join(append(done[:len(done):len(done)], part)...)
		info, err := f.root.Lstat(filepath.FromSlash(here))
		last := len(todo) == 0
		if err != nil && !last {
			return "", cause(err)
		}
		if err != nil || info.Mode().Type() != fs.ModeSymlink || last && !follow {
			done = append(done, part)
			continue
		}
		if links++; links > maxLinks {
			return "", syscall.ELOOP
		}
		target, err := f.root.Readlink(filepath.FromSlash(here))
		if err != nil {
			return "", cause(err)
		}
		if filepath.IsAbs(target) {
			if target, err = f.name(target); err != nil {
				return "", err
			}
			done = done[:0]
		}
		todo = append(strings.Split(filepath.ToSlash(target), "/"), todo...)
	}
	if len(done) == 0 {
		return ".", nil
	}
	return filepath.FromSlash(path.Join(done...)), nil
}

// failure is an error about a path of the workspace.
func failure(op, name string, err error) error {
	return &fs.PathError{Op: op, Path: filepath.ToSlash(name), Err: cause(err)}
}

// cause takes from an error what an os.Root wraps it in: paths of the host.
func cause(err error) error {
	for {
		var (
			pe *fs.PathError
			le *os.LinkError
			se *os.SyscallError
		)
		switch {
		case errors.As(err, &pe):
			err = pe.Err
		case errors.As(err, &le):
			err = le.Err
		case errors.As(err, &se):
			err = se.Err
		case err != nil && err.Error() == escaped:
			return ErrOutside
		default:
			return err
		}
	}
}

// escaped is how os.Root says that a path leads out; the error has no name.
const escaped = "path escapes from parent"

// escapes reports whether os.Root refused a path.
func escapes(err error) bool { return err != nil && cause(err) == ErrOutside }
