package viewer

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// A span is a row of a line, by its bytes.
type span struct{ from, to int }

// wrap breaks a line into rows of at most so many columns, after a space where there is
// one in the second half of the row.
func wrap(how ansi.Method, line string, columns int) []span {
	columns = max(columns, 1)
	var rows []span
	from, space, wide := 0, 0, 0
	for at := 0; at < len(line); {
		size, w := step(how, line[at:])
		if wide+w > columns && at > from {
			cut := at
			if space > from && space-from > (at-from)/2 {
				cut = space
			}
			rows = append(rows, span{from, cut})
			from, wide = cut, width(how, line[cut:at])
			space = 0
			continue
		}
		wide += w
		at += size
		if line[at-size] == ' ' {
			space = at
		}
	}
	return append(rows, span{from, len(line)})
}

// clip cuts a line so that it fits so many columns, and says whether it had to: there is
// room for an ellipsis then.
func clip(how ansi.Method, line string, columns int) (string, bool) {
	if len(line) <= columns && isASCII(line) || width(how, line) <= columns {
		return line, false
	}
	wide := 0
	for at := 0; at < len(line); {
		size, w := step(how, line[at:])
		if wide+w > columns-1 {
			return strings.TrimRight(line[:at], " "), true
		}
		wide += w
		at += size
	}
	return line, false
}

// fit cuts words to so many columns.
func fit(how ansi.Method, words string, columns int) string {
	words, cut := clip(how, words, columns)
	if cut && columns > 0 {
		words += "…"
	}
	return words
}

// width is how many columns a line takes.
func width(how ansi.Method, line string) int {
	wide := 0
	for at := 0; at < len(line); {
		size, w := step(how, line[at:])
		wide += w
		at += size
	}
	return wide
}

// step is the size of the first character, in bytes and in columns.
func step(how ansi.Method, s string) (size, columns int) {
	if s[0] < utf8.RuneSelf && (len(s) == 1 || s[1] < utf8.RuneSelf) {
		return 1, 1
	}
	cluster, columns := ansi.FirstGraphemeCluster(s, how)
	return max(len(cluster), 1), columns
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
