package behavior

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/deeds-evals/deeds/internal/progress"
	"github.com/deeds-evals/deeds/internal/report"
	"github.com/deeds-evals/deeds/results"
)

// adoptRegrade finds the run that -regrade names.
func (p *process) adoptRegrade() (err error) {
	if p.old, err = p.keptRun(p.settings.regrade); err != nil {
		return err
	}
	if p.settings.regrade = p.old.ID; len(p.old.Attempts) == 0 {
		return &usageError{fmt.Sprintf("-regrade=%s: that run has no attempt on record", p.old.ID), "`deeds runs` lists what there is"}
	}
	return nil
}

// regrade judges what a run has kept of a case again, and fails where a verdict flips.
// No model is asked, no sandbox is made and nothing is written.
func (p *process) regrade(t *testing.T, id string, c Case) {
	t.Helper()
	if why := p.leaveOut(id, c); why != "" {
		t.Skip(why)
	}
	p.sum.enter()
	parallel(t)
	t.Cleanup(func() { p.leaveRegrade(t) })

	plays, open := p.old.plays[id], p.openSlots(id)
	if len(plays) == 0 && open > 0 {
		t.Skipf("%s has planned %s of it, and none is on record", p.old.ID, plural(open, "attempt"))
	}
	if len(plays) == 0 {
		p.recount.mu.Lock()
		p.recount.unknown = append(p.recount.unknown, id)
		p.recount.mu.Unlock()
		t.Skipf("%s has no attempt of it", p.old.ID)
	}
	red := false
	all := p.judgeAgain(c, plays)
	p.recount.mu.Lock()
	defer p.recount.mu.Unlock()
	judged := 0
	for _, g := range all {
		name := p.old.slotName(g.old.Slot)
		switch {
		case g.lost:
			if p.recount.lost == nil {
				p.recount.lost = make(map[string]int)
			}
			p.recount.lost[p.old.unitName(g.old.Slot)]++
		case g.void:
			p.recount.void++
		case g.err != nil:
			red = true
			line := fmt.Sprintf("%s: %v", name, g.err)
			p.recount.unread = append(p.recount.unread, line)
			fmt.Fprintf(t.Output(), "\nerror  %s\n", line)
		default:
			judged++
			for _, f := range p.recount.add(p.old, *g.old, g.comparison, g.outcome) {
				red = red || f.Signal == "" || p.deciding(c)[Signal(f.Signal)]
				fmt.Fprint(t.Output(), "\n"+f.String())
			}
		}
	}
	if p.recount.attempts += judged; judged > 0 {
		p.recount.cases++
	}
	if red {
		fmt.Fprint(t.Output(), "\n"+report.Close(report.Closing{Claim: c.Claim, Again: []string{p.regradeCommand(t.Name())}}))
		t.Fail()
	}
}

// openSlots counts what was planned of a case and is not on record: a run that was
// stopped, or a record that was lost. It is told in the sum, and how many there are.
func (p *process) openSlots(id string) (n int) {
	p.recount.mu.Lock()
	defer p.recount.mu.Unlock()
	for slot, decided := range p.old.counts {
		if slot.Case != id || decided != nil || len(p.settings.worlds) > 0 && !slices.Contains(p.settings.worlds, slot.World) {
			continue
		}
		if p.recount.open == nil {
			p.recount.open = make(map[string]int)
		}
		p.recount.open[p.old.unitName(slot)]++
		n++
	}
	return n
}

// A regraded is one play on record, judged again.
type regraded struct {
	old        *results.Attempt
	comparison comparison
	outcome    Outcome
	void, lost bool // it was not judged: it proves nothing, or the case has no such unit
	err        error
}

// judging bounds how much evidence is in memory at once.
var judging = make(chan struct{}, 2*runtime.GOMAXPROCS(0))

