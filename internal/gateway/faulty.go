package gateway

import (
	"context"
	"sync"
)

// Faulty injects faults before an upstream, on purpose.
type Faulty struct {
	Upstream Upstream
	// Next returns the fault that meets the request, or nil if it goes through.
	Next func(*Request) *Fault
}

// Complete fails or passes the request on.
func (f *Faulty) Complete(ctx context.Context, r *Request) (*Reply, error) {
	if fault := f.Next(r); fault != nil {
		return nil, fault
	}
	return f.Upstream.Complete(ctx, r)
}

// InTurn returns a Next for [Faulty] that goes through the kinds once. An empty
// kind lets a request through, and so does the end.
func InTurn(kinds ...FaultKind) func(*Request) *Fault {
	var mu sync.Mutex
	return func(*Request) *Fault {
		mu.Lock()
		defer mu.Unlock()
		if len(kinds) == 0 {
			return nil
		}
		kind := kinds[0]
		kinds = kinds[1:]
		if kind == "" {
			return nil
		}
		return NewFault(kind, "injected")
	}
}
