package tools

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/spf13/afero"

	"github.com/deeds-evals/deeds/internal/diff"
)

// planOnly tells what write and edit can do in plan mode.
const planOnly = "In plan mode it reaches only Markdown files directly in plans/."

func writeTool() *tool {
	return &tool{
		name: "write",
		text: "Write a whole file, exactly as given. Makes the folders it needs; replaces a file that exists. " +
			"To change part of a file use edit.",
		plan: planOnly,
		args: []field{
			pathField,
			{name: "content", kind: text, required: true, about: "all that the file is to hold"},
		},
		check:   checkPath,
		forbid:  planFilesOnly,
		mutates: always,
		run: func(ctx context.Context, s *Set, a args) Outcome {
			name, err := s.resolve(a.text("path"))
			if err != nil {
				return failed("%v", err)
			}
			return s.write(name, a.text("content"))
		},
	}
}

func (s *Set) write(name, content string) Outcome {
	before, info, err := s.load(name)
	huge := errors.Is(err, errTooLarge)
	exists := err == nil || huge
	switch {
	case exists && info.IsDir():
		return failed("%s is a directory; give the path of a file", name)
	case exists && !info.Mode().IsRegular():
		return failed("%s is not a regular file", name)
	case exists && !huge && before == content:
		s.wrote(name)
		return ok("%s has exactly this content already; nothing was changed", name)
	}
	if err := s.env.Files.MkdirAll(path.Dir(name), 0o755); err != nil {
		return failed("%s: the folder cannot be made: %s", name, because(err))
	}
	if err := afero.WriteFile(s.env.Files, name, []byte(content), 0o644); err != nil {
		return failed("%s cannot be written: %s", name, because(err))
	}
	s.wrote(name)
	out := ok("created %s (%s)", name, size(content))
	switch {
	case huge:
		out = ok("changed %s (now %s)\n(it held %s before)", name, size(content), count(int(info.Size()), "byte"))
	case exists:
		out = ok("changed %s (now %s)\n%s", name, size(content), changes(before, content))
	}
	out.Changed = []string{name}
	return out
}

// wrote remembers the plan that is being worked on.
func (s *Set) wrote(name string) {
	if isPlanFile(name) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.plan = name
	}
}

// size says how long a text is and, as models care, whether it ends its last line.
func size(content string) string {
	lines := strings.Count(content, "\n")
	bytes := count(len(content), "byte")
	switch {
	case content == "":
		return "empty"
	case !strings.HasSuffix(content, "\n"):
		return fmt.Sprintf("%s, %s, no newline at the end", count(lines+1, "line"), bytes)
	}
	return fmt.Sprintf("%s, %s", count(lines, "line"), bytes)
}

const (
	diffLines = 80
	diffBytes = 8 << 10
)

// changes shows what became of a text, cut to what is worth reading.
func changes(before, after string) string {
	if binary([]byte(before[:min(len(before), sniffed)])) != "" {
		return fmt.Sprintf("(it held %s before)", count(len(before), "byte"))
	}
	lf := func(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }
	if lf(before) == lf(after) {
		return "(only line ends are different)"
	}
	lines := strings.Split(strings.TrimSuffix(lf(diff.Unified(before, after)), "\n"), "\n")
	kept, bytes := 0, 0
	for kept < len(lines) && kept < diffLines && bytes+len(lines[kept]) <= diffBytes {
		bytes += len(lines[kept]) + 1
		kept++
	}
	if kept < len(lines) {
		return strings.Join(append(lines[:kept:kept], fmt.Sprintf("(%s more of the diff)", count(len(lines)-kept, "line"))), "\n")
	}
	return strings.Join(lines, "\n")
}
