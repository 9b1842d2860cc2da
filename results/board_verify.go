package results

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// ErrNoEntry says that the scoreboard has no entry of that key.
var ErrNoEntry = errors.New("the scoreboard has no such entry")

// VerifyBoard holds entries against what they are made of: the aggregates against the
// rows, the suite against that of today, the rows against the record of those runs that
// are still there. It returns what disagrees, in sentences, nothing if nothing does.
func VerifyBoard(root string, entries []*Entry, today []Suite) ([]string, error) {
	runs, err := scoreboardRuns(root, "")
	if err != nil {
		return nil, err
	}
	var wrong []string
	for _, e := range entries {
		v := verifier{e: e, runs: make(map[string]*Run)}
		for _, r := range runs {
			v.runs[r.ID] = r
		}
		v.name()
		v.rows()
		v.aggregates()
		v.suite(today)
		v.record(runs)
		v.planned(runs)
		wrong = append(wrong, v.wrong...)
	}
	return wrong, nil
}

// A verifier notes what disagrees in one entry.
type verifier struct {
	e     *Entry
	runs  map[string]*Run
	wrong []string
}

func (v *verifier) say(format string, args ...any) {
	v.wrong = append(v.wrong, v.e.Key+": "+fmt.Sprintf(format, args...))
}

func (v *verifier) name() {
	if key := BoardKey(v.e.Agent, v.e.Model, v.e.Settings); key != v.e.Key {
		v.say("its agent, model and settings make the key %s", key)
	}
}

// rows checks what every row must be, whatever was played.
func (v *verifier) rows() {
	type version struct {
		unit           boardUnit
		digest, grader string
	}
	rows := make(map[version]bool)
	for i := range v.e.Rows {
		r := &v.e.Rows[i]
		at := version{r.unit(), r.Digest, r.Grader}
		if rows[at] {
			v.say("%s has two rows of one version", r.unit())
		}
		rows[at] = true
		marked := BoardRow{Plays: slices.Clone(r.Plays)}
		marked.mark()
		plays := make(map[playID]bool)
		for n, p := range r.Plays {
			switch {
			case p.Attempt < 1 || p.Attempt > BoardAttempts:
				v.say("%s has an attempt %d", r.unit(), p.Attempt)
			case n > 0 && p.Attempt < r.Plays[n-1].Attempt:
				v.say("%s has its attempts out of order", r.unit())
			case !slices.Contains([]string{Pass, Fail, Void}, p.Outcome):
				v.say("attempt %d of %s has the outcome %q", p.Attempt, r.unit(), p.Outcome)
			case p.Digests.Case != r.Digest || p.Digests.Grader != r.Grader:
				v.say("attempt %d of %s was made of another version than its row", p.Attempt, r.unit())
			case p.Reroll != marked.Plays[n].Reroll:
				v.say("attempt %d of %s was played again, and the play is not called a reroll", p.Attempt, r.unit())
			case plays[p.id()]:
				v.say("attempt %d of %s has a play twice", p.Attempt, r.unit())
			}
			plays[p.id()] = true
		}
	}
}

// aggregates compares each of them with what the rows give.
func (v *verifier) aggregates() {
	has, want := fields(v.e.Aggregates), fields(Aggregate(v.e))
	for _, name := range sortedFields(want) {
		if has[name] != want[name] {
			v.say("%s is given as %s, and the rows make it %s", name, has[name], want[name])
		}
	}
}

// fields is the JSON of each field.
func fields(a Aggregates) map[string]string {
	data, err := json.Marshal(a)
	var raw map[string]json.RawMessage
	if err != nil || json.Unmarshal(data, &raw) != nil {
		return nil
	}
	all := make(map[string]string, len(raw))
	for name, value := range raw {
		all[name] = string(value)
	}
	return all
}

func sortedFields(all map[string]string) []string {
	set := make(map[string]bool, len(all))
	for name := range all {
		set[name] = true
	}
	return sorted(set)
}

// suite says what the suite has become since the entry was written.
func (v *verifier) suite(today []Suite) {
	its := v.e.its(today)
	for _, dir := range v.e.Dirs() {
		if !slices.ContainsFunc(its, func(s Suite) bool { return s.Dir == dir }) {
			v.say("the suite in %s cannot be read today", dir)
		}
	}
	now := v.e.against(anyCase, its...)
	if now.Grader != v.e.Grader {
		v.say("the grader has changed since: every row is stale")
	}
	was := make(map[string]string)
	for _, c := range v.e.Suite {
		was[c.Case] = c.Digest
	}
	var edited, added []string
	for _, c := range now.Suite {
		digest, known := was[c.Case]
		if !known {
			added = append(added, c.Case)
		} else if digest != c.Digest {
			edited = append(edited, c.Case)
		}
		delete(was, c.Case)
	}
	gone := make(map[string]bool)
	for id := range was {
		gone[id] = true
	}
	for _, change := range []struct {
		what  string
		cases []string
	}{{"edited", edited}, {"added", added}, {"removed", sorted(gone)}} {
		if len(change.cases) > 0 {
			v.say("cases were %s since: %s", change.what, some(change.cases))
		}
	}
}

