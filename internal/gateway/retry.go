package gateway

import (
	"context"
	"errors"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// Retry says how often and how patiently a model is asked again after a fault
// that may pass. Every zero field has a good meaning.
type Retry struct {
	Tries int           // in all (5); 1 is never again
	Total time.Duration // the longest that may pass before the last try begins (10 min)
	First time.Duration // the wait before the second try (1 s); it doubles from try to try
	Most  time.Duration // the longest wait that is not asked for by the endpoint (1 min)
	// Jitter is the share by which a wait may be longer or shorter (0.2). A
	// negative one is none at all.
	Jitter float64
}

func (r Retry) withDefaults() Retry {
	if r.Tries <= 0 {
		r.Tries = 5
	}
	if r.Total <= 0 {
		r.Total = 10 * time.Minute
	}
	if r.First <= 0 {
		r.First = time.Second
	}
	if r.Most <= 0 {
		r.Most = time.Minute
	}
	switch {
	case r.Jitter == 0:
		r.Jitter = 0.2
	case r.Jitter < 0:
		r.Jitter = 0
	}
	return r
}

// Retrying returns an upstream that asks u again after a fault that may pass.
func Retrying(u Upstream, r Retry) Upstream {
	r = r.withDefaults()
	return UpstreamFunc(func(ctx context.Context, request *Request) (*Reply, error) {
		return r.do(ctx, func() (*Reply, *Fault) {
			reply, err := u.Complete(ctx, request)
			if err != nil {
				return nil, asFault(err)
			}
			return reply, nil
		})
	})
}

// do tries until there is an answer, a fault that will not pass, or no patience
// left. The fault it returns counts the tries.
func (r Retry) do(ctx context.Context, try func() (*Reply, *Fault)) (*Reply, error) {
	begun := time.Now()
	tries := 0
	over := func() {} // ends the wait that was told of
	defer func() { over() }()
	reply, err := backoff.Retry(ctx, func() (*Reply, error) {
		over()
		over = func() {}
		tries++
		asked := time.Now()
		reply, fault := try()
		switch {
		case fault == nil:
			if reply != nil && reply.First > 0 {
				reply.First += asked.Sub(begun)
			}
			return reply, nil
		case !fault.Kind.Retryable():
			return nil, backoff.Permanent(fault)
		case fault.RetryAfter > 0:
			return nil, errors.Join(fault, &backoff.RetryAfterError{Duration: fault.RetryAfter})
		}
		return nil, fault
	},
		backoff.WithMaxTries(uint(r.Tries)),
		backoff.WithMaxElapsedTime(r.Total),
		backoff.WithBackOff(&backoff.ExponentialBackOff{
			InitialInterval: r.First, MaxInterval: r.Most, Multiplier: 2, RandomizationFactor: r.Jitter,
		}),
		backoff.WithNotify(func(err error, d time.Duration) { over = tell(ctx, asFault(err).why(), d) }))
	if err == nil {
		if reply != nil {
			reply.Tries = tries
		}
		return reply, nil
	}
	var fault *Fault
	if !errors.As(err, &fault) {
		fault = NewFault(Cancelled, "%v", err)
	}
	counted := *fault
	counted.Retries = tries - 1
	if after := counted.RetryAfter; after > r.Total-time.Since(begun) {
		counted.Hint = "the endpoint asks to wait for " + after.Round(time.Second).String() + ", which is longer than it is waited for"
	}
	return nil, &counted
}
