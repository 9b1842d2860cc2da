package viewer

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/deeds-evals/deeds/internal/inert"
)

const (
	// pieceBytes is what a line without an end is taken apart into.
	pieceBytes = 4 << 10
	// marks is how many combining marks a character may carry on the screen. Thousands of
	// them would all go into one cell.
	marks = 4
)

// A text is split into lines when the first of them is asked for, and a line is made
// inert when it is.
type text struct {
	s      string
	starts []uint32 // of the lines and pieces, once they are known
}

func newText(s string) *text { return &text{s: strings.TrimRight(s, "\n")} }

// count is the number of lines, of which there is at least one.
func (t *text) count() int {
	if t.starts == nil {
		t.split()
	}
	return len(t.starts)
}

func (t *text) split() {
	t.starts = []uint32{0}
	for at := 0; at < len(t.s); {
		rest := t.s[at:]
		switch n := strings.IndexByte(rest[:min(len(rest), pieceBytes+1)], '\n'); {
		case n >= 0:
			at += n + 1
		case len(rest) <= pieceBytes:
			return
		default:
			cut := pieceBytes
			for cut > pieceBytes-utf8.UTFMax && !utf8.RuneStart(rest[cut]) {
				cut--
			}
			at += cut
		}
		t.starts = append(t.starts, uint32(at))
	}
}

// line returns a line as it is shown. It goes on where the one before it was too long.
func (t *text) line(i int) (line string, goesOn bool) {
	return clean(t.raw(i)), t.goesOn(i)
}

func (t *text) raw(i int) string {
	end := len(t.s)
	if i+1 < t.count() {
		end = int(t.starts[i+1])
	}
	return strings.TrimSuffix(t.s[t.starts[i]:end], "\n")
}

func (t *text) goesOn(i int) bool { return i > 0 && t.s[t.starts[i]-1] != '\n' }

// safe is a line without saying whether it goes on.
func (t *text) safe(i int) string {
	line, _ := t.line(i)
	return line
}

// spliced is a line with what follows of it, where it was taken apart.
func (t *text) spliced(i, more int) string {
	line := t.safe(i)
	if i+1 < t.count() && t.goesOn(i+1) {
		rest := t.safe(i + 1)
		line += rest[:min(more-1, len(rest))]
	}
	return line
}

// rawSpliced is spliced before anything in it was made safe.
func (t *text) rawSpliced(i, more int) string {
	line := t.raw(i)
	if i+1 >= t.count() || !t.goesOn(i+1) {
		return line
	}
	from := int(t.starts[i])
	return t.s[from:min(from+len(line)+more, len(t.s))]
}

// size says how long the text is: "12 lines", or "4 KB" where that says more.
func (t *text) size() string {
	lines := 1 + strings.Count(t.s, "\n")
	words := fmt.Sprintf("%d lines", lines)
	if lines == 1 {
		words = "1 line"
	}
	switch n := len(t.s); {
	case n >= 1e6:
		words += fmt.Sprintf(", %.1f MB", float64(n)/1e6)
	case n >= 1e4:
		words += fmt.Sprintf(", %d kB", n/1000)
	}
	return words
}

// clean makes text one line that is safe to show.
func clean(s string) string {
	if isPlain(s) {
		return s
	}
	s = inert.Line(strings.ReplaceAll(s, "\t", "    "))
	if isASCII(s) {
		return s
	}
	var b strings.Builder
	run := 0
	for _, r := range s {
		if !unicode.Is(unicode.M, r) {
			run = 0
		} else if run++; run > marks {
			fmt.Fprintf(&b, `\u%04x`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// isPlain reports whether there is nothing to make safe.
func isPlain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}
