package tools

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/afero"
)

func editTool() *tool {
	return &tool{
		name: "edit",
		text: "Replace text in a file. old must be in the file exactly once, whitespace included, without line numbers; " +
			"with all set, every place is replaced. Line ends stay as they are in the file.",
		plan: planOnly,
		args: []field{
			pathField,
			{name: "old", kind: text, required: true, about: "the text to replace, literally"},
			{name: "new", kind: text, required: true, about: "the text to put there; empty deletes"},
			{name: "all", kind: boolean, about: "replace every place where old is found"},
		},
		check:   checkPath,
		forbid:  planFilesOnly,
		mutates: always,
		run: func(ctx context.Context, s *Set, a args) Outcome {
			p, err := s.resolve(a.text("path"))
			if err != nil {
				return failed("%v", err)
			}
			return s.edit(p, a.text("old"), a.text("new"), a.flag("all"))
		},
	}
}

func (s *Set) edit(p place, old, new string, all bool) Outcome {
	file, info, err := p.load()
	before := file.text
	switch {
	case errors.Is(err, errTooLarge):
		return failed("%s is %v; change it with bash", p, err)
	case err != nil:
		return p.unreachable(err)
	case info.IsDir():
		return failed("%s is a directory; give the path of a file", p)
	case !info.Mode().IsRegular():
		return failed("%s is not a regular file", p)
	case binary([]byte(before[:min(len(before), sniffed)])) != "":
		return failed("%s is %s, not text; edit cannot change it", p, binary([]byte(before[:min(len(before), sniffed)])))
	case file.lossy:
		return failed("%s is %s with units that stand for no character; edit would damage it, so change it with bash", p, file.encoding)
	case old == "":
		return failed("old is empty: give the text to replace, or use write to set the whole content of %s", p)
	case old == new:
		return failed("old and new are the same: %s was not changed", p)
	}
	old, new = asInFile(before, old, new)
	if old == new {
		return failed("old and new differ only in their line ends, which stay as they are in %s: it was not changed", p)
	}
	places := strings.Count(before, old)
	switch {
	case places == 0:
		return failed("old is not in %s%s", p, hint(before, old))
	case places > 1 && !all:
		return failed("old is in %s %d times, in lines %s: add lines around it to mean one place, or set all to replace every one",
			p, places, lineNumbers(before, old))
	}
	after := strings.ReplaceAll(before, old, new)
	if err := afero.WriteFile(p.files, p.name, file.encode(after), info.Mode().Perm()); err != nil {
		return failed("%s cannot be written: %s", p, because(err))
	}
	s.wrote(p)
	out := ok("changed %s (%s)\n%s%s", p, count(places, "replacement"), changes(before, after), file.kept())
	out.Changed = p.changed()
	return out
}

// asInFile puts the line ends of the file into both texts: models see and write
// lines that end in LF, whatever the file has.
func asInFile(file, old, new string) (string, string) {
	crlf := func(s string) string {
		return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\n", "\r\n")
	}
	lf := func(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }
	pairs := strings.Count(file, "\r\n")
	switch {
	case pairs > 0 && pairs == strings.Count(file, "\n"):
		return crlf(old), crlf(new)
	case strings.Contains(file, old):
		return old, new
	case pairs > 0 && strings.Contains(file, crlf(old)): // of both kinds, and this part has CRLF
		return crlf(old), crlf(new)
	case strings.Contains(file, lf(old)):
		return lf(old), lf(new)
	}
	return old, new
}

// lineNumbers lists the lines in which old begins, as "4, 9 and 20".
func lineNumbers(file, old string) string {
	var numbers []string
	line, from := 1, 0
	for len(numbers) <= 10 {
		i := strings.Index(file[from:], old)
		if i < 0 {
			break
		}
		line += strings.Count(file[from:from+i], "\n")
		if len(numbers) == 10 {
			return strings.Join(numbers, ", ") + ", …"
		}
		numbers = append(numbers, fmt.Sprint(line))
		line += strings.Count(old, "\n")
		from += i + len(old)
	}
	last := len(numbers) - 1
	return strings.Join(numbers[:last], ", ") + " and " + numbers[last]
}
