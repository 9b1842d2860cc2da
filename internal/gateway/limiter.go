package gateway

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"
)

// LimiterConfig says what a limiter limits. A zero field limits nothing.
type LimiterConfig struct {
	// Dir is a directory that the processes of a run share. Without one the
	// limits hold for this process alone.
	Dir string
	// Slots is how many attempts may be in flight at once.
	Slots int
	// RPM is how many requests may be sent in a minute.
	RPM int
	// MaxTokens and MaxCost (US dollars) are the budget: once they are used up
	// no further attempt is started.
	MaxTokens int64
	MaxCost   float64
	// Patience is the longest pause that is waited for (10 min, as long as
	// [Retry] asks again). In a longer one a request fails at once, so that an
	// endpoint which asks to wait for a day does not make a run that never ends.
	Patience time.Duration
}

// A Limiter bounds what all processes of a run do together. A nil one bounds
// nothing.
type Limiter struct {
	config LimiterConfig
	store  store
	queue  *queue
}

// NewLimiter returns a limiter. Close it when the process is done with it.
func NewLimiter(c LimiterConfig) (*Limiter, error) {
	switch {
	case c.Slots < 0:
		return nil, fmt.Errorf("%d slots are no number of slots", c.Slots)
	case c.RPM < 0:
		return nil, fmt.Errorf("%d requests a minute are no rate", c.RPM)
	case c.MaxTokens < 0:
		return nil, fmt.Errorf("%d tokens are no budget", c.MaxTokens)
	case !(c.MaxCost >= 0):
		return nil, fmt.Errorf("%g dollars are no budget", c.MaxCost)
	}
	if c.Patience <= 0 {
		c.Patience = 10 * time.Minute
	}
	l := &Limiter{config: c}
	if c.Dir == "" {
		l.store = &memoryStore{}
	} else {
		s, err := openStore(c.Dir)
		if err != nil {
			return nil, err
		}
		l.store = s
	}
	if c.Slots > 0 {
		var s slots = &memorySlots{free: c.Slots}
		if c.Dir != "" {
			s = newFileSlots(c.Dir, c.Slots, l.store)
		}
		l.queue = newQueue(s)
	}
	return l, nil
}

