package gateway

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// slots are what a queue waits for.
type slots interface {
	// try takes a slot if one is free for this process, in which waiting others
	// want one too.
	try(waiting int) (give func(), ok bool, err error)
	// poll is how often to look whether one is free that another process had;
	// 0 is never.
	poll() time.Duration
	close() error
}

// A queue hands slots out, first come first served. One goroutine looks for all
// who wait, and only while somebody does.
type queue struct {
	slots slots

	mu      sync.Mutex
	waiting []*waiter
	looking bool
}

type waiter struct{ granted chan grant }

type grant struct {
	release func()
	err     error
}

func newQueue(s slots) *queue { return &queue{slots: s} }

func (q *queue) acquire(ctx context.Context) (func(), error) {
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	w := &waiter{granted: make(chan grant, 1)}
	q.mu.Lock()
	q.waiting = append(q.waiting, w)
	if len(q.waiting) == 1 {
		q.serve()
	}
	if len(q.waiting) > 0 && !q.looking && q.slots.poll() > 0 {
		q.looking = true
		go q.look(q.slots.poll())
	}
	q.mu.Unlock()

	select {
	case g := <-w.granted:
		return g.release, g.err
	case <-ctx.Done():
	}
	q.mu.Lock()
	if i := slices.Index(q.waiting, w); i >= 0 {
		q.waiting = slices.Delete(q.waiting, i, i+1)
	}
	q.mu.Unlock()
	select {
	case g := <-w.granted: // it came too late
		if g.err == nil {
			g.release()
		}
	default:
	}
	return nil, context.Cause(ctx)
}

// look serves those who wait from time to time, until nobody does.
func (q *queue) look(every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for range tick.C {
		q.mu.Lock()
		q.serve()
		if len(q.waiting) == 0 {
			q.looking = false
			q.mu.Unlock()
			return
		}
		q.mu.Unlock()
	}
}

// serve hands out what is free. The lock is held.
func (q *queue) serve() {
	for len(q.waiting) > 0 {
		give, ok, err := q.slots.try(len(q.waiting))
		if err == nil && !ok {
			return
		}
		w := q.waiting[0]
		q.waiting[0] = nil
		q.waiting = q.waiting[1:]
		if err != nil {
			w.granted <- grant{err: err}
			continue
		}
		w.granted <- grant{release: sync.OnceFunc(func() {
			q.mu.Lock()
			defer q.mu.Unlock()
			give()
			q.serve()
		})}
	}
}

// close gives every slot back. Who waits is told.
func (q *queue) close() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	err := q.slots.close()
	q.serve()
	return err
}

// memorySlots are the slots of one process. Its queue's lock guards them.
type memorySlots struct {
	free   int
	closed bool
}

func (m *memorySlots) try(int) (func(), bool, error) {
	if m.closed {
		return nil, false, errors.New("the limiter is closed")
	}
	if m.free == 0 {
		return nil, false, nil
	}
	m.free--
	return func() { m.free++ }, true, nil
}

func (m *memorySlots) poll() time.Duration { return 0 }

func (m *memorySlots) close() error {
	m.closed = true
	return nil
}
