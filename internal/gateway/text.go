package gateway

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// longestMessage is the length in bytes at which a message is clipped to be shown.
	longestMessage = 400
	// longestRaw is that of a message in which there may be a secret still: half of one
	// would not be found, and told.
	longestRaw = 64 << 10
)

// oneLine makes text from elsewhere fit for one line of a report.
func oneLine(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
	return clip(strings.Join(strings.Fields(s), " "), longestRaw)
}

// clip cuts s to at most n bytes, between runes, and shows that it did.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
