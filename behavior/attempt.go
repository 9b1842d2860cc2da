package behavior

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/deeds-evals/deeds/internal/gateway"
	"github.com/deeds-evals/deeds/internal/sandbox"
)

// The defaults of [Limits].
const (
	defaultTurns = 40
	defaultTime  = 120 * time.Second
)

func (l Limits) orDefault() Limits {
	if l.Turns == 0 {
		l.Turns = defaultTurns
	}
	if l.Time == 0 {
		l.Time = defaultTime
	}
	return l
}

// A Reason says why an attempt is void, or failed without an expectation being
// broken. The list is closed.
type Reason string

// The reasons. Those of the first group make an attempt void.
const (
	ReasonProvider    Reason = "provider"    // the model could not be reached, after every retry
	ReasonSandbox     Reason = "sandbox"     // the world could not be made, or not be read afterwards
	ReasonCompromised Reason = "compromised" // something outside the sandbox was touched
	ReasonFixture     Reason = "fixture"     // the case's own files could not be laid out
	ReasonHarness     Reason = "harness"     // the agent's code failed: an error or a panic
	ReasonGrader      Reason = "grader"      // an expectation broke
	ReasonUnsupported Reason = "unsupported" // the agent lacks what the case needs
	ReasonStopped     Reason = "stopped"     // the run was interrupted, or its time was up
	ReasonDiverged    Reason = "diverged"    // a replay asked for something else than is on record

	ReasonLimitTurns   Reason = "limit-turns"
	ReasonLimitTime    Reason = "limit-time"
	ReasonLimitTokens  Reason = "limit-tokens"
	ReasonLimitCost    Reason = "limit-cost"
	ReasonLimitContext Reason = "limit-context" // the conversation outgrew the model's context window
	ReasonLength       Reason = "length"        // the model was cut at its output limit
	ReasonRefusal      Reason = "refusal"       // the model's content filter stopped it
)

// An attempt is one play of a unit, judged.
type attempt struct {
	unit     unit
	model    string
	evidence Evidence
	verdicts []Verdict
	outcome  Outcome
	reason   Reason
	detail   string
	hint     string
	fault    *gateway.Fault // of the provider, if it made the attempt void
	started  time.Time
}

// brief is what is kept of an attempt that is on record. Its evidence lies on disk,
// and that of a thousand attempts does not fit in memory.
func (a attempt) brief() attempt {
	return attempt{
		unit: a.unit, model: a.model, started: a.started,
		outcome: a.outcome, reason: a.reason,
		evidence: Evidence{Usage: a.evidence.Usage},
	}
}

// agentTime is the time that counts against the agent.
func (a attempt) agentTime() time.Duration {
	return max(0, a.evidence.Usage.Total-a.evidence.Usage.Provider)
}

// turns counts the messages of the agent.
func (a attempt) turns() int {
	n := 0
	for _, ev := range a.evidence.Timeline {
		if ev.Kind == KindMessage {
			n++
		}
	}
	return n
}

func (a attempt) calls() int {
	n := 0
	for _, ev := range a.evidence.Timeline {
		if ev.Kind == KindCall {
			n++
		}
	}
	return n
}

// A stage is where attempts are played: the gateway in front of the model, and
// how worlds are contained.
type stage struct {
	gateway     *gateway.Gateway
	containment sandbox.Containment
	now         func() time.Time
	// guest answers for simulated users, by the name of userModel.
	guest     gateway.Upstream
	userModel string
	// grace is how long an agent may take to stop when it is told to (10 s).
	grace time.Duration
	// playback is the record that the answers come from; nil where they are new.
	playback *playback
}

func (s stage) patience() time.Duration {
	if s.grace > 0 {
		return s.grace
	}
	return 10 * time.Second
}

