package sandbox

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// Lay changes the workspace from outside, while commands may be running: it takes
// away what is removed, which may be gone already or lie behind a link that leads
// nowhere in the workspace, and lays files over what is there. A file is made anew in the place of whatever bears its name, so that nothing
// is written through a link. Modes, times and links are kept as for [Config].Files.
func (b *Box) Lay(files fs.FS, removed []string) error {
	for _, name := range removed {
		if !fs.ValidPath(name) || name == "." {
			return fmt.Errorf("changing the workspace: %q is no slash path inside the workspace", name)
		}
		if err := b.fs.clear(filepath.FromSlash(name)); err != nil && !vanished(err) {
			return fmt.Errorf("changing the workspace: %w", err)
		}
	}
	if files == nil {
		return nil
	}
	l := layer{to: b.fs, files: files}
	err := fs.WalkDir(files, ".", l.visit)
	for i := 0; i < len(l.links) && err == nil; i++ {
		err = l.link(l.links[i])
	}
	for i := len(l.dirs) - 1; i >= 0 && err == nil; i-- { // innermost first, as in fill
		err = l.finish(l.dirs[i])
	}
	if err == nil {
		err = checkLinks(b.fs, l.links)
	}
	if err != nil {
		return fmt.Errorf("changing the workspace: %w", relative(b.spec.Work, err))
	}
	return nil
}

// A layer is files on their way into a workspace that is in use.
type layer struct {
	to    *rootFs
	files fs.FS
	dirs  []string // made, the outer before the inner
	links []string // to make, last
}

func (l *layer) visit(name string, entry fs.DirEntry, err error) error {
	if err != nil || name == "." {
		return err
	}
	info, err := entry.Info()
	if err != nil {
		return err
	}
	lay := l.file
	switch info.Mode().Type() {
	case fs.ModeDir:
		lay = l.dir
	case fs.ModeSymlink:
		l.links = append(l.links, name)
		return nil
	case 0:
	default:
		return fmt.Errorf("%s is neither a file, a directory nor a link", name)
	}
	err = lay(name, info)
	if errors.Is(err, fs.ErrPermission) && !escapes(err) {
		// A command has closed the directory that it is to lie in.
		l.to.unlock(filepath.FromSlash(name))
		err = lay(name, info)
	}
	return err
}

// dir makes a directory, unless there is one. One that is there keeps its mode if
// the new one has none of its own.
func (l *layer) dir(name string, info fs.FileInfo) error {
	at := filepath.FromSlash(name)
	if is, _, err := l.to.LstatIfPossible(at); err == nil {
		if is.IsDir() {
			if !info.ModTime().IsZero() || info.Mode().Perm() != 0o555 {
				l.dirs = append(l.dirs, name)
			}
			return nil
		}
		if err := l.to.Remove(at); err != nil {
			return err
		}
	}
	l.dirs = append(l.dirs, name)
	return l.to.Mkdir(at, 0o700)
}

// finish gives a directory its mode and its time.
func (l *layer) finish(name string) error {
	info, err := fs.Stat(l.files, name)
	if err != nil {
		return err
	}
	return l.dress(name, info)
}

// dress gives a file its mode and its time.
func (l *layer) dress(name string, info fs.FileInfo) error {
	at := filepath.FromSlash(name)
	err := l.to.Chmod(at, modeOf(info))
	if t := info.ModTime(); err == nil && !t.IsZero() {
		err = l.to.Chtimes(at, t, t)
	}
	return err
}

// file makes a file.
func (l *layer) file(name string, info fs.FileInfo) error {
	src, err := l.files.Open(name)
	if err != nil {
		return err
	}
	defer src.Close()
	at := filepath.FromSlash(name)
	if err := l.to.clear(at); err != nil {
		return err
	}
	dst, err := l.to.OpenFile(at, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	if err = errors.Join(err, dst.Close()); err != nil {
		return err
	}
	return l.dress(name, info)
}

// link makes a symbolic link.
func (l *layer) link(name string) error {
	target, err := fs.ReadLink(l.files, name)
	if err != nil {
		return fmt.Errorf("reading the link %s: %w", name, err)
	}
	if leadsOut(name, target) {
		return outsideLink(name, target)
	}
	at := filepath.FromSlash(name)
	if err := l.to.clear(at); err != nil {
		return err
	}
	return l.to.SymlinkIfPossible(target, at)
}

// leadsOut reports whether a link leads out of the workspace by its own words.
func leadsOut(name, target string) bool {
	slashed := filepath.ToSlash(target)
	return filepath.IsAbs(target) || path.IsAbs(slashed) || !filepath.IsLocal(filepath.FromSlash(path.Join(path.Dir(name), slashed)))
}
