package cli

import (
	"fmt"
	"math"
	"strings"

	"github.com/deeds-evals/deeds/results"
)

// absent is shown for a figure that there is not, so that nobody takes it for zero.
const absent = "-"

// figure shows a number in a format of fmt, and never a zero with a minus before it.
func figure(format string, n results.Number) string {
	if !n.Known() {
		return absent
	}
	text := fmt.Sprintf(format, float64(n))
	if strings.Trim(text, "+-0.") == "" {
		text = fmt.Sprintf(format, math.Abs(float64(n)))
	}
	return text
}

// rate shows a share of 1: 0.352.
func rate(n results.Number) string { return figure("%.3f", n) }

// change shows a difference of shares with its sign: +0.052.
func change(n results.Number) string { return figure("%+.3f", n) }

// interval shows both ends: [-0.026, +0.130].
func interval(lo, hi results.Number, end func(results.Number) string) string {
	if !lo.Known() || !hi.Known() {
		return absent
	}
	return "[" + end(lo) + ", " + end(hi) + "]"
}

// chance shows a p-value: three decimals, more for a small one.
func chance(p results.Number) string {
	switch {
	case !p.Known():
		return absent
	case p < 0.0001:
		return "<0.0001"
	case p < 0.01:
		return figure("%.2g", p)
	}
	return figure("%.3f", p)
}

// points shows a share in percentage points: 2.3.
func points(n results.Number) string { return figure("%.1f", 100*n) }

// percent shows a share in percent: 43 %.
func percent(n results.Number) string {
	if !n.Known() {
		return absent
	}
	return figure("%.0f", 100*n) + " %"
}

// number shows a number as short as it is: 2, 0.05.
func number(n results.Number) string { return figure("%.4g", n) }
