package gateway

import (
	"context"
	"strconv"
	"time"
)

// A Wait is a while in which a request is held back: the endpoint has asked for it, has
// had trouble, or has been asked often enough for now.
type Wait struct {
	// Why is the HTTP status after which the request is sent again, "429", the kind of a
	// fault that has none, or "-rpm".
	Why string
	// Until is when the request is sent. The zero time ends the wait.
	Until time.Time
}

type watchKey struct{}

// Watch returns a context in which every wait of a request is told to f, as it begins
// and as it ends.
func Watch(ctx context.Context, f func(Wait)) context.Context {
	return context.WithValue(ctx, watchKey{}, f)
}

// tell says how long a request is held back. Nothing is said of a moment.
func tell(ctx context.Context, why string, d time.Duration) (over func()) {
	f, ok := ctx.Value(watchKey{}).(func(Wait))
	if !ok || d < 100*time.Millisecond {
		return func() {}
	}
	f(Wait{why, time.Now().Add(d)})
	return func() { f(Wait{}) }
}

// why says in a word after what a request is sent again.
func (f *Fault) why() string {
	if f.Status != 0 {
		return strconv.Itoa(f.Status)
	}
	return string(f.Kind)
}
