package behavior

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/deeds-evals/deeds/internal/gateway"
	"github.com/deeds-evals/deeds/internal/report"
	"github.com/deeds-evals/deeds/internal/sandbox"
	"github.com/deeds-evals/deeds/results"
)

// A replay is a source: the answers that another run got. Each attempt that counts
// there is driven again, by the real loop and with the real tools in a fresh sandbox;
// it must ask what was asked before, or it is void.
type replay struct {
	old    *keptRun
	redact func([]byte) []byte
}

// newReplay is the source of a run that is driven by the answers of another.
func newReplay(p *process) source { return &replay{p.old, p.run.redact.Redact} }

// adoptReplay takes over what the run that -replay names was asked for.
func (p *process) adoptReplay() (err error) {
	s := &p.settings
	if p.old, err = p.keptRun(s.replay); err != nil {
		return err
	}
	s.replay = p.old.ID
	if !p.old.drivable() {
		return &usageError{
			fmt.Sprintf("-replay=%s: no attempt of that run has ended by itself, with its evidence kept", s.replay),
			"what was void for the provider, or not run, cannot be driven again: play it with -resume",
		}
	}
	s.models, s.repeat = p.old.Models(), p.old.repeat()
	if len(p.old.Plans) == 0 {
		return nil
	}
	asked := p.old.Plans[0].Settings
	s.temperature, s.seed, s.reasoning, s.userModel = asked.Temperature, asked.Seed, asked.Reasoning, asked.UserModel
	if asked.Agent != "" {
		s.agent = asked.Agent
	}
	if _, _, given := currentReader().given("containment"); !given && asked.Containment != "" {
		s.containment = sandbox.Containment(asked.Containment)
	}
	return nil
}

// repeat is how often a unit was to be played, or was: a plan may have been lost.
func (k *keptRun) repeat() int {
	most := 1
	for _, plan := range k.Plans {
		most = max(most, min(plan.Settings.Repeat, maxRepeat))
	}
	for s, a := range k.counts {
		if a != nil {
			most = max(most, min(s.Attempt, maxRepeat))
		}
	}
	return most
}

// drivable reports whether any attempt of the run can be driven again.
func (k *keptRun) drivable() bool {
	for s := range k.counts {
		if k.drives(s) {
			return true
		}
	}
	return false
}

// drives reports whether a slot can be driven again: the attempt that counts ended by
// itself or at a limit, so that every answer it got is on record. That leaves out what
// is void because the model, the run or the agent's own code broke off, and keeps what
// is void for its grader.
func (k *keptRun) drives(s results.Slot) bool {
	a := k.counts[s]
	if a == nil || a.Evidence == "" {
		return false
	}
	end := End{Reason: EndReason(a.End)}
	return end.Orderly() || end.Limited()
}

// takesUp reports whether a slot is to be played, where another run says so.
func (p *process) takesUp(s results.Slot) bool {
	return p.settings.replay == "" || p.old.drives(s)
}

// missed counts what the run has on record of a case and what is not driven again: the
// attempts that cannot be, and those of units that the case has no more.
func (p *process) missed(e *entry) {
	units := e.c.units(e.id)
	lost, left := make(map[string]int), 0
	for s, a := range p.old.counts {
		if s.Case != e.id || a == nil {
			continue
		}
		switch {
		case !slices.ContainsFunc(units, func(u unit) bool { return u.world == s.World && u.variant == s.Variant }):
			lost[p.old.unitName(s)]++
		case !p.old.drives(s):
			left++
		}
	}
	n := &p.recount
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.lost == nil {
		n.lost, n.left = make(map[string]int), make(map[string]int)
	}
	n.left[e.id] = left
	maps.Copy(n.lost, lost)
}

func (r *replay) warm(context.Context, string) error { return nil }

func (r *replay) set(st *stage, s *slot) (gateway.Upstream, error) {
	line := r.old.counts[s.Slot]
	b := &playback{redact: r.redact, then: gateway.Span{From: line.Started}}
	b.then.To = line.Started.Add(time.Duration(line.DurationMS * float64(time.Millisecond)))
	b.old, b.err = r.old.readEvidence(line)
	st.playback, st.guest = b, gateway.UpstreamFunc(b.asUser)
	if st.userModel == "" {
		st.userModel = s.Model
	}
	return gateway.UpstreamFunc(b.asModel), nil
}

