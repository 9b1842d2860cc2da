// Package inert makes text that an agent, a model or a file has a hand in safe to show.
package inert

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text makes text safe to print: whatever could move the cursor, colour the
// terminal, set its title or turn the direction of reading is shown as an escape,
// as are bytes that are no UTF-8. Newlines and tabs stay.
func Text(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\n' || r == '\t' || unicode.IsGraphic(r) && !separator(r):
			b.WriteRune(r)
		case r == '\r':
			b.WriteString(`\r`)
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
		i += size
	}
	return b.String()
}

// separator reports whether the rune breaks lines without being a newline.
func separator(r rune) bool { return r == '\u2028' || r == '\u2029' || r == '\u0085' }

func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= 0x7f || c < ' ' && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

var breaks = strings.NewReplacer("\n", `\n`, "\t", `\t`)

// Line is inert text on one line.
func Line(s string) string { return breaks.Replace(Text(s)) }
