package page

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/deeds-evals/deeds/internal/inert"
	"github.com/deeds-evals/deeds/internal/overview"
	"github.com/deeds-evals/deeds/results"
)

// mostCells is how many attempts the matrix shows. Of a larger run it leaves out units
// that passed, and says so.
const mostCells = 20000

// A matrix has a row for each unit, whoever played it, and a cell for each model.
type matrix struct {
	Models []string // with the agent where there are several
	Rows   []*row
	// LeftOut are units that passed throughout, and are too many to be shown.
	LeftOut int
	// Embedded are the attempts whose traces the page has, of those Kept: of the others
	// that were Played there is no evidence.
	Embedded, Kept, Played int
	Unplanned              int // attempts that no plan has

	slots    []*slot // in the order of the page
	signals  []string
	at       map[results.Slot]*slot
	siblings map[results.Unit][]results.SlotResult
}

// A row is a case in one world and variant.
type row struct {
	Case, World, Variant string
	Claim                string
	Cells                []cell
	Split                bool
	Fails                []string // signals that some attempt failed

	plan    int // its place in the plan
	signals []string
	passed  float64 // share of its slots
	worst   float64 // the least is the worst
}

// A cell is a unit: the attempts of one model.
type cell struct {
	Planned bool
	Slots   []*slot
	Passed  int
	Split   bool
}

// A slot is one planned attempt.
type slot struct {
	results.SlotResult
	I     int    // its place on the page
	Link  string // the fragment that opens it
	Class string
	split bool
	row   *row
	holds held
	named string // its model, with the agent where there are several
}

// held is what the page holds of an attempt behind its square.
type held int

const (
	nothing    held = iota
	record          // what it was judged by, and how it ended
	everything      // its trace too
)

// Words says what became of it.
func (s *slot) Words() string {
	words := fmt.Sprintf("attempt %d: %s", s.Attempt, s.Outcome)
	if s.Decided != nil && s.Decided.Reason != "" {
		words += ", " + inert.Line(s.Decided.Reason)
	}
	return words + s.Notes()
}

// Notes says what sets it apart from others, whatever became of it.
func (s *slot) Notes() string {
	words := ""
	if s.Unplanned {
		words += "; in no plan"
	}
	if s.Rerolls > 0 {
		words += "; " + count(s.Rerolls, "reroll", "rerolls") + ", not counted"
	}
	return words
}

// Name says which attempt it is.
func (s *slot) Name() string {
	name := s.Case
	for _, part := range []string{s.World, s.Variant} {
		if part != "" {
			name += "/" + part
		}
	}
	return inert.Line(fmt.Sprintf("%s, attempt %d", name, s.Attempt))
}

// Named is its model, with the agent where there are several.
func (s *slot) Named() string { return s.named }

// Lost are the attempts of which no evidence was kept.
func (m *matrix) Lost() int { return m.Played - m.Kept }

func newMatrix(units []results.UnitResult) *matrix {
	m := &matrix{at: make(map[results.Slot]*slot), siblings: make(map[results.Unit][]results.SlotResult)}
	type arm struct{ model, agent string }
	var arms []arm
	agents := make(map[string]bool)
	for _, u := range units {
		agents[u.Agent] = true
		if a := (arm{u.Model, u.Agent}); !slices.Contains(arms, a) {
			arms = append(arms, a)
		}
	}
	several := len(agents) > 1
	for _, a := range arms {
		name := a.model
		if several {
			name += " in " + a.agent
		}
		m.Models = append(m.Models, name)
	}
	type key struct{ id, world, variant string }
	rows := make(map[key]*row)
	for _, u := range units {
		k := key{u.Case, u.World, u.Variant}
		r := rows[k]
		if r == nil {
			r = &row{Case: u.Case, World: u.World, Variant: u.Variant, Cells: make([]cell, len(arms)), plan: len(m.Rows)}
			rows[k] = r
			m.Rows = append(m.Rows, r)
		}
		m.siblings[u.Unit] = u.Slots
		n := slices.Index(arms, arm{u.Model, u.Agent})
		r.Cells[n] = m.cell(r, u, several, m.Models[n])
	}
	for _, r := range m.Rows {
		r.sum()
	}
	m.order()
	return m
}

func (m *matrix) cell(r *row, u results.UnitResult, agents bool, named string) cell {
	c := cell{Planned: true, Passed: u.Passed, Split: u.Split()}
	for _, s := range u.Slots {
		c.Slots = append(c.Slots, &slot{SlotResult: s, Link: link(s.Slot, agents), Class: class(s.Outcome), split: c.Split, row: r, named: named})
	}
	for name := range u.Signals {
		if !slices.Contains(r.signals, name) {
			r.signals = append(r.signals, name)
		}
		if !slices.Contains(m.signals, name) {
			m.signals = append(m.signals, name)
		}
	}
	return c
}

