package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// LiveConfig says which endpoint is asked and how. Every zero field but BaseURL
// has a good meaning.
type LiveConfig struct {
	BaseURL string // of an endpoint that speaks OpenAI chat; it usually ends in /v1
	Key     string // the real key; empty for an endpoint that wants none
	Header  http.Header
	// Settings are put into every request.
	Settings Settings
	Retry    Retry
	// Idle is how long the endpoint may send nothing (120 s).
	Idle time.Duration
	// Longest is how long one try may take in all (15 min).
	Longest time.Duration
	// MaxAnswer is the size in bytes at which an answer is cut, as if the model
	// had met its own limit (8 MiB).
	MaxAnswer int64
	// Limiter is asked before every try. Nil is no limit.
	Limiter *Limiter
	// Transport is how requests are sent. Nil is a transport of its own.
	Transport http.RoundTripper
}

// Live is an endpoint. It is the only thing that knows the real key, and never
// says it.
type Live struct {
	config    LiveConfig // without the key
	endpoint  string
	list      string // where it says which models it has
	client    *http.Client
	authorize func(*http.Request) // a closure, so that no %v of a Live shows the key
	redactor  *Redactor
	noUsage   atomic.Bool // the endpoint refuses stream_options
}

var _ Upstream = (*Live)(nil)

// NewLive returns the endpoint. It asks nothing yet.
func NewLive(c LiveConfig) (*Live, error) {
	base, err := url.Parse(strings.TrimSuffix(c.BaseURL, "/"))
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Host == "" {
		// The error of Parse quotes the URL, which may hold a password.
		return nil, errors.New("the base URL is no http or https URL, such as https://host/v1")
	}
	key := c.Key
	c.Key, c.BaseURL = "", base.Redacted()
	if c.Idle <= 0 {
		c.Idle = 120 * time.Second
	}
	if c.Longest <= 0 {
		c.Longest = 15 * time.Minute
	}
	if c.MaxAnswer <= 0 {
		c.MaxAnswer = 8 << 20
	}
	if c.Transport == nil {
		c.Transport = newTransport()
	}
	c.Retry = c.Retry.withDefaults()
	secrets := append(urlSecrets(base), key)
	for _, values := range c.Header {
		secrets = append(secrets, values...)
	}
	header := c.Header
	c.Header = nil // it may hold a key too
	return &Live{
		config:   c,
		endpoint: base.JoinPath("chat/completions").String(),
		list:     base.JoinPath("models").String(),
		redactor: NewRedactor(secrets...),
		client: &http.Client{
			Transport: c.Transport,
			// A redirect would send the key to wherever it points.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		authorize: func(r *http.Request) {
			if key != "" {
				r.Header.Set("Authorization", "Bearer "+key)
			}
			for name, values := range header {
				r.Header[http.CanonicalHeaderKey(name)] = values
			}
		},
	}, nil
}

// urlSecrets are the parts of a URL that some endpoints take a key in: who asks,
// and the values of the query.
func urlSecrets(u *url.URL) []string {
	password, _ := u.User.Password()
	all := []string{u.User.Username(), password}
	for _, values := range u.Query() {
		all = append(all, values...)
	}
	return all
}

// newTransport keeps more idle connections than the default of two a host, which
// would open a new one for nearly every request of a parallel run.
func newTransport() http.RoundTripper {
	t, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return http.DefaultTransport
	}
	t = t.Clone()
	t.MaxIdleConns, t.MaxIdleConnsPerHost = 0, 512
	return t
}

// Redactor takes out what the endpoint must not be known by: the key, the name,
// password and query values in the base URL, and the values of the headers.
func (l *Live) Redactor() *Redactor { return l.redactor }

// Complete asks the endpoint, as often as it takes.
func (l *Live) Complete(ctx context.Context, r *Request) (*Reply, error) {
	return l.config.Retry.do(ctx, func() (*Reply, *Fault) { return l.try(ctx, r.Body) })
}

// warmAnswer is how much of the answer to a warm-up is read, in bytes. A model that
// rambles is not waited for; asking for a short answer will not do, as endpoints
// differ in how that is asked.
const warmAnswer = 64

// WarmUp sends one tiny request, so that a wrong key, model or URL is found
// before anything runs. Its error is a [*Fault].
func (l *Live) WarmUp(ctx context.Context, model string) error {
	body := mustJSON(map[string]any{
		"model":    model,
		"messages": []any{map[string]string{"role": "user", "content": "Say OK."}},
	})
	warm := &Live{config: l.config, endpoint: l.endpoint, client: l.client, authorize: l.authorize, redactor: l.redactor}
	warm.config.MaxAnswer = warmAnswer
	_, err := warm.Complete(ctx, &Request{Model: model, Body: body})
	l.noUsage.Store(warm.noUsage.Load())
	var f *Fault
	switch {
	case errors.As(err, &f) && f.Kind == Empty:
		return nil // it answered, and that is all that was asked
	case f != nil:
		f.First = true
		if f.Kind == NotFound {
			if hint, ok := l.whichModel(ctx, model); ok {
				f.Hint = hint
			}
		}
	}
	return err
}

