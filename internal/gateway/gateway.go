package gateway

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Config says how a gateway serves. Every zero field has a good meaning.
type Config struct {
	// KeepAlive is how long an agent that streams waits in silence before the
	// gateway sends it a comment, so that it does not give up (20 s). Once one
	// was sent, a fault can only be told inside the stream.
	KeepAlive time.Duration
	// MaxRequest is the largest request body that is taken (64 MiB).
	MaxRequest int64
}

// A Gateway is one HTTP server on loopback. It serves any number of sessions.
type Gateway struct {
	config Config
	origin string // http://127.0.0.1:PORT
	server *http.Server
	ended  chan struct{}

	mu       sync.RWMutex
	sessions map[string]*Session // by token
	closed   bool
}

// Start opens a gateway on a free port of 127.0.0.1.
func Start(c Config) (*Gateway, error) {
	if c.KeepAlive <= 0 {
		c.KeepAlive = 20 * time.Second
	}
	if c.MaxRequest <= 0 {
		c.MaxRequest = 64 << 20
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("the gateway cannot listen on loopback: %w", err)
	}
	g := &Gateway{
		config:   c,
		origin:   "http://" + l.Addr().String(),
		ended:    make(chan struct{}),
		sessions: make(map[string]*Session),
	}
	g.server = &http.Server{
		Handler:           http.HandlerFunc(g.serve),
		ReadHeaderTimeout: time.Minute,
		IdleTimeout:       2 * time.Minute,
		// What an agent does to its connection is no news for our log.
		ErrorLog: log.New(io.Discard, "", 0),
	}
	go func() {
		defer close(g.ended)
		_ = g.server.Serve(l) // it ends when Close is called, with nothing to say
	}()
	return g, nil
}

// Close ends every session and the server. It returns when all have ended.
func (g *Gateway) Close() {
	g.mu.Lock()
	g.closed = true
	open := make([]*Session, 0, len(g.sessions))
	for _, s := range g.sessions {
		open = append(open, s)
	}
	g.mu.Unlock()
	for _, s := range open {
		s.Close()
	}
	_ = g.server.Close() // only connections without a request are left
	<-g.ended
}

// Open begins a session: one agent, one upstream, one record.
func (g *Gateway) Open(c SessionConfig) (*Session, error) {
	if c.Upstream == nil {
		return nil, errors.New("a session needs an upstream")
	}
	s := &Session{
		config:  c,
		gateway: g,
		token:   token(),
		key:     "sk-local-" + token(),
		opened:  time.Now(),
		failed:  make(chan struct{}),
	}
	s.ctx, s.cancel = context.WithCancelCause(context.Background())
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return nil, errors.New("the gateway is closed")
	}
	g.sessions[s.token] = s
	return s, nil
}

func (g *Gateway) forget(s *Session) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.sessions, s.token)
}

// serve finds the session by the first element of the path, and gives nothing
// away to whoever does not know one.
func (g *Gateway) serve(w http.ResponseWriter, r *http.Request) {
	name, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	g.mu.RLock()
	s := g.sessions[name]
	g.mu.RUnlock()
	if s == nil {
		writeError(w, http.StatusNotFound, "not_found", "there is nothing here")
		return
	}
	s.serve(w, r, "/"+rest)
}

// token returns a random word of 128 bits that says nothing.
func token() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(b[:]))
}