// judgeAgain judges the plays of a case, those of worlds that were not asked for
// excepted.
func (p *process) judgeAgain(c Case, plays []*results.Attempt) []regraded {
	units := c.plainUnits()
	var all []regraded
	for _, a := range plays {
		if len(p.settings.worlds) == 0 || slices.Contains(p.settings.worlds, a.World) {
			lost := !slices.ContainsFunc(units, func(u unit) bool { return u.world == a.World && u.variant == a.Variant })
			all = append(all, regraded{old: a, lost: lost})
		}
	}
	var wg sync.WaitGroup
	for i := range all {
		if all[i].lost {
			continue
		}
		judging <- struct{}{}
		wg.Go(func() {
			defer func() { <-judging }()
			all[i].judge(p.old, c)
		})
	}
	wg.Wait()
	return all
}

// judge judges one play again by its expectations, and by nothing else: a limit that
// was met stays met, and what was void for another reason than its grader stays void.
func (g *regraded) judge(k *keptRun, c Case) {
	reason := Reason(g.old.Reason)
	judged := reason == ReasonGrader || reason == ReasonUnsupported && unsupportedBy(g.old.Verdicts)
	if g.old.Outcome == string(Void) && !judged {
		g.void = true
		return
	}
	e, err := k.readEvidence(g.old)
	if err == nil && (e.World != g.old.World || e.Variant != g.old.Variant) {
		err = fmt.Errorf("its evidence is that of another unit, %q %q", e.World, e.Variant)
	}
	if err != nil {
		g.err = err
		return
	}
	verdicts := Grade(c, e)
	g.comparison = compareVerdicts(g.old.Verdicts, verdicts)
	if g.outcome, _, _ = judge(e.End, verdicts); g.old.Outcome == string(Fail) && reason != "" {
		g.outcome = Fail
	}
}

// unsupportedBy reports whether an expectation on record needed what the agent lacks.
func unsupportedBy(verdicts []results.Verdict) bool {
	return slices.ContainsFunc(verdicts, func(v results.Verdict) bool { return v.Outcome == string(NA) && !v.Conditional })
}

// leaveRegrade counts a case out, and says what judging again came to when it was the
// last. go test swallows what a passing test prints, so it is said on the terminal too.
func (p *process) leaveRegrade(t *testing.T) {
	t.Helper()
	if !p.sum.leave(t) {
		return
	}
	sum := p.regradeSum()
	if sum.Attempts == 0 && p.answers() {
		t.Error("\n" + (&usageError{
			fmt.Sprintf("nothing was judged again: %s has no attempt with a verdict of a case that was asked for here", p.old.ID),
			nothingOfItHint,
		}).Error())
	}
	p.noteSum(sum)
	text := "\n" + p.folder + "\n" + sum.String()
	fmt.Fprint(os.Stdout, text)
	if p.sum.swallowed() {
		progress.Say(text)
	}
}

func (p *process) regradeSum() report.Regrade {
	n := &p.recount
	n.mu.Lock()
	defer n.mu.Unlock()
	r := report.Regrade{
		Run: p.old.ID, Attempts: n.attempts, Cases: n.cases, Void: n.void,
		Flips: n.sorted(), New: counted(n.new), Dropped: counted(n.dropped), Unread: slices.Sorted(slices.Values(n.unread)),
		Unknown: slices.Sorted(slices.Values(n.unknown)),
	}
	r.Gone = n.gone(p)
	for _, unit := range sortedKeys(n.open) {
		r.NotRun += n.open[unit]
		r.Open = append(r.Open, fmt.Sprintf("%s: planned and not run (%s)", unit, plural(n.open[unit], "attempt")))
	}
	n.again()
	n.lost = nil
	return r
}

// counted lists names with how often they came.
func counted(n map[string]int) (all []string) {
	for _, name := range sortedKeys(n) {
		all = append(all, fmt.Sprintf("%s (%s)", name, plural(n[name], "attempt")))
	}
	return all
}

// regradeCommand judges what is on record of one case again.
func (p *process) regradeCommand(test string) string {
	return fmt.Sprintf("go test %s -run %s -regrade=%s", p.pattern(), anchored(test), p.old.ID)
}
