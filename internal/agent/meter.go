package agent

import "time"

// A meter holds what a session has used against its limits.
type meter struct {
	limits Limits
	now    func() time.Time

	turns   int
	usage   Usage
	spent   time.Duration // own time, up to started
	started time.Time     // zero: the watch stands still
}

// resume starts counting the agent's own time.
func (m *meter) resume() { m.started = m.now() }

// pause stops counting: what follows is somebody else's time.
func (m *meter) pause() {
	m.spent = m.own()
	m.started = time.Time{}
}

// own is the agent's own time up to now. A clock that was set back counts for
// nothing.
func (m *meter) own() time.Duration {
	if m.started.IsZero() {
		return m.spent
	}
	return m.spent + max(0, m.now().Sub(m.started))
}

// left is the own time that is left, if it is limited.
func (m *meter) left() (d time.Duration, limited bool) {
	return m.limits.Time - m.own(), m.limits.Time > 0
}

// overTime reports whether the agent has used up its own time.
func (m *meter) overTime() bool {
	left, limited := m.left()
	return limited && left <= 0
}

// add counts a message.
func (m *meter) add(u Usage) {
	m.turns++
	m.usage.Prompt += u.Prompt
	m.usage.Completion += u.Completion
	m.usage.Cached += u.Cached
	m.usage.Reasoning += u.Reasoning
	m.usage.Cost += u.Cost
	m.usage.CostReported = m.usage.CostReported || u.CostReported
}

func (m *meter) tokens() int { return m.usage.Prompt + m.usage.Completion }

// overdrawn names the limit that has been passed, if any: what was asked of the
// model cost more than there was.
func (m *meter) overdrawn() (Stop, bool) {
	switch l := m.limits; {
	case l.Tokens > 0 && m.tokens() > l.Tokens:
		return TooLarge, true
	case l.Cost > 0 && m.usage.Cost > l.Cost:
		return TooDear, true
	}
	return "", false
}

// exhausted names the limit that forbids asking the model once more, if any.
func (m *meter) exhausted() (Stop, bool) {
	switch l := m.limits; {
	case m.overTime():
		return TooLong, true
	case l.Turns > 0 && m.turns >= l.Turns:
		return TooMany, true
	case l.Tokens > 0 && m.tokens() >= l.Tokens:
		return TooLarge, true
	case l.Cost > 0 && m.usage.Cost >= l.Cost:
		return TooDear, true
	}
	return "", false
}
