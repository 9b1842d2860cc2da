package trace

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A spelling is a text as it is, and with the names of drawn facts for their values: two
// attempts that did the same with other values did the same.
type spelling struct{ as, named string }

func (s spelling) is(other spelling) bool {
	return s.as == other.as || s.named != "" && s.named == other.named
}

// DrawnApart names the facts that both attempts have, each with a value of its own.
func DrawnApart(a, b Head) []string {
	var names []string
	for name, value := range a.Facts {
		if other, ok := b.Facts[name]; ok && value != other && value != "" && other != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// names are the values of facts with the names that are put for them, the longest first.
type names [][2]string

// namesOf are the names of some facts, nil for none.
func namesOf(facts map[string]string, of []string) names {
	var all names
	for _, name := range of {
		for _, value := range spelled(facts[name]) {
			all = append(all, [2]string{value, "{" + name + "}"})
		}
	}
	slices.SortStableFunc(all, func(x, y [2]string) int { return cmp.Compare(len(y[0]), len(x[0])) })
	return all
}

// spelled are the ways in which a value may stand in a text. A number is also written
// without zeros at its end, and with commas.
func spelled(value string) []string {
	all := []string{value}
	n, err := strconv.ParseFloat(value, 64)
	if err != nil || strings.Trim(value, "0123456789.") != "" {
		return all
	}
	for _, s := range []string{value, strconv.FormatFloat(n, 'f', -1, 64)} {
		whole, rest, fraction := strings.Cut(s, ".")
		if fraction {
			rest = "." + rest
		}
		all = append(all, s)
		for i := len(whole) - 3; i > 0; i -= 3 {
			whole = whole[:i] + "," + whole[i:]
		}
		all = append(all, whole+rest)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// put puts the names for the values that stand in a text as whole words or numbers.
func (n names) put(text string) string {
	for _, pair := range n {
		value, name := pair[0], pair[1]
		var b strings.Builder
		from := 0
		for at := 0; ; {
			i := strings.Index(text[at:], value)
			if i < 0 {
				break
			}
			i += at
			if at = i + len(value); !apart(text[:i], text[at:], value) {
				at = i + 1
				continue
			}
			b.WriteString(text[from:i])
			b.WriteString(name)
			from = at
		}
		if from > 0 {
			b.WriteString(text[from:])
			text = b.String()
		}
	}
	return text
}

// apart reports whether a value between two texts is not a part of a longer word or
// number.
func apart(before, after, value string) bool {
	inner := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
	digit := func(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }
	last, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(after)
	first, _ := utf8.DecodeRuneInString(value)
	end, _ := utf8.DecodeLastRuneInString(value)
	switch {
	case inner(first) && inner(last), inner(end) && inner(next):
		return false
	case digit(value) && (last == '.' || last == ',') && len(before) > 1 && digit(before[len(before)-2:]):
		return false
	case unicode.IsDigit(end) && (next == '.' || next == ',') && digit(after[1:]):
		return false
	}
	return true
}
