package cli

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
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/deeds-evals/deeds/internal/gateway"
	"github.com/deeds-evals/deeds/internal/spelling"
	"github.com/deeds-evals/deeds/internal/trace"
)

// usualEndpoint is what a run asks where no other is named.
const usualEndpoint = "https://api.openai.com/v1"

// A patient is the endpoint that is looked at.
type patient struct {
	base    *url.URL
	key     string
	live    *gateway.Live
	witness *witness
	client  *http.Client
	models  []string // that it says it has; nil if it does not say
	listed  int      // the status of that answer
	// streamed is whether the answer of a model that is gone by came as a stream.
	streamed bool
}

// endpoint looks at where models answer. Each check is only made where those before it
// leave something to see.
func (d *doctor) endpoint(ctx context.Context) {
	models := d.models()
	if len(models) > 0 && !slices.ContainsFunc(models, func(m string) bool { return !strings.HasPrefix(m, "sim:") }) {
		d.skip("endpoint", "not asked: scripts stand in for %s", strings.Join(models, ", "))
		return
	}
	base, from := d.base()
	key := d.c.getenv("OPENAI_API_KEY")
	if len(models) == 0 && from == "" && key == "" {
		d.note("endpoint", "skip", "not asked: no model is named, and a rehearsal needs none", "deeds doctor --model NAME --base-url URL, with the key in OPENAI_API_KEY")
		return
	}
	p, ok := d.patient(base, from, key)
	if !ok || !d.reach(ctx, p) {
		d.skip("model", "not asked")
		return
	}
	if len(models) == 0 {
		seen := "none is named, so that none was asked"
		if len(p.models) > 0 {
			seen += "; there are " + firstOf(p.models, 8)
		}
		d.note("model", "skip", seen, "deeds doctor --model NAME")
	}
	for i, m := range models {
		switch {
		case strings.HasPrefix(m, "sim:"):
			d.skip("model", "%s is not asked: scripts stand in for it", m)
		case ctx.Err() == nil:
			d.ask(ctx, p, m, i == 0)
		}
	}
	d.limits(p)
	d.clock(p)
}

// models are those that are to be asked.
func (d *doctor) models() []string {
	named := d.model
	if named == "" {
		named = d.c.getenv("DEEDS_MODEL")
	}
	var all []string
	for m := range strings.SplitSeq(named, ",") {
		if m = strings.TrimSpace(m); m != "" {
			all = append(all, m)
		}
	}
	return all
}

// base is where models answer, and what says so.
func (d *doctor) base() (base, from string) {
	for _, source := range []struct{ from, value string }{
		{"--base-url", d.baseURL},
		{"DEEDS_BASE_URL", d.c.getenv("DEEDS_BASE_URL")},
		{"OPENAI_BASE_URL", d.c.getenv("OPENAI_BASE_URL")},
	} {
		if v := strings.TrimSpace(source.value); v != "" {
			return strings.TrimRight(v, "/"), source.from
		}
	}
	return usualEndpoint, ""
}

