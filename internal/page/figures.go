package page

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/deeds-evals/deeds/internal/overview"
	"github.com/deeds-evals/deeds/results"
)

// absent is shown for a figure that there is not, so that nobody takes it for zero.
const absent = "–"

// real is any number of a template as one.
func real(n any) float64 {
	switch n := n.(type) {
	case int:
		return float64(n)
	case results.Number:
		return float64(n)
	}
	return n.(float64)
}

// count is a number with its noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return whole(float64(n)) + " " + many
}

// whole is a number in groups of three.
func whole(n float64) string {
	text := strconv.FormatFloat(n, 'f', 0, 64)
	from := 0
	if strings.HasPrefix(text, "-") {
		from = 1
	}
	for i := len(text) - 3; i > from; i -= 3 {
		text = text[:i] + "\u202f" + text[i:]
	}
	return text
}

func dollars(cost *float64) string {
	switch {
	case cost == nil:
		return absent
	case *cost >= 100:
		return "$" + whole(*cost)
	case *cost >= 1:
		return fmt.Sprintf("$%.2f", *cost)
	}
	return fmt.Sprintf("$%.4f", *cost)
}

func percent(n results.Number) string {
	if !n.Known() {
		return absent
	}
	return fmt.Sprintf("%.0f %%", 100*float64(n))
}

// interval is where a share lies.
func interval(lo, hi results.Number) string {
	if !lo.Known() || !hi.Known() {
		return absent
	}
	return overview.Percents(lo, hi)
}

// points is a change in percentage points, with its sign.
func points(n results.Number) string {
	if !n.Known() {
		return absent
	}
	text := fmt.Sprintf("%+.0f", 100*float64(n))
	switch {
	case text == "+0" || text == "-0":
		return "0"
	case text[0] == '-':
		return "−" + text[1:]
	}
	return text
}

// chance is a p-value: three decimals, more for a small one.
func chance(p results.Number) string {
	switch {
	case !p.Known():
		return absent
	case p < 0.0001:
		return "< 0.0001"
	case p < 0.01:
		return fmt.Sprintf("%.2g", float64(p))
	}
	return fmt.Sprintf("%.3f", float64(p))
}
