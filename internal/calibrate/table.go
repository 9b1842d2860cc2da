package main

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// A section is one question that was put to the statistics, and the answers.
type section struct {
	title  string
	says   string // what was counted, and what it must be
	head   []string
	rows   [][]string
	broken []string // the bounds that did not hold, as sentences
}

// add appends a row.
func (s *section) add(cells ...string) { s.rows = append(s.rows, cells) }

// require notes a bound that does not hold.
func (s *section) require(holds bool, format string, args ...any) {
	if !holds {
		s.broken = append(s.broken, fmt.Sprintf(format, args...))
	}
}

// String is the section in Markdown.
func (s section) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n%s\n\n", s.title, s.says)
	widths := make([]int, len(s.head))
	for _, row := range append([][]string{s.head}, s.rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	line := func(cells []string, pad string) {
		for i, cell := range cells {
			fill := strings.Repeat(pad, widths[i]-utf8.RuneCountInString(cell))
			if i > 0 && pad == " " {
				cell = fill + cell // numbers stand to the right
			} else {
				cell += fill
			}
			b.WriteString("| " + cell + " ")
		}
		b.WriteString("|\n")
	}
	rule := make([]string, len(s.head))
	for i := range rule {
		rule[i] = "---"
		widths[i] = max(widths[i], 4)
		if i > 0 {
			rule[i] = strings.Repeat("-", widths[i]-1) + ":"
		}
	}
	line(s.head, " ")
	line(rule, "-")
	for _, row := range s.rows {
		line(row, " ")
	}
	for _, what := range s.broken {
		fmt.Fprintf(&b, "\n**BROKEN: %s.**\n", what)
	}
	return b.String()
}

// A share counts how often something happened.
type share struct{ hits, n int }

func (s *share) count(hit bool) {
	s.n++
	if hit {
		s.hits++
	}
}

func (s share) rate() float64 { return float64(s.hits) / float64(s.n) }

// errorOf is the Monte Carlo error of a share of n whose truth is p.
func errorOf(p float64, n int) float64 { return math.Sqrt(p * (1 - p) / float64(n)) }

// chance is how likely a sound statistic breaks one bound by chance: that of a normal
// variable to lie three deviations out. Of some hundred bounds none should.
const chance = 0.00135

// atMost reports whether the share is no evidence of a truth above p.
func (s share) atMost(p float64) bool { return s.n > 0 && tail(s.n-s.hits, s.n, 1-p) > chance }

// atLeast reports whether the share is no evidence of a truth below p.
func (s share) atLeast(p float64) bool { return s.n > 0 && tail(s.hits, s.n, p) > chance }

// tail is the chance of at most x of n where each has the chance p (binomial, exact).
func tail(x, n int, p float64) float64 {
	if x >= n || p <= 0 {
		return 1
	}
	if p >= 1 {
		return 0
	}
	lgamma := func(v int) float64 { g, _ := math.Lgamma(float64(v)); return g }
	sum := 0.0
	for i := range x + 1 {
		sum += math.Exp(lgamma(n+1) - lgamma(i+1) - lgamma(n-i+1) + float64(i)*math.Log(p) + float64(n-i)*math.Log1p(-p))
	}
	return sum
}

// near reports whether the share is no evidence of a truth other than p.
func (s share) near(p float64) bool { return s.atMost(p) && s.atLeast(p) }

// String is the share in percent with its Monte Carlo error.
func (s share) String() string {
	return fmt.Sprintf("%.1f ± %.1f %%", 100*s.rate(), 100*errorOf(s.rate(), s.n))
}

func percent(p float64) string { return fmt.Sprintf("%.1f %%", 100*p) }
