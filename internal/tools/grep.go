package tools

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
)

const (
	grepLimit = 100  // matches, unless told
	grepLine  = 1000 // bytes shown of one line
)

func grepTool() *tool {
	return &tool{
		name: "grep",
		text: "Search the contents of files, line by line, with an RE2 regular expression. " +
			"Answers file:line:text, sorted by path; lines of context have dashes for the colons. Binary files and .git are left out.",
		args: []field{
			{name: "pattern", kind: text, required: true, about: "the regular expression"},
			{name: "path", kind: text, about: "the file or folder to search; the workspace if left out"},
			{name: "glob", kind: text, about: "only files that match, such as *.go or src/**/*.ts"},
			{name: "ignore_case", kind: boolean, about: "take upper and lower case as the same"},
			{name: "literal", kind: boolean, about: "take the pattern as plain text"},
			{name: "context", kind: integer, about: "lines shown before and after each match (0)", max: 100},
			{name: "limit", kind: integer, min: 1, about: "how many matching lines at most (100)"},
		},
		check: func(a args) error {
			if a.text("pattern") == "" {
				return errors.New("pattern is empty")
			}
			return checkPath(a)
		},
		run: func(ctx context.Context, s *Set, a args) Outcome {
			place, err := s.resolveDir(a)
			if err != nil {
				return failed("%v", err)
			}
			re, err := compile(a.text("pattern"), a.flag("literal"), a.flag("ignore_case"))
			if err != nil {
				return failed("%v", err)
			}
			g := grep{re: re, context: a.int("context", 0), limit: a.int("limit", grepLimit)}
			return place.grep(ctx, &g, a.text("glob"))
		},
	}
}

func compile(pattern string, literal, ignoreCase bool) (*regexp.Regexp, error) {
	source := pattern
	if literal {
		source = regexp.QuoteMeta(source)
	}
	if ignoreCase {
		source = "(?i)" + source
	}
	re, err := regexp.Compile(source)
	if err != nil {
		return nil, fmt.Errorf("the pattern %q is no RE2 regular expression: %v. "+
			"Escape special characters with a backslash, or set literal to search for plain text", pattern, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	return re, nil
}

func (p place) grep(ctx context.Context, g *grep, glob string) Outcome {
	matches := func(string) bool { return true }
	if glob != "" {
		var err error
		if matches, err = p.matcher(glob); err != nil {
			return failed("%v", err)
		}
	}
	info, err := p.files.Stat(p.name)
	switch {
	case err != nil:
		return p.unreachable(err)
	case info.IsDir():
		whole := p.walk(ctx, func(file string, info fs.FileInfo) bool {
			if info.Mode().IsRegular() && matches(file) {
				g.file(p.at(file), info.Size())
			}
			return true
		})
		if !whole {
			return Outcome{Status: Cut, Text: "the search was cut before its end"}
		}
	case info.Mode().IsRegular():
		g.file(p, info.Size())
	default:
		return failed("%s is not a regular file", p)
	}
	return g.outcome()
}

// A grep is one search under way.
type grep struct {
	re      *regexp.Regexp
	context int
	limit   int

	text    bytes.Buffer
	full    bool // no more fits
	shown   int  // matching lines
	matches int  // in all
	files   int  // in which they are
	skipped []string
}

// file searches one file. A file that cannot be read or is binary has no lines.
func (g *grep) file(p place, size int64) {
	var data []byte
	err := errTooLarge
	if size <= maxWhole {
		data, err = readWhole(p.files, p.name)
	}
	if errors.Is(err, errTooLarge) {
		g.skipped = append(g.skipped, p.String())
		return
	}
	data = []byte(decode(data).text)
	if err != nil || binary(data[:min(len(data), sniffed)]) != "" || !g.re.Match(data) && !g.anchored() {
		return
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	found := false
	printed := 0 // the line after the last one shown, from 0
	for i, line := range lines {
		line = strings.TrimSuffix(line, "\r")
		lines[i] = line
		if !g.re.MatchString(line) {
			continue
		}
		if !found {
			found = true
			g.files++
		}
		g.matches++
		if g.full || g.shown >= g.limit {
			continue
		}
		from, to := max(i-g.context, printed), min(i+g.context+1, len(lines))
		if g.context > 0 && g.text.Len() > 0 && (from > printed || printed == 0) {
			g.text.WriteString("--\n")
		}
		for j := from; j < to; j++ {
			g.line(p.String(), j, strings.TrimSuffix(lines[j], "\r"))
		}
		printed = max(printed, to)
		g.shown++
		g.full = g.text.Len() > maxBytes
	}
}

// anchored reports whether a file may hold a matching line although it does not
// match as a whole: ^ and $ stand for the ends of a line here.
func (g *grep) anchored() bool { return strings.ContainsAny(g.re.String(), `^$\`) }

// line writes a line as a match or as context, whichever it is.
func (g *grep) line(name string, index int, line string) {
	sep := ":"
	if g.context > 0 && !g.re.MatchString(line) {
		sep = "-"
	}
	line = strings.ToValidUTF8(line, "\uFFFD")
	if len(line) > grepLine {
		line = fmt.Sprintf("%s… (a line of %d bytes)", strings.ToValidUTF8(line[:grepLine], ""), len(line))
	}
	fmt.Fprintf(&g.text, "%s%s%d%s%s\n", name, sep, index+1, sep, line)
}

func (g *grep) outcome() Outcome {
	if g.matches == 0 {
		g.text.WriteString("(no matches)\n")
	}
	if g.matches > g.shown {
		fmt.Fprintf(&g.text, "(%d of %d matching lines in %s; a larger limit, a narrower path or another pattern shows the others)\n",
			g.shown, g.matches, count(g.files, "file"))
	}
	if len(g.skipped) > 0 {
		fmt.Fprintf(&g.text, "(not searched, larger than 32 MiB: %s)\n", strings.Join(g.skipped, ", "))
	}
	return ok("%s", strings.TrimSuffix(g.text.String(), "\n"))
}
