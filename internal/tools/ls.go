package tools

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/spf13/afero"
)

const lsLimit = 500

func lsTool() *tool {
	return &tool{
		name: "ls",
		text: "List a directory: folders with a slash at the end, files with their size in bytes. Hidden ones are included.",
		args: []field{
			{name: "path", kind: text, about: "the directory; the workspace if left out"},
			{name: "limit", kind: integer, min: 1, about: "how many entries at most (500)"},
		},
		check: checkPath,
		run: func(ctx context.Context, s *Set, a args) Outcome {
			dir, err := s.resolveDir(a)
			if err != nil {
				return failed("%v", err)
			}
			info, err := dir.files.Stat(dir.name)
			switch {
			case err != nil:
				return dir.unreachable(err)
			case !info.IsDir():
				return failed("%s is a file, not a directory (%d bytes); read shows it", dir, info.Size())
			}
			return dir.list(1, a.int("limit", lsLimit))
		},
	}
}

// resolveDir resolves an optional path; left out, it is the workspace.
func (s *Set) resolveDir(a args) (place, error) {
	if !a.has("path") {
		return s.workspace(), nil
	}
	return s.resolve(a.text("path"))
}

// list shows limit entries of a directory, from the offset-th on.
func (p place) list(offset, limit int) Outcome {
	entries, err := afero.ReadDir(p.files, p.name)
	switch {
	case err != nil:
		return p.unreachable(err)
	case len(entries) == 0 && offset == 1:
		return ok("(%s is an empty directory)", p)
	case offset > len(entries):
		return failed("offset %d is past the end of %s (entries: %d)", offset, p, len(entries))
	}
	last := len(entries)
	if limit < last-offset+1 {
		last = offset - 1 + limit
	}
	var rows []string
	for _, info := range entries[offset-1 : last] {
		rows = append(rows, p.at(path.Join(p.name, info.Name())).row(info))
	}
	if last < len(entries) || offset > 1 {
		rows = append(rows, fmt.Sprintf("(entries %d to %d of %d; a larger limit shows more)", offset, last, len(entries)))
	}
	return ok("%s", strings.Join(rows, "\n"))
}

func (p place) row(info fs.FileInfo) string {
	switch {
	case info.IsDir():
		return info.Name() + "/"
	case info.Mode()&fs.ModeSymlink != 0:
		if r, ok := p.files.(afero.LinkReader); ok {
			if target, err := r.ReadlinkIfPossible(p.name); err == nil {
				return fmt.Sprintf("%s -> %s", info.Name(), target)
			}
		}
		return info.Name() + " (a link)"
	case !info.Mode().IsRegular():
		return info.Name() + " (not a regular file)"
	case info.Size() == 1:
		return info.Name() + " (1 byte)"
	}
	return fmt.Sprintf("%s (%d bytes)", info.Name(), info.Size())
}
