package agent

import (
	"context"
	"sync"
	"time"
)

// A meter holds what a session and its children have used against the limits. It may
// be used from any goroutine.
type meter struct {
	limits Limits
	now    func() time.Time

	mu      sync.Mutex
	usage   Usage
	spent   time.Duration // own time, up to started
	started time.Time     // when the watch began to run
	on      bool          // a turn of the user is under way
	waiting int           // how many wait for the model
	alarm   *time.Timer   // rings when the own time is up
}

// running reports whether the watch runs: it stands still between two turns of the
// user, and while anybody waits for the model.
func (m *meter) running() bool { return m.on && m.waiting == 0 }

// change sets the watch going or stops it, as the change asks for.
func (m *meter) change(change func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.spent = m.own()
	change()
	m.started = m.now()
	m.wind()
}

// begin and end enclose a turn of the user.
func (m *meter) begin() { m.change(func() { m.on = true }) }
func (m *meter) end()   { m.change(func() { m.on = false }) }

// wait and resume enclose a request to the model: what passes in between is
// somebody else's time.
func (m *meter) wait()   { m.change(func() { m.waiting++ }) }
func (m *meter) resume() { m.change(func() { m.waiting-- }) }

// own is the own time up to now. A clock that was set back counts for nothing.
func (m *meter) own() time.Duration {
	if !m.running() {
		return m.spent
	}
	return m.spent + max(0, m.now().Sub(m.started))
}

// left is the own time that is left, if it is limited.
func (m *meter) left() (d time.Duration, limited bool) {
	return m.limits.Time - m.own(), m.limits.Time > 0
}

// bound ends ctx when the own time is up. One context is bound at a time.
func (m *meter) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.limits.Time > 0 {
		m.alarm = time.AfterFunc(max(0, m.limits.Time-m.own()), func() { cancel(errOwnTime) })
		m.wind()
	}
	return ctx, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.alarm != nil {
			m.alarm.Stop()
			m.alarm = nil
		}
		cancel(nil)
	}
}

// wind lets the alarm ring when the watch says so, and not while it stands still.
func (m *meter) wind() {
	switch left, limited := m.left(); {
	case m.alarm == nil || !limited:
	case m.running():
		m.alarm.Reset(max(0, left))
	default:
		m.alarm.Stop()
	}
}

// overTime reports whether the agent has used up its own time.
func (m *meter) overTime() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	left, limited := m.left()
	return limited && left <= 0
}

// add counts what a message used.
func (m *meter) add(u Usage) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.usage.Prompt += u.Prompt
	m.usage.Completion += u.Completion
	m.usage.Cached += u.Cached
	m.usage.Reasoning += u.Reasoning
	m.usage.Cost += u.Cost
	m.usage.CostReported = m.usage.CostReported || u.CostReported
}

// used returns what was used so far.
func (m *meter) used() Usage {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.usage
}

// overdrawn names the limit that has been passed, if any: what was asked of the
// model cost more than there was.
func (m *meter) overdrawn() (Stop, bool) {
	u := m.used()
	switch l := m.limits; {
	case l.Tokens > 0 && u.Prompt+u.Completion > l.Tokens:
		return TooLarge, true
	case l.Cost > 0 && u.Cost > l.Cost:
		return TooDear, true
	}
	return "", false
}

// exhausted names the limit that forbids asking the model once more, if any, after
// so many turns of so many; zero is no limit.
func (m *meter) exhausted(turns, most int) (Stop, bool) {
	u := m.used()
	switch l := m.limits; {
	case m.overTime():
		return TooLong, true
	case most > 0 && turns >= most:
		return TooMany, true
	case l.Tokens > 0 && u.Prompt+u.Completion >= l.Tokens:
		return TooLarge, true
	case l.Cost > 0 && u.Cost >= l.Cost:
		return TooDear, true
	}
	return "", false
}
