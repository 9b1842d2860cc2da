package cli

import (
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

	"github.com/deeds-evals/deeds/internal/gateway"
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
