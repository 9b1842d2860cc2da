package mcp

import (
	"context"
	"errors"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	dialTimeout = 10 * time.Second
	callTimeout = 60 * time.Second
	// patience is how long a command may take to end once nobody talks to it.
	patience = time.Second
)

// A Client talks to one server. Its methods may be called from any goroutine.
//
// A connection over HTTP that was lost is made again when it is next needed; no
// call is made a second time by that, since the first may have taken effect. A
// command that has ended is not started again: what it knew is gone.
type Client struct {
	name    string
	dial    func(ctx context.Context) (*sdk.ClientSession, error)
	once    bool // it cannot be dialled again
	idle    func()
	private []string      // what of its address the model is not to see
	timeout time.Duration // of a call

	mu        sync.Mutex
	session   *sdk.ClientSession // nil: there is no connection
	why       error              // why there is none
	closed    bool
	resources bool        // the server has some
	tools     []*sdk.Tool // as listed last
	leaving   sync.WaitGroup
}

// A Remote is a server that is reached over HTTP, or started as a command.
type Remote struct {
	Name string
	URL  string
	// Program is started instead, with Args, its name first, and nothing but Env in
	// its environment, and talked to over its standard input and output.
	Program   string
	Args, Env []string
}

// Dial connects to a server over HTTP. Neither its error nor anything that the
// model is told later holds the URL.
func Dial(ctx context.Context, name, url string) (*Client, error) {
	c := remote(Remote{Name: name, URL: url})
	if _, err := c.open(ctx); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// DialAll connects to servers at the same time. One that cannot be reached is a
// client too, which says so to the model and tries again at each use.
func DialAll(ctx context.Context, remotes []Remote) []*Client {
	clients := make([]*Client, len(remotes))
	var all sync.WaitGroup
	for i, r := range remotes {
		clients[i] = remote(r)
		all.Go(func() { _, _ = clients[i].open(ctx) })
	}
	all.Wait()
	return clients
}

// Command starts a server and talks to it over its standard input and output. The
// server ends with [Client.Close]; ctx bounds only the start.
func Command(ctx context.Context, name string, cmd *exec.Cmd) (*Client, error) {
	c := newClient(name, func() sdk.Transport {
		return &sdk.CommandTransport{Command: cmd, TerminateDuration: patience}
	})
	c.once = true
	if _, err := c.open(ctx); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

func remote(r Remote) *Client {
	if r.Program != "" {
		c := newClient(r.Name, func() sdk.Transport {
			cmd := &exec.Cmd{Path: r.Program, Args: r.Args, Env: append([]string{}, r.Env...)}
			return &sdk.CommandTransport{Command: cmd, TerminateDuration: patience}
		})
		c.once = true
		for _, pair := range r.Env {
			_, value, _ := strings.Cut(pair, "=")
			c.private = append(c.private, parts(value)...)
		}
		return c
	}
	connections := http.DefaultTransport.(*http.Transport).Clone()
	c := newClient(r.Name, func() sdk.Transport {
		return &sdk.StreamableClientTransport{
			Endpoint:   r.URL,
			HTTPClient: &http.Client{Transport: connections},
			// Lists are asked for again each turn, so that nothing has to be told
			// unasked.
			DisableStandaloneSSE: true,
			MaxRetries:           -1,
		}
	})
	c.idle = connections.CloseIdleConnections
	c.private = parts(r.URL)
	return c
}

func newClient(name string, transport func() sdk.Transport) *Client {
	us := sdk.NewClient(&sdk.Implementation{Name: "deeds", Version: "1"}, &sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{}})
	return &Client{
		name:    name,
		timeout: callTimeout,
		idle:    func() {},
		dial: func(ctx context.Context) (*sdk.ClientSession, error) {
			return us.Connect(ctx, transport(), nil)
		},
	}
}

// Name is the name of the server.
func (c *Client) Name() string { return c.name }

// Close ends the connection, and the command if there is one.
func (c *Client) Close() {
	c.mu.Lock()
	session := c.session
	c.session, c.closed = nil, true
	c.mu.Unlock()
	if session != nil {
		_ = session.Close() // it is over, whatever the server says to it
	}
	c.leaving.Wait()
	c.idle()
}

// open is the connection at hand, or a new one. Who comes while one is being made
// waits for it.
func (c *Client) open(ctx context.Context) (*sdk.ClientSession, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.session != nil:
		return c.session, nil
	case c.closed:
		return nil, c.unreachable(sdk.ErrConnectionClosed, false)
	case c.once && c.why != nil:
		return nil, c.unreachable(c.why, false)
	}
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	session, err := c.dial(ctx)
	if err != nil {
		c.why = err
		return nil, c.unreachable(err, false)
	}
	c.session, c.why = session, nil
	able := session.InitializeResult().Capabilities
	c.resources = able != nil && able.Resources != nil
	return session, nil
}

// drop gives up a connection that broke.
func (c *Client) drop(session *sdk.ClientSession, why error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.session != session {
		return // somebody did before
	}
	c.session, c.why = nil, why
	// Taking leave of a server that hangs takes long.
	c.leaving.Go(func() { _ = session.Close() })
}

// do asks the server something. The error is that of ctx, [*unreachable] or what
// the server said itself.
func (c *Client) do(ctx context.Context, ask func(context.Context, *sdk.ClientSession) error) error {
	for again := true; ; again = false {
		session, err := c.open(ctx)
		if err != nil {
			return err
		}
		timed, cancel := context.WithTimeout(ctx, c.timeout)
		err = ask(timed, session)
		late := timed.Err() != nil
		cancel()
		switch {
		case err == nil || said(err) != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case late:
			return c.unreachable(context.DeadlineExceeded, true)
		case !rejected(err):
			c.drop(session, err)
		}
		// A server that was started anew knows nothing of us, and has done nothing.
		if !again || !errors.Is(err, sdk.ErrSessionMissing) {
			return c.unreachable(err, true)
		}
	}
}

// state says whether the server has resources, and why it cannot be reached.
func (c *Client) state() (resources bool, down *unreachable) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.session == nil && c.why != nil {
		down = c.unreachable(c.why, false)
	}
	return c.resources, down
}

// known are the tools as listed last.
func (c *Client) known() []*sdk.Tool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.tools)
}