// patient looks at the address and the key, before anything is sent.
func (d *doctor) patient(base, from, key string) (*patient, bool) {
	p := &patient{key: key, witness: &witness{next: d.transport}}
	if d.transport == nil {
		p.witness.next = http.DefaultTransport
	}
	u, err := url.Parse(base)
	if err == nil {
		p.base = u
		p.live, err = gateway.NewLive(gateway.LiveConfig{
			BaseURL: base, Key: key, Retry: gateway.Retry{Tries: 1},
			Idle: d.patience, Longest: d.patience, MaxAnswer: 64 << 10, Transport: p.witness,
		})
	}
	if err != nil {
		d.note("endpoint", "fail", from+" is no http or https address", "it looks like http://127.0.0.1:8080/v1")
		return nil, false
	}
	p.client = &http.Client{Transport: p.witness, Timeout: d.patience, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	if cut, ok := strings.CutSuffix(u.Path, "/chat/completions"); ok {
		u := *u
		u.Path = cut
		d.note("endpoint", "fail", shown(base)+" is the address of requests, and they are sent to what stands before /chat/completions", "the base URL is "+shown(u.String()))
		return nil, false
	}
	here := loopback(u.Hostname())
	switch trimmed := strings.Trim(key, " \t\r\n\"'"); {
	case key != trimmed:
		d.note("key", "fail", "OPENAI_API_KEY begins or ends with a blank, a line end or a quote", "set it again without them")
		return nil, false
	case key == "" && !here:
		d.note("key", "fail", "OPENAI_API_KEY is not set, and a live run asks no other machine without one", "export OPENAI_API_KEY=…; any word will do where none is asked for")
		return nil, false
	case key != "" && !here && u.Scheme == "http":
		d.note("endpoint", "warn", shown(base)+" is not encrypted: whoever is on the way reads the key", "use https, or a tunnel")
	}
	return p, true
}

// loopback reports whether a host is this machine.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// reach asks for the list of models, which costs nothing. Not every endpoint has one.
func (d *doctor) reach(ctx context.Context, p *patient) bool {
	status, body, err := p.get(ctx, p.base)
	at := shown(p.base.String())
	if err != nil {
		over, fix := "", unreached(err)
		if proxy := p.witness.proxy(p.base); proxy != nil {
			over = " over the proxy " + shown(proxy.String())
			if refusedByProxy(err) {
				fix = fmt.Sprintf("it is the proxy that refuses: start it, or check HTTPS_PROXY and HTTP_PROXY, or go without: NO_PROXY=%s", p.base.Hostname())
			}
		}
		d.note("endpoint", "fail", fmt.Sprintf("%s cannot be reached%s: %s", at, over, d.said(err)), fix)
		return false
	}
	if status == http.StatusBadRequest && p.base.Scheme == "http" && wantsTLS.Match(body) {
		d.note("endpoint", "fail", at+" speaks TLS, and was spoken to without", "use https: "+shown("https"+strings.TrimPrefix(p.base.String(), "http")))
		return false
	}
	if proxy := p.witness.proxy(p.base); proxy != nil && status == http.StatusProxyAuthRequired {
		d.note("endpoint", "fail", "the proxy "+shown(proxy.String())+" asks who you are", "give it a name and a password: HTTP_PROXY=http://NAME:PASSWORD@HOST:PORT")
		return false
	}
	p.listed = status
	if status >= 300 && status < 400 {
		to := strings.TrimSuffix(p.witness.header().Get("Location"), "/models")
		d.note("endpoint", "fail", fmt.Sprintf("%s sends requests on to %s, where the key would go too, so that a run does not follow", at, to), "give the base URL that it leads to")
		return false
	}
	if status == http.StatusNotFound {
		if below := p.base.JoinPath("v1"); !strings.HasSuffix(p.base.Path, "/v1") {
			if s, b, err := p.get(ctx, below); err == nil && s == http.StatusOK && listOf(b) != nil {
				d.note("endpoint", "fail", at+" has no models, and "+shown(below.String())+" has", "the base URL is "+shown(below.String()))
				return false
			}
		}
	}
	d.ok("endpoint", "%s answers, in %s", at, trace.Duration(p.witness.took()))
	if status == http.StatusUnauthorized || status == http.StatusForbidden {
		d.refused(p, fmt.Sprintf("HTTP %d for the list of models", status))
		return false
	}
	if status == http.StatusOK {
		p.models = listOf(body)
	}
	return true
}

func (d *doctor) refused(p *patient, why string) {
	if p.key == "" {
		d.note("key", "fail", "OPENAI_API_KEY is not set, and the endpoint asks for one: "+why, "export OPENAI_API_KEY=…")
		return
	}
	d.note("key", "fail", "the endpoint does not accept the one in OPENAI_API_KEY: "+why, "check that it is one for this endpoint, not expired, and allowed to use the model")
}

// get asks for the models below an address.
func (p *patient) get(ctx context.Context, base *url.URL) (status int, body []byte, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, base.JoinPath("models").String(), nil)
	if err != nil {
		return 0, nil, err
	}
	if p.key != "" {
		r.Header.Set("Authorization", "Bearer "+p.key)
	}
	res, err := p.client.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close()
	body, _ = io.ReadAll(io.LimitReader(res.Body, 8<<20)) // half a list is none
	return res.StatusCode, body, nil
}

