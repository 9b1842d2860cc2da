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
			return s.glob(ctx, dir, a.text("pattern"), a.int("limit", globLimit))
		},
	}
}

func (s *Set) glob(ctx context.Context, dir, pattern string, limit int) Outcome {
	info, err := s.env.Files.Stat(dir)
	switch {
	case err != nil:
		return s.unreachable(dir, err)
	case !info.IsDir():
		return failed("%s is a file; glob searches a folder", dir)
	}
	matches, err := s.matcher(dir, pattern)
	if err != nil {
		return failed("%v", err)
	}
	var found []string
	whole := s.walk(ctx, dir, func(name string, info fs.FileInfo) bool {
		if !info.IsDir() && matches(name) {
			found = append(found, name)
		}
		return true
	})
	switch {
	case !whole:
		return Outcome{Status: Cut, Text: "the search was cut before its end"}
	case len(found) == 0 && dir == ".":
		return ok("(no file matches %s)", pattern)
	case len(found) == 0:
		return ok("(no file under %s matches %s)", dir, pattern)
	}
	slices.Sort(found)
	text := strings.Join(found[:min(len(found), limit)], "\n")
	if len(found) > limit {
		text += fmt.Sprintf("\n(%d of %d paths; a larger limit or a narrower pattern shows the others)", limit, len(found))
	}
	return ok("%s", text)
}

// matcher returns a test of workspace paths under dir against a pattern. The
// error is worded for the model.
func (s *Set) matcher(dir, pattern string) (func(name string) bool, error) {
	root := strings.TrimSuffix(s.env.Dir, "/") + "/"
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
		case absolute: // matched against the path in the workspace
		case !strings.Contains(pattern, "/"):
			name = path.Base(name)
		case dir != ".":
			name = strings.TrimPrefix(name, dir+"/")
		}
		return doublestar.MatchUnvalidated(pattern, name)
	}, nil
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
