package tools

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// placeholder is what may stand for an argument in the text of a skill.
var placeholder = regexp.MustCompile(`\$(?:\{[A-Za-z0-9_-]+\}|[A-Za-z_][A-Za-z0-9_]*|[0-9]+)`)

// fillSkill puts the arguments into the text of a skill, in one pass: what looks like
// a placeholder in an argument stays as it is. A placeholder for which there is no
// argument is none, unless its name is declared: "$3" may be a word of awk. Arguments
// that no placeholder took are put at the end, so that nothing said is lost.
func fillSkill(body string, names []string, dir, arguments string) string {
	words := splitWords(arguments)
	taken := make([]bool, len(words))
	nth := func(i int, declared bool, as string) string {
		switch {
		case i < len(words):
			taken[i] = true
			return words[i]
		case declared:
			return ""
		}
		return as
	}
	filled := placeholder.ReplaceAllStringFunc(body, func(p string) string {
		braced := strings.HasPrefix(p, "${")
		name := strings.Trim(p, "${}")
		switch {
		case name == "ARGUMENTS":
			for i := range taken {
				taken[i] = true
			}
			return strings.TrimSpace(arguments)
		case braced && name == "SKILL_DIR":
			return dir
		case braced && slices.Contains(names, name):
			return nth(slices.Index(names, name), true, p)
		}
		if n, err := strconv.Atoi(name); err == nil && len(name) == 1 && n > 0 {
			return nth(n-1, n <= len(names), p)
		}
		return p
	})
	var left []string
	for i, w := range words {
		if !taken[i] {
			left = append(left, w)
		}
	}
	switch {
	case len(left) == 0:
		return filled
	case len(left) == len(words):
		return filled + "\n\nArguments: " + strings.TrimSpace(arguments)
	}
	return filled + "\n\nMore arguments: " + strings.Join(left, " ")
}

// splitWords divides arguments at blanks that are not in quotes. A quote that is not
// closed, or within a word such as it's, is a character like others.
func splitWords(s string) []string {
	var words []string
	for {
		s = strings.TrimLeftFunc(s, unicode.IsSpace)
		if s == "" {
			return words
		}
		if q := s[0]; q == '"' || q == '\'' {
			end := strings.IndexByte(s[1:], q)
			after := s[min(end+2, len(s)):]
			if end >= 0 && (after == "" || unicode.IsSpace(rune(after[0]))) {
				words, s = append(words, s[1:1+end]), after
				continue
			}
		}
		end := strings.IndexFunc(s, unicode.IsSpace)
		if end < 0 {
			end = len(s)
		}
		words, s = append(words, s[:end]), s[end:]
	}
}