// class is an outcome as a name in the style sheet.
func class(outcome string) string {
	switch outcome {
	case results.Pass, results.Fail, results.Void:
		return outcome
	case results.NA:
		return "na"
	}
	return "notrun"
}

func (r *row) sum() {
	slices.Sort(r.signals)
	passed, all := 0, 0
	for _, c := range r.Cells {
		r.Split = r.Split || c.Split
		passed += c.Passed
		all += len(c.Slots)
	}
	for _, name := range r.signals {
		if slices.ContainsFunc(r.Cells, func(c cell) bool {
			return slices.ContainsFunc(c.Slots, func(s *slot) bool { return s.letter(name) == "f" })
		}) {
			r.Fails = append(r.Fails, name)
		}
	}
	r.passed = float64(passed) / float64(max(all, 1))
	// What failed comes first, the less of it passed the sooner; then what is void, and
	// what was not run.
	switch has := r.has(); {
	case has["fail"]:
		r.worst = r.passed
	case has["void"]:
		r.worst = 2
	case has["notrun"]:
		r.worst = 3
	default:
		r.worst = 4
	}
}

// has says which outcomes there are among its attempts.
func (r *row) has() map[string]bool {
	has := make(map[string]bool)
	for _, c := range r.Cells {
		for _, s := range c.Slots {
			has[s.Class] = true
		}
	}
	return has
}

// order puts the worst first, leaves out what is too much, and numbers the rest.
func (m *matrix) order() {
	slices.Sort(m.signals)
	slices.SortStableFunc(m.Rows, func(a, b *row) int { return cmp.Compare(a.worst, b.worst) })
	for i, r := range m.Rows {
		if len(m.slots) > mostCells && r.passed == 1 {
			m.LeftOut = len(m.Rows) - i
			m.Rows = m.Rows[:i]
			break
		}
		for _, c := range r.Cells {
			for _, s := range c.Slots {
				s.I = len(m.slots)
				m.slots = append(m.slots, s)
				m.at[s.Slot] = s
				if s.Decided != nil {
					m.Played++
				}
				if s.Unplanned {
					m.Unplanned++
				}
			}
		}
	}
}

// embed chooses the attempts whose traces the page has: failures first, then what is
// void, then the passes of units that also failed. Where it has no trace of one it has
// what is on record, which is short: of whatever did not pass, and of passes without
// evidence, as many again.
func (m *matrix) embed(most int) {
	var all []*slot
	for _, s := range m.slots {
		if s.Decided != nil {
			all = append(all, s)
		}
	}
	rank := func(s *slot) int {
		switch {
		case s.Outcome == results.Fail:
			return 0
		case s.Outcome == results.Void:
			return 1
		case s.split:
			return 2
		}
		return 3
	}
	slices.SortStableFunc(all, func(a, b *slot) int { return cmp.Compare(rank(a), rank(b)) })
	records := 0
	for _, s := range all {
		kept := s.Decided.Evidence != ""
		if kept {
			m.Kept++
		}
		switch {
		case kept && m.Embedded < most:
			s.holds = everything
			m.Embedded++
		case s.Outcome != results.Pass || !kept && records < most:
			s.holds = record
			records++
		}
	}
}

// Signals are the signals of the matrix.
func (m *matrix) Signals() []string { return m.signals }

// Outcomes counts the rows by what one may look for.
func (m *matrix) Outcomes() map[string]int {
	n := make(map[string]int)
	for _, r := range m.Rows {
		has := r.has()
		if len(has) > 1 {
			delete(has, "pass") // a unit passed if all of it did
		}
		if r.Split {
			has["split"] = true
		}
		for name := range has {
			n[name]++
		}
	}
	return n
}

// What the script knows of the matrix, besides what stands in the page: the attempts in
// its order.
type (
	indexed struct {
		Run      string        `json:"run"`
		Models   []string      `json:"models"` // for commands
		Signals  []string      `json:"signals"`
		Units    []indexedUnit `json:"units"`
		Attempts []indexedSlot `json:"attempts"`
	}
	indexedUnit struct {
		Case    string `json:"c"`
		World   string `json:"w,omitempty"`
		Variant string `json:"v,omitempty"`
		Claim   string `json:"d,omitempty"`
		Signals []int  `json:"s"`
		Plan    int    `json:"p"`
	}
	indexedSlot struct {
		Unit    int     `json:"u"`
		Model   string  `json:"m"`
		Named   string  `json:"a,omitempty"` // with its agent, where that is needed
		Attempt int     `json:"n"`
		Outcome string  `json:"o"`
		Signals string  `json:"g,omitempty"` // a letter for each of the unit's
		Time    float64 `json:"t,omitempty"`
		Tokens  int     `json:"k,omitempty"`
		Held    bool    `json:"e,omitempty"` // there is something to unpack
		Notes   string  `json:"x,omitempty"`
	}
)

