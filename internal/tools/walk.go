package tools

import (
	"context"
	"io/fs"
	"path"

	"github.com/spf13/afero"
)

// walk visits everything under a directory, in order of name, folders before
// what they hold, until visit says false or ctx ends. It follows no link, enters
// no .git, and passes over what it may not read.
func (s *Set) walk(ctx context.Context, dir string, visit func(name string, info fs.FileInfo) bool) bool {
	entries, err := afero.ReadDir(s.env.Files, dir)
	if err != nil {
		return true
	}
	for _, info := range entries {
		if ctx.Err() != nil {
			return false
		}
		if info.Name() == ".git" {
			continue
		}
		name := path.Join(dir, info.Name())
		if !visit(name, info) {
			return false
		}
		if info.IsDir() && !s.walk(ctx, name, visit) {
			return false
		}
	}
	return true
}
