// Package page is the report of a run as one HTML file: it asks the network for
// nothing, and what an agent wrote is text in it and nothing else.
//
// The tables are HTML that needs no script. The traces lie behind them, each packed in
// an element of its own that no browser looks into, and one is unpacked when somebody
// opens it: a page of two thousand attempts is there as soon as one of ten. The policy
// of the page forbids every request, and every script and style but its own two, which
// it knows by their hashes.
package page

import (
	"bufio"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"

	"github.com/deeds-evals/deeds/internal/inert"
	"github.com/deeds-evals/deeds/internal/overview"
	"github.com/deeds-evals/deeds/results"
)

//go:embed style.css
var css string

//go:embed page.js
var js string

//go:embed page.html
var html string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"inert":    inert.Line,
	"count":    count,
	"took":     func(ms any) string { return overview.Duration(real(ms)) },
	"day":      day,
	"short":    short,
	"whole":    func(n any) string { return whole(real(n)) },
	"dollars":  dollars,
	"interval": interval,
	"percent":  percent,
}).Parse(html))

// most is how many traces are embedded where nobody says.
const most = 2000

// A Config says what the page is about.
type Config struct {
	Info results.RunInfo
	Run  *results.Run
	// Comparisons are drawn with their intervals. Between the models of a run they are
	// made unasked.
	Comparisons []*results.Comparison
	// Most is how many traces are embedded; 0 is 2000. Failures come first.
	Most int
}

// Write writes the page.
func Write(w io.Writer, c Config) error {
	if c.Most == 0 {
		c.Most = most
	}
	units := c.Run.Units()
	m := newMatrix(units)
	m.embed(c.Most)
	index, err := m.index(c)
	if err != nil {
		return err
	}
	o := overview.Of(c.Info, c.Run)
	name := names(o)
	unasked, apart := between(c.Run)
	out := bufio.NewWriterSize(w, 1<<16)
	err = pageTemplate.Execute(out, struct {
		*overview.Overview
		Policy      string
		Style       template.CSS
		Script      template.JS
		Index       template.JS
		Glance      []glance
		Signals     []signalRows
		Comparisons []comparison
		Apart       []string // why models could not be compared
		Spreads     []spread
		Extremes    []extremes
		Voids       []voidReason
		Facts       []fact
		Matrix      *matrix
	}{
		Overview: o, Policy: policy(), Style: template.CSS(css), Script: template.JS(js), Index: template.JS(index),
		Glance: glances(o), Signals: signals(o, name), Comparisons: draw(append(unasked, c.Comparisons...)), Apart: apart, Spreads: spreads(o, units, name),
		Extremes: m.extremes(o, name), Voids: m.voids(), Facts: facts(o, c.Run), Matrix: m,
	})
	if err != nil {
		return err
	}
	if err := m.pack(out, c.Run); err != nil {
		return err
	}
	if _, err := io.WriteString(out, "</body>\n</html>\n"); err != nil {
		return err
	}
	return out.Flush()
}

// policy allows the style sheet and the script of the page by their hashes, and nothing
// else at all.
func policy() string {
	return "default-src 'none'; script-src '" + hash(js) + "'; style-src '" + hash(css) + "'; base-uri 'none'; form-action 'none'"
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