func (m *matrix) index(c Config) ([]byte, error) {
	x := indexed{Run: c.Run.ID, Models: c.Run.Models(), Signals: m.signals, Units: []indexedUnit{}, Attempts: []indexedSlot{}}
	for n, r := range m.Rows {
		r.Claim = c.Run.Claim(r.Case)
		u := indexedUnit{Case: r.Case, World: r.World, Variant: r.Variant, Claim: inert.Text(r.Claim), Plan: r.plan}
		for _, name := range r.signals {
			at, _ := slices.BinarySearch(m.signals, name)
			u.Signals = append(u.Signals, at)
		}
		x.Units = append(x.Units, u)
		for _, c := range r.Cells {
			for _, s := range c.Slots {
				x.Attempts = append(x.Attempts, s.indexed(n))
			}
		}
	}
	return json.Marshal(x) // which escapes <, > and &
}

func (s *slot) indexed(unit int) indexedSlot {
	x := indexedSlot{Unit: unit, Model: s.Model, Attempt: s.Attempt, Outcome: s.Class, Held: s.holds != nothing, Notes: s.Notes()}
	if s.named != s.Model {
		x.Named = inert.Line(s.named)
	}
	if s.Decided != nil {
		x.Time = s.Decided.DurationMS
		x.Tokens = s.Decided.Usage.Prompt + s.Decided.Usage.Completion
	}
	for _, name := range s.row.signals {
		x.Signals += s.letter(name)
	}
	return x
}

// letter is the outcome for one signal, by the rule of the record: a play that failed
// without a word on the signal failed it too, one that passed without one had nothing
// to judge.
func (s *slot) letter(signal string) string {
	if s.Outcome != results.Pass && s.Outcome != results.Fail {
		return class(s.Outcome)[:1]
	}
	switch s.Decided.Signals[signal] {
	case results.Pass:
		return "p"
	case results.Fail:
		return "f"
	case results.NA:
		return "-"
	}
	if s.Outcome == results.Fail {
		return "f"
	}
	return "-"
}

// A voidReason is why attempts are void.
type voidReason struct {
	Reason string
	Counts []int // by model
	Slots  []*slot
	More   int
}

// voids are the void attempts by reason, the most frequent first.
func (m *matrix) voids() []voidReason {
	const few = 8
	at := make(map[string]*voidReason)
	var all []*voidReason
	for _, r := range m.Rows {
		for i, c := range r.Cells {
			for _, s := range c.Slots {
				if s.Outcome != results.Void && s.Outcome != results.NotRun {
					continue
				}
				reason := "not run"
				if s.Decided != nil {
					reason = cmp.Or(s.Decided.Reason, s.Decided.End, "no reason on record")
				}
				v := at[reason]
				if v == nil {
					v = &voidReason{Reason: reason, Counts: make([]int, len(m.Models))}
					at[reason] = v
					all = append(all, v)
				}
				v.Counts[i]++
				if len(v.Slots) == few {
					v.More++
					continue
				}
				v.Slots = append(v.Slots, s)
			}
		}
	}
	sorted := make([]voidReason, 0, len(all))
	for _, v := range all {
		sorted = append(sorted, *v)
	}
	slices.SortStableFunc(sorted, func(a, b voidReason) int {
		return cmp.Compare(len(b.Slots)+b.More, len(a.Slots)+a.More)
	})
	return sorted
}

// extremes are the attempts of a model that took the most.
type extremes struct {
	Model            string
	Slowest, Dearest []extreme
}

type extreme struct {
	overview.Attempt
	Name, Link string
}

func (m *matrix) extremes(o *overview.Overview, name namer) []extremes {
	find := func(all []overview.Attempt) (found []extreme) {
		for _, a := range all {
			e := extreme{Attempt: a, Name: a.Name()}
			if s := m.at[a.Slot]; s != nil {
				e.Name, e.Link = s.Name(), s.Link
			}
			found = append(found, e)
		}
		return found
	}
	var all []extremes
	for _, a := range o.Arms {
		all = append(all, extremes{name(a.Model, a.Agent), find(a.Slowest), find(a.Dearest)})
	}
	return all
}
