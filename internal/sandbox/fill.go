package sandbox

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
)

// fill copies files into dir, and gives them to a user if uid is not 0. Links come
// last, so that nothing is ever written through one; it returns their names.
func fill(dir string, files fs.FS, uid int) (links []string, err error) {
	var (
		dirs  []fs.FileInfo
		names []string // of dirs
	)
	buf := make([]byte, 64<<10)
	err = fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		target := filepath.Join(dir, filepath.FromSlash(name))
		switch info.Mode().Type() {
		case fs.ModeDir:
			if name != "." {
				if err := os.Mkdir(target, 0o700); err != nil {
					return err
				}
				dirs, names = append(dirs, info), append(names, target)
			}
			return nil
		case fs.ModeSymlink:
			links = append(links, name)
			return nil
		case 0:
			if hardLinks(info) > 1 {
				return fmt.Errorf("%s is one of several hard links to a file, which may be anywhere; copy it", name)
			}
			return copyFile(target, files, name, info, buf, uid)
		}
		return fmt.Errorf("%s is neither a file, a directory nor a link", name)
	})
	if err != nil {
		return nil, relative(dir, err)
	}
	for _, name := range links {
		if err := copyLink(dir, files, name, uid); err != nil {
			return nil, relative(dir, err)
		}
	}
	// Innermost first: what is put into a directory changes its time, and a mode
	// may close it.
	for i := len(dirs) - 1; i >= 0; i-- {
		if err := errors.Join(give(names[i], uid), os.Chmod(names[i], modeOf(dirs[i])), stampTime(names[i], dirs[i])); err != nil {
			return nil, relative(dir, err)
		}
	}
	return links, nil
}

// copyFile copies one regular file.
func copyFile(target string, files fs.FS, name string, info fs.FileInfo, buf []byte, uid int) (err error) {
	src, err := files.Open(name)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.OpenFile(target, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	// The plain interfaces, so that the buffer is used and not one made each time.
	_, err = io.CopyBuffer(struct{ io.Writer }{dst}, struct{ io.Reader }{src}, buf)
	if uid != 0 {
		err = errors.Join(err, dst.Chown(uid, uid))
	}
	if err = errors.Join(err, dst.Chmod(modeOf(info)), dst.Close()); err != nil {
		return err
	}
	return stampTime(target, info)
}

// copyLink makes a symbolic link like the one of that name. One that leads out of
// the workspace by its own words is refused.
func copyLink(dir string, files fs.FS, name string, uid int) error {
	target, err := fs.ReadLink(files, name)
	if err != nil {
		return fmt.Errorf("reading the link %s: %w", name, err)
	}
	if leadsOut(name, target) {
		return outsideLink(name, target)
	}
	at := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.Symlink(target, at); err != nil {
		return err
	}
	return give(at, uid)
}

// outsideLink refuses a link.
func outsideLink(name, target string) error {
	return fmt.Errorf("the link %s leads out of the workspace, to %s", name, target)
}

// checkLinks refuses links that lead out of the workspace by way of other links.
func checkLinks(f *rootFs, links []string) error {
	for _, name := range links {
		if _, err := f.Stat(filepath.FromSlash(name)); errors.Is(err, ErrOutside) {
			target, _ := f.ReadlinkIfPossible(filepath.FromSlash(name))
			return outsideLink(name, target)
		}
	}
	return nil
}

// modeOf is the permissions that a file is given. What a file system makes up for
// want of knowing better is replaced by the usual.
func modeOf(info fs.FileInfo) fs.FileMode {
	perm := info.Mode().Perm()
	made := info.ModTime().IsZero() && perm == 0o555 // fstest.MapFS, embed.FS
	switch {
	case info.IsDir() && (perm == 0 || made):
		return 0o755
	case info.IsDir():
		return perm
	case perm == 0 && info.ModTime().IsZero():
		return 0o644
	case fromEmbed(info):
		return 0o644
	}
	return perm
}

// fromEmbed reports whether a file was compiled into the program: all such files say
// that they are read-only.
func fromEmbed(info fs.FileInfo) bool {
	t := reflect.TypeOf(info)
	return t.Kind() == reflect.Pointer && t.Elem().PkgPath() == "embed"
}

// stampTime sets the time of a file, if it has one.
func stampTime(target string, info fs.FileInfo) error {
	if t := info.ModTime(); !t.IsZero() {
		return os.Chtimes(target, t, t)
	}
	return nil
}

// give makes a user the owner of a file.
func give(path string, uid int) error {
	if uid == 0 {
		return nil
	}
	return os.Lchown(path, uid, uid)
}

// relative takes the directory of the box out of an error.
func relative(dir string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		if name, ok := strings.CutPrefix(pe.Path, dir+string(filepath.Separator)); ok {
			return &fs.PathError{Op: pe.Op, Path: filepath.ToSlash(name), Err: pe.Err}
		}
	}
	return err
}