// record holds the rows against the runs that are still there, both ways.
func (v *verifier) record(runs []*Run) {
	for i := range v.e.Rows {
		r := &v.e.Rows[i]
		known := make(map[playID]bool)
		var latest time.Time
		for _, p := range r.Plays {
			known[p.id()] = true
			if p.Published.After(latest) {
				latest = p.Published
			}
			if run := v.runs[p.Run]; run != nil {
				v.play(run, r, p)
			}
		}
		for _, run := range runs {
			if v.e.forgot(run.ID) || !run.asked(v.e) {
				continue
			}
			for j := range run.Attempts {
				a := &run.Attempts[j]
				if (boardUnit{a.Case, a.World, a.Variant}) != r.unit() || a.Model != v.e.Model || a.Agent != v.e.Agent ||
					a.Digests.Case != r.Digest || a.Digests.Grader != r.Grader || a.Started.After(latest) {
					continue
				}
				if p := newBoardPlay(run.ID, a, latest); !known[p.id()] {
					v.say("the run %s has play %d of attempt %d of %s, and the row has not", run.ID, a.Play, a.Attempt, r.unit())
				}
			}
		}
	}
}

// planned holds the units that the suite is said to have against those that runs have
// planned of the cases as they are: a unit that is left out is no longer missed.
func (v *verifier) planned(runs []*Run) {
	for _, run := range runs {
		if !run.asked(v.e) {
			continue
		}
		judged := make(map[Digests]bool) // by case and grader
		for i := range run.Attempts {
			d := run.Attempts[i].Digests
			judged[Digests{Case: d.Case, Grader: d.Grader}] = true
		}
		for _, c := range v.e.Suite {
			if !judged[Digests{Case: c.Digest, Grader: v.e.Grader}] {
				continue
			}
			units := v.e.units(c)
			for _, p := range run.Plans {
				if !slices.ContainsFunc(p.Suite, func(s SuiteCase) bool { return s.Case == c.Case && s.Digest == c.Digest }) {
					continue
				}
				for _, s := range p.Slots {
					u := BoardUnit{World: s.World, Variant: s.Variant}
					if s.Case == c.Case && s.Model == v.e.Model && s.Agent == v.e.Agent && !slices.ContainsFunc(units, u.same) {
						v.say("the run %s planned %s, and the suite has it not", run.ID, boardUnit{s.Case, s.World, s.Variant})
						units = append(units, u)
					}
				}
			}
		}
	}
}

// play holds one play against its run.
func (v *verifier) play(run *Run, r *BoardRow, p BoardPlay) {
	unit := Unit{r.Case, r.World, r.Variant, v.e.Model, v.e.Agent}
	i := slices.IndexFunc(run.Attempts, func(a Attempt) bool {
		return a.Unit() == unit && newBoardPlay(run.ID, &a, p.Published).id() == p.id()
	})
	if i < 0 {
		v.say("the run %s has no play %d of attempt %d of %s", run.ID, p.Play, p.Attempt, r.unit())
		return
	}
	a := run.Attempts[i]
	want := newBoardPlay(run.ID, &a, p.Published)
	has := p
	has.Reroll, want.Reroll = false, false // rows says of rerolls that the row itself makes
	if differ := differing(has, want); len(differ) > 0 {
		v.say("play %d of attempt %d of %s is not what the run %s has: %s", p.Play, p.Attempt, r.unit(), run.ID, strings.Join(differ, ", "))
	}
	if p.Reroll && !a.Reroll && !r.decidedBefore(p) {
		v.say("play %d of attempt %d of %s is called a reroll, and none before it passed or failed", p.Play, p.Attempt, r.unit())
	}
	if a.Evidence == "" || a.EvidenceSum == "" {
		return
	}
	file := filepath.FromSlash(a.Evidence)
	if !filepath.IsLocal(file) {
		v.say("the evidence of attempt %d of %s is said to lie outside of its run", p.Attempt, r.unit())
		return
	}
	data, err := os.ReadFile(filepath.Join(run.Dir, file))
	if errors.Is(err, os.ErrNotExist) {
		return // evidence is large, and may be thrown away
	}
	if sum := sha256.Sum256(data); err != nil || hex.EncodeToString(sum[:]) != a.EvidenceSum {
		v.say("the evidence %s of the run %s is not what was recorded", a.Evidence, run.ID)
	}
}

// decidedBefore reports whether a play of the same attempt that stands before p passed
// or failed.
func (r *BoardRow) decidedBefore(p BoardPlay) bool {
	for _, q := range r.Plays {
		if q.id() == p.id() {
			return false
		}
		if q.Attempt == p.Attempt && !q.Reroll && (q.Outcome == Pass || q.Outcome == Fail) {
			return true
		}
	}
	return false
}

// differing names the fields in which two plays differ.
func differing(a, b BoardPlay) []string {
	read := func(p BoardPlay) (all map[string]json.RawMessage) {
		data, err := json.Marshal(p)
		if err != nil || json.Unmarshal(data, &all) != nil {
			return nil
		}
		return all
	}
	set := make(map[string]bool)
	x, y := read(a), read(b)
	for name := range x {
		set[name] = set[name] || string(x[name]) != string(y[name])
	}
	for name := range y {
		set[name] = set[name] || string(x[name]) != string(y[name])
	}
	for name, differs := range set {
		if !differs {
			delete(set, name)
		}
	}
	return sorted(set)
}
