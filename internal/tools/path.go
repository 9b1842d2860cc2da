package tools

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/spf13/afero"
)

// A folder is one that the tools reach into: the workspace, or the scratch folder.
type folder struct {
	root    string // its absolute path
	files   afero.Fs
	scratch bool
}

// below returns where an absolute clean path lies in the folder, and whether it
// does; the folder itself is ".".
func (f folder) below(full string) (string, bool) {
	if full == f.root {
		return ".", true
	}
	return strings.CutPrefix(full, strings.TrimSuffix(f.root, "/")+"/")
}

// A place is a clean slash path in a folder; the folder itself is ".".
type place struct {
	folder
	name string
}

// String is the path as the model is shown it: relative in the workspace, and
// absolute elsewhere.
func (p place) String() string {
	if p.scratch {
		return path.Join(p.root, p.name)
	}
	return p.name
}

// at is another place in the same folder.
func (p place) at(name string) place { return place{p.folder, name} }

// changed lists a place that a call has changed, for its [Outcome].
func (p place) changed() []string {
	if p.scratch {
		return nil
	}
	return []string{p.name}
}

// workspace is the root of the workspace.
func (s *Set) workspace() place {
	return place{folder{root: s.env.Dir, files: s.env.Files}, "."}
}

// scratch is the root of the scratch folder, if there is one.
func (s *Set) scratch() (place, bool) {
	if s.env.Scratch == "" || s.env.ScratchFiles == nil {
		return place{}, false
	}
	return place{folder{root: path.Clean("/" + s.env.Scratch), files: s.env.ScratchFiles, scratch: true}, "."}, true
}

// resolve turns a path as the model wrote it into a place. The error is worded for
// the model.
func (s *Set) resolve(p string) (place, error) {
	root := s.workspace()
	full := p
	switch {
	case strings.ContainsRune(p, 0):
		return place{}, errors.New("the path holds a NUL byte")
	case p == "~" || strings.HasPrefix(p, "~/"):
		return place{}, s.outside(p)
	case !path.IsAbs(p):
		full = path.Join(root.root, p)
	}
	full = path.Clean(full)
	if name, ok := root.below(full); ok {
		return root.at(name), nil
	}
	// A relative path that climbs out of the workspace is a slip, wherever it ends.
	if scratch, ok := s.scratch(); ok && path.IsAbs(p) {
		if name, ok := scratch.below(full); ok {
			return scratch.at(name), nil
		}
	}
	return place{}, s.outside(p)
}

func (s *Set) outside(p string) error {
	if scratch, ok := s.scratch(); ok {
		return fmt.Errorf("%s is outside the workspace %s and the scratch folder %s; give a path inside one of them", p, s.env.Dir, scratch)
	}
	return fmt.Errorf("%s is outside the workspace %s; give a path inside it", p, s.env.Dir)
}

// lstat is Stat without following a link, where the file system can.
func (p place) lstat() (fs.FileInfo, error) {
	if l, ok := p.files.(afero.Lstater); ok {
		info, _, err := l.LstatIfPossible(p.name)
		return info, err
	}
	return p.files.Stat(p.name)
}

// because words why a file could not be reached, without the operation and the
// path that the error of a file system carries.
func because(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "no such file or directory"
	}
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	var linkErr *os.LinkError
	if errors.As(err, &linkErr) {
		err = linkErr.Err
	}
	switch text := err.Error(); {
	case strings.Contains(text, "escapes"), strings.Contains(text, "outside"):
		return "it leads out of the workspace"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	default:
		return text
	}
}

// unreachable is the outcome for a path that could not be opened: what is wrong
// with it and, if it does not exist, what exists and might have been meant.
func (p place) unreachable(err error) Outcome {
	if !errors.Is(err, fs.ErrNotExist) {
		return failed("%s: %s", p, because(err))
	}
	if info, err := p.lstat(); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return failed("%s is a link to something that does not exist", p)
	}
	near := p.near()
	if len(near) == 0 {
		return failed("%s: no such file or directory", p)
	}
	return failed("%s: no such file or directory. Perhaps one of these was meant:\n%s", p, strings.Join(near, "\n"))
}
