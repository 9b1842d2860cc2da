package agent

import (
	"context"
	"time"
)

// idle is the default of [Config.Idle].
const idle = 10 * time.Second

// say adds words of the user to the conversation.
func (s *Session) say(text string) {
	s.history.add(Message{Role: User, Text: text})
	if s.asked != "" {
		s.asked += "\n\n"
	}
	s.asked += text
}

// listen adds to the conversation what has come up since the last message: how
// commands in the background ended, and what the user has said. If the user has
// stopped the work, the word that did is returned, and is not added yet.
func (s *Session) listen() *Word {
	for _, n := range s.tools.Notices() {
		s.history.add(Message{Role: User, Text: n.Text})
		s.observe(Event{Kind: Noticed, ID: n.ID, Text: n.Text, Begun: s.now()})
	}
	if s.role != "" {
		return nil // the user speaks to the agent, not to its children
	}
	said, stop := s.inbox.take()
	for _, text := range said {
		s.say(text)
	}
	return stop
}

// catchUp adds what has come up between two turns.
func (s *Session) catchUp() {
	for word := s.listen(); word != nil; word = s.listen() {
		s.say(word.Text) // it came when there was nothing left to stop
	}
}

// linger reports whether there is more to hear when the model has said its last word.
// As long as commands run in the background it waits for one to end, if the model may
// still be asked what it makes of that.
func (s *Session) linger(ctx context.Context) (again bool, err error) {
	if s.role == "" && s.inbox.waiting() {
		return true, nil
	}
	if _, over := s.meter.exhausted(s.turns, s.most); over {
		return false, nil
	}
	limited, cancel := s.withOwnTime(ctx)
	defer cancel()
	limited, stop := context.WithTimeout(limited, s.config.Idle)
	defer stop()
	again = s.tools.WaitEnd(limited)
	if ctx.Err() != nil {
		return false, ended(ctx)
	}
	return again || s.meter.overTime(), nil
}