// listOf reads a list of models, nil if it is none.
func listOf(body []byte) []string {
	var list struct {
		Data []struct{ ID string }
	}
	if json.Unmarshal(body, &list) != nil || list.Data == nil {
		return nil
	}
	names := make([]string, 0, len(list.Data))
	for _, m := range list.Data {
		names = append(names, m.ID)
	}
	slices.Sort(names)
	return names
}

// said is what went wrong on the way, without the address that was said already.
func (d *doctor) said(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		if u.Timeout() {
			return fmt.Sprintf("nothing came for %s", d.patience)
		}
		err = u.Err
	}
	return err.Error()
}

// wantsTLS is how servers answer who speaks to them without TLS.
var wantsTLS = regexp.MustCompile(`(?i)HTTP request to an HTTPS|plain HTTP (request was sent to HTTPS|to an SSL)`)

// refusedByProxy reports whether the proxy did not let a request through: it was not
// there, or answered with the text of a status.
func refusedByProxy(err error) bool {
	var dial *net.OpError
	if errors.As(err, &dial) && dial.Op == "proxyconnect" {
		return true
	}
	var u *url.Error
	if !errors.As(err, &u) {
		return false
	}
	for status := 400; status < 600; status++ {
		if text := http.StatusText(status); text != "" && u.Err.Error() == text {
			return true
		}
	}
	return false
}

// unreached says what to do about an endpoint that cannot be reached.
func unreached(err error) string {
	var (
		dns     *net.DNSError
		timeout interface{ Timeout() bool }
	)
	switch text := err.Error(); {
	case strings.Contains(text, `malformed HTTP response "\x15\x03`):
		return "it speaks TLS: use https://"
	case errors.As(err, &dns):
		return "check the name of the host, and that this machine has a network"
	case strings.Contains(text, "connection refused"):
		return "start the server, or check the port"
	case strings.Contains(text, "certificate"), strings.Contains(text, "tls:"):
		return "check the certificate, or give SSL_CERT_FILE one that vouches for it; a server without TLS is http://"
	case strings.Contains(text, "server gave HTTP response to HTTPS client"):
		return "it is http://, not https://"
	case errors.As(err, &timeout) && timeout.Timeout():
		return "check that nothing on the way drops it: HTTPS_PROXY, a firewall; or wait longer: --timeout 5m"
	}
	return "check the base URL, and HTTPS_PROXY if there is one"
}

// question is the one tiny thing that is asked: it calls for a call.
func question(model string, tools bool) []byte {
	body := map[string]any{
		"model":    model,
		"messages": []any{map[string]any{"role": "user", "content": "Read the file notes.txt with the tool read."}},
	}
	if tools {
		body["tools"] = []any{map[string]any{"type": "function", "function": map[string]any{
			"name": "read", "description": "Read a file.",
			"parameters": map[string]any{
				"type": "object", "required": []string{"path"},
				"properties": map[string]any{"path": map[string]any{"type": "string", "description": "The file."}},
			},
		}}}
	}
	data, _ := json.Marshal(body) // of plain values
	return data
}

