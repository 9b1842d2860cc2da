package tools

import (
	"fmt"
	"regexp"
	"strings"
)

const (
	hintLines = 20000 // of a file are compared
	hintLine  = 300   // bytes; longer lines are not compared
)

// numbered is how read shows a line.
var numbered = regexp.MustCompile(`(?m)^ *\d+\t`)

// hint says where in the file a text that is not in it nearly is. It begins with
// a separator, or is empty.
func hint(file, old string) string {
	file = strings.ReplaceAll(file, "\r\n", "\n")
	old = strings.ReplaceAll(old, "\r\n", "\n")
	if bare := numbered.ReplaceAllString(old, ""); bare != old && bare != "" && strings.Contains(file, bare) {
		return ": leave out the line numbers, which are not part of the file"
	}
	lines := strings.Split(file, "\n")
	lines = lines[:min(len(lines), hintLines)]
	wanted := strings.Split(strings.Trim(old, "\n"), "\n")
	if at := looseMatch(lines, wanted); at >= 0 {
		found := strings.Join(lines[at:at+len(wanted)], "\n")
		if len(found) > 2*hintLine {
			return fmt.Sprintf(": line %d on differs from it only in whitespace; read it again", at+1)
		}
		return fmt.Sprintf(": line %d differs from it only in whitespace. The file has:\n%s", at+1, found)
	}
	if at := closest(lines, wanted); at >= 0 {
		return fmt.Sprintf("; the closest line is %d:\n%s", at+1, lines[at])
	}
	return "; read it again"
}

// looseMatch finds where lines equal the wanted ones but for whitespace, or -1.
func looseMatch(lines, wanted []string) int {
	squeezed := make([]string, len(wanted))
	blank := true
	for i, w := range wanted {
		squeezed[i] = squeeze(w)
		blank = blank && squeezed[i] == ""
	}
	if blank {
		return -1
	}
	for at := 0; at+len(wanted) <= len(lines); at++ {
		for i, w := range squeezed {
			if squeeze(lines[at+i]) != w {
				break
			}
			if i == len(squeezed)-1 {
				return at
			}
		}
	}
	return -1
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

// closest finds the line most like the first wanted line that says something, if
// any is more like it than not; else -1.
func closest(lines, wanted []string) int {
	first := ""
	for _, w := range wanted {
		if first = strings.TrimSpace(w); first != "" {
			break
		}
	}
	if first == "" || len(first) > hintLine {
		return -1
	}
	best, least := -1, len(first)*2/5+1
	for i, l := range lines {
		l = strings.TrimSpace(l)
		if d := len(l) - len(first); d >= least || -d >= least {
			continue
		}
		if d := distance(l, first); d < least {
			best, least = i, d
		}
	}
	return best
}
