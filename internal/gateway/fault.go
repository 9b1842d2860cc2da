package gateway

import (
	"errors"
	"fmt"
	"time"
)

// A FaultKind is one of a closed list of ways in which asking a model can fail.
type FaultKind string

// The kinds of faults.
const (
	Auth       FaultKind = "auth"        // 401, 403: the endpoint does not accept the key
	Quota      FaultKind = "quota"       // 402, or a 429 that says that the credit is used up
	NotFound   FaultKind = "not-found"   // 404, or a redirect: no such model, or no such path
	BadRequest FaultKind = "bad-request" // any other 4xx: the endpoint does not accept the request

	RateLimit FaultKind = "rate-limit" // 429
	Server    FaultKind = "server"     // 5xx, or an error in the middle of a stream
	Network   FaultKind = "network"    // no connection, or it broke before an answer began
	Stalled   FaultKind = "stalled"    // no byte for too long
	CutStream FaultKind = "cut-stream" // the stream ended before the message did
	Garbage   FaultKind = "garbage"    // an answer that is not in the protocol: an HTML page, broken JSON
	Empty     FaultKind = "empty"      // a message without anything in it that cost no token

	ContextLength FaultKind = "context-length" // the conversation is longer than the model takes
	Filtered      FaultKind = "content-filter" // the endpoint will not take the conversation for its content

	Budget    FaultKind = "budget"    // the run has used up its tokens or its money
	Diverged  FaultKind = "diverged"  // the recording has no answer to this request
	Cancelled FaultKind = "cancelled" // nobody waits for the answer any more
	Internal  FaultKind = "internal"  // an upstream of our own failed
)

// consequence is what follows from a kind of fault.
type consequence struct {
	retry bool // another try may succeed
	stop  bool // no other attempt can succeed either: the run stops
	first bool // stop holds only if it met the first request of a session
	void  bool // the attempt proves nothing
	agent bool // the agent met a limit: nothing is wrong with the endpoint
	hint  string
}

var consequences = map[FaultKind]consequence{
	Auth:       {stop: true, void: true, hint: "check the key (OPENAI_API_KEY), and that it may use this model"},
	Quota:      {stop: true, void: true, hint: "the account has no credit left: add some, or use another key"},
	NotFound:   {stop: true, void: true, hint: "check the model's name and the base URL, which usually ends in /v1"},
	BadRequest: {stop: true, first: true, void: true, hint: "the endpoint does not accept the request: check that the model takes tools, and the -temperature, -seed and -reasoning that were asked for"},
	RateLimit:  {retry: true, void: true, hint: "ask for less at once with a smaller -j, or wait"},
	Server:     {retry: true, void: true, hint: "the endpoint has trouble of its own: run again later"},
	Network:    {retry: true, void: true, hint: "check the base URL (-base-url, OPENAI_BASE_URL), and that it can be reached from here"},
	Stalled:    {retry: true, void: true, hint: "the endpoint accepted the request and then sent nothing: ask for less at once with a smaller -j"},
	CutStream:  {retry: true, void: true, hint: "the endpoint, or a proxy before it, ends streams early: look for a timeout there, or try -j=1, for a server that drops an answer when the next request comes"},
	Garbage:    {retry: true, void: true, hint: "what answers at the base URL does not speak the OpenAI chat protocol: check the URL, which usually ends in /v1"},
	Empty:      {retry: true, void: true, hint: "the endpoint returned success with nothing in it, which hides an error of its own: look into its log"},

	ContextLength: {agent: true, hint: "the conversation outgrew the model's context: serve it with a larger one, or give the case less to read"},
	Filtered:      {agent: true, hint: "the endpoint's content filter refused the conversation: ask another endpoint, or word the case otherwise"},

	Budget:    {stop: true, void: true, hint: "raise -budget or -max-tokens, and go on with -resume=last"},
	Diverged:  {void: true, hint: "the agent, its prompt, its tools or the case changed since the recording was made: play it live"},
	Cancelled: {void: true},
	Internal:  {void: true, hint: "this is a defect of the harness: report it, with the evidence of the attempt"},
}

// FaultKinds lists every kind of fault.
func FaultKinds() []FaultKind {
	return []FaultKind{
		Auth, Quota, NotFound, BadRequest, RateLimit, Server, Network, Stalled, CutStream,
		Garbage, Empty, ContextLength, Filtered, Budget, Diverged, Cancelled, Internal,
	}
}

// Retryable reports whether asking again may help.
func (k FaultKind) Retryable() bool { return consequences[k].retry }

// Voids reports whether an attempt that met the fault proves nothing. If not, the
// fault is a limit that the agent met, and the attempt counts.
func (k FaultKind) Voids() bool { return !consequences[k].agent }

// A Fault says why a model did not answer. It never contains the key.
type Fault struct {
	Kind    FaultKind
	Status  int    // of the HTTP answer, if there was one
	Message string // what was said, in one line, but for the diff of a Diverged
	Hint    string // what to do about it
	Retries int    // how often it was asked again
	First   bool   // it met the first request of a session
	// RetryAfter is how long the endpoint asked to wait, if it did.
	RetryAfter time.Duration
}

// ErrBudget is the fault of a run that has used up its budget. Errors of the
// [Limiter] match it with [errors.Is].
var ErrBudget = errors.New("the budget of the run is used up")

// NewFault returns a fault with the hint of its kind.
func NewFault(kind FaultKind, format string, args ...any) *Fault {
	return &Fault{Kind: kind, Message: oneLine(fmt.Sprintf(format, args...)), Hint: consequences[kind].hint}
}

// Error says what happened in one line.
func (f *Fault) Error() string {
	s := string(f.Kind)
	if f.Status != 0 {
		s += fmt.Sprintf(" (HTTP %d)", f.Status)
	}
	if f.Message != "" {
		s += ": " + f.shown()
	}
	switch f.Retries {
	case 0:
	case 1:
		s += ", also when asked again"
	default:
		s += fmt.Sprintf(", also when asked %d times again", f.Retries)
	}
	return s
}

// shown is the message as it is shown. The difference of a recording has its own length.
func (f *Fault) shown() string {
	if f.Kind == Diverged {
		return f.Message
	}
	return clip(f.Message, longestMessage)
}

// Is makes a budget fault match [ErrBudget].
func (f *Fault) Is(target error) bool { return target == ErrBudget && f.Kind == Budget }

// StopsRun reports whether no other attempt of the run can do better: the key,
// the model or the request is wrong, or the budget is used up.
func (f *Fault) StopsRun() bool {
	c := consequences[f.Kind]
	return c.stop && (!c.first || f.First)
}

// asFault finds the fault in an error of an upstream, or makes one.
func asFault(err error) *Fault {
	var f *Fault
	if errors.As(err, &f) {
		return f
	}
	return NewFault(Internal, "%v", err)
}
