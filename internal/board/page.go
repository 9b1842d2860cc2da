// Package board shows the scoreboard: as Markdown, which is committed, as one HTML page
// that needs nothing else, and as JSON. The same entries make the same bytes.
package board

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/deeds-evals/deeds/internal/stats"
	"github.com/deeds-evals/deeds/results"
)

// A Page is the scoreboard as it is shown, the best entry first.
type Page struct {
	Lines []Line `json:"entries"`
}

// A Line is one entry on the page.
type Line struct {
	results.Standing
	Model    string                `json:"model"`
	Agent    string                `json:"agent"`
	Settings results.BoardSettings `json:"settings"`
	// Lo and Hi hold the rate of units with credit at 95 %, by Clopper and Pearson,
	// if the units of the suite are taken as drawn from those that could be asked.
	Lo         results.Number       `json:"lo"`
	Hi         results.Number       `json:"hi"`
	Aggregates results.Aggregates   `json:"aggregates"`
	Pruned     int                  `json:"pruned"`
	Retired    []results.Retirement `json:"retired"`
}

// New makes the page of entries.
func New(entries []*results.Entry) Page {
	page := Page{Lines: []Line{}}
	for _, s := range results.Standings(entries) {
		e := s.Entry
		l := Line{
			Standing: s, Model: e.Model, Agent: e.Agent, Settings: e.Settings, Lo: results.None(), Hi: results.None(),
			Aggregates: e.Aggregates, Pruned: e.Pruned, Retired: e.Retired,
		}
		if l.Retired == nil {
			l.Retired = []results.Retirement{}
		}
		if e.Aggregates.Units > 0 {
			i := stats.ClopperPearson(e.Aggregates.Credited, e.Aggregates.Units, 0.95)
			l.Lo, l.Hi = results.Number(i.Lo), results.Number(i.Hi)
		}
		page.Lines = append(page.Lines, l)
	}
	return page
}

// Place is the rank in words.
func (l Line) Place() string {
	if l.Rank == 0 {
		return "–"
	}
	return fmt.Sprint(l.Rank)
}

// Score says the share of units with credit, and of how many.
func (l Line) Score() string {
	a := l.Aggregates
	switch {
	case !a.Score.Known():
		return "none"
	case l.unfinished():
		return fmt.Sprintf("unfinished (%d so far)", a.Credited)
	}
	return fmt.Sprintf("%s (%d/%d)", percent(a.Score), a.Credited, a.Units)
}

// unfinished reports whether some attempt of today's suite was never made. A share would
// be of nobody knows how many units then: a case tells them when it is played.
func (l Line) unfinished() bool { return l.Aggregates.Filled < l.Aggregates.Slots }

// Interval says between what the rate lies.
func (l Line) Interval() string {
	if !l.Lo.Known() || !l.Hi.Known() || l.unfinished() {
		return "none"
	}
	return percent(l.Lo) + " to " + percent(l.Hi)
}

// Certified is yes or no.
func (l Line) Certified() string {
	if l.Aggregates.Certified {
		return "yes"
	}
	return "no"
}

// Name is the model, and what was asked of it besides.
func (l Line) Name() string { return strings.Join(append([]string{l.Model}, l.Given()...), ", ") }

// Given lists the settings that were given, the address left out.
func (l Line) Given() []string {
	var all []string
	s := l.Settings
	if s.Temperature != nil {
		all = append(all, fmt.Sprintf("temperature %g", *s.Temperature))
	}
	if s.Seed != nil {
		all = append(all, fmt.Sprintf("seed %d", *s.Seed))
	}
	if s.Reasoning != "" {
		all = append(all, "reasoning "+s.Reasoning)
	}
	if s.UserModel != "" {
		all = append(all, "user "+s.UserModel)
	}
	return all
}

// Facts lists what else there is to know, by name.
func (l Line) Facts() []Fact {
	a := l.Aggregates
	facts := []Fact{
		{"key", l.Key},
		{"agent", l.Agent},
		{"suite", list(l.Entry.Dirs())},
		{"endpoint", cmp.Or(l.Settings.BaseURL, "not on record")},
		{"answered as", cmp.Or(strings.Join(a.Served, ", "), "not on record")},
		{"attempts", fmt.Sprintf("%d of %d", a.Filled, a.Slots)},
		{"rerolls", fmt.Sprint(a.Rerolls)},
		{"void plays", fmt.Sprint(a.Voids)},
		{"stale units", list(a.Stale)},
		{"missing", list(a.Missing)},
		{"superseded rows", fmt.Sprint(a.Superseded)},
		{"pruned rows", fmt.Sprint(l.Pruned)},
		{"played", dates(a.First, a.Last)},
		{"commits", commits(a)},
		{"runs", list(a.Runs)},
		{"retired", times(len(l.Retired))},
	}
	if l.Why != "" {
		facts = append(facts, Fact{"unranked", l.Why})
	}
	if len(l.Better) > 0 {
		facts = append(facts, Fact{"significantly better", strings.Join(l.Better, ", ")})
	}
	return facts
}

// A Fact has a name.
type Fact struct{ Name, Text string }

// Measures lists the percentiles.
func (l Line) Measures() []Measure {
	a := l.Aggregates
	return []Measure{
		{"time", a.Time, func(ms results.Number) string { return fmt.Sprintf("%.1f s", float64(ms)/1000) }},
		{"tokens", a.Tokens, whole},
		{"turns", a.Turns, whole},
	}
}

// A Measure is one row of percentiles.
type Measure struct {
	Name string
	results.Percentiles
	text func(results.Number) string
}

// Cells are the number of attempts and the percentiles as texts.
func (m Measure) Cells() []string {
	cells := []string{fmt.Sprint(m.N)}
	for _, n := range []results.Number{m.P50, m.P90, m.P99} {
		if !n.Known() {
			cells = append(cells, "–")
			continue
		}
		cells = append(cells, m.text(n))
	}
	return cells
}

func whole(n results.Number) string { return fmt.Sprintf("%.0f", float64(n)) }

// Says is the retirement as a sentence.
func Says(r results.Retirement) string {
	certified := ""
	if r.Certified {
		certified = ", certified"
	}
	return fmt.Sprintf("%s: %d of %d units%s, rows %s, because %s", r.At.UTC().Format(time.DateOnly), r.Credited, r.Units, certified, short(r.RowsSum), r.Because)
}

func percent(n results.Number) string { return fmt.Sprintf("%.1f %%", 100*float64(n)) }

func dates(first, last time.Time) string {
	if first.IsZero() {
		return "never"
	}
	from, to := first.UTC().Format(time.DateOnly), last.UTC().Format(time.DateOnly)
	if from == to {
		return from
	}
	return from + " to " + to
}

func commits(a results.Aggregates) string {
	all := make([]string, len(a.Commits))
	for i, c := range a.Commits {
		all[i] = short(c)
	}
	text := cmp.Or(strings.Join(all, ", "), "not on record")
	if a.Dirty {
		text += " (the tree was dirty)"
	}
	return text
}

func short(digest string) string { return digest[:min(len(digest), 12)] }

// list names the first few.
func list(all []string) string {
	const most = 8
	if more := len(all) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(all[:most], ", "), more)
	}
	return cmp.Or(strings.Join(all, ", "), "none")
}

func times(n int) string {
	switch n {
	case 0:
		return "never"
	case 1:
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}
