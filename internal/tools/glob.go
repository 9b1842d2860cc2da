package tools

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

const globLimit = 1000

func globTool() *tool {
	return &tool{
		name: "glob",
		text: "Find files by name. Knows *, ?, [abc], {a,b} and ** for any number of folders. " +
			"A pattern without a slash is looked for in every folder; one with a slash is matched against the path below the folder searched. " +
			"Answers with sorted paths relative to the workspace; .git is left out.",
		args: []field{
			{name: "pattern", kind: text, required: true, about: "such as *.go or src/**/*_test.go"},
			{name: "path", kind: text, about: "the folder to search; the workspace if left out"},
			{name: "limit", kind: integer, min: 1, about: "how many paths at most (1000)"},
		},
		check: func(a args) error {
			if strings.TrimSpace(a.text("pattern")) == "" {
				return errors.New("pattern is empty")
			}
			return checkPath(a)
		},
		run: func(ctx context.Context, s *Set, a args) Outcome {
			dir, err := s.resolveDir(a)
			if err != nil {
				return failed("%v", err)
			}
			if scratch, ok := s.scratch(); ok && !a.has("path") && strings.HasPrefix(a.text("pattern"), scratch.root+"/") {
				dir = scratch
			}
			return dir.glob(ctx, a.text("pattern"), a.int("limit", globLimit))
		},
	}
}

func (p place) glob(ctx context.Context, pattern string, limit int) Outcome {
	info, err := p.files.Stat(p.name)
	switch {
	case err != nil:
		return p.unreachable(err)
	case !info.IsDir():
		return failed("%s is a file; glob searches a folder", p)
	}
	matches, err := p.matcher(pattern)
	if err != nil {
		return failed("%v", err)
	}
	var found []string
	whole := p.walk(ctx, func(name string, info fs.FileInfo) bool {
		if !info.IsDir() && matches(name) {
			found = append(found, p.at(name).String())
		}
		return true
	})
	switch {
	case !whole:
		return Outcome{Status: Cut, Text: "the search was cut before its end"}
	case len(found) == 0 && p.String() == ".":
		return ok("(no file matches %s)", pattern)
	case len(found) == 0:
		return ok("(no file under %s matches %s)", p, pattern)
	}
	slices.Sort(found)
	text := strings.Join(found[:min(len(found), limit)], "\n")
	if len(found) > limit {
		text += fmt.Sprintf("\n(%d of %d paths; a larger limit or a narrower pattern shows the others)", limit, len(found))
	}
	return ok("%s", text)
}

// matcher returns a test of paths in the folder, under the place, against a pattern. The
// error is worded for the model.
func (p place) matcher(pattern string) (func(name string) bool, error) {
	root := strings.TrimSuffix(p.root, "/") + "/"
	given := pattern
	pattern = strings.TrimPrefix(pattern, "./")
	absolute := strings.HasPrefix(pattern, root)
	switch {
	case absolute:
		pattern = pattern[len(root):]
	case strings.HasPrefix(pattern, "/"), pattern == "..", strings.HasPrefix(pattern, "../"):
		return nil, fmt.Errorf("the pattern %s leads out of the workspace; give one below the folder searched", given)
	}
	if !doublestar.ValidatePattern(pattern) {
		return nil, fmt.Errorf("the pattern %s is malformed: a bracket, a brace or a backslash is not completed", given)
	}
	if alternatives(pattern) > maxAlternatives {
		return nil, fmt.Errorf("the pattern %s has more than %d alternatives in its braces; use several patterns", shorten(given, 80), maxAlternatives)
	}
	return func(name string) bool {
		switch {
		case absolute: // matched against the path in the folder
		case !strings.Contains(pattern, "/"):
			name = path.Base(name)
		case p.name != ".":
			name = strings.TrimPrefix(name, p.name+"/")
		}
		return doublestar.MatchUnvalidated(pattern, name)
	}, nil
}

// ValidGlob reports whether a glob is well formed and stands for few patterns.
func ValidGlob(glob string) bool {
	return doublestar.ValidatePattern(glob) && alternatives(glob) <= maxAlternatives
}

// MatchGlob reports whether a valid glob means a file, by its slash path in the
// workspace. One without a slash means the file's name, wherever it lies.
func MatchGlob(glob, name string) bool {
	if !strings.Contains(glob, "/") {
		name = path.Base(name)
	}
	return doublestar.MatchUnvalidated(glob, name)
}

// maxAlternatives bounds what one pattern stands for: each is tried at each name.
const maxAlternatives = 1000

// alternatives counts at least as many patterns without braces as one with them
// stands for, and stops counting where it is too many.
func alternatives(pattern string) int {
	n, here, depth := 1, 1, 0
	for _, c := range pattern {
		switch c {
		case '{':
			depth++
		case ',':
			if depth > 0 {
				here++
			}
		case '}':
			n = min(n*here, maxAlternatives+1)
			here, depth = 1, max(depth-1, 0)
		}
	}
	return n
}
