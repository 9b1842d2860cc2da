package progress

import (
	"strings"

	"github.com/deeds-evals/deeds/internal/inert"
)

// The colours, sparingly: what went wrong, what waits, and what a reader may skip.
const (
	plain  = ""
	red    = "31"
	green  = "32"
	yellow = "33"
	dim    = "2"
)

// A row is one line of the block. It takes text as far as there is room, for a
// terminal that wraps a line has more of them than anybody counted.
type row struct {
	b      strings.Builder
	left   int // columns
	gap    int // columns that stay empty, if anything follows
	colour bool
}

// put adds text, and cuts it where the row ends. Whatever the text is, it is inert.
func (r *row) put(style, text string) {
	text = safe(text)
	if text == "" {
		return
	}
	var fits strings.Builder
	left := r.left - r.gap
	cut := false
	for _, c := range text {
		w := columns(c)
		if left < w {
			cut = true
			break
		}
		fits.WriteRune(c)
		left -= w
	}
	if fits.Len() > 0 {
		r.b.WriteString(strings.Repeat(" ", r.gap))
		r.gap = 0
		styled(&r.b, style, fits.String(), r.colour)
	}
	r.left = left
	if cut {
		r.left = 0
	}
}

// space leaves columns empty.
func (r *row) space(n int) { r.gap += n }

// room reports whether a text still fits as a whole, after a gap.
func (r *row) room(gap int, text string) bool { return r.left-r.gap-gap >= wide(text) }

func (r *row) String() string { return strings.TrimRight(r.b.String(), " ") }

func styled(b *strings.Builder, style, text string, colour bool) {
	if style == plain || !colour {
		b.WriteString(text)
		return
	}
	b.WriteString("\x1b[" + style + "m" + text + "\x1b[0m")
}

// safe is the text as it may go to a terminal. Nearly all of it may as it is.
func safe(text string) string {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return inert.Line(text)
		}
	}
	return text
}

// wide is how many columns a text takes once it is inert.
func wide(text string) int {
	n := 0
	for _, c := range safe(text) {
		n += columns(c)
	}
	return n
}

// drawn is how wide a text is where the mark of what was cut takes one column, as it does
// on nearly every terminal: what is put below one another goes by that, what fits by
// wide.
func drawn(text string) int { return wide(text) - strings.Count(text, "…")*(columns('…')-1) }

// tail is the end of a text, in at most n columns: what cases differ in comes last.
func tail(text string, n int) string {
	if wide(text) <= n {
		return text
	}
	runes := []rune(safe(text))
	left := n - columns('…')
	i := len(runes)
	for i > 0 && left >= columns(runes[i-1]) {
		i--
		left -= columns(runes[i])
	}
	if n < columns('…') {
		return ""
	}
	return "…" + string(runes[i:])
}

// columns is how wide a rune can be drawn. Two is right for East Asian text and
// for most pictures, and safe for the rest.
func columns(r rune) int {
	if r >= 0x1100 {
		return 2
	}
	return 1
}