// ask asks a model, and notes what its answer shows.
func (d *doctor) ask(ctx context.Context, p *patient, model string, first bool) {
	begun := time.Now()
	reply, asked, err := d.call(ctx, p, model)
	if err != nil {
		d.unanswered(ctx, p, model, err)
		return
	}
	if first && p.key == "" {
		d.ok("key", "none is set, and none is asked for")
	} else if first {
		d.ok("key", "accepted")
	}
	seen := fmt.Sprintf("%s answered in %s", model, trace.Duration(time.Since(begun)))
	seen += again(reply.Tries - 1)
	if reply.Model != "" && reply.Model != model {
		seen += ", and calls itself " + reply.Model
	}
	if p.models != nil && !slices.Contains(p.models, model) {
		seen += "; it is not in the endpoint's own list"
	}
	d.ok("model", "%s", seen)
	d.tools(reply, asked)
	if p.streamed {
		d.ok("streaming", "the answer came as a stream, its first token after %s", trace.Duration(reply.First))
	} else {
		d.note("streaming", "warn", "the answer came whole: when the first token came is not known, and a long answer may look like a stall", "turn streaming on in the server, or in the proxy before it")
	}
	d.usage(reply.Usage)
}

const (
	// mostAsked is how often a model is asked for a call: one that answers in words now
	// and then is worth measuring.
	mostAsked = 3
	// mostTries is how many requests that may take in all, with those that met a fault
	// which may pass.
	mostTries = 6
)

// call asks a model for a call until it makes one, and after a fault as patiently as a
// run does. The answer is the call; else one that has a call as text, which says more
// than the rest; else the last. The error is that of the first question: after it there
// is an answer to go by.
func (d *doctor) call(ctx context.Context, p *patient, model string) (best *gateway.Reply, asked int, err error) {
	left, until := mostTries, time.Now().Add(d.patience)
	for asked < mostAsked && left > 0 && (asked == 0 || time.Now().Before(until)) {
		retry := gateway.Retry{Tries: left, Total: max(time.Until(until), 1)}
		reply, err := gateway.Retrying(p.live, retry).Complete(ctx, &gateway.Request{Model: model, Body: question(model, true)})
		if err != nil && asked == 0 {
			return nil, 0, err
		} else if err != nil {
			break
		}
		asked++
		left -= reply.Tries
		called := len(reply.Message.Calls) > 0
		if called || best == nil || !textCall.MatchString(spoken(best)) {
			best, p.streamed = reply, p.witness.streamed()
		}
		if called {
			break
		}
	}
	return best, asked, nil
}

// spoken is what a model said, aloud or to itself.
func spoken(r *gateway.Reply) string { return r.Message.Text + r.Message.Reasoning }

// again says how often something was asked again.
func again(n int) string {
	switch {
	case n <= 0:
		return ""
	case n == 1:
		return ", when asked again"
	}
	return fmt.Sprintf(", when asked %d times again", n)
}

// textCall looks like a call that a server has not understood as one.
var textCall = regexp.MustCompile(`(?i)<\|?tool_?call|<function[=_ ]|\[TOOL_CALLS\]|"arguments"\s*:|<\|python_tag\|>`)

func (d *doctor) tools(reply *gateway.Reply, asked int) {
	const parser = "turn tool calls on in the server (vLLM: --enable-auto-tool-choice --tool-call-parser NAME; llama.cpp: --jinja), or take a model that has them"
	const weak = "a run measures how often it calls; if it never does: "
	text, times := spoken(reply), "asked to call a tool"
	if asked > 1 {
		times = fmt.Sprintf("asked %d times to call a tool", asked)
	}
	switch calls := reply.Message.Calls; {
	case len(calls) == 0 && textCall.MatchString(text):
		d.note("tools", "fail", "the call came as text, which is no call: "+d.excerpt(text), parser)
	case len(calls) == 0 && strings.TrimSpace(text) == "":
		d.note("tools", "warn", times+", the model answered nothing", weak+parser)
	case len(calls) == 0:
		d.note("tools", "warn", times+", the model answered in words: "+d.excerpt(text), weak+parser)
	case calls[0].Name != "read":
		d.note("tools", "warn", fmt.Sprintf("asked to call read, the model called %s", calls[0].Name), "")
	case !json.Valid([]byte(calls[0].Arguments)):
		d.note("tools", "warn", "the arguments of its call are no JSON: "+d.excerpt(calls[0].Arguments), "every such call is an error result for the agent: look into the server's parser of calls")
	default:
		seen := "it called read " + d.excerpt(calls[0].Arguments)
		if asked > 1 {
			seen += fmt.Sprintf(", asked %d times", asked)
		}
		d.ok("tools", "%s", seen)
	}
}

