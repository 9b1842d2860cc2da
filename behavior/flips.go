package behavior

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/deeds-evals/deeds/internal/report"
	"github.com/deeds-evals/deeds/results"
)

// A comparison holds the verdicts of today against those on record of one attempt.
type comparison struct {
	flipped []flippedVerdict
	new     []Verdict         // expectations that were not there then
	dropped []results.Verdict // expectations that are not there any more
}

// A flippedVerdict is an expectation whose verdict is another one today.
type flippedVerdict struct {
	was results.Verdict
	is  Verdict
}

// compareVerdicts finds an expectation again by its signal and its name; and one that
// was given other words, by the place that it has in the case.
func compareVerdicts(was []results.Verdict, is []Verdict) (c comparison) {
	left := slices.Clone(was)
	var fresh []Verdict
	take := func(v Verdict, same func(results.Verdict) bool) bool {
		i := slices.IndexFunc(left, func(w results.Verdict) bool { return w.Signal == string(v.Signal) && same(w) })
		if i < 0 {
			return false
		}
		if left[i].Outcome != outcomeOf(v) {
			c.flipped = append(c.flipped, flippedVerdict{left[i], v})
		}
		left = slices.Delete(left, i, i+1)
		return true
	}
	for _, v := range is {
		if !take(v, func(w results.Verdict) bool { return w.Name == v.Name }) {
			fresh = append(fresh, v)
		}
	}
	for _, v := range fresh {
		if v.Where == "" || !take(v, func(w results.Verdict) bool { return w.Where == v.Where }) {
			c.new = append(c.new, v)
		}
	}
	c.dropped = left
	return c
}

// outcomeOf is the outcome of a verdict as the record spells it.
func outcomeOf(v Verdict) string { return string(v.Result) }

// A recount counts what came of attempts that were judged before.
type recount struct {
	mu sync.Mutex

	attempts, cases int
	diverged, void  int
	unread          []string // attempts that could not be judged, and why
	flips           []report.Flip
	new, dropped    map[string]int // expectations, and in how many attempts
	unknown         []string       // cases that the run does not have
	lost            map[string]int // units that the case does not have any more, and their attempts
	open            map[string]int // units, and their attempts that were planned and not run
	left            map[string]int // attempts that cannot be driven again, by case
}

// again lets the next round of the same cases, of which there are several under -count,
// count from the beginning. The lock is held. What a replay leaves out stays: that is
// found when a case comes for the first time.
func (n *recount) again() {
	n.attempts, n.cases, n.diverged, n.void = 0, 0, 0, 0
	n.unread, n.unknown, n.flips = nil, nil, nil
	n.new, n.dropped, n.open = nil, nil, nil
}

// gone lists what the run has on record and the suite has no more. The lock is held.
func (n *recount) gone(p *process) (all []string) {
	for _, id := range p.old.gone(p) {
		all = append(all, id+": the suite has no such case")
	}
	for _, unit := range counted(n.lost) {
		all = append(all, unit+": the case has no such world or variant")
	}
	return all
}

// add counts one attempt that was judged again. The lock is held.
func (n *recount) add(k *keptRun, old results.Attempt, c comparison, is Outcome) (flips []report.Flip) {
	id := k.slotName(old.Slot)
	if old.Outcome != string(is) {
		flips = append(flips, report.Flip{ID: id, Was: old.Outcome, Is: string(is)})
	}
	for _, f := range c.flipped {
		flips = append(flips, report.Flip{
			ID: id, Signal: string(f.is.Signal), Name: f.is.Name, Where: f.is.Where,
			Want: f.is.Want, Got: cmp.Or(f.is.Got, f.is.Fault), Was: f.was.Outcome, Is: outcomeOf(f.is),
		})
	}
	n.flips = append(n.flips, flips...)
	if n.new == nil {
		n.new, n.dropped = make(map[string]int), make(map[string]int)
	}
	for _, v := range c.new {
		n.new[expectationName(k.unitName(old.Slot), string(v.Signal), v.Name)+": "+outcomeOf(v)]++
	}
	for _, v := range c.dropped {
		n.dropped[expectationName(k.unitName(old.Slot), v.Signal, v.Name)+": "+v.Outcome]++
	}
	return flips
}

func expectationName(unit, signal, name string) string { return unit + "  " + signal + ": " + name }

// sorted are the flips in the order of their attempts. The lock is held.
func (n *recount) sorted() []report.Flip {
	all := slices.Clone(n.flips)
	slices.SortStableFunc(all, func(a, b report.Flip) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// noteSum leaves what the package came to where `deeds run` asks for it: go test
// swallows what a passing package prints. What cannot be left is missed there.
func (p *process) noteSum(sum any) {
	dir := os.Getenv("DEEDS_SUMS")
	if dir == "" {
		return
	}
	if data, err := json.Marshal(sum); err == nil {
		_ = os.WriteFile(filepath.Join(dir, p.folder+".json"), data, 0o644)
	}
}
