package agent

import (
	"context"
	"sync"
)

// A place is where a call stands in the line of its siblings: children get their ids
// in the order in which the model asked for them, whichever goroutine comes first.
type place struct {
	before <-chan struct{} // closed when the one before has left; nil if there is none
	leave  func()
}

type placeKey struct{}

// queue puts a call behind the one whose place is before, the zero place if it is the
// first.
func queue(ctx context.Context, before <-chan struct{}) (context.Context, place, <-chan struct{}) {
	left := make(chan struct{})
	p := place{before: before, leave: sync.OnceFunc(func() { close(left) })}
	return context.WithValue(ctx, placeKey{}, p), p, left
}

// placeIn returns the place that a context holds; one at the head of the line if it
// holds none.
func placeIn(ctx context.Context) place {
	if p, ok := ctx.Value(placeKey{}).(place); ok {
		return p
	}
	return place{leave: func() {}}
}

// reached waits until it is the turn of the place, and reports whether it came before
// ctx ended.
func (p place) reached(ctx context.Context) bool {
	if p.before == nil {
		return ctx.Err() == nil
	}
	select {
	case <-p.before:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}