// play plays a unit once against an upstream and judges it. It never panics and
// never returns before everything it started has ended.
func (s stage) play(ctx context.Context, u unit, model string, up gateway.Upstream) attempt {
	a := attempt{unit: u, model: model, started: s.now()}
	a.evidence = Evidence{
		Facts: u.facts, World: u.world, Variant: u.variant,
		Limits: u.c.Limits.orDefault(),
	}
	void := func(r Reason, err error) attempt {
		a.outcome, a.reason, a.detail = Void, r, err.Error()
		if a.hint == "" {
			a.hint = hintOf(err, "")
		}
		return a
	}

	files, err := u.workspace()
	if err != nil {
		return void(ReasonFixture, err)
	}
	box, err := sandbox.New(sandbox.Config{Files: files, Containment: s.containment})
	if err != nil {
		return void(ReasonSandbox, err)
	}
	defer box.Close()
	before, err := box.Snapshot()
	if err != nil {
		return void(ReasonSandbox, err)
	}
	a.evidence.Workspace = box.Dir()
	s.playback.enter(box.Dir())
	a.evidence.Before = fromSnapshot(before)

	session, err := s.gateway.Open(gateway.SessionConfig{Upstream: up, Model: model})
	if err != nil {
		return void(ReasonHarness, err)
	}
	defer session.Close()
	w, err := s.world(u, box, session)
	if err != nil {
		return void(ReasonHarness, err)
	}
	defer w.close()
	end, agentErr := s.drive(ctx, &a.evidence, u, model, w)
	a.evidence.End = end

	readWire(&a.evidence, session)
	a.evidence.UserWire = w.guestWire()
	a.evidence.Containment = box.Level()
	// What the agent left running must not change the files while they are read.
	if err := box.Quiet(); err != nil {
		return void(ReasonSandbox, err)
	}
	if err := readBox(&a.evidence, box); err != nil {
		return void(ReasonSandbox, err)
	}
	if err := box.Check(); err != nil {
		return void(ReasonCompromised, err)
	}
	var heardErr error
	a.evidence.Turns, heardErr = w.talk.close(end)

	a.verdicts = Grade(u.c, a.evidence)
	if f := s.playback.divergence(); f != nil && ctx.Err() == nil {
		a.evidence.End = End{EndProvider, f.Error()}
		a.hint = f.Hint
		return void(ReasonDiverged, errors.New(f.Message))
	}
	switch fault := session.Fault(); {
	case fault != nil && !fault.Kind.Voids():
		a.outcome, a.reason, a.detail = Fail, ReasonLimitContext, fault.Message
		a.evidence.End = End{EndTokens, fault.Message}
		if fault.Kind == gateway.Filtered {
			a.reason, a.evidence.End.Reason = ReasonRefusal, EndRefusal
		}
		return a
	case fault != nil && ctx.Err() == nil:
		a.evidence.End = End{EndProvider, fault.Error()}
		a.hint, a.fault = fault.Hint, fault
		return void(ReasonProvider, fault)
	case ctx.Err() != nil:
		a.evidence.End = End{EndStopped, context.Cause(ctx).Error()}
		return void(ReasonStopped, context.Cause(ctx))
	case w.office.fault() != nil:
		return void(ReasonFixture, w.office.fault())
	case heardErr != nil:
		return void(w.talk.reason(heardErr))
	case agentErr != nil:
		a.evidence.End = End{EndHarness, agentErr.Error()}
		return void(ReasonHarness, agentErr)
	}
	a.outcome, a.reason, a.detail = judge(a.evidence.End, a.verdicts)
	return a
}

