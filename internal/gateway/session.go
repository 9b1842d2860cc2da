package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"
)

// SessionConfig says what a session answers with.
type SessionConfig struct {
	// Upstream answers the requests. It must be set.
	Upstream Upstream
	// Model is the one name on the list of models.
	Model string
}

// A Session is the wire of one attempt: what one agent asks and what it is
// answered. Its address cannot be guessed, and nobody can tell from it what it
// is for.
type Session struct {
	config     SessionConfig
	gateway    *Gateway
	token, key string
	opened     time.Time
	ctx        context.Context
	cancel     context.CancelCauseFunc
	failed     chan struct{} // closed when fault is set

	wg sync.WaitGroup // requests under way

	mu        sync.Mutex
	closed    bool
	exchanges []*Exchange // in the order the requests came
	fault     *Fault      // ended the session
	limit     *Fault      // the last answer was this limit of the agent
	waits     int         // requests that wait for the upstream now
	since     time.Time   // when waits rose from 0
	waited    time.Duration
}

// An Exchange is one request and what came of it.
type Exchange struct {
	Request     json.RawMessage // as the agent sent it
	Response    json.RawMessage // the assistant's message, assembled; nil if there was none
	Finish      string
	Status      int // of the upstream's last HTTP answer, if it has such
	Tries       int
	Fault       *Fault
	Usage       Usage
	Model       string // what the endpoint says it is
	Fingerprint string
	Capped      bool
	Problems    []string      // what is wrong with the conversation that was sent
	At          time.Duration // when it came, since the session was opened
	First       time.Duration // until the first token
	Took        time.Duration // until the answer was whole
}

// Totals add up a session.
type Totals struct {
	Requests   int // that were put to the upstream
	Retries    int
	Unreported int // answers without usage
	Prompt     int
	Completion int
	Cached     int
	Reasoning  int
	// Cost is in US dollars. It counts only if CostReported, which needs every
	// answer to report it: a part of the cost is not the cost.
	Cost         float64
	CostReported bool
	FirstToken   time.Duration // the median
	Model        string        // what the endpoint said last
	Fingerprint  string
}

// BaseURL is what the agent is told as the endpoint's address. It ends in /v1.
func (s *Session) BaseURL() string { return s.gateway.origin + "/" + s.token + "/v1" }

// Key is what the agent is given as its key. It opens this session and nothing
// else.
func (s *Session) Key() string { return s.key }

// Fault returns what kept the session from an answer, or nil. A fault of the
// endpoint ends the session: what comes after it is not asked any more. A limit
// that the agent met is returned until a later request gets its answer.
func (s *Session) Fault() *Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fault != nil {
		return s.fault
	}
	return s.limit
}

// Failed is closed when a fault has ended the session, so that nobody waits for
// an agent that cannot go on.
func (s *Session) Failed() <-chan struct{} { return s.failed }

// Waited is how long at least one request has been waiting for the upstream,
// waits and retries included. It grows while one does.
func (s *Session) Waited() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waits > 0 {
		return s.waited + time.Since(s.since)
	}
	return s.waited
}

// Exchanges returns the record so far: every request, in the order they came. A
// request that still waits has no response and no fault.
func (s *Session) Exchanges() []Exchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]Exchange, len(s.exchanges))
	for i, x := range s.exchanges {
		all[i] = *x
	}
	return all
}

// Usage adds up the exchanges so far.
func (s *Session) Usage() Totals {
	s.mu.Lock()
	defer s.mu.Unlock()
	var (
		t      Totals
		firsts []time.Duration
		priced int
	)
	for _, x := range s.exchanges {
		t.Requests++
		t.Retries += max(x.Tries-1, 0)
		if x.Response == nil {
			continue
		}
		firsts = append(firsts, x.First)
		u := x.Usage
		if !u.Reported {
			t.Unreported++
		}
		if u.CostReported {
			priced++
		}
		t.Prompt += u.Prompt
		t.Completion += u.Completion
		t.Cached += u.Cached
		t.Reasoning += u.Reasoning
		t.Cost += u.Cost
		t.Model, t.Fingerprint = x.Model, x.Fingerprint
	}
	t.CostReported = priced > 0 && priced == len(firsts)
	if len(firsts) > 0 {
		slices.Sort(firsts)
		t.FirstToken = firsts[len(firsts)/2]
	}
	return t
}

var errClosed = errors.New("the session was closed")

// Close ends the session and the requests under way, and returns when they have
// ended. The record stays.
func (s *Session) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.gateway.forget(s)
	s.cancel(errClosed)
	s.wg.Wait()
}

// enter counts a request in, unless the session is closed.
func (s *Session) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.wg.Add(1)
	return true
}

// ask puts one request to the upstream and records what comes of it.
func (s *Session) ask(ctx context.Context, r *Request) (*Reply, *Fault) {
	x, begun, fault := s.begin(r)
	if fault != nil {
		return nil, fault
	}
	reply, err := complete(ctx, s.config.Upstream, r)
	if err == nil && reply == nil {
		err = NewFault(Internal, "the upstream returned neither an answer nor a fault")
	}
	return reply, s.end(ctx, x, begun, reply, err)
}

// complete asks the upstream, and turns its panic into a fault: one broken
// script must not end the process, and thousands of other attempts with it.
func complete(ctx context.Context, u Upstream, r *Request) (reply *Reply, err error) {
	defer func() {
		if p := recover(); p != nil {
			reply, err = nil, NewFault(Internal, "the upstream panicked: %v", p)
		}
	}()
	return u.Complete(ctx, r)
}

func (s *Session) begin(r *Request) (*Exchange, time.Time, *Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fault != nil {
		return nil, time.Time{}, s.fault
	}
	now := time.Now()
	x := &Exchange{Request: r.Body, Problems: r.Problems(), At: now.Sub(s.opened)}
	s.exchanges = append(s.exchanges, x)
	if s.waits++; s.waits == 1 {
		s.since = now
	}
	return x, now, nil
}

func (s *Session) end(ctx context.Context, x *Exchange, begun time.Time, reply *Reply, err error) *Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if s.waits--; s.waits == 0 {
		s.waited += now.Sub(s.since)
	}
	x.Took = now.Sub(begun)
	if err != nil {
		return s.fail(ctx, x, err)
	}
	x.Response = reply.Message.JSON()
	x.Finish = reply.Finish
	x.Status = reply.Status
	x.Tries = max(reply.Tries, 1)
	x.Usage = reply.Usage
	x.Model, x.Fingerprint = reply.Model, reply.Fingerprint
	x.Capped = reply.Capped
	x.First = reply.First
	if x.First <= 0 || x.First > x.Took {
		x.First = x.Took
	}
	s.limit = nil
	return nil
}

// outgrow notes that the agent sent a conversation beyond all measure, which is a
// limit of its own.
func (s *Session) outgrow(most int64) *Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.limit = NewFault(ContextLength, "the request is larger than %d bytes", most)
	return s.limit
}

// fail records a fault. A request that nobody waits for any more says nothing
// about the endpoint.
func (s *Session) fail(ctx context.Context, x *Exchange, err error) *Fault {
	f := *asFault(err)
	if ctx.Err() != nil {
		retries := f.Retries
		f = *NewFault(Cancelled, "%v", context.Cause(ctx))
		f.Retries = retries
	}
	f.First = x == s.exchanges[0]
	x.Fault, x.Status, x.Tries = &f, f.Status, f.Retries+1
	switch {
	case f.Kind == Cancelled:
	case !f.Kind.Voids():
		s.limit = &f
	case s.fault == nil:
		s.fault = &f
		close(s.failed)
	}
	return &f
}
