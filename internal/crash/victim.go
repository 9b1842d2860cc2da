//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/deeds-evals/deeds/internal/crash/kill"
	"github.com/deeds-evals/deeds/internal/sim"
	"github.com/deeds-evals/deeds/results"
)

// What is simulated, and the seed of its draws.
const (
	model = "sim:0.8"
	draws = 7
)

// A victim is a run that is killed.
type victim struct {
	dir     string // of the package
	binary  string
	scratch string
	slots   int
	tests   []string
}

// A count is what became of one run.
type count struct {
	lines []int // on record at each kill
	torn  int
}

// round begins a run, kills it after each delay and goes on with it, until it has
// ended by itself or was killed often enough. What is left must be whole.
func (v *victim) round(n, kills int, delay func() time.Duration) (count, error) {
	var (
		c     count
		root  = filepath.Join(v.scratch, fmt.Sprint("round", n))
		args  = []string{"-model=" + model, fmt.Sprint("-seed=", draws), fmt.Sprint("-repeat=", v.slots/cases), "-test.run=^(" + strings.Join(v.tests, "|") + ")$"}
		known = make(map[results.Slot]string)
	)
	for {
		m := moment{after: delay(), killed: len(c.lines) < kills, played: len(c.lines)%2 == 1}
		ended, out, err := v.start(root, args, m)
		if err != nil {
			return c, err
		}
		run, err := load(root)
		if err != nil {
			return c, err
		}
		if run == nil {
			if ended {
				return c, fmt.Errorf("nothing is on record:\n%s", out)
			}
			c.lines = append(c.lines, 0)
			continue // killed before there was a plan: the same again
		}
		if err := v.lost(run, known); err != nil {
			return c, err
		}
		if ended {
			c.torn = run.Torn
			if err := v.whole(run, len(c.lines)); err != nil {
				return c, fmt.Errorf("%w\n%s", err, tail(out))
			}
			return c, os.RemoveAll(root)
		}
		c.lines = append(c.lines, len(run.Attempts))
		args = []string{"-resume=" + run.ID}
	}
}

// A moment is when a run is killed: some time after its start, or after it has recorded
// something, so that a busy machine does not keep all moments before that.
type moment struct {
	after  time.Duration
	killed bool // else it is left to end
	played bool // from its first line on, and not from its start
}

// alarm rings at the moment. It looks at the record as often as it must, until ctx ends.
func (m moment) alarm(ctx context.Context, root string) <-chan time.Time {
	switch {
	case !m.killed:
		return nil
	case !m.played:
		return time.After(m.after)
	}
	ring := make(chan time.Time, 1)
	before := recorded(root)
	go func() {
		for recorded(root) == before {
			if ctx.Err() != nil {
				return
			}
			time.Sleep(2 * time.Millisecond)
		}
		ring <- <-time.After(m.after)
	}()
	return ring
}

// recorded is the size of the lines on record.
func recorded(root string) (size int64) {
	files, _ := filepath.Glob(filepath.Join(root, "runs", "*", "attempts-*.jsonl"))
	for _, f := range files {
		if info, err := os.Stat(f); err == nil {
			size += info.Size()
		}
	}
	return size
}

