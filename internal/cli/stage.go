package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

// A stage is where files stand complete, under names of their own, before any of them is
// put in its place: what cannot be written shows while nothing has changed yet.
type stage struct {
	root   *os.Root
	staged []staged
	made   []string // folders, by their path from the root, the outermost first
}

// A staged is a file that is to be, and what will have become of it.
type staged struct {
	name, temporary string // temporary is "" if there is nothing to do
	state           string
}

// newStage opens a folder, which is made if it is not there.
func newStage(dir string) (s *stage, made []string, err error) {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(at); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		made = append(made, at)
	}
	root, err := (*os.Root)(nil), os.MkdirAll(dir, 0o755)
	if err == nil {
		root, err = os.OpenRoot(dir)
	}
	if err != nil {
		removeFolders(made)
		return nil, nil, err
	}
	return &stage{root: root}, made, nil
}

// removeFolders removes folders that were made, the innermost first, and that are empty.
func removeFolders(made []string) {
	for _, dir := range made {
		_ = os.Remove(dir) // it is not empty any more: something else needs it
	}
}

// add writes a file beside its place.
func (s *stage) add(name, text string, force bool) error {
	old, err := s.root.ReadFile(name)
	mode := fs.FileMode(0o644)
	state := "created"
	switch {
	case err == nil && string(old) == text:
		s.staged = append(s.staged, staged{name: name, state: "unchanged"})
		return nil
	case err == nil && !force:
		s.staged = append(s.staged, staged{name: name, state: "kept"})
		return nil
	case err == nil:
		info, err := s.root.Stat(name)
		if err != nil {
			return err
		}
		state, mode = "replaced", info.Mode().Perm()
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := s.folder(path.Dir(name)); err != nil {
		return err
	}
	temporary, err := s.write(path.Dir(name), text, mode)
	if err != nil {
		return err
	}
	s.staged = append(s.staged, staged{name, temporary, state})
	return nil
}

// folder makes a folder, and notes which were made.
func (s *stage) folder(dir string) error {
	if _, err := s.root.Stat(dir); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := s.folder(path.Dir(dir)); err != nil {
		return err
	}
	if err := s.root.Mkdir(dir, 0o755); err != nil {
		return err
	}
	s.made = append(s.made, dir)
	return nil
}

// write writes a file whole, under a name that nothing has.
func (s *stage) write(dir, text string, mode fs.FileMode) (name string, err error) {
	var f *os.File
	for i := 0; ; i++ {
		name = path.Join(dir, fmt.Sprintf(".init-%d-%d", os.Getpid(), i))
		if f, err = s.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text)
	if err == nil {
		err = f.Sync() // some file systems only now say that they are full
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		_ = s.root.Remove(name)
		return "", err
	}
	return name, nil
}

// commit puts the files in their places.
func (s *stage) commit() error {
	for i, f := range s.staged {
		if f.temporary == "" {
			continue
		}
		if err := s.root.Rename(f.temporary, f.name); err != nil {
			return err
		}
		s.staged[i].temporary = ""
	}
	return nil
}

// close takes away what was not put in its place, and the folders that were made for it.
func (s *stage) close() {
	for _, f := range s.staged {
		if f.temporary != "" {
			_ = s.root.Remove(f.temporary)
		}
	}
	for i := len(s.made) - 1; i >= 0; i-- {
		_ = s.root.Remove(s.made[i]) // it is not empty: it is needed
	}
	s.root.Close()
}

// inTheWay says of a file that cannot be written what stands in the way.
func inTheWay(name string, err error) error {
	return &fault{what: fmt.Sprintf("%s cannot be written: %v; nothing was changed", name, cause(err)), hint: clearTheWay(err), code: 1, is: err}
}

// clearTheWay says what to do about a file that cannot be written.
func clearTheWay(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "make room on the disk, and run it again"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return "the folder is closed to you: open it, or run it as whoever owns it"
	case errors.Is(err, syscall.ENOTDIR):
		return "a file stands where a folder is to be: move it away"
	case errors.Is(err, syscall.EISDIR):
		return "a folder stands in its place: move it away"
	case strings.Contains(err.Error(), "path escapes from parent"):
		return "a link leads out of the folder: put a folder in its place"
	}
	return "see what stands in its place"
}
