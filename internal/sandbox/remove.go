package sandbox

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// removeAll removes a directory whatever is in it: directories that are closed to
// everybody, and ones that lie deeper than there are descriptors to hold.
func removeAll(dir string) error {
	if err := os.RemoveAll(dir); err == nil {
		return nil
	}
	// A command of the run's own user may have closed the directory itself.
	if info, err := os.Lstat(dir); err == nil && info.IsDir() {
		if err := os.Chmod(dir, 0o700); err != nil {
			return err
		}
	}
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer root.Close()
	f := &flattener{root: root}
	if err := f.flatten("."); err != nil {
		return err
	}
	if err := root.Close(); err != nil {
		return err
	}
	return os.RemoveAll(dir)
}

// A flattener opens all directories in a tree and moves them to its top.
type flattener struct {
	root *os.Root
	next int
}

// flatten makes the directories in a directory accessible and moves those below
// them up, until none holds another.
func (f *flattener) flatten(name string) error {
	for queue := []string{name}; len(queue) > 0; queue = queue[1:] {
		dir := queue[0]
		if dir != "." {
			if err := f.root.Chmod(dir, 0o700); err != nil {
				return err
			}
		}
		entries, err := fs.ReadDir(f.root.FS(), filepath.ToSlash(dir))
		if err != nil {
			return err
		}
		for _, e := range entries {
			if !e.IsDir() {
				continue
			}
			from := filepath.Join(dir, e.Name())
			if dir == "." {
				queue = append(queue, from)
				continue
			}
			// A directory that is closed cannot be moved, as its ".." would change.
			if err := f.root.Chmod(from, 0o700); err != nil {
				return err
			}
			to, err := f.moveUp(from)
			if err != nil {
				return err
			}
			queue = append(queue, to)
		}
	}
	return nil
}

// moveUp moves a directory to the top under a name that is free.
func (f *flattener) moveUp(from string) (string, error) {
	for {
		f.next++
		to := ".d" + strconv.Itoa(f.next)
		if _, err := f.root.Lstat(to); err == nil {
			continue
		}
		return to, f.root.Rename(from, to)
	}
}
