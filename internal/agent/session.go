package agent

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/deeds-evals/deeds/internal/tools"
)

// Run gives an agent one request, and returns when its turn has ended.
//
// The error is nil when the agent ended by itself or met a limit, and then the
// Stop says which. It is a [*ModelError] when the model did not answer, the error
// of ctx when that has ended, and anything else when the harness broke.
func Run(ctx context.Context, c Config, prompt string) (Stop, error) {
	s, err := NewSession(c)
	if err != nil {
		return "", err
	}
	return s.Send(ctx, prompt)
}

// A Session is a conversation between a user and an agent. It is not safe for
// concurrent use.
type Session struct {
	config  Config
	tools   toolset
	history history
	meter   meter
}

// NewSession makes a session in which nothing was said yet.
func NewSession(c Config) (*Session, error) {
	return newSession(c, tools.New(c.Tools))
}

func newSession(c Config, ts toolset) (*Session, error) {
	if c.Model == nil {
		return nil, errors.New("an agent needs a model")
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Observe == nil {
		c.Observe = func(Event) {}
	}
	return &Session{config: c, tools: ts, meter: meter{limits: c.Limits, now: c.Now}}, nil
}

// History returns the conversation as the model is sent it, without the system
// prompt.
func (s *Session) History() []Message { return slices.Clone(s.history.messages) }

// Usage returns what the endpoint reported for all messages so far.
func (s *Session) Usage() Usage { return s.meter.usage }

// Mode returns the mode that the agent is in.
func (s *Session) Mode() tools.Mode { return s.tools.Mode() }

// Enter puts the agent into a mode, between two turns of the user, with the plan
// that it is to carry out, if any.
func (s *Session) Enter(m tools.Mode, p *Plan) {
	s.tools.SetMode(m)
	s.config.Plan = p
	s.observe(Event{Kind: ModeEntered, Mode: m, Begun: s.config.Now()})
}

// Send gives the agent the user's next words, and returns when its turn has
// ended; see [Run]. Limits hold for the session as a whole.
func (s *Session) Send(ctx context.Context, text string) (Stop, error) {
	s.meter.resume()
	defer s.meter.pause()
	system, err := s.systemPrompt()
	if err != nil {
		return "", err
	}
	s.history.add(Message{Role: User, Text: text})
	guard := new(repeatGuard)
	for {
		if ctx.Err() != nil {
			return "", ended(ctx)
		}
		if stop, yes := s.meter.exhausted(); yes {
			return stop, nil
		}
		stop, err := s.turn(ctx, system, guard)
		if err != nil || stop != "" {
			return stop, err
		}
	}
}

// turn asks the model once and runs what it calls. An empty Stop means that it
// wants another turn.
func (s *Session) turn(ctx context.Context, system Message, guard *repeatGuard) (Stop, error) {
	begun := s.config.Now()
	m, err := s.ask(ctx, system)
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return "", ended(ctx)
	case outgrown(err):
		return TooWide, nil
	default:
		return "", &ModelError{err}
	}

	m = s.history.receive(m)
	s.history.add(m)
	s.meter.add(m.Usage)
	s.observe(Event{Kind: Said, Message: m, Begun: begun, Took: max(0, s.config.Now().Sub(begun))})

	if stop, ends := s.closing(m); ends {
		s.leave(m.Calls)
		return stop, nil
	}
	return s.act(ctx, m, guard)
}

// ask asks the model for the next message. While it thinks, the agent's own time
// stands still.
func (s *Session) ask(ctx context.Context, system Message) (m Message, err error) {
	s.meter.pause()
	defer s.meter.resume()
	defer recovered("model", &err)
	return s.config.Model.Next(ctx, Request{
		Model:    s.config.ModelName,
		Messages: append([]Message{system}, s.history.messages...),
		Tools:    s.tools.Specs(),
	})
}

// closing reports whether a message ends the turn before any call of it is run.
func (s *Session) closing(m Message) (Stop, bool) {
	stop, over := s.meter.overdrawn()
	switch {
	case over:
		return stop, true
	case m.Stop == "content_filter":
		return Filtered, true
	case len(m.Calls) > 0:
		return "", false
	case m.Stop == "length":
		return Length, true
	}
	return Done, true
}

// leave answers calls that are not run.
func (s *Session) leave(calls []ToolCall) {
	now := s.config.Now()
	for _, c := range calls {
		r := result{call: c, tool: c.Name, begun: now, outcome: tools.Outcome{
			Status: tools.Cut, Text: "Not run: the turn was ended before it began.",
		}}
		s.told(r)
		s.history.answer(c, r.outcome)
	}
}

// act runs the calls of a message and answers them.
func (s *Session) act(ctx context.Context, m Message, guard *repeatGuard) (Stop, error) {
	limited, cancel := s.withOwnTime(ctx)
	defer cancel()
	b := batch{tools: s.tools, guard: guard, now: s.config.Now, tell: s.told}
	err := b.run(limited, m.Calls, m.Stop == "length")

	var stop Stop
	for _, r := range b.results {
		s.history.answer(r.call, r.outcome)
		if stop == "" {
			stop = ending(r.outcome)
		}
	}
	switch {
	case ctx.Err() != nil:
		return "", errors.Join(ended(ctx), err)
	case err != nil:
		return "", err
	case limited.Err() != nil, s.meter.overTime():
		return TooLong, nil
	}
	return stop, nil
}

// withOwnTime bounds ctx by the agent's own time that is left.
func (s *Session) withOwnTime(ctx context.Context) (context.Context, context.CancelFunc) {
	left, limited := s.meter.left()
	if !limited {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, left, errOwnTime)
}

// ending says whether the outcome of a call ends the turn.
func ending(o tools.Outcome) Stop {
	if o.Status != tools.OK {
		return ""
	}
	switch o.Signal.Kind {
	case tools.AskedUser:
		return Asked
	case tools.AskedToPlan, tools.PlanReady:
		return Planned
	}
	return ""
}

// told tells of a call that has ended, and of what it means.
func (s *Session) told(r result) {
	s.observe(Event{
		Kind: Called, Begun: r.begun, Took: r.took,
		Call: r.call, Tool: r.tool, Args: r.args, Outcome: r.outcome,
	})
	if r.outcome.Status != tools.OK {
		return
	}
	after := Event{Begun: r.begun.Add(r.took), Text: r.outcome.Signal.Text}
	switch r.outcome.Signal.Kind {
	case tools.AskedUser:
		after.Kind = Questioned
	case tools.AskedToPlan:
		after.Kind, after.State = PlanState, "asked"
	case tools.PlanReady:
		after.Kind, after.State, after.Path = PlanState, "ready", r.outcome.Signal.Path
	case tools.TodosSet:
		after.Kind, after.Todos = TodosUpdated, r.outcome.Signal.Todos
	default:
		return
	}
	s.observe(after)
}

func (s *Session) observe(ev Event) {
	ev.Turn = s.meter.turns
	s.config.Observe(ev)
}
