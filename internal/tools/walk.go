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
func (p place) walk(ctx context.Context, visit func(name string, info fs.FileInfo) bool) bool {
	entries, err := afero.ReadDir(p.files, p.name)
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
		name := path.Join(p.name, info.Name())
		if !visit(name, info) {
			return false
		}
		if info.IsDir() && !p.at(name).walk(ctx, visit) {
			return false
		}
	}
	return true
}
