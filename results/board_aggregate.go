package results

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Aggregates are what an entry comes to. All of them are computed from its suite and
// its rows: nothing here is known otherwise.
type Aggregates struct {
	// Units are those of today's suite, Credited those of them that passed in all
	// three attempts. A case whose units nobody knows yet counts as one.
	Units    int    `json:"units"`
	Credited int    `json:"credited"`
	Score    Number `json:"score"`

	Packages []Ratio `json:"packages"` // core, chain
	Signals  []Ratio `json:"signals"`

	// Slots are the attempts that Units need, Filled those that passed or failed.
	Slots  int `json:"slots"`
	Filled int `json:"filled"`

	Stale      []string `json:"stale"`      // units that were only played by another case or grader
	Missing    []string `json:"missing"`    // units that were never played, and cases that were never planned whole
	Superseded int      `json:"superseded"` // rows of earlier versions, beside a current one
	Rerolls    int      `json:"rerolls"`    // plays after a pass or fail
	Voids      int      `json:"voids"`      // plays that proved nothing

	// Time in milliseconds, tokens and turns of the attempts that count.
	Time   Percentiles `json:"time_ms"`
	Tokens Percentiles `json:"tokens"`
	Turns  Percentiles `json:"turns"`

	Served  []string  `json:"served"`  // what the endpoint called itself
	Commits []string  `json:"commits"` // that the plays were made at
	Dirty   bool      `json:"dirty"`   // the source was changed since the commit, at one play at least
	First   time.Time `json:"first,omitzero"`
	Last    time.Time `json:"last,omitzero"`
	Runs    []string  `json:"runs"`

	Certified bool     `json:"certified"`
	Why       []string `json:"why_not"` // it is not certified, every reason
	// RowsSum is the SHA-256 of the rows as JSON, so that a row that was edited by
	// hand is found where its run is not at hand.
	RowsSum string `json:"rows_sha256"`
}

// A Ratio counts units that earned credit for something.
type Ratio struct {
	Name     string `json:"name"`
	Credited int    `json:"credited"`
	Units    int    `json:"units"`
}

// Percentiles of N figures. None of N = 0 is known.
type Percentiles struct {
	N   int    `json:"n"`
	P50 Number `json:"p50"`
	P90 Number `json:"p90"`
	P99 Number `json:"p99"`
}

// PercentilesOf takes them by nearest rank: the p-th percentile of n figures is the
// ⌈p·n/100⌉-th smallest, which is the smallest figure that at least p percent of them
// do not exceed. It is always one of the figures, and with n below 100 the 99th is the
// largest. It is definition 1 of Hyndman and Fan, "Sample quantiles in statistical
// packages", The American Statistician 50 (1996), 361–365.
func PercentilesOf(figures []float64) Percentiles {
	figures = slices.Clone(figures)
	slices.Sort(figures)
	at := func(p int) Number {
		if len(figures) == 0 {
			return None()
		}
		return Number(figures[(p*len(figures)+99)/100-1])
	}
	return Percentiles{len(figures), at(50), at(90), at(99)}
}

// Aggregate computes what an entry comes to under the suites of today. Without any it
// takes the suite that the entry has. It is a pure function, and the one that both
// publishes and verifies.
func Aggregate(e *Entry, today ...Suite) Aggregates {
	e = e.against(anyCase, today...)
	t := boardTally{e: e, packages: make(map[string]*Ratio), signals: make(map[string]*Ratio), served: make(map[string]bool), commits: make(map[string]bool), runs: make(map[string]bool)}
	for _, c := range e.Suite {
		t.addCase(c)
	}
	return t.done()
}

// A boardTally is an aggregate in the making.
type boardTally struct {
	e   *Entry
	sum Aggregates

	packages, signals     map[string]*Ratio
	served, commits, runs map[string]bool
	time, tokens, turns   []float64

	loose    map[string]bool // levels of containment that are not strict
	void     []string        // attempts that are void
	unfilled []string        // units with a row that lacks an attempt
	unknown  []string        // cases whose units nobody knows
	clock    []string        // units whose plays have times that cannot be
}

func (t *boardTally) addCase(c BoardCase) {
	if c.Planned != c.Digest || len(c.Units) == 0 {
		t.unknown = append(t.unknown, c.Case)
	}
	units := t.e.units(c)
	if len(units) == 0 {
		units = []BoardUnit{{}}
	}
	for _, u := range units {
		t.addUnit(c, u)
	}
}

func (t *boardTally) addUnit(c BoardCase, u BoardUnit) {
	unit := boardUnit{c.Case, u.World, u.Variant}
	pkg := ratio(t.packages, packageOf(c.Case))
	t.sum.Units++
	t.sum.Slots += BoardAttempts
	pkg.Units++
	row, stale, others := t.e.current(unit, c.Digest)
	if row == nil || stale {
		if row == nil {
			t.sum.Missing = append(t.sum.Missing, unit.String())
		} else {
			t.sum.Stale = append(t.sum.Stale, unit.String())
		}
		for _, s := range u.Signals {
			ratio(t.signals, s).Units++
		}
		return
	}
	t.sum.Superseded += others
	result := row.result()
	if result.Outcome() == Pass {
		t.sum.Credited++
		pkg.Credited++
	}
	t.addSignals(result)
	for _, s := range result.Slots {
		t.sum.Rerolls += s.Rerolls
		t.sum.Voids += s.Voids
		switch s.Outcome {
		case Pass, Fail:
			t.sum.Filled++
		case Void:
			t.void = append(t.void, fmt.Sprintf("%s, attempt %d", unit, s.Attempt))
		}
	}
	if result.NotRun > 0 {
		t.unfilled = append(t.unfilled, unit.String())
	}
	for _, p := range row.counted() {
		t.measure(p)
	}
	t.provenance(unit, row)
}