// start starts the tests, in a process group of their own, and kills all of it at the
// moment. It reports whether they ended before that.
func (v *victim) start(root string, args []string, m moment) (ended bool, out string, err error) {
	temp := filepath.Join(root, "tmp")
	if err := os.MkdirAll(temp, 0o755); err != nil {
		return false, "", err
	}
	defer os.RemoveAll(temp) // who is killed leaves its workspaces
	file, err := os.Create(filepath.Join(root, "out"))
	if err != nil {
		return false, "", err
	}
	defer file.Close()
	cmd := exec.Command(v.binary, append([]string{"-containment=best", "-test.timeout=0"}, args...)...)
	cmd.Dir = v.dir
	cmd.Env = append(clean(os.Environ()), "DEEDS_RESULTS="+root, "TMPDIR="+temp, "CI=1")
	cmd.Stdout, cmd.Stderr = file, file
	kill.Apart(cmd)
	if err := cmd.Start(); err != nil {
		return false, "", err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	select {
	case err = <-done:
	case <-m.alarm(ctx, root):
		return false, "", kill.Group(cmd, done)
	}
	text, readErr := os.ReadFile(file.Name())
	var exit *exec.ExitError
	switch {
	case err == nil:
		return true, string(text), readErr
	case errors.As(err, &exit):
		// Attempts fail, as they are drawn to: a status of 1 is an end like any other.
		return true, string(text), readErr
	}
	return false, "", err
}

// clean leaves out what would steer the run.
func clean(environ []string) (kept []string) {
	for _, e := range environ {
		if !strings.HasPrefix(e, "DEEDS_") && !strings.HasPrefix(e, "OPENAI_") {
			kept = append(kept, e)
		}
	}
	return kept
}

// load reads the one run under a root, nil if there is none yet.
func load(root string) (*results.Run, error) {
	list, err := results.List(root)
	if err != nil {
		return nil, err
	}
	list = withPlan(list)
	switch len(list) {
	case 0:
		return nil, nil
	case 1:
		return results.Load(list[0].Dir)
	}
	return nil, fmt.Errorf("%d runs are on record, and one was played", len(list))
}

// withPlan leaves out what was killed before it had a plan.
func withPlan(list []results.RunInfo) (kept []results.RunInfo) {
	for _, i := range list {
		if plans, err := filepath.Glob(filepath.Join(i.Dir, "plan-*.json")); err == nil && len(plans) > 0 {
			kept = append(kept, i)
		}
	}
	return kept
}

// lost checks that what was on record before is there, unchanged, with its evidence,
// and adds what is new.
func (v *victim) lost(run *results.Run, known map[results.Slot]string) error {
	now := make(map[results.Slot]string)
	for _, a := range run.Attempts {
		now[a.Slot] = a.Outcome + " " + a.EvidenceSum
		if _, ok := known[a.Slot]; ok {
			continue
		}
		if _, err := run.Evidence(a); err != nil {
			return err
		}
	}
	for s, was := range known {
		if now[s] != was {
			return fmt.Errorf("%v was %q and is %q", s, was, now[s])
		}
	}
	for s, is := range now {
		known[s] = is
	}
	return nil
}

// whole checks that every slot was decided by one play, as it was drawn, and that
// nothing else is on record.
func (v *victim) whole(run *results.Run, kills int) error {
	m, err := sim.Parse(model)
	if err != nil {
		return err
	}
	slots := run.Slots()
	switch {
	case len(slots) != v.slots:
		return fmt.Errorf("%d slots are on record, and %d were asked for", len(slots), v.slots)
	case len(run.Attempts) != v.slots:
		return fmt.Errorf("%d plays are on record of %d slots", len(run.Attempts), v.slots)
	case run.Torn > kills:
		return fmt.Errorf("%d lines are torn after %d kills", run.Torn, kills)
	case len(run.Problems) > 0:
		return errors.New(strings.Join(run.Problems, "; "))
	case run.Stopped != nil:
		return fmt.Errorf("the run was stopped: %s", run.Stopped.Reason)
	}
	for _, s := range slots {
		want := results.Fail
		if m.Passes(draws, s.Slot) {
			want = results.Pass
		}
		if s.Outcome != want || len(s.Plays) != 1 || s.Rerolls > 0 || s.Unplanned {
			return fmt.Errorf("%v: %s in %d plays, and %s was drawn", s.Slot, s.Outcome, len(s.Plays), want)
		}
	}
	return nil
}

// tail is the end of what a run has said.
func tail(text string) string {
	const most = 2000
	return text[max(0, len(text)-most):]
}
