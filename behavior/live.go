package behavior

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"sync"
	"testing"

	"github.com/deeds-evals/deeds/internal/report"
)

// live plays a case against the models.
func (p *process) live(t *testing.T, id string, c Case) {
	t.Helper()
	if why := p.leaveOut(id, c); why != "" {
		t.Skip(why)
	}
	e := p.entry(id, t.Name(), c)
	if len(e.slots) == 0 {
		p.noSlots(t)
	}
	if p.settings.dryRun {
		p.dryRun(t, e)
		return
	}
	p.sum.enter()
	parallel(t)
	// Registered first, it runs last: after the attempts and their report.
	t.Cleanup(func() { p.leaveLive(t) })
	if p.nothingLeft() {
		p.allOnRecord(t, e)
	}

	if err := p.run.begin(p, t); err != nil {
		p.refuse(t, err)
	}
	if err := p.run.enroll(e); err != nil {
		p.refuse(t, err)
	}
	t.Cleanup(func() { p.closeCase(t, e) })
	for _, s := range e.slots {
		if s.name == "" {
			p.playSlot(t, e, s)
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			p.playSlot(t, e, s)
		})
	}
}

// playSlot plays a slot until it passes or fails, or has been void too often,
// and puts every play on record.
func (p *process) playSlot(t *testing.T, e *entry, s *slot) {
	t.Helper()
	p.done(t, s)
	r := &p.run
	key := path.Join(e.id, s.World, s.Variant, s.Model, fmt.Sprint(s.Attempt))
	release, err := r.limiter.Acquire(r.ctx)
	if err != nil {
		p.notRun(t, r.spent(cause(r.ctx, err)))
		return
	}
	// A slot is held while the model is asked, and not while what came of it is
	// written down.
	release = sync.OnceFunc(release)
	defer release()
	if r.ctx.Err() != nil {
		p.notRun(t, context.Cause(r.ctx))
		return
	}
	r.meter.Begin(key, p.onMeter(s))

	s.mu.Lock()
	reroll := s.first != nil
	s.mu.Unlock()
	for tries := 1; ; tries++ {
		st := r.stage
		up, err := r.source.set(&st, s)
		if err != nil {
			p.refuse(t, r.stop(err))
		}
		watcher := watcher{run: r, key: key}
		st.guest = watcher.user(st.guest)
		a := st.play(r.ctx, s.unit, s.Model, watcher.agent(up))
		again := a.outcome == Void && a.replayable() && tries < maxPlays && r.ctx.Err() == nil && r.limiter.Budget(r.ctx) == nil
		if !again {
			release()
		}
		s.mu.Lock()
		s.plays++
		play := s.plays
		s.mu.Unlock()
		where, err := r.record(s, a, play, reroll)
		if err != nil {
			// The next ones would be paid for and lost as well.
			p.refuse(t, r.stop(&usageError{
				fmt.Sprintf("an attempt could not be recorded: %v", err),
				"nothing that was recorded before is lost; make room and run again",
			}))
		}
		kept := a.brief()
		s.mu.Lock()
		s.last = &kept
		if s.first == nil && a.outcome != Void {
			s.first = &kept
		}
		s.mu.Unlock()
		if again {
			r.meter.Again(key, metered(a))
		} else {
			r.meter.Done(key, metered(a))
		}
		if err := r.halt(a); err != nil {
			p.refuse(t, err)
		}
		if !again {
			p.compare(s, a)
			p.reportAttempt(t, e, s, a, where)
			return
		}
		t.Log(r.clean(fmt.Sprintf("void (%s: %s): played again", a.reason, firstLine(a.detail))))
	}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// notRun ends the test of a slot that was not played. The slot stays open.
func (p *process) notRun(t *testing.T, cause error) {
	t.Helper()
	var stopped *usageError
	if errors.As(cause, &stopped) {
		p.refuse(t, cause)
	}
	t.Error(p.run.clean(fmt.Sprintf("not run: %v", cause)))
}

// cause is why the run ended, if it has, else the error.
func cause(ctx context.Context, err error) error {
	if c := context.Cause(ctx); c != nil {
		return c
	}
	return err
}

// reportAttempt says what an attempt came to, and fails the test unless it passed
// in every signal that decides.
func (p *process) reportAttempt(t *testing.T, e *entry, s *slot, a attempt, where string) {
	t.Helper()
	signals := BySignals(a.verdicts)
	var red []string
	for _, sig := range orderedKeys(signals) {
		if signals[sig] == Fail && p.deciding(e.c)[sig] {
			red = append(red, string(sig))
		}
	}
	t.Attr("outcome", string(a.outcome))
	t.Attr("signals", strings.Join(signalWords(signals), ","))
	if where != "" {
		t.Attr("evidence", where)
	}
	reason := string(a.reason)
	if a.outcome == Fail && reason == "" {
		reason = strings.Join(red, ", ")
	}
	fmt.Fprintln(t.Output(), report.Line{
		Outcome: string(a.outcome), Reason: reason,
		ID:    path.Join(e.id, s.World, s.Variant, fmt.Sprint(s.Attempt)),
		Turns: a.turns(), Calls: a.calls(), Time: a.evidence.Usage.Total,
		Tokens: a.evidence.Usage.tokens(), Evidence: where,
	})

	closing := report.Closing{}
	if s.name == "" {
		closing = p.closing(e)
	}
	switch {
	case a.outcome == Void:
		fmt.Fprint(t.Output(), "\n"+p.run.clean(a.void(closing)))
		t.Fail()
	case a.outcome == Fail && (len(red) > 0 || a.reason != ""):
		fmt.Fprint(t.Output(), "\n"+p.run.clean(a.failure(closing)))
		t.Fail()
	}
}

func orderedKeys(m map[Signal]Outcome) []Signal {
	set := make(BySignal)
	for s := range m {
		set[s] = nil
	}
	return orderedSignals(set)
}

func signalWords(m map[Signal]Outcome) []string {
	var all []string
	for _, s := range orderedKeys(m) {
		all = append(all, string(s)+"="+string(m[s]))
	}
	return all
}

// closeCase ends the report of a case with more than one slot.
func (p *process) closeCase(t *testing.T, e *entry) {
	if len(e.slots) == 1 && e.slots[0].name == "" {
		return
	}
	if t.Failed() {
		fmt.Fprint(t.Output(), report.Close(p.closing(e)))
	}
}

// errInterrupted is the cause of a run that ended on a signal.
var errInterrupted = errors.New("the run was interrupted")
