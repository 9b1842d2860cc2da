package provider

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

const (
	maxErrorBody = 1 << 20
	// drainLimit and drainTime bound what is read behind the end of a stream so
	// that its connection can be used again.
	drainLimit = 64 << 10
	drainTime  = 100 * time.Millisecond
)

// An exchange is one request and its answer, as go-openai's HTTP client. It
// replaces the body of the request, turns an error status into an [*Error] with
// all that the server said, and cleans the stream.
type exchange struct {
	http   *http.Client
	body   []byte
	now    func() time.Time
	events *events
	answer io.ReadCloser
}

// Do implements openai.HTTPDoer.
func (x *exchange) Do(req *http.Request) (*http.Response, error) {
	req.Body = io.NopCloser(bytes.NewReader(x.body))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(x.body)), nil }
	req.ContentLength = int64(len(x.body))
	resp, err := x.http.Do(req)
	if err != nil {
		return nil, fmt.Errorf("reach the model: %w", err)
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		defer resp.Body.Close()
		body, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody)) // a part of it is better than none
		return nil, statusError(resp, body, x.now())
	}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
		defer resp.Body.Close()
		body, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
		return nil, garbled("the server sent a web page", body)
	}
	x.answer = resp.Body
	x.events = newEvents(resp.Body, maxAnswer)
	resp.Body = struct {
		io.Reader
		io.Closer
	}{x.events, resp.Body}
	return resp, nil
}

// drain reads what is left of the answer, which is at most an end marker, so that
// the connection can be used again. A server that keeps the stream open only
// costs its connection.
func (x *exchange) drain() {
	t := time.AfterFunc(drainTime, func() { x.answer.Close() })
	defer t.Stop()
	_, _ = io.Copy(io.Discard, io.LimitReader(x.answer, drainLimit))
}
