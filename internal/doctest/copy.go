package doctest

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
)

// Copy makes a copy of the given files below root in a directory of its own, and
// returns it with the function that removes it. The same root is copied to the
// same place where that is free, so that the build cache knows the packages again.
func Copy(root string, files []string) (dir string, remove func(), err error) {
	dir = filepath.Join(os.TempDir(), fmt.Sprintf("doctest-%x", sha256.Sum256([]byte(root)))[:24])
	if err := os.Mkdir(dir, 0o700); err != nil {
		if dir, err = os.MkdirTemp("", "doctest-"); err != nil {
			return "", nil, err
		}
	}
	remove = func() { _ = os.RemoveAll(dir) }
	for _, file := range files {
		if err := copyFile(filepath.Join(dir, filepath.FromSlash(file)), filepath.Join(root, filepath.FromSlash(file))); err != nil {
			remove()
			return "", nil, err
		}
	}
	return dir, remove, nil
}

func copyFile(to, from string) error {
	info, err := os.Lstat(from)
	if os.IsNotExist(err) {
		return nil // tracked, and removed since
	}
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	switch {
	case info.Mode()&os.ModeSymlink != 0:
		target, err := os.Readlink(from)
		if err != nil {
			return err
		}
		return os.Symlink(target, to)
	case info.Mode().IsRegular():
		data, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		return os.WriteFile(to, data, info.Mode().Perm())
	}
	return nil
}
