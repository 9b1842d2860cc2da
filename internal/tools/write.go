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
			p, err := s.resolve(a.text("path"))
			if err != nil {
				return failed("%v", err)
			}
			return s.write(p, a.text("content"))
		},
	}
}

func (s *Set) write(p place, content string) Outcome {
	before, info, err := p.load()
	huge := errors.Is(err, errTooLarge)
	exists := err == nil || huge
	switch {
	case exists && info.IsDir():
		return failed("%s is a directory; give the path of a file", p)
	case exists && !info.Mode().IsRegular():
		return failed("%s is not a regular file", p)
	case exists && !huge && before.text == content && !before.lossy:
		s.wrote(p)
		return ok("%s has exactly this content already; nothing was changed", p)
	}
	if err := p.files.MkdirAll(path.Dir(p.name), 0o755); err != nil {
		return failed("%s: the folder cannot be made: %s", p, because(err))
	}
	if err := afero.WriteFile(p.files, p.name, before.encode(content), 0o644); err != nil {
		return failed("%s cannot be written: %s", p, because(err))
	}
	s.wrote(p)
	out := ok("created %s (%s)", p, size(content))
	switch {
	case huge:
		out = ok("changed %s (now %s)\n(it held %s before)", p, size(content), count(int(info.Size()), "byte"))
	case exists:
		out = ok("changed %s (now %s)\n%s%s", p, size(content), changes(before.text, content), before.kept())
	}
	out.Changed = p.changed()
	return out
}

// wrote remembers the plan that is being worked on.
func (s *Set) wrote(p place) {
	if !p.scratch && isPlanFile(p.name) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.plan = p.name
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
