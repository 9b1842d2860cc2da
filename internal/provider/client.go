// Package provider speaks to a model over the OpenAI chat completions protocol,
// streaming, as the many servers that claim to speak it really do.
//
// It builds on go-openai for what that does well, requests and the framing of
// streams, and keeps the two ends in its own hands: the body of the request, so
// that nothing is dropped or refused on this side, and the assembly of the
// message, so that nothing the server said is lost and a stream that broke off is
// never taken for a message. It does not retry.
package provider

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"sync"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"github.com/deeds-evals/deeds/internal/agent"
)

// linger is how long a client waits for the rest of a stream, the usage and the
// end marker, once the message is complete.
const linger = 3 * time.Second

// Config says where a model is and how it is to be asked. Only BaseURL must be
// set; what is not set is not sent.
type Config struct {
	BaseURL string // with the version: https://host/v1
	Key     string
	// HTTP carries the requests. Nil is a client with a pool of connections
	// that all clients of the process share.
	HTTP *http.Client

	Temperature     *float64
	Seed            *int64
	ReasoningEffort string
	// Extra holds further fields of the request's body; they go before all others.
	Extra map[string]any

	// Now is the clock against which a date in Retry-After is read. Nil is the
	// real one.
	Now func() time.Time
}

// A Client is an [agent.Model] that is reached over HTTP. It may be used by many
// goroutines at once.
type Client struct {
	config Config
	linger time.Duration
}

var _ agent.Model = (*Client)(nil)

// New returns a client. It does not connect.
func New(c Config) *Client {
	if c.HTTP == nil {
		c.HTTP = shared()
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Client{config: c, linger: linger}
}

// shared is the HTTP client of those that bring none. The default transport of
// net/http keeps two idle connections for a host, too few for many attempts
// that all talk to one gateway.
var shared = sync.OnceValue(func() *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConns = 0
	t.MaxIdleConnsPerHost = 1024
	t.IdleConnTimeout = 30 * time.Second
	return &http.Client{Transport: t}
})

// Next asks the model for the next message and returns it whole.
//
// The error is an [*Error] when the server reported one, wraps [ErrCut] when the
// message broke off, [ErrGarbled] when the answer could not be understood, and
// wraps the error of ctx when that has ended.
func (c *Client) Next(ctx context.Context, r agent.Request) (agent.Message, error) {
	body, err := c.config.body(r)
	if err != nil {
		return agent.Message{}, fmt.Errorf("write the request: %w", err)
	}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	x := &exchange{http: c.config.HTTP, body: body, now: c.config.Now}
	m, err := c.receive(inner, cancel, x)
	switch {
	case err == nil:
		return m, nil
	case ctx.Err() != nil:
		return agent.Message{}, fmt.Errorf("wait for the model: %w", ctx.Err())
	}
	return agent.Message{}, err
}

// receive sends the request and assembles the answer. cancel ends inner, which
// is how a server is left that does not end its stream.
func (c *Client) receive(inner context.Context, cancel context.CancelFunc, x *exchange) (agent.Message, error) {
	config := openai.DefaultConfig(c.config.Key)
	config.BaseURL = c.config.BaseURL
	config.HTTPClient = x
	config.EmptyMessagesLimit = math.MaxUint
	// The exchange puts the real body in place. Whatever go-openai thinks of the
	// model or of its parameters is for the server to decide.
	stream, err := openai.NewClientWithConfig(config).CreateChatCompletionStream(inner, openai.ChatCompletionRequest{Model: "model"})
	if err != nil {
		return agent.Message{}, err
	}
	defer stream.Close()

	var a assembly
	for {
		raw, err := stream.RecvRaw()
		if err != nil {
			if a.finish == "" && !errors.Is(err, io.EOF) {
				return agent.Message{}, broken(err)
			}
			break // what comes after the finish reason is welcome, not needed
		}
		before := a.finish
		if err := a.add(raw); err != nil {
			return agent.Message{}, err
		}
		if before == "" && a.finish != "" {
			defer time.AfterFunc(c.linger, cancel).Stop()
		}
	}
	m, err := a.message(x.events.done)
	if err == nil {
		x.drain()
	}
	return m, err
}
