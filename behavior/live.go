package behavior

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deeds-evals/deeds/internal/report"
	"github.com/deeds-evals/deeds/results"
)

// maxPlays bounds how often a slot is played: once, and twice more while it is
// void.
const maxPlays = 3

// An entry is one case that is to be played: its slots were counted before
// anything ran.
type entry struct {
	id    string
	test  string
	c     Case
	slots []*slot
}

// A slot is a planned attempt and what has become of it.
type slot struct {
	results.Slot
	unit unit
	name string // of its subtest, below the case's; "" if the case has one slot

	mu    sync.Mutex
	plays int
	first *attempt // the first pass or fail
	last  *attempt
}

// settled is the attempt that counts: the first pass or fail, else the last
// void, else none.
func (s *slot) settled() *attempt {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.first != nil {
		return s.first
	}
	return s.last
}

// live plays a case against the models.
func (p *process) live(t *testing.T, id string, c Case) {
	t.Helper()
	if why := p.leaveOut(id, c); why != "" {
		t.Skip(why)
	}
	if err := p.unknownWorld(); err != nil {
		p.refuse(t, err)
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
	t.Cleanup(p.leaveLive)

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

// entry plans a case. Under -count a case comes again, and finds its slots as they
// are: what is played then is a reroll.
func (p *process) entry(id, test string, c Case) *entry {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.entries {
		if e.id == id {
			return e
		}
	}
	e := &entry{id: id, test: test, c: c}
	e.slots = p.slots(e)
	if len(e.slots) > 0 && !p.settings.dryRun {
		p.entries = append(p.entries, e)
	}
	return e
}

// leaveOut says why a case is not played, or nothing.
func (p *process) leaveOut(id string, c Case) string {
	if len(p.settings.signals) > 0 && len(p.deciding(c)) == 0 {
		return "none of its signals was asked for"
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	place := slices.Index(p.selected, id)
	if place < 0 {
		place = len(p.selected)
		p.selected = append(p.selected, id)
	}
	if p.settings.limit > 0 && place >= p.settings.limit {
		return fmt.Sprintf("beyond -limit=%d", p.settings.limit)
	}
	return ""
}

// deciding are the signals that make a case red or green: all of its own, or
// those that -signal names.
func (p *process) deciding(c Case) map[Signal]bool {
	set := make(map[Signal]bool)
	for _, s := range c.signals() {
		set[s] = len(p.settings.signals) == 0
	}
	for _, s := range p.settings.signals {
		if _, has := set[s]; has {
			set[s] = true
		}
	}
	for s, on := range set {
		if !on {
			delete(set, s)
		}
	}
	return set
}

// slots plans the attempts of a case, those that go test's own -run and -skip
// leave out excepted.
func (p *process) slots(e *entry) []*slot {
	units := e.c.units(e.id)
	if len(p.settings.worlds) > 0 {
		var kept []unit
		for _, u := range units {
			for _, w := range p.settings.worlds {
				if u.world == w {
					kept = append(kept, u)
				}
			}
		}
		units = kept
	}
	filter := currentTestFilter()
	var all []*slot
	for _, model := range p.settings.models {
		for _, u := range units {
			for n := 1; n <= p.settings.repeat; n++ {
				var levels []string
				if len(p.settings.models) > 1 {
					levels = append(levels, model)
				}
				if u.name() != "" {
					levels = append(levels, u.name())
				}
				if p.settings.repeat > 1 {
					levels = append(levels, fmt.Sprintf("attempt=%d", n))
				}
				s := &slot{
					Slot: results.Slot{Case: e.id, World: u.world, Variant: u.variant, Model: model, Agent: p.settings.agent, Attempt: n},
					unit: u, name: strings.Join(levels, "/"),
				}
				if filter.selects(path.Join(e.test, s.name)) {
					all = append(all, s)
				}
			}
		}
	}
	return all
}

// playSlot plays a slot until it passes or fails, or has been void too often,
// and puts every play on record.
func (p *process) playSlot(t *testing.T, e *entry, s *slot) {
	t.Helper()
	r := &p.run
	key := path.Join(e.id, s.World, s.Variant, s.Model, fmt.Sprint(s.Attempt))
	release, err := r.limiter.Acquire(r.ctx)
	if err != nil {
		p.notRun(t, cause(r.ctx, err))
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
	r.meter.Begin(key, "")

	s.mu.Lock()
	reroll := s.first != nil
	s.mu.Unlock()
	for tries := 1; ; tries++ {
		a := r.stage.play(r.ctx, s.unit, s.Model, r.upstream(s.Model))
		again := a.outcome == Void && a.replayable() && tries < maxPlays && r.ctx.Err() == nil
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
		r.meter.Done(key, string(a.outcome), a.evidence.Usage.Prompt+a.evidence.Usage.Completion)
		if err := r.halt(a); err != nil {
			p.refuse(t, err)
		}
		if !again {
			p.reportAttempt(t, e, s, a, where)
			return
		}
		t.Logf("void (%s: %s): played again", a.reason, firstLine(a.detail))
	}
}

// replayable reports whether a void may come out otherwise if played again.
func (a attempt) replayable() bool {
	switch a.reason {
	case ReasonProvider, ReasonSandbox, ReasonHarness, ReasonCompromised:
		return true
	}
	return false
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
	t.Errorf("not run: %v", cause)
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
		fmt.Fprint(t.Output(), "\n"+a.void(closing))
		t.Fail()
	case a.outcome == Fail && (len(red) > 0 || a.reason != ""):
		fmt.Fprint(t.Output(), "\n"+a.failure(closing))
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

// closing is what stands at the end of every message about a case: its claim,
// its score, and the command that shows the first slot that is not a pass.
func (p *process) closing(e *entry) report.Closing {
	c := report.Closing{Claim: e.c.Claim, Score: report.Score{Planned: len(e.slots)}}
	var shown *slot
	for _, s := range e.slots {
		a := s.settled()
		if a == nil {
			continue
		}
		switch a.outcome {
		case Pass:
			c.Score.Passed++
		case Fail:
			c.Score.Failed++
		case Void:
			c.Score.Void++
		}
		if a.outcome != Pass && (shown == nil || shown.settled().outcome == Void && a.outcome == Fail) {
			shown = s
		}
	}
	if shown != nil {
		c.Again = []string{p.showCommand(shown), p.againCommand(e, shown)}
	}
	return c
}

// showCommand opens the trace of a slot.
func (p *process) showCommand(s *slot) string {
	words := []string{p.command(), "show", p.run.id, s.Case}
	if s.World != "" {
		words = append(words, "--world", s.World)
	}
	if s.Variant != "" {
		words = append(words, "--variant", s.Variant)
	}
	if len(p.settings.models) > 1 {
		words = append(words, "--model", shellQuote(s.Model))
	}
	return strings.Join(append(words, "--attempt", fmt.Sprint(s.Attempt)), " ")
}

// againCommand plays the slot again.
func (p *process) againCommand(e *entry, s *slot) string {
	words := []string{"go test", p.pattern(), "-run", anchored(path.Join(e.test, s.name)), "-model=" + shellQuote(s.Model)}
	if len(p.settings.models) > 1 {
		words[len(words)-1] = "-model=" + shellQuote(strings.Join(p.settings.models, ","))
	}
	if p.settings.repeat > 1 {
		words = append(words, fmt.Sprintf("-repeat=%d", p.settings.repeat))
	}
	return strings.Join(append(words, p.again...), " ")
}

// flagsGiven lists the flags that were given and decide how a model is played, as
// they are to be given again. What only selects is left out.
func flagsGiven(flags map[string]*rawFlag) []string {
	var all []string
	for _, name := range sortedKeys(flags) {
		switch name {
		case "model", "repeat", "signal", "worlds", "limit", "j", "dry-run":
			continue
		}
		f := flags[name]
		if !f.set {
			continue
		}
		value := f.text
		if u, err := url.Parse(value); name == "base-url" && err == nil {
			u.User = nil
			value = u.String()
		}
		all = append(all, "-"+name+"="+shellQuote(value))
	}
	return all
}

// shellQuote quotes a word for a POSIX shell if it needs it.
func shellQuote(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.,:/@%+=") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// record writes one play of a slot.
func (r *run) record(s *slot, a attempt, play int, reroll bool) (where string, err error) {
	evidence, err := json.Marshal(a.evidence)
	if err != nil {
		return "", fmt.Errorf("the evidence cannot be written as JSON: %w", err)
	}
	past := r.past[s.Slot]
	decided := past.Outcome == results.Pass || past.Outcome == results.Fail
	line := results.Attempt{
		Run: r.id, Slot: s.Slot, Play: len(past.Plays) + play, Reroll: reroll || decided,
		Outcome: string(a.outcome), Reason: string(a.reason), Detail: a.detail,
		End:     string(a.evidence.End.Reason),
		Signals: make(map[string]string),
		Usage: results.Usage{
			Prompt: a.evidence.Usage.Prompt, Completion: a.evidence.Usage.Completion,
			Cached: a.evidence.Usage.Cached, Reasoning: a.evidence.Usage.Reasoning,
			Unreported: a.evidence.Usage.Unreported,
			CostSource: a.evidence.Usage.CostSource,
		},
		DurationMS:  millis(a.evidence.Usage.Total),
		ProviderMS:  millis(a.evidence.Usage.Provider),
		AgentMS:     millis(a.agentTime()),
		Retries:     a.evidence.Usage.Retries,
		Turns:       a.turns(),
		Calls:       a.calls(),
		Containment: a.evidence.Containment,
		Digests:     r.digests(a),
		Commit:      r.commit, Dirty: r.dirty,
		Started: a.started.UTC(),
	}
	if a.evidence.Usage.CostSource != "" {
		cost := a.evidence.Usage.Cost
		line.Usage.Cost = &cost
	}
	for sig, o := range BySignals(a.verdicts) {
		line.Signals[string(sig)] = string(o)
	}
	for _, v := range a.verdicts {
		line.Verdicts = append(line.Verdicts, results.Verdict{
			Signal: string(v.Signal), Name: v.Name, Outcome: string(v.Result),
			Got: v.Got, Where: v.Where, Events: v.Events, Conditional: v.Conditional,
		})
	}
	where, err = r.journal.Append(line, evidence)
	if where != "" {
		where = filepath.Join(r.dir, filepath.FromSlash(where))
	}
	return where, err
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// errInterrupted is the cause of a run that ended on a signal.
var errInterrupted = errors.New("the run was interrupted")
