package gateway

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// waits collects what a request is held back for.
type waits struct {
	mu  sync.Mutex
	all []Wait
}

func (w *waits) watch(ctx context.Context) context.Context {
	return Watch(ctx, func(x Wait) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.all = append(w.all, x)
	})
}

func TestWatchTellsOfRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		faults := []*Fault{
			{Kind: RateLimit, Status: http.StatusTooManyRequests, RetryAfter: 12 * time.Second},
			{Kind: Stalled},
		}
		up := Retrying(UpstreamFunc(func(context.Context, *Request) (*Reply, error) {
			if len(faults) == 0 {
				return &Reply{}, nil
			}
			f := faults[0]
			faults = faults[1:]
			return nil, f
		}), Retry{Jitter: -1})
		begun := time.Now()
		var w waits
		_, err := up.Complete(w.watch(t.Context()), &Request{})
		require.NoError(t, err)
		require.Equal(t, []Wait{
			{"429", begun.Add(12 * time.Second)}, {},
			{"stalled", begun.Add(13 * time.Second)}, {},
		}, w.all)
	})
}

func TestWatchIsToldWhenAWaitIsCutShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		up := Retrying(UpstreamFunc(func(context.Context, *Request) (*Reply, error) {
			return nil, &Fault{Kind: Server, Status: http.StatusBadGateway}
		}), Retry{Jitter: -1})
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		begun := time.Now()
		var w waits
		_, err := up.Complete(w.watch(ctx), &Request{})
		require.Error(t, err)
		require.Equal(t, []Wait{{"502", begun.Add(time.Second)}, {}}, w.all)
	})
}

func TestWatchTellsOfTheLimiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, err := NewLimiter(LimiterConfig{RPM: 6})
		require.NoError(t, err)
		begun := time.Now()
		l.Pause(4 * time.Second)
		var w waits
		require.NoError(t, l.BeforeRequest(w.watch(t.Context())))
		require.Len(t, w.all, 2, "a pause; after it this is the first request")
		require.Equal(t, "429", w.all[0].Why)
		require.WithinDuration(t, begun.Add(4*time.Second), w.all[0].Until, time.Second)
		require.Zero(t, w.all[1])

		w.all = nil
		require.NoError(t, l.BeforeRequest(w.watch(t.Context())))
		require.Len(t, w.all, 2)
		require.Equal(t, "-rpm", w.all[0].Why)
		require.InDelta(t, 9, time.Until(w.all[0].Until).Seconds()+time.Since(begun).Seconds()-4, 2)
	})
}
