package expect

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// solidLines are the lines of a text that are not blank, without the blanks at
// their ends, each once.
func solidLines(s string) []string {
	var lines []string
	seen := make(map[string]bool)
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" && !seen[line] {
			seen[line] = true
			lines = append(lines, line)
		}
	}
	return lines
}

// shows reports whether every one of the lines stands in the text as whole
// words. No lines are shown by nothing.
func shows(text string, lines []string) bool {
	if len(lines) == 0 || text == "" {
		return false
	}
	next := 0 // most lines stand after the one before
	for _, line := range lines {
		at := wholeFrom(text, line, next)
		if at < 0 {
			at = wholeFrom(text, line, 0)
		}
		if at < 0 {
			return false
		}
		next = at
	}
	return true
}

// mentions reports whether prose has the words in it as whole words, in
// whatever dress: white space of any kind and length is equal, typographic
// quotes and hyphens are equal to plain ones, and neither the decoration of
// Markdown counts, nor what groups the digits of a number: "1310" is in "1,310".
func mentions(prose, words string) bool {
	words = fold(words)
	if words == "" {
		return false
	}
	for _, dress := range []func(string) string{keep, unescape, undecorate, ungroup, ungrouped} {
		if whole(fold(dress(prose)), words) {
			return true
		}
	}
	return false
}

func keep(s string) string      { return s }
func ungrouped(s string) string { return ungroup(undecorate(s)) }

var decoration = strings.NewReplacer("`", "", "**", "", "__", "")

// undecorate takes away the signs of Markdown that may stand inside of a word.
func undecorate(s string) string { return decoration.Replace(s) }

// grouped is a whole number whose digits are grouped by threes, all in one way.
var grouped = regexp.MustCompile(`[0-9]{1,3}(?:(?:,[0-9]{3})+|(?:[\x{a0}\x{2009}\x{202f}][0-9]{3})+|(?:['\x{2019}][0-9]{3})+|(?:_[0-9]{3})+)`)

// ungroup writes grouped numbers without what groups their digits.
func ungroup(s string) string {
	var b strings.Builder
	done := 0
	for _, m := range grouped.FindAllStringIndex(s, -1) {
		before, _ := utf8.DecodeLastRuneInString(s[:m[0]])
		after, _ := utf8.DecodeRuneInString(s[m[1]:])
		if wordy(before) || wordy(after) || before == ',' || before == '.' || before == '_' {
			continue // of another kind, such as a list without spaces
		}
		b.WriteString(s[done:m[0]])
		for _, r := range s[m[0]:m[1]] {
			if unicode.IsDigit(r) {
				b.WriteRune(r)
			}
		}
		done = m[1]
	}
	return b.String() + s[done:]
}

var plainer = strings.NewReplacer(
	"\u2018", "'", "\u2019", "'", "\u201c", `"`, "\u201d", `"`,
	"\u2010", "-", "\u2011", "-", "\u200b", "", "\u2060", "", "\ufeff", "",
)

func fold(s string) string { return strings.Join(strings.Fields(plainer.Replace(s)), " ") }

// unescape takes away the backslashes before punctuation.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && s[i+1] < utf8.RuneSelf && unicode.In(rune(s[i+1]), unicode.P, unicode.S) {
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// whole reports whether word stands in text as whole words and numbers: not
// bordered by a letter or a digit on a side where it ends in one itself, and not
// as a part of a longer number or of a name with underscores. "4.2" is neither in "14.2" nor in "4.2.1",
// nor in "-4.2", but it is in "v4.2".
func whole(text, word string) bool { return wholeFrom(text, word, 0) >= 0 }

// wholeFrom is the first place from there on at which it does, or -1.
func wholeFrom(text, word string, from int) int {
	if word == "" {
		return -1
	}
	for from <= len(text)-len(word) {
		k := strings.Index(text[from:], word)
		if k < 0 {
			return -1
		}
		start, end := from+k, from+k+len(word)
		if opens(text[:start], word) && closes(text[end:], word) {
			return start
		}
		_, n := utf8.DecodeRuneInString(text[start:])
		from = start + n
	}
	return -1
}

// opens reports whether word may begin after before.
func opens(before, word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	if !wordy(first) {
		return true
	}
	last, n := utf8.DecodeLastRuneInString(before)
	rest := before[:len(before)-n]
	prior, _ := utf8.DecodeLastRuneInString(rest)
	if last == '_' && wordy(prior) {
		return false // the end of a longer name
	}
	if !unicode.IsDigit(first) {
		return !wordy(last)
	}
	switch last {
	case 'v', 'V': // a version
		return !wordy(prior)
	case '.': // a longer number, unless the stop ends a sentence
		return !unicode.IsDigit(prior)
	case ',': // 1,234 is not 234
		return !unicode.IsDigit(prior) || leadingDigits(word) != 3
	case '-', '\u2212': // a negative number, unless it is a dash between words
		return rest != "" && (wordy(prior) || prior == '-')
	}
	return !wordy(last)
}

// closes reports whether word may end before after.
func closes(after, word string) bool {
	last, _ := utf8.DecodeLastRuneInString(word)
	if !wordy(last) {
		return true
	}
	first, n := utf8.DecodeRuneInString(after)
	next, _ := utf8.DecodeRuneInString(after[n:])
	if wordy(first) || first == '_' && wordy(next) {
		return false
	}
	if !unicode.IsDigit(last) {
		return true
	}
	switch first {
	case '.':
		return !unicode.IsDigit(next)
	case ',': // 42 is not 42,000
		return leadingDigits(after[n:]) != 3
	}
	return true
}

func leadingDigits(s string) int {
	n := 0
	for _, r := range s {
		if !unicode.IsDigit(r) {
			break
		}
		n++
	}
	return n
}

// wordy reports whether r makes a word longer. Scripts that are written without
// spaces between words have no such borders.
func wordy(r rune) bool {
	if r == utf8.RuneError {
		return false
	}
	return (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)) &&
		!unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
