package cli

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"
)

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