// A playback gives one play of a slot the answers that another one got. A nil one is
// there where a model is asked.
type playback struct {
	old    Evidence
	then   gateway.Span // when it was played
	redact func([]byte) []byte

	model, user *gateway.Recording
	err         error // the record cannot be read
}

// enter tells where the play takes place: what the record says of the workspace is
// meant of this one.
func (b *playback) enter(workspace string) {
	if b == nil || b.err != nil {
		return
	}
	b.model, b.err = b.recording(b.old.Wire, workspace)
	if b.err == nil {
		b.user, b.err = b.recording(b.old.UserWire, workspace)
	}
}

func (b *playback) recording(wire []Exchange, workspace string) (*gateway.Recording, error) {
	var all []gateway.Exchange
	for i, request := range wholeRequests(wire) {
		if request == nil {
			return nil, fmt.Errorf("request %d of the recording cannot be put together again", i+1)
		}
		x := wire[i]
		out := gateway.Exchange{
			Request: request, Response: x.Response, Finish: x.Finish, Status: x.Status,
			Usage: gateway.ParseUsage(x.Usage), Model: b.old.Usage.Model, Fingerprint: b.old.Usage.Fingerprint,
		}
		if x.Fault != "" {
			out.Fault = gateway.FaultOf(x.Fault)
		}
		all = append(all, out)
	}
	return gateway.NewRecording(all, gateway.RecordingConfig{
		Replace: sandboxNames(b.old.Workspace, workspace), Redact: b.redact, Then: b.then,
	})
}

// sandboxNames are the names that a sandbox has, of the one that was and the one that
// is in turn. The workspace, the home and the scratch folder lie in one folder, whose
// name alone is seen from within.
func sandboxNames(was, is string) []string {
	if was == "" {
		return nil
	}
	was, is = filepath.Dir(was), filepath.Dir(is)
	return []string{was, is, filepath.Base(was), filepath.Base(is)}
}

func (b *playback) asModel(ctx context.Context, r *gateway.Request) (*gateway.Reply, error) {
	return b.complete(ctx, b.model, r)
}

func (b *playback) asUser(ctx context.Context, r *gateway.Request) (*gateway.Reply, error) {
	return b.complete(ctx, b.user, r)
}

func (b *playback) complete(ctx context.Context, rec *gateway.Recording, r *gateway.Request) (*gateway.Reply, error) {
	if b.err != nil {
		return nil, b.divergence()
	}
	return rec.Complete(ctx, r)
}

// divergence says in what the play that is over differed from the one on record, or
// nil.
func (b *playback) divergence() *gateway.Fault {
	switch {
	case b == nil:
		return nil
	case b.err != nil:
		f := gateway.NewFault(gateway.Diverged, "there is no recording to go by: %v", b.err)
		f.Hint = "the record was damaged since it was written; what is left of the run can be driven again"
		return f
	}
	for _, of := range []struct {
		who string
		rec *gateway.Recording
	}{{"", b.model}, {"the simulated user: ", b.user}} {
		if f := of.rec.Divergence(); f != nil {
			f.Message = of.who + f.Message
			return f
		}
	}
	return nil
}

// compare holds what became of a slot against what is on record of it.
func (p *process) compare(s *slot, a attempt) {
	if p.settings.replay == "" {
		return
	}
	old := p.old.counts[s.Slot]
	p.recount.mu.Lock()
	defer p.recount.mu.Unlock()
	p.recount.attempts++
	switch {
	case a.reason == ReasonDiverged:
		p.recount.diverged++
		return
	case a.outcome == Void && old.Outcome != string(Void):
		p.recount.void++
		return
	}
	c := compareVerdicts(old.Verdicts, a.verdicts)
	p.recount.add(p.old, *old, c, a.outcome)
}

// replaySum is what the replay of the package came to, "" if it was none.
func (p *process) replaySum() string {
	if p.settings.replay == "" {
		return ""
	}
	p.recount.mu.Lock()
	defer p.recount.mu.Unlock()
	r := report.Replay{
		Run: p.old.ID, Attempts: p.recount.attempts, Diverged: p.recount.diverged, Void: p.recount.void,
		Flips: p.recount.sorted(), Gone: p.recount.gone(p),
	}
	for _, n := range p.recount.left {
		r.Left += n
	}
	p.recount.again()
	p.noteSum(r)
	return r.String()
}
