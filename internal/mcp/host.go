package mcp

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"
)

// A Host serves stubs over HTTP on loopback, any number at once.
type Host struct {
	base   string
	server http.Server
	served chan struct{} // closed when nothing is accepted any more

	mu     sync.Mutex
	stands map[string]*stand // by path
}

// NewHost begins to listen on a free port of the loopback address.
func NewHost() (*Host, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("serve stubs: %w", err)
	}
	h := &Host{
		base:   "http://" + l.Addr().String(),
		served: make(chan struct{}),
		stands: make(map[string]*stand),
	}
	h.server = http.Server{
		Handler:           http.HandlerFunc(h.serve),
		ReadHeaderTimeout: 10 * time.Second,
		// A client that goes away in mid-request is no news.
		ErrorLog: log.New(io.Discard, "", 0),
	}
	go func() {
		defer close(h.served)
		_ = h.server.Serve(l) // it ends by Close
	}()
	return h, nil
}

// Open serves a stub until close is called. Its address cannot be guessed from
// that of another, and tells nothing. When close returns, the stub is asked
// nothing any more; calls in progress have their context cancelled and are waited
// for.
func (h *Host) Open(s Stub) (url string, close func()) {
	st := &stand{Stub: s}
	st.ctx, st.cancel = context.WithCancel(context.Background())
	path := "/" + rand.Text() + "/mcp"
	h.mu.Lock()
	h.stands[path] = st
	h.mu.Unlock()
	return h.base + path, func() {
		h.mu.Lock()
		delete(h.stands, path)
		h.mu.Unlock()
		st.leave()
	}
}

// Close stops listening and breaks the connections there are.
func (h *Host) Close() {
	_ = h.server.Close()
	<-h.served
	h.mu.Lock()
	stands := h.stands
	h.stands = nil
	h.mu.Unlock()
	for _, st := range stands {
		st.leave()
	}
}

// serve answers for the stub that the path belongs to.
func (h *Host) serve(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	st := h.stands[r.URL.Path]
	h.mu.Unlock()
	switch {
	case st == nil:
		http.NotFound(w, r)
	case st.Server.Dead:
		http.Error(w, http.StatusText(http.StatusServiceUnavailable), http.StatusServiceUnavailable)
	default:
		st.serve(w, r)
	}
}