func (d *doctor) usage(u gateway.Usage) {
	switch {
	case !u.Reported:
		d.note("usage", "warn", "no tokens are reported: a run with -budget or -max-tokens is stopped at once, and costs are not known", "turn usage on in the server (stream_options.include_usage)")
	case !u.CostReported:
		d.ok("usage", "%d prompt and %d completion tokens; no cost is reported: bound a run with -max-tokens, not with -budget", u.Prompt, u.Completion)
	default:
		d.ok("usage", "%d prompt and %d completion tokens, %.6f dollars", u.Prompt, u.Completion, u.Cost)
	}
}

// unanswered notes what a fault shows.
func (d *doctor) unanswered(ctx context.Context, p *patient, model string, err error) {
	var f *gateway.Fault
	if !errors.As(err, &f) {
		d.note("model", "fail", model+" did not answer: "+err.Error(), "")
		return
	}
	defer d.skip("answer", "tool calls, streaming and usage were not seen")
	name, seen, fix := "model", model+" did not answer: "+f.Error(), f.Hint
	switch f.Kind {
	case gateway.Auth:
		d.refused(p, f.Error())
		return
	case gateway.Quota:
		name, seen = "key", "accepted, and its credit is used up: "+f.Error()
	case gateway.RateLimit:
		name, seen = "rate limit", "one request is one too many now: "+f.Error()
		if f.RetryAfter > 0 {
			seen += fmt.Sprintf("; it asks to wait %s", trace.Duration(f.RetryAfter))
		}
		if f.RetryAfter >= d.patience {
			fix = fmt.Sprintf("wait, or let it be waited for: --timeout %s", (2 * f.RetryAfter).Round(time.Second))
		}
	case gateway.NotFound:
		seen = fmt.Sprintf("there is no %s: %s", model, f.Error())
		if near := spelling.Nearest(model, p.models); len(near) > 0 {
			fix = "did you mean " + strings.Join(near, " or ") + "?"
		} else if len(p.models) > 0 {
			fix = "there are " + firstOf(p.models, 8)
		}
	case gateway.BadRequest:
		if _, err := p.live.Complete(ctx, &gateway.Request{Model: model, Body: question(model, false)}); err == nil {
			name, seen = "tools", "the endpoint refuses a request with a tool, and takes one without: "+f.Error()
			fix = "turn tool calls on in the server (vLLM: --enable-auto-tool-choice --tool-call-parser NAME; llama.cpp: --jinja), or take a model that has them"
		}
	}
	d.note(name, "fail", seen, fix)
}

var limitHeader = regexp.MustCompile(`(?i)ratelimit|rate-limit|^retry-after`)

// limits shows what the endpoint says of its limits.
func (d *doctor) limits(p *patient) {
	var all []string
	spent := ""
	header := p.witness.header()
	for name, values := range header {
		if !limitHeader.MatchString(name) || len(values) == 0 {
			continue
		}
		all = append(all, strings.ToLower(name)+" "+values[0])
		if strings.Contains(strings.ToLower(name), "remaining") && strings.TrimSpace(values[0]) == "0" {
			spent = strings.ToLower(name)
		}
	}
	slices.Sort(all)
	switch {
	case len(all) == 0:
		d.ok("limits", "the endpoint says nothing of its limits")
	case spent != "":
		d.note("limits", "warn", firstOf(all, 8), spent+" is 0: give -rpm=N and a smaller -j, or wait")
	default:
		d.ok("limits", "%s", firstOf(all, 8))
	}
}

