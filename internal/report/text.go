package report

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The limits of what is printed. What goes beyond is left out and counted.
const (
	maxValue = 60  // runes of one argument
	maxWords = 100 // runes of what was said, or of one result
	maxLine  = 400 // runes of one line of a longer text
	maxLines = 40  // lines of one want, got, detail or file's diff
)

// label is the width of the column that "want", "got", "claim" … stand in.
const label = 7

// field writes text behind a name, further lines aligned under the first.
// Nothing is written for an empty text.
func field(b *strings.Builder, indent, name, text string) {
	lines := block(text)
	for i, line := range lines {
		head := ""
		if i == 0 {
			head = name
		}
		// A name that fills the column keeps a space behind it all the same.
		writeLine(b, fmt.Sprintf("%s%-*s %s", indent, label-1, head, line))
	}
}

// writeLine writes one line without the white space at its end.
func writeLine(b *strings.Builder, line string) {
	b.WriteString(NoCommand(strings.TrimRight(line, " \t")))
	b.WriteByte('\n')
}

// NoCommand breaks what a runner of CI would carry out where it stands in a log: "::"
// at the beginning of a line, and "##[" anywhere in it. An agent may have written it.
func NoCommand(text string) string {
	return command.ReplaceAllStringFunc(text, func(found string) string {
		if found == "##[" {
			return `#\x23[`
		}
		return strings.TrimSuffix(found, "::") + `\x3a:`
	})
}

var command = regexp.MustCompile(`(?m)##\[|^[ \t]*::`)

// block makes a text of several lines fit to print: escaped, each line and the
// number of lines bounded.
func block(text string) []string {
	text = strings.Trim(text, "\n")
	if text == "" {
		return nil
	}
	left := strings.Count(text, "\n") + 1 - maxLines
	lines := strings.SplitN(text, "\n", maxLines+1)
	if left > 0 {
		lines = lines[:maxLines]
	}
	out := make([]string, 0, len(lines)+1)
	for _, line := range lines {
		out = append(out, shorten(visible(line), maxLine))
	}
	if left > 0 {
		out = append(out, fmt.Sprintf("… %s", count(left, "more line")))
	}
	return out
}

// visible escapes whatever would not show, or would show as something else: a
// control character, an invisible one, a byte that is no UTF-8. Tabs stay.
func visible(s string) string {
	return escape(s, func(r rune) bool { return r == '\t' || strconv.IsPrint(r) })
}

// oneLine is visible for text that must stay on its line, tabs escaped too.
func oneLine(s string) string { return escape(s, strconv.IsPrint) }

func escape(s string, keep func(rune) bool) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case keep(r):
			b.WriteRune(r)
		default:
			q := strconv.QuoteRune(r)
			b.WriteString(q[1 : len(q)-1])
		}
		i += n
	}
	return b.String()
}

// quote puts s in quotes on one line, cut after max runes. What was cut away is
// said behind the quotes, so that it is never taken for content.
func quote(s string, max int) string {
	head, left := cut(s, max)
	q := strconv.Quote(head)
	if strings.ContainsAny(head, "\"\\") && rawable(head) {
		q = "`" + head + "`"
	}
	if left > 0 {
		q += fmt.Sprintf("… (%s more)", bytesOf(left))
	}
	return q
}

// rawable reports whether s reads as it is between back quotes.
func rawable(s string) bool {
	return !strings.Contains(s, "`") && oneLine(s) == s
}

// shorten cuts text that was made visible already.
func shorten(s string, max int) string {
	head, left := cut(s, max)
	if left == 0 {
		return s
	}
	return fmt.Sprintf("%s… (%s more)", head, bytesOf(left))
}

// cut returns at most max runes of s and the number of bytes after them.
func cut(s string, max int) (head string, left int) {
	if len(s) <= max {
		return s, 0
	}
	n := 0
	for i := range s {
		if n == max {
			return s[:i], len(s) - i
		}
		n++
	}
	return s, 0
}

// count says a number with its noun: "1 turn", "1,200 turns".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return grouped(n) + " " + noun + "s"
}

// bytesOf says a number of bytes.
func bytesOf(n int) string { return count(n, "byte") }

// grouped writes n with a comma between groups of three digits.
func grouped(n int) string {
	s := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}
