package behavior

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// A testFilter says which subtests go test's own -run and -skip select, so that
// the plan holds those attempts and no others. Patterns are split at slashes
// outside brackets, and every part is matched against its own level of the name;
// alternatives at the top level of a pattern are separated by "|" there, as in
// package testing.
type testFilter struct {
	run, skip []string
}

func newTestFilter(run, skip string) testFilter {
	f := testFilter{}
	if run != "" {
		f.run = splitPattern(run, '|')
	}
	if skip != "" {
		f.skip = splitPattern(skip, '|')
	}
	return f
}

// selects reports whether the test of that full name runs.
func (f testFilter) selects(name string) bool {
	levels := strings.Split(rewriteName(name), "/")
	if len(f.skip) > 0 && anyMatches(f.skip, levels, true) {
		return false
	}
	return len(f.run) == 0 || anyMatches(f.run, levels, false)
}

// anyMatches reports whether a pattern matches. A pattern with more parts than
// the name has levels matches what it can for -run, but skips nothing.
func anyMatches(patterns, levels []string, whole bool) bool {
	for _, p := range patterns {
		parts := splitPattern(p, '/')
		if whole && len(parts) > len(levels) {
			continue
		}
		ok := true
		for i := 0; i < len(parts) && i < len(levels); i++ {
			re, err := regexp.Compile(rewriteSpaces(parts[i]))
			if err != nil || !re.MatchString(levels[i]) {
				ok = false
				break
			}
		}
		if ok {
			return true
		}
	}
	return false
}

func rewriteSpaces(s string) string { return strings.ReplaceAll(s, " ", "_") }

// rewriteName writes the name of a subtest as package testing does: a model may be
// called anything.
func rewriteName(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			b.WriteByte('_')
		case !strconv.IsPrint(r):
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// splitPattern splits at sep outside of brackets and parentheses.
func splitPattern(s string, sep byte) []string {
	var parts []string
	square, round, start := 0, 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '[':
			square++
		case ']':
			square = max(0, square-1)
		case '(':
			if square == 0 {
				round++
			}
		case ')':
			if square == 0 {
				round = max(0, round-1)
			}
		case '\\':
			i++
		case sep:
			if square == 0 && round == 0 {
				parts = append(parts, s[start:i])
				start = i + 1
			}
		}
	}
	return append(parts, s[start:])
}