// skew is how far two clocks may be apart: a date has no fractions, and takes its time.
const skew = 30 * time.Second

// farApart is how far apart they are where more than the times on record goes wrong:
// keys, certificates and signed requests have an hour of their own.
const farApart = time.Hour

// clock compares the endpoint's clock with this machine's.
func (d *doctor) clock(p *patient) {
	apart, known := p.witness.apart()
	switch {
	case !known:
		d.skip("clock", "the endpoint does not say what time it has")
	case apart.Abs() > skew:
		status, way := "warn", "behind"
		if apart.Abs() > farApart {
			status = "fail"
		}
		if apart < 0 {
			way = "ahead of"
		}
		d.note("clock", status, fmt.Sprintf("this machine is %s %s the endpoint: records have the wrong time", apart.Abs().Round(time.Second), way), "set the clock: timedatectl set-ntp true")
	default:
		d.ok("clock", "within %s of the endpoint's", max(time.Second, apart.Abs().Round(time.Second)))
	}
}

// A witness sees what passes between here and the endpoint.
type witness struct {
	next http.RoundTripper

	mu     sync.Mutex
	begun  time.Time
	ended  time.Time // when the head of the answer was there
	heads  http.Header
	opened []byte // how its body begins
}

func (w *witness) RoundTrip(r *http.Request) (*http.Response, error) {
	begun := time.Now()
	res, err := w.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begun, w.ended, w.heads, w.opened = begun, time.Now(), res.Header.Clone(), nil
	res.Body = struct {
		io.Reader
		io.Closer
	}{io.TeeReader(res.Body, (*opening)(w)), res.Body}
	return res, nil
}

// proxy is what stands between here and an address, nil if nothing does.
func (w *witness) proxy(to *url.URL) *url.URL {
	t, ok := w.next.(*http.Transport)
	if !ok || t.Proxy == nil {
		return nil
	}
	proxy, err := t.Proxy(&http.Request{URL: to})
	if err != nil {
		return nil
	}
	return proxy
}

// An opening keeps how the body of an answer begins.
type opening witness

func (o *opening) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if room := 64 - len(o.opened); room > 0 {
		o.opened = append(o.opened, b[:min(room, len(b))]...)
	}
	return len(b), nil
}

func (w *witness) header() http.Header {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.heads
}

func (w *witness) took() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ended.Sub(w.begun)
}

// streamed reports whether the answer was a stream: what it is shows in its first byte,
// whatever the content type says.
func (w *witness) streamed() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	b := bytes.TrimLeft(w.opened, " \t\r\n\ufeff")
	return len(b) > 0 && b[0] != '{' && b[0] != '<'
}

// apart is how far the endpoint's clock is ahead of this machine's.
func (w *witness) apart() (ahead time.Duration, known bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	date, err := http.ParseTime(w.heads.Get("Date"))
	if err != nil {
		return 0, false
	}
	// Cut to seconds there, and made somewhere between the question and the answer.
	early, late := date.Sub(w.ended), date.Add(time.Second).Sub(w.begun)
	switch {
	case early > 0:
		return early, true
	case late < 0:
		return late, true
	}
	return 0, true
}

// firstOf lists the first of many.
func firstOf(all []string, most int) string {
	if len(all) <= most {
		return strings.Join(all, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(all[:most], ", "), len(all)-most)
}

// excerpt is the beginning of a text, on one line. What is secret in it goes before it
// is cut: half of a key would not be found.
func (d *doctor) excerpt(text string) string {
	const most = 120
	if d.redact != nil {
		text = d.redact(text)
	}
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "…"
	}
	return text
}
