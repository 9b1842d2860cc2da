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

// A Session is a conversation between a user and an agent, or between an agent and a
// child. It is not safe for concurrent use.
type Session struct {
	config  Config
	name    string // of the child; "" is the agent itself
	role    role   // of the child
	tools   toolset
	equip   func(tools.Env) toolset
	history history
	rules   rules
	broken  []*tools.BrokenSkill

	turns int // messages of the model, see observe
	most  int // how many there may be; zero is no limit

	// The session and its children share these.
	meter  *meter
	teller *teller
	inbox  *inbox

	children *children // nil in a child

	system    Message // the system prompt of the turn that is under way
	asked     string  // what the user said in it
	futile    bool    // there is no use in compacting once more in it
	planReady string  // the plan that was handed over last
}

// NewSession makes a session in which nothing was said yet.
func NewSession(c Config) (*Session, error) {
	return newSession(c, func(env tools.Env) toolset { return tools.New(env) })
}

func newSession(c Config, equip func(tools.Env) toolset) (*Session, error) {
	if c.Model == nil {
		return nil, errors.New("an agent needs a model")
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Observe == nil {
		c.Observe = func(Event) {}
	}
	if c.Idle == 0 {
		c.Idle = idle
	}
	s := &Session{
		config: c, equip: equip, most: c.Limits.Turns,
		rules:  rules{files: c.Tools.Files, dir: c.Tools.Dir},
		meter:  &meter{limits: c.Limits, now: c.Now},
		teller: &teller{observe: c.Observe}, inbox: &inbox{heard: c.Heard},
		children: newChildren(),
	}
	if c.Tools.Skills == nil && c.Tools.Files != nil {
		s.config.Tools.Skills, s.broken = tools.FindSkills(c.Tools.Files)
	}
	env := s.config.Tools
	env.Delegate = s.delegate
	s.tools = equip(s.watched(env))
	return s, nil
}

// watched is the world with the session as a witness of what happens beside the calls.
func (s *Session) watched(env tools.Env) tools.Env {
	also := env.Observe
	env.Observe = func(ev tools.Event) {
		s.aside(ev)
		if also != nil {
			also(ev)
		}
	}
	return env
}

// History returns the conversation as the model is sent it, without the system
// prompt.
func (s *Session) History() []Message { return slices.Clone(s.history.messages) }

// Usage returns what the endpoint reported for all messages so far, those of the
// children and summaries included.
func (s *Session) Usage() Usage { return s.meter.used() }

// Mode returns the mode that the agent is in.
func (s *Session) Mode() tools.Mode { return s.tools.Mode() }

// Enter puts the agent into a mode, between two turns of the user, with the plan
// that it is to carry out, if any. Whoever does so knows of it: there is no event.
func (s *Session) Enter(m tools.Mode, p *Plan) {
	s.tools.SetMode(m)
	s.config.Plan = p
}

// Close ends the conversation: what it and its children have left running in the
// background is killed. Nothing is told of them when it has returned.
func (s *Session) Close() {
	s.tools.Close()
	if s.children == nil {
		return
	}
	s.children.mu.Lock()
	all := slices.Clone(s.children.all)
	s.children.mu.Unlock()
	for _, c := range all {
		c.tools.Close()
	}
}

// Send gives the agent the user's next words, and returns when its turn has
// ended; see [Run]. If the user stops it to say something else, it goes on with that.
// Limits hold for the session as a whole.
func (s *Session) Send(ctx context.Context, text string) (Stop, error) {
	s.meter.begin()
	defer s.meter.end()
	if s.config.Refresh != nil {
		s.config.Tools.Extra = s.config.Refresh(ctx)
		s.tools.SetExtra(s.config.Tools.Extra)
	}
	s.catchUp()
	for {
		stop, next, err := s.converse(ctx, text)
		switch {
		case err != nil || next == nil:
			return stop, err
		case next.Text == "":
			return Done, nil
		}
		text = next.Text
	}
}

// converse plays one turn of the user. A Word is what the user stopped it with.
func (s *Session) converse(ctx context.Context, text string) (Stop, *Word, error) {
	s.futile = false
	if err := s.prepare(); err != nil {
		return "", nil, err
	}
	s.asked = ""
	s.say(text)
	guard := new(repeatGuard)
	for {
		if ctx.Err() != nil {
			return "", nil, ended(ctx)
		}
		if stop, yes := s.meter.exhausted(s.turns, s.most); yes {
			return stop, nil, nil
		}
		if s.role != "" && s.inbox.stopped() {
			return "", nil, errStopped
		}
		if word := s.listen(); word != nil {
			return "", word, nil
		}
		stop, err := s.turn(ctx, guard)
		if err != nil {
			return "", nil, err
		}
		if stop == "" || !stop.limit() && s.inbox.stopped() {
			continue
		}
		if stop == Done {
			if again, err := s.linger(ctx); err != nil {
				return "", nil, err
			} else if again {
				continue
			}
		}
		return stop, nil, nil
	}
}

// turn asks the model once and runs what it calls. An empty Stop means that it
// wants another turn.
func (s *Session) turn(ctx context.Context, guard *repeatGuard) (Stop, error) {
	if err := s.makeRoom(ctx); err != nil {
		return "", err
	}
	begun := s.now()
	m, err := s.ask(ctx)
	if outgrown(err) && ctx.Err() == nil {
		shrunk, failure := s.shrink(ctx)
		if failure != nil {
			return "", failure
		}
		if shrunk {
			begun = s.now()
			m, err = s.ask(ctx)
		}
	}
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
	s.history.weighed(m.Usage)
	s.observe(Event{Kind: Said, Message: m, Begun: begun, Took: max(0, s.now().Sub(begun))})

	if stop, ends := s.closing(m); ends {
		s.leave(m.Calls)
		return stop, nil
	}
	return s.act(ctx, m, guard)
}

// ask asks the model for the next message of the conversation.
func (s *Session) ask(ctx context.Context) (Message, error) {
	return s.request(ctx, append([]Message{s.system}, s.history.messages...), s.tools.Specs())
}

// request asks the model. While it thinks, the agent's own time stands still.
func (s *Session) request(ctx context.Context, messages []Message, specs []tools.Spec) (m Message, err error) {
	s.meter.wait()
	defer s.meter.resume()
	defer func() {
		if err == nil {
			s.meter.add(m.Usage)
		}
	}()
	defer recovered("model", &err)
	return s.config.Model.Next(ctx, Request{Model: s.config.ModelName, Messages: messages, Tools: specs})
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
	now := s.now()
	for _, c := range calls {
		r := result{call: c, tool: c.Name, begun: now, outcome: tools.Outcome{
			Status: tools.Cut, Text: "Not run: the turn was ended before it began.",
		}}
		s.told(&r)
		s.history.answer(c, r.outcome)
	}
}

// act runs the calls of a message and answers them.
func (s *Session) act(ctx context.Context, m Message, guard *repeatGuard) (Stop, error) {
	limited, cancel := s.withOwnTime(ctx)
	defer cancel()
	b := batch{tools: s.tools, guard: guard, now: s.now, stopped: s.inbox.stopped, tell: s.told}
	err := b.run(limited, m.Calls, m.Stop == "length")
	if s.children != nil {
		err = errors.Join(err, s.children.fault())
	}

	var stop Stop
	for _, r := range b.results {
		s.history.answer(r.call, r.outcome)
		if stop == "" {
			stop = ending(r.outcome)
		}
	}
	s.history.show(b.results)
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

// withOwnTime bounds ctx by the agent's own time that is left. A child works in the
// time of the call that it works for.
func (s *Session) withOwnTime(ctx context.Context) (context.Context, context.CancelFunc) {
	if s.role != "" {
		return context.WithCancel(ctx)
	}
	return s.meter.bound(ctx)
}

// limit reports whether a run ended at a limit.
func (s Stop) limit() bool {
	switch s {
	case TooMany, TooLong, TooLarge, TooDear, TooWide:
		return true
	}
	return false
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

// told tells of a call that has ended, and of what it means. Rules that its files
// bring into force are added to its answer first.
func (s *Session) told(r *result) {
	found := s.attach(r)
	events := []Event{{
		Kind: Called, Begun: r.begun, Took: r.took,
		Call: r.call, Tool: r.tool, Args: r.args, Outcome: r.outcome,
	}}
	if r.outcome.Status == tools.OK {
		after := Event{Begun: r.begun.Add(r.took), Text: r.outcome.Signal.Text}
		switch r.outcome.Signal.Kind {
		case tools.AskedUser:
			after.Kind = Questioned
		case tools.AskedToPlan:
			after.Kind, after.State = PlanState, "asked"
		case tools.PlanReady:
			after.Kind, after.State, after.Path = PlanState, "ready", r.outcome.Signal.Path
			s.planReady = after.Path
		case tools.TodosSet:
			after.Kind, after.Todos = TodosUpdated, r.outcome.Signal.Todos
		}
		if after.Kind != "" {
			events = append(events, after)
		}
	}
	s.observe(append(events, found...)...)
}