// try asks once.
func (l *Live) try(ctx context.Context, body []byte) (*Reply, *Fault) {
	begun := time.Now()
	if err := l.config.Limiter.BeforeRequest(ctx); err != nil {
		if ctx.Err() != nil {
			return nil, NewFault(Cancelled, "%v", context.Cause(ctx))
		}
		return nil, asFault(err)
	}
	usage := !l.noUsage.Load()
	reply, fault := l.once(ctx, body, usage, begun)
	if usage && fault != nil && fault.Kind == BadRequest && streamed.MatchString(fault.Message) {
		l.noUsage.Store(true)
		reply, fault = l.once(ctx, body, false, begun)
	}
	if fault != nil {
		if fault.Kind == RateLimit && fault.RetryAfter > 0 {
			l.config.Limiter.Pause(fault.RetryAfter)
		}
		return nil, fault
	}
	l.config.Limiter.Spent(reply.tokens(len(body)), reply.Usage.Cost)
	if fault := l.config.Limiter.accounts(reply); fault != nil {
		return nil, fault
	}
	return reply, nil
}

// tokens is what an answer counts in the budget: what was reported, else a guess
// of four bytes to a token, since a budget that never ends is none. The guess goes
// nowhere else.
func (r *Reply) tokens(request int) int {
	if r.Usage.Reported {
		return r.Usage.Prompt + r.Usage.Completion
	}
	n := request + len(r.Message.Text) + len(r.Message.Reasoning)
	for _, c := range r.Message.Calls {
		n += len(c.Name) + len(c.Arguments)
	}
	return n/4 + 1
}

var (
	errIdle    = errors.New("the endpoint sent nothing for too long")
	errLongest = errors.New("the endpoint took too long in all")
)

// once sends one request and reads its answer.
func (l *Live) once(ctx context.Context, body []byte, usage bool, begun time.Time) (*Reply, *Fault) {
	out, err := l.config.Settings.apply(body, usage)
	if err != nil {
		return nil, NewFault(BadRequest, "%v", err)
	}
	watched, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	idle := time.AfterFunc(l.config.Idle, func() { cancel(errIdle) })
	defer idle.Stop()
	longest := time.AfterFunc(l.config.Longest, func() { cancel(errLongest) })
	defer longest.Stop()

	request, err := http.NewRequestWithContext(watched, http.MethodPost, l.endpoint, bytes.NewReader(out))
	if err != nil {
		return nil, l.redact(NewFault(Internal, "%v", err))
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "text/event-stream, application/json")
	l.authorize(request)

	response, err := l.client.Do(request)
	if err != nil {
		return nil, l.broken(ctx, watched, NewFault(Network, "%s", networkError(err)))
	}
	defer response.Body.Close()
	in := &watchedReader{in: response.Body, seen: func() { idle.Reset(l.config.Idle) }}
	if response.StatusCode != http.StatusOK {
		text, err := io.ReadAll(io.LimitReader(in, 64<<10))
		if err != nil && watched.Err() != nil {
			return nil, l.broken(ctx, watched, NewFault(Network, "%v", err))
		}
		return nil, l.redact(classify(response.StatusCode, response.Header, text, time.Now()))
	}
	reply, first, fault := readAnswer(in, l.config.MaxAnswer)
	if fault != nil {
		fault.RetryAfter = retryAfter(response.Header, time.Now())
		return nil, l.broken(ctx, watched, fault)
	}
	reply.Status = response.StatusCode
	if !first.IsZero() {
		reply.First = first.Sub(begun)
	}
	l.redactReply(reply)
	return reply, nil
}

// broken says why a request broke: because nobody waits for it any more, because
// it was given up, or by itself.
func (l *Live) broken(ctx, watched context.Context, f *Fault) *Fault {
	switch cause := context.Cause(watched); {
	case ctx.Err() != nil:
		return NewFault(Cancelled, "%v", context.Cause(ctx))
	case errors.Is(cause, errIdle):
		return NewFault(Stalled, "nothing came for %s", l.config.Idle)
	case errors.Is(cause, errLongest):
		return NewFault(Stalled, "the answer was not whole after %s", l.config.Longest)
	}
	return l.redact(f)
}

func (l *Live) redact(f *Fault) *Fault {
	f.Message = l.redactor.RedactString(f.Message)
	f.Message = f.shown()
	return f
}

// redactReply takes the key out of an answer, should the endpoint say it.
func (l *Live) redactReply(r *Reply) {
	if len(l.redactor.secrets) == 0 {
		return
	}
	m := &r.Message
	for _, s := range []*string{&r.ID, &r.Model, &r.Fingerprint, &r.Finish, &m.Text, &m.Reasoning} {
		*s = l.redactor.RedactString(*s)
	}
	for i := range m.Calls {
		c := &m.Calls[i]
		c.ID, c.Name, c.Arguments = l.redactor.RedactString(c.ID), l.redactor.RedactString(c.Name), l.redactor.RedactString(c.Arguments)
	}
	extra := make(map[string]json.RawMessage, len(m.Extra))
	for name, v := range m.Extra {
		extra[l.redactor.RedactString(name)] = l.redactor.Redact(v)
	}
	m.Extra = extra
	r.Usage.Raw = l.redactor.Redact(r.Usage.Raw)
}

// networkError leaves out what is said already, the method and the URL, and says what
// happens every day in words.
func networkError(err error) string {
	var (
		u    *url.Error
		host *net.DNSError
		op   *net.OpError
	)
	switch {
	case errors.As(err, &host) && host.IsNotFound:
		return "there is no host " + host.Name
	case errors.As(err, &op) && op.Op == "dial" && op.Addr != nil && errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Sprintf("nothing listens at %s: connection refused", op.Addr)
	case errors.As(err, &u):
		return u.Err.Error()
	}
	return fmt.Sprint(err)
}

// watchedReader tells of every byte that comes.
type watchedReader struct {
	in   io.Reader
	seen func()
}

func (w *watchedReader) Read(p []byte) (int, error) {
	n, err := w.in.Read(p)
	if n > 0 {
		w.seen()
	}
	return n, err
}
