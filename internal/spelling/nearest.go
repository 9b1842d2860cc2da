package spelling

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Nearest returns the names that may be meant by what was typed, best first: the one
// whose letters are nearest, or else the few that have what was typed as a word of
// theirs, as filesystem-safety has safety. It is empty where nothing is near, for a
// wrong guess costs more time than none.
func Nearest(typed string, names []string) []string {
	if typed == "" {
		return nil
	}
	folded := strings.ToLower(typed)
	best, least := "", 1+(len([]rune(typed))+1)/3
	for _, name := range names {
		if d := Distance(folded, strings.ToLower(name)); d < least {
			best, least = name, d
		}
	}
	if best != "" {
		return []string{best}
	}
	return having(folded, names)
}

// having returns the names in which what was typed begins a word, unless they are many.
func having(typed string, names []string) []string {
	const (
		shortest = 3
		most     = 3
	)
	if len(typed) < shortest {
		return nil
	}
	var found []string
	for _, name := range names {
		if beginsWord(strings.ToLower(name), typed) && !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	if len(found) > most {
		return nil
	}
	return found
}

// beginsWord reports whether the text stands in the name where a word begins.
func beginsWord(name, text string) bool {
	for at := 0; ; at++ {
		i := strings.Index(name[at:], text)
		if i < 0 {
			return false
		}
		at += i
		before, _ := utf8.DecodeLastRuneInString(name[:at])
		if at == 0 || !unicode.IsLetter(before) && !unicode.IsDigit(before) {
			return true
		}
	}
}
