package agent

import (
	"sync"
	"time"

	"github.com/deeds-evals/deeds/internal/tools"
)

// A teller tells of what happens to an agent and to its children, one thing at a
// time, however many goroutines they work in.
type teller struct {
	mu      sync.Mutex
	observe func(Event)
}

// observe tells of events, one right after the other. Only a message counts as a turn
// of the session, and only the goroutine of the session's loop tells of one.
func (s *Session) observe(events ...Event) {
	s.teller.mu.Lock()
	defer s.teller.mu.Unlock()
	for _, ev := range events {
		if ev.Kind == Said {
			s.turns++
		}
		if ev.Agent == "" {
			ev.Agent = s.name
		}
		ev.Turn = s.turns
		s.teller.observe(ev)
	}
}

// aside tells of what happens beside the calls: to commands in the background, and to
// skills.
func (s *Session) aside(ev tools.Event) {
	kind := Background
	if ev.Kind == "skill" {
		kind = SkillLoaded
	}
	s.observe(Event{Kind: kind, ID: ev.ID, State: ev.State, Text: ev.Text, Exit: ev.Exit, Changed: ev.Changed, Begun: s.now()})
}

// now is the time by the clock that the session was given. Clocks need not bear being
// read from two goroutines at once.
func (s *Session) now() time.Time {
	s.meter.mu.Lock()
	defer s.meter.mu.Unlock()
	return s.config.Now()
}
