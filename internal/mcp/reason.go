package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"strings"
	"syscall"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// unreachable is the error of a server that does not answer. Its text is for the
// model and holds no address: that may carry a key.
type unreachable struct {
	server, reason string
	err            error
	gone           bool // for good
	unsure         bool // a call may have got through
}

func (u *unreachable) Error() string {
	text := fmt.Sprintf("the server %s does not answer: %s; ", u.server, u.reason)
	if u.gone {
		return text + "it does not come back, go on without it"
	}
	return text + "it may come back, or go on without it"
}

func (u *unreachable) Unwrap() error { return u.err }

// unreachable puts an error into words. Whether it came after the server was asked
// for something says whether that may have been done.
func (c *Client) unreachable(err error, asked bool) *unreachable {
	turnedAway := errors.Is(err, syscall.ECONNREFUSED) || rejected(err) && !viaURL(err)
	return &unreachable{
		server: c.name,
		reason: c.reason(err),
		err:    err,
		gone:   c.once && !errors.Is(err, context.DeadlineExceeded),
		unsure: asked && !turnedAway,
	}
}

// noise is what the library says about itself before it says what happened.
var noise = regexp.MustCompile(`^(calling "[^"]*": |sending "[^"]*": |rejected by transport: |connection closed: )+`)

// reason says in few words why a server did not answer.
func (c *Client) reason(err error) string {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "no answer in time"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "connection reset"
	case errors.Is(err, sdk.ErrConnectionClosed), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "connection closed"
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	text := noise.ReplaceAllString(err.Error(), "")
	for _, p := range c.private {
		text = strings.ReplaceAll(text, p, "…")
	}
	return text
}

// parts are the parts of a URL that are not to be told, longest first.
func parts(raw string) []string {
	all := []string{raw}
	if u, err := url.Parse(raw); err == nil {
		all = append(all, u.String(), u.Redacted(), u.RequestURI(), u.RawQuery, u.Path, u.User.String(), u.Host, u.Hostname())
		for _, values := range u.Query() {
			all = append(all, values...)
		}
	}
	kept := all[:0]
	for _, p := range all {
		if len(p) > 1 {
			kept = append(kept, p)
		}
	}
	return kept
}

// said is the error that the server itself answered with, nil if the error is
// another.
func said(err error) *jsonrpc.Error {
	e, ok := errors.AsType[*jsonrpc.Error](err)
	_, ours := errors.AsType[*unreachable](err)
	if !ok || ours || isTransport(e) || errors.Is(err, sdk.ErrConnectionClosed) || viaURL(err) {
		return nil
	}
	return e
}

// rejected reports whether a request failed and the connection did not.
func rejected(err error) bool {
	e, ok := errors.AsType[*jsonrpc.Error](err)
	return ok && isTransport(e)
}

// isTransport tells an error that the library makes up for a request which was
// not taken from one that a server sent.
func isTransport(e *jsonrpc.Error) bool {
	return e.Code == -32005 && e.Message == "rejected by transport"
}

// viaURL reports whether the request itself went wrong.
func viaURL(err error) bool {
	_, ok := errors.AsType[*url.Error](err)
	return ok
}
