package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/deeds-evals/deeds/internal/journal"
	"github.com/deeds-evals/deeds/internal/sim"
	"github.com/deeds-evals/deeds/results"
)

// A suite is what is played in one simulation: so many cases with one unit each, each
// attempted so many times.
type suite struct {
	cases    int
	attempts int
	// signals is how many signals every case has. Each is drawn for itself, at the rate
	// of the unit; an attempt passes if all of them do.
	signals int
	// draw names the units anew, so that under a range of rates every simulation has
	// another mix of them.
	draw int
}

// hardShare is the part of the cases that lie in the folder "hard": one in five.
const hardShare = 5

// units lists the units. The hard ones are spread over the others.
func (s suite) units() []results.Unit {
	all := make([]results.Unit, s.cases)
	hard := 0
	for i := range all {
		folder := "easy"
		if 2*hardShare*hard < 2*(i+1)-hardShare {
			folder, hard = "hard", hard+1
		}
		all[i] = results.Unit{Case: fmt.Sprintf("%s/case-%02d", folder, i+1), Variant: "draw-" + strconv.Itoa(s.draw)}
	}
	return all
}

// signalName names a signal of the suite, counted from 0.
func signalName(i int) string { return fmt.Sprintf("signal-%c", 'a'+i) }

// play is a run of the suite by a model that is simulated: the same record as a run
// leaves whose attempts were played, but for the attempts.
func (s suite) play(id string, m sim.Model, seed int64) *results.Run {
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	plan := results.Plan{
		Schema: results.Schema, Run: id, Package: "calibration", Created: began, Kind: results.Simulated,
		Settings: results.Settings{Models: []string{m.Name()}, Agent: "builtin", Repeat: s.attempts, Jobs: 1, Seed: &seed, Containment: "strict"},
		Signals:  make(map[string][]string), Claims: make(map[string]string),
	}
	r := &results.Run{ID: id}
	signals := max(s.signals, 1)
	for _, u := range s.units() {
		u.Model, u.Agent = m.Name(), "builtin"
		plan.Suite = append(plan.Suite, results.SuiteCase{Case: u.Case, File: u.Case + "_test.go", Digest: "c0ffee"})
		for i := range signals {
			plan.Signals[u.Case] = append(plan.Signals[u.Case], signalName(i))
		}
		for n := range s.attempts {
			a := results.Attempt{
				Schema: results.Schema, Run: id, Play: 1, Outcome: results.Pass, End: "done",
				Slot:    results.Slot{Case: u.Case, World: u.World, Variant: u.Variant, Model: u.Model, Agent: u.Agent, Attempt: n + 1},
				Signals: make(map[string]string), Turns: 2, Calls: 1, Containment: "strict",
				Digests: results.Digests{Case: "c0ffee", Grader: "decaf"},
				Started: began.Add(time.Duration(len(r.Attempts)) * time.Second),
			}
			plan.Slots = append(plan.Slots, a.Slot)
			for i := range signals {
				outcome := results.Pass
				// The signals of one attempt must not hang together: each has a seed.
				if !m.Passes(seed*maxSignals+int64(i), a.Slot) {
					outcome, a.Outcome = results.Fail, results.Fail
				}
				a.Signals[signalName(i)] = outcome
				a.Verdicts = append(a.Verdicts, results.Verdict{Signal: signalName(i), Name: "the deed", Outcome: outcome, Where: "case_test.go:1"})
			}
			r.Attempts = append(r.Attempts, a)
		}
	}
	r.Plans = []results.Plan{plan}
	return r
}

// maxSignals is more than any suite here has.
const maxSignals = 16

// recorded writes a run as files, and reads it again.
func recorded(root string, r *results.Run) (_ *results.Run, err error) {
	dir := filepath.Join(root, "runs", r.ID)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	w, err := journal.Open(dir, r.Plans[0].Package, nil)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if err := w.WritePlan(r.Plans[0]); err != nil {
		return nil, err
	}
	// Who appends at the same time shares the wait for the disk.
	failed := make([]error, len(r.Attempts))
	var wg sync.WaitGroup
	for i, a := range r.Attempts {
		wg.Go(func() { _, failed[i] = w.Append(a, nil) })
	}
	wg.Wait()
	if err := errors.Join(failed...); err != nil {
		return nil, err
	}
	return results.Load(dir)
}
