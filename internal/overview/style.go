package overview

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/deeds-evals/deeds/internal/inert"
	"github.com/deeds-evals/deeds/results"
)

// A Style says how an overview is shown as text. The zero value is for a log.
type Style struct {
	Colour bool
	// Width is that of the terminal. Lists are cut to it, tables are not; 0 cuts nothing.
	Width int
	// Command is what is typed in place of deeds: "go run .".
	Command string
	// Dir is the folder of the run as it is to be shown, "" as it is.
	Dir string
	// Most is how many units a list shows; 0 is 5, a negative number is all.
	Most int
}

const (
	bold   = "1"
	faint  = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
)

// paint shows text in a colour.
func (s Style) paint(colour, text string) string {
	if !s.Colour || colour == "" || text == "" {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

// command is a command as it is typed here.
func (s Style) command(line string) string {
	if rest, ok := strings.CutPrefix(line, "deeds "); ok && s.Command != "" {
		return s.Command + " " + rest
	}
	return line
}

// most is how many of n units a list shows. It never hides a single one.
func (s Style) most(n int) int {
	most := s.Most
	if most == 0 {
		most = 5
	}
	if most < 0 || n <= most+1 {
		return n
	}
	return most
}

// fit cuts text to what is left of the width.
func (s Style) fit(text string, used int) string {
	left := s.Width - used
	if s.Width <= 0 || utf8.RuneCountInString(text) <= left {
		return text
	}
	if left < 2 {
		return ""
	}
	return string([]rune(text)[:left-1]) + "…"
}

// A cell is a text with a colour.
type cell struct{ text, colour string }

// columns writes rows in columns, two spaces apart, each behind the indent. Colours
// take no room, and what an agent wrote no more than a line.
func (s Style) columns(b *strings.Builder, indent string, rows [][]cell) {
	var widths []int
	for _, row := range rows {
		for i := range row {
			row[i].text = inert.Line(row[i].text)
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i].text))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		line.WriteString(indent)
		gap := 0
		for i, c := range row {
			if c.text != "" {
				line.WriteString(strings.Repeat(" ", gap) + s.paint(c.colour, c.text))
				gap = 0
			}
			gap += widths[i] - utf8.RuneCountInString(c.text) + 2
		}
		b.WriteString(line.String() + "\n")
	}
}

// dash shows a zero as something that the eye skips.
func dash(n int) string {
	if n == 0 {
		return "-"
	}
	return grouped(n)
}

// Percents shows an interval of shares in percent, rounded outwards so that it still
// holds what it held: 37–100 %. Within one percent of certainty there is a decimal.
func Percents(lo, hi results.Number) string {
	if !lo.Known() || !hi.Known() {
		return "-"
	}
	const crumb = 1e-9 // so that 0.29 is no 28 for want of a bit
	from, to := 100*float64(lo)+crumb, 100*float64(hi)-crumb
	low, high := math.Floor(from), max(0, math.Ceil(to))
	if from > 99 && lo < 1 {
		low = min(math.Floor(10*from)/10, 99.9)
	}
	if to < 1 && hi > 0 {
		high = max(math.Ceil(10*to)/10, 0.1)
	}
	digits := func(p float64) string { return strconv.FormatFloat(p, 'f', -1, 64) }
	return digits(low) + "–" + digits(high) + " %"
}

// count spells a number of things: "1 attempt", "1,200 attempts".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return grouped(n) + " " + noun + "s"
}

// grouped writes n with a comma between groups of three digits.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// dollars shows what something cost, with the digits that matter.
func dollars(usd float64) string {
	if usd != 0 && math.Abs(usd) < 0.01 {
		return fmt.Sprintf("$%.4f", usd)
	}
	return fmt.Sprintf("$%.2f", usd)
}
