package doctest

import "strings"

// anything stands for any text in a line, or for any lines.
const anything = "..."

// Match reports whether got is what want says, with its wildcards.
func Match(want, got []string) bool {
	// ok[j] says that the lines of want so far match the first j lines of got.
	ok := make([]bool, len(got)+1)
	ok[0] = true
	for _, w := range want {
		next := make([]bool, len(got)+1)
		if squeeze(w) == anything {
			reached := false
			for j := range next {
				reached = reached || ok[j]
				next[j] = reached
			}
		} else {
			for j, g := range got {
				next[j+1] = ok[j] && matchLine(squeeze(w), squeeze(g))
			}
		}
		ok = next
	}
	return ok[len(got)]
}

// matchLine finds the parts between wildcards one after the other, the first and
// the last at the ends.
func matchLine(want, got string) bool {
	parts := strings.Split(want, anything)
	if len(parts) == 1 {
		return want == got
	}
	first, last := parts[0], parts[len(parts)-1]
	if !strings.HasPrefix(got, first) {
		return false
	}
	got = got[len(first):]
	for _, part := range parts[1 : len(parts)-1] {
		i := strings.Index(got, part)
		if i < 0 {
			return false
		}
		got = got[i+len(part):]
	}
	return strings.HasSuffix(got, last)
}

// squeeze makes one space of every run of blanks, and drops those at the end.
// Blanks at the start keep their meaning: there is some, or there is none.
func squeeze(line string) string {
	text := strings.Join(strings.Fields(line), " ")
	if text != "" && (line[0] == ' ' || line[0] == '\t') {
		return " " + text
	}
	return text
}