// addSignals counts the unit for each of its signals. One that no attempt has a word
// on, though some passed, belongs to another world of the case.
func (t *boardTally) addSignals(u UnitResult) {
	for name, s := range u.Signals {
		said := slices.ContainsFunc(u.Slots, func(s SlotResult) bool { return s.Decided != nil && s.Decided.Signals[name] != "" })
		if !said && u.Tally.Passed > 0 {
			continue
		}
		r := ratio(t.signals, name)
		r.Units++
		if s.Outcome() == Pass {
			r.Credited++
		}
	}
}

// measure notes the figures of a play that counts.
func (t *boardTally) measure(p *BoardPlay) {
	t.time = append(t.time, p.DurationMS)
	t.turns = append(t.turns, float64(p.Turns))
	if p.Usage.Unreported == 0 {
		t.tokens = append(t.tokens, float64(p.Usage.Prompt+p.Usage.Completion))
	}
	if p.Containment != strictLevel {
		if t.loose == nil {
			t.loose = make(map[string]bool)
		}
		t.loose[cmp.Or(p.Containment, "unknown")] = true
	}
}

// slack is how far clocks may be apart before a time is called impossible.
const slack = time.Minute

// provenance notes where the plays of a current row come from.
func (t *boardTally) provenance(unit boardUnit, row *BoardRow) {
	latest := make(map[int]time.Time)
	odd := false
	for _, p := range row.Plays {
		odd = odd || p.Started.IsZero() || p.Started.Before(latest[p.Attempt]) || p.Started.After(p.Published.Add(slack))
		if p.Started.After(latest[p.Attempt]) {
			latest[p.Attempt] = p.Started
		}
		if p.Served != "" {
			t.served[p.Served] = true
		}
		if p.Commit != "" {
			t.commits[p.Commit] = true
		}
		t.runs[p.Run] = true
		t.sum.Dirty = t.sum.Dirty || p.Dirty
		if t.sum.First.IsZero() || p.Started.Before(t.sum.First) {
			t.sum.First = p.Started
		}
		if p.Started.After(t.sum.Last) {
			t.sum.Last = p.Started
		}
	}
	if odd {
		t.clock = append(t.clock, unit.String())
	}
}

func (t *boardTally) done() Aggregates {
	a := &t.sum
	a.Score = None()
	if a.Units > 0 {
		a.Score = Number(float64(a.Credited) / float64(a.Units))
	}
	a.Packages, a.Signals = ratios(t.packages), ratios(t.signals)
	a.Time, a.Tokens, a.Turns = PercentilesOf(t.time), PercentilesOf(t.tokens), PercentilesOf(t.turns)
	a.Served, a.Commits, a.Runs = sorted(t.served), sorted(t.commits), sorted(t.runs)
	for _, list := range []*[]string{&a.Stale, &a.Missing} {
		if *list == nil {
			*list = []string{}
		}
	}
	a.Why = t.why()
	a.Certified = len(a.Why) == 0
	a.RowsSum = rowsSum(t.e.Rows)
	return *a
}

// why lists every reason why the entry is not certified.
func (t *boardTally) why() []string {
	a, why := &t.sum, []string{}
	add := func(n int, format string, args ...any) {
		if n > 0 {
			why = append(why, fmt.Sprintf(format, args...))
		}
	}
	if a.Units == 0 {
		why = append(why, "the suite has no case")
	} else if 100*a.Credited < CertifiedScore*a.Units {
		why = append(why, fmt.Sprintf("%d of %d units have credit, and certification takes %d %%", a.Credited, a.Units, CertifiedScore))
	}
	add(a.Slots-a.Filled, "%d of %d attempts of today's suite are not filled", a.Slots-a.Filled, a.Slots)
	add(len(a.Missing), "never played: %s", some(a.Missing))
	add(len(a.Stale), "stale, the case or the grader is not what it was: %s", some(a.Stale))
	add(len(t.unfilled), "an attempt is missing: %s", some(t.unfilled))
	add(len(t.unknown), "never planned whole as it is today: %s", some(t.unknown))
	add(len(t.void), "void: %s", some(t.void))
	add(len(t.loose), "containment was not strict: %s", strings.Join(sorted(t.loose), ", "))
	switch {
	case len(a.Served) > 1:
		why = append(why, fmt.Sprintf("the endpoint answered as %d models: %s", len(a.Served), some(a.Served)))
	case len(a.Served) == 0 && a.Filled > 0:
		why = append(why, "the endpoint does not say which model it answered as")
	}
	add(len(t.clock), "the clock was changed, plays have times that cannot be: %s", some(t.clock))
	return why
}

// some names the first few of many.
func some(all []string) string {
	const most = 5
	if len(all) <= most {
		return strings.Join(all, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(all[:most], ", "), len(all)-most)
}

func ratio(all map[string]*Ratio, name string) *Ratio {
	r := all[name]
	if r == nil {
		r = &Ratio{Name: name}
		all[name] = r
	}
	return r
}

func ratios(all map[string]*Ratio) []Ratio {
	list := make([]Ratio, 0, len(all))
	for _, r := range all {
		list = append(list, *r)
	}
	slices.SortFunc(list, func(a, b Ratio) int { return strings.Compare(a.Name, b.Name) })
	return list
}

func sorted(set map[string]bool) []string {
	list := make([]string, 0, len(set))
	for name := range set {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// rowsSum is the SHA-256 of rows, in hex.
func rowsSum(rows []BoardRow) string {
	if rows == nil {
		rows = []BoardRow{}
	}
	data, err := json.Marshal(rows)
	if err != nil {
		panic("results: rows that are no JSON: " + err.Error()) // a duration that is no number
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
