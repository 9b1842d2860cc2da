package sandbox

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"syscall"
)

// maxDepth bounds how deep a tree is looked into; every level holds a descriptor.
// What lies deeper is not visited.
const maxDepth = 500

// vanished reports whether an error only says that a file, which was there a moment
// ago, is gone, or something else bears its name: a link where there was none, a file
// in the place of a directory or of a link.
func vanished(err error) bool {
	return slices.ContainsFunc([]error{fs.ErrNotExist, syscall.ENOTDIR, syscall.ELOOP, syscall.EINVAL, ErrOutside}, func(is error) bool {
		return errors.Is(err, is)
	}) || escapes(err)
}

// A visitor is told of a file: its slash path in the workspace, what lstat says of
// it, and the directory it is in with its name there. For a directory it can return
// fs.SkipDir.
type visitor func(name string, info fs.FileInfo, dir *os.Root, base string) error

// walk visits everything in the workspace.
func (f *rootFs) walk(visit visitor) error {
	walk := func() error { return walkRoot(f.root, "", 0, visit) }
	info, err := os.Lstat(f.dir)
	if err != nil || !info.IsDir() {
		return walk() // somebody has made off with the name; the descriptor remains
	}
	// A command can close the workspace itself, in which case "." is closed too.
	return widened(info, 0o500, func(mode fs.FileMode) error { return os.Chmod(f.dir, mode) }, walk)
}

// walkRoot visits everything below a directory. It goes from directory to directory
// by descriptor and never by a path, so that nothing that moves meanwhile can lead
// it out; what goes away meanwhile is passed over.
func walkRoot(dir *os.Root, prefix string, depth int, visit visitor) error {
	names, err := list(dir)
	if err != nil {
		return failure("open", prefix, err)
	}
	for _, base := range names {
		info, err := dir.Lstat(base)
		if vanished(err) {
			continue
		}
		name := path.Join(prefix, base)
		if err != nil {
			return failure("lstat", name, err)
		}
		switch err := visit(name, info, dir, base); {
		case err == fs.SkipDir:
			continue
		case err != nil:
			return err
		}
		if !info.IsDir() || depth >= maxDepth {
			continue
		}
		if err := descend(dir, base, name, depth, info, visit); err != nil {
			return err
		}
	}
	return nil
}

// descend visits what is in a directory, opening it first if it is closed.
func descend(dir *os.Root, base, name string, depth int, info fs.FileInfo, visit visitor) error {
	err := opened(dir, base, info, 0o500, func() error {
		sub, err := dir.OpenRoot(base)
		if err != nil {
			if now, e := dir.Lstat(base); e != nil || !os.SameFile(info, now) {
				return nil // not all that OpenRoot says of it has a name
			}
			return failure("open", name, err)
		}
		defer sub.Close()
		return walkRoot(sub, name, depth+1, visit)
	})
	if vanished(err) {
		return nil
	}
	return err
}

// opened does something with a file that its owner may have closed to everybody, the
// owner too.
func opened(dir *os.Root, base string, info fs.FileInfo, need fs.FileMode, do func() error) error {
	return widened(info, need, func(mode fs.FileMode) error { return dir.Chmod(base, mode) }, do)
}

// widened does something while a file has the permissions that are needed for it.
func widened(info fs.FileInfo, need fs.FileMode, chmod func(fs.FileMode) error, do func() error) error {
	if info.Mode()&need == need || os.Getuid() <= 0 {
		return do()
	}
	if err := chmod(info.Mode() | need); err != nil {
		return do() // it will say what is wrong
	}
	return errors.Join(do(), chmod(info.Mode()))
}

// list reads the names in a directory, sorted.
func list(dir *os.Root) ([]string, error) {
	f, err := dir.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	slices.Sort(names)
	return names, err
}