// Acquire waits for a slot, first come first served in this process, and returns
// how to give it back, which may be called more than once. It fails with
// [ErrBudget] if the budget is used up, before the wait or after it.
func (l *Limiter) Acquire(ctx context.Context) (release func(), err error) {
	if err := l.Budget(ctx); err != nil {
		return nil, err
	}
	if l == nil || l.queue == nil {
		return func() {}, nil
	}
	release, err = l.queue.acquire(ctx)
	if err != nil {
		return nil, err
	}
	if err := l.Budget(ctx); err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// Budget returns a fault that matches [ErrBudget] if the budget is used up.
func (l *Limiter) Budget(ctx context.Context) error {
	if l == nil || l.config.MaxTokens == 0 && l.config.MaxCost == 0 {
		return nil
	}
	tokens, cost, err := l.Used(ctx)
	if err != nil {
		return err
	}
	if l.config.MaxTokens > 0 && tokens >= l.config.MaxTokens {
		return NewFault(Budget, "%d of %d tokens are used", tokens, l.config.MaxTokens)
	}
	if l.config.MaxCost > 0 && cost >= l.config.MaxCost {
		return NewFault(Budget, "%.2f of %.2f dollars are spent", cost, l.config.MaxCost)
	}
	return nil
}

// accounts returns a fault if an answer does not say what the budget counts: one that
// cannot be kept is none.
func (l *Limiter) accounts(r *Reply) *Fault {
	// Of an answer that was cut the end was not read, where the usage stands.
	if l == nil || r.Capped {
		return nil
	}
	switch {
	case l.config.MaxCost > 0 && !r.Usage.CostReported:
		f := NewFault(Budget, "the endpoint does not report what an answer costs, so that a budget in dollars cannot be kept")
		f.Hint = "give -max-tokens=N instead of -budget"
		return f
	case l.config.MaxTokens > 0 && !r.Usage.Reported:
		f := NewFault(Budget, "the endpoint does not report how many tokens an answer takes, so that a budget of tokens cannot be kept")
		f.Hint = "leave -max-tokens out, and bound the run with -limit, -worlds or -signal"
		return f
	}
	return nil
}

// Used is what all processes have spent so far.
func (l *Limiter) Used(ctx context.Context) (tokens int64, cost float64, err error) {
	if l == nil {
		return 0, 0, nil
	}
	err = l.store.update(ctx, func(s *shared) bool {
		tokens, cost = s.Tokens, s.Cost
		return false
	})
	return tokens, cost, err
}

// Spent adds to what is used. It cannot fail: what cannot be written is counted
// by this process alone, and written with the next.
func (l *Limiter) Spent(tokens int, cost float64) {
	if l == nil || tokens <= 0 && !(cost > 0) {
		return
	}
	l.store.spend(int64(tokens), cost)
}

// Pause makes every process hold its requests back for a while: an endpoint that
// asks one to wait means all of them.
func (l *Limiter) Pause(d time.Duration) {
	if l == nil || d <= 0 {
		return
	}
	until := time.Now().Add(d)
	// A pause that cannot be shared is still kept by the one who was asked to.
	_ = l.store.update(context.Background(), func(s *shared) bool {
		if until.After(s.Paused) {
			s.Paused = until
			return true
		}
		return false
	})
}

// BeforeRequest waits until a request may be sent. It fails where that is too long
// to wait for.
func (l *Limiter) BeforeRequest(ctx context.Context) error {
	if l == nil {
		return nil
	}
	for {
		var wait time.Duration
		paused := false
		err := l.store.update(ctx, func(s *shared) bool {
			now := time.Now()
			if wait = s.Paused.Sub(now); wait > 0 {
				paused = true
				return false
			}
			wait = 0
			if l.config.RPM == 0 {
				return false
			}
			// Requests are spread evenly. Whoever was idle may catch up by one
			// second's worth, no more.
			step := time.Minute / time.Duration(l.config.RPM)
			if earliest := now.Add(-time.Second); s.Next.Before(earliest) {
				s.Next = earliest
			}
			wait = max(s.Next.Sub(now), 0)
			s.Next = s.Next.Add(step)
			return true
		})
		if err != nil {
			return err
		}
		if paused && wait > l.config.Patience {
			f := NewFault(RateLimit, "the endpoint has asked to be left alone for a long while")
			f.RetryAfter = wait
			return f
		}
		if paused {
			// Not all at the same moment.
			wait += time.Duration(rand.Int64N(int64(min(wait/10, time.Second)) + 1))
		}
		why := "-rpm"
		if paused {
			why = "429" // of whichever request met it
		}
		over := tell(ctx, why, wait)
		err = sleep(ctx, wait)
		over()
		if err != nil {
			return err
		}
		if !paused {
			return nil
		}
	}
}

// Close gives back what the limiter holds of the system. Slots that are still
// held are given back, and whoever waits for one gets an error.
func (l *Limiter) Close() error {
	if l == nil {
		return nil
	}
	var err error
	if l.queue != nil {
		err = l.queue.close()
	}
	return errors.Join(err, l.store.close())
}

// shared is what the processes know in common.
type shared struct {
	Tokens int64              `json:"tokens"`
	Cost   float64            `json:"cost"`
	Paused time.Time          `json:"paused"`
	Next   time.Time          `json:"next"` // when the next request may be sent
	Procs  map[string]process `json:"procs,omitempty"`
}

// A process is what one process says of itself, for the others to be fair.
type process struct {
	Held    int       `json:"held"`
	Waiting int       `json:"waiting"`
	Seen    time.Time `json:"seen"`
}

// A store keeps what is shared.
type store interface {
	// update calls f with what is shared, alone, and keeps it if f says so.
	update(ctx context.Context, f func(*shared) bool) error
	spend(tokens int64, cost float64)
	close() error
}

type memoryStore struct {
	mu sync.Mutex
	s  shared
}

func (m *memoryStore) update(_ context.Context, f func(*shared) bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	f(&m.s)
	return nil
}

func (m *memoryStore) spend(tokens int64, cost float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.s.Tokens += tokens
	m.s.Cost += cost
}

func (m *memoryStore) close() error { return nil }

func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