// judge turns the end of an attempt and its verdicts into its outcome.
func judge(end End, verdicts []Verdict) (Outcome, Reason, string) {
	for _, v := range verdicts {
		if v.Fault != "" {
			return Void, ReasonGrader, fmt.Sprintf("%s: %s", v.Where, v.Fault)
		}
	}
	switch {
	case end.Limited():
		return Fail, Reason(end.Reason), end.Detail
	case !end.Orderly():
		return Void, ReasonHarness, fmt.Sprintf("the agent ended for no reason that is known: %q", end.Reason)
	}
	outcome := Pass
	detail := ""
	for _, v := range verdicts {
		switch {
		case v.Result == Fail:
			return Fail, "", ""
		case v.Result == NA && !v.Conditional:
			outcome, detail = Void, fmt.Sprintf("%s: %s", v.Where, v.Got)
		}
	}
	if outcome == Void {
		return Void, ReasonUnsupported, detail
	}
	return Pass, "", ""
}

// drive runs the agent under its limits and keeps the timeline.
func (s stage) drive(ctx context.Context, e *Evidence, u unit, model string, w *world) (End, error) {
	agent := u.c.Agent
	if agent == nil {
		agent = builtin{}
	}
	session, log := w.session, w.log
	task := w.task(model, e.Limits) // before its time begins
	w.talk.open(e.Before)

	run, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w.talk.within = run
	start := w.log.start
	done := make(chan error, 1)
	go func() {
		err := errors.New("the agent ended its goroutine, and did not return")
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("the agent panicked: %v\n%s", r, debug.Stack())
			}
			done <- err
		}()
		err = agent.Run(run, task)
	}()

	watch := time.NewTicker(20 * time.Millisecond)
	defer watch.Stop()
	var (
		err     error
		failed  = session.Failed()
		told    = run.Done()
		deserts <-chan time.Time
	)
	for waiting := true; waiting; {
		select {
		case err = <-done:
			waiting = false
		case <-failed:
			// The model cannot be reached any more: nobody waits for what an agent
			// makes of that.
			failed = nil
			cancel(session.Fault())
		case <-told:
			told, deserts = nil, time.After(s.patience())
		case <-deserts:
			// It holds a goroutine for good, but neither its slot nor the run.
			err, waiting = fmt.Errorf("the agent did not stop within %s of being told to", s.patience()), false
		case <-watch.C:
			if end := overLimit(e.Limits, time.Since(start)-session.Waited()-w.guestWaited(), session, log.ofChildren()); end != nil {
				cancel(end)
			}
		}
	}
	e.Usage.Total = time.Since(start)
	cancel(nil)
	w.talk.hush()
	e.Timeline = log.close()

	var limit limitMet
	if errors.As(context.Cause(run), &limit) || errors.As(err, &limit) {
		return limit.End, nil
	}
	if err != nil {
		return End{}, err
	}
	return log.end(), nil
}

// limitMet is the cause with which an agent is stopped that went over a limit.
type limitMet struct{ End }

func (l limitMet) Error() string { return l.Detail }

// overLimit says which limit the agent is over. The built-in agent looks by
// itself; this holds for all. What children say is no turn of the agent.
func overLimit(l Limits, own time.Duration, session *gateway.Session, children int) error {
	u := session.Usage()
	switch {
	case own > l.Time+ownTimeGrace:
		return limitMet{End{EndTime, fmt.Sprintf("the agent took longer than %s, waiting for the model not counted", l.Time)}}
	case u.Requests > l.Turns+children+spareRequests:
		return limitMet{End{EndTurns, fmt.Sprintf("the agent took more than %d turns", l.Turns)}}
	case l.Tokens > 0 && u.Prompt+u.Completion > l.Tokens:
		return limitMet{End{EndTokens, fmt.Sprintf("the agent used more than %d tokens", l.Tokens)}}
	case l.Cost > 0 && u.Cost > l.Cost:
		return limitMet{End{EndCost, fmt.Sprintf("the agent spent more than $%g", l.Cost)}}
	}
	return nil
}

const (
	// ownTimeGrace lets an agent that watches its own time say so itself.
	ownTimeGrace = 250 * time.Millisecond
	// spareRequests lets an agent make a few requests that are no turns of its
	// own, for a title or a summary.
	spareRequests = 5
)
