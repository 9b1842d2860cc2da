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

// resolve turns a path as the model wrote it into a clean slash path relative to
// the workspace; the workspace itself is ".". The error is worded for the model.
func (s *Set) resolve(p string) (string, error) {
	root := s.env.Dir
	full := p
	switch {
	case strings.ContainsRune(p, 0):
		return "", errors.New("the path holds a NUL byte")
	case p == "~" || strings.HasPrefix(p, "~/"):
		return "", fmt.Errorf("%s is outside the workspace %s; give a path inside it", p, root)
	case !path.IsAbs(p):
		full = path.Join(root, p)
	}
	full = path.Clean(full)
	switch {
	case full == root:
		return ".", nil
	case strings.HasPrefix(full, strings.TrimSuffix(root, "/")+"/"):
		return full[len(strings.TrimSuffix(root, "/"))+1:], nil
	}
	return "", fmt.Errorf("%s is outside the workspace %s; give a path inside it", p, root)
}

// lstat is Stat without following a link, where the file system can.
func (s *Set) lstat(name string) (fs.FileInfo, error) {
	if l, ok := s.env.Files.(afero.Lstater); ok {
		info, _, err := l.LstatIfPossible(name)
		return info, err
	}
	return s.env.Files.Stat(name)
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
func (s *Set) unreachable(name string, err error) Outcome {
	if !errors.Is(err, fs.ErrNotExist) {
		return failed("%s: %s", name, because(err))
	}
	if info, err := s.lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return failed("%s is a link to something that does not exist", name)
	}
	near := s.near(name)
	if len(near) == 0 {
		return failed("%s: no such file or directory", name)
	}
	return failed("%s: no such file or directory. Perhaps one of these was meant:\n%s", name, strings.Join(near, "\n"))
}
