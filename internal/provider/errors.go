package provider

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var (
	// ErrCut says that a stream ended before the message did.
	ErrCut = errors.New("the stream ended before the message did")
	// ErrGarbled says that an answer was not what the protocol has.
	ErrGarbled = errors.New("the answer could not be understood")
)

// An Error is an error that the server reported, by its status or in the middle
// of a stream.
type Error struct {
	Status     int    // HTTP status; in a stream, what it gave as code if that is one, else 0
	Type, Code string // as the server gave them
	Message    string
	RetryAfter time.Duration // how long the server asked to wait; 0 if it did not
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("the server reported an error")
	if e.Status != 0 {
		fmt.Fprintf(&b, " %d", e.Status)
	}
	if kind := strings.Join(nonEmpty(e.Type, e.Code), ", "); kind != "" {
		fmt.Fprintf(&b, " (%s)", kind)
	}
	if e.Message != "" {
		fmt.Fprintf(&b, ": %s", e.Message)
	}
	return b.String()
}

var outgrown = regexp.MustCompile(`(?i)context[ _-]?(length|window|size)|prompt is too long|too many (input )?tokens|input is too long`)

// ContextExceeded reports whether the conversation no longer fits the model.
func (e *Error) ContextExceeded() bool {
	switch e.Status {
	case 0, http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		return e.Code == "context_length_exceeded" || e.Type == "context_length_exceeded" || outgrown.MatchString(e.Message)
	}
	return false
}

// broken is the error of an answer whose reading failed.
func broken(err error) error {
	if errors.Is(err, ErrGarbled) {
		return err
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrCut
	}
	return fmt.Errorf("%w: %w", ErrCut, err)
}

func garbled(what string, body []byte) error {
	return fmt.Errorf("%w: %s: %s", ErrGarbled, what, excerpt(body))
}

// statusError reads the answer to a request that was refused.
func statusError(resp *http.Response, body []byte, now time.Time) *Error {
	e := bodyError(body)
	e.Status = resp.StatusCode
	if e.Message == "" {
		e.Message = http.StatusText(resp.StatusCode)
	}
	e.RetryAfter = retryAfter(resp.Header, now)
	return e
}

// bodyError finds the error in a body, of any of the usual shapes.
func bodyError(body []byte) *Error {
	body = bytes.TrimSpace(body)
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	var v struct {
		Error, Detail json.RawMessage
	}
	if json.Unmarshal(body, &v) != nil {
		return &Error{Message: excerpt(body)}
	}
	switch {
	case present(v.Error):
		return objectError(v.Error, body)
	case present(v.Detail):
		return objectError(v.Detail, body)
	}
	return objectError(body, body)
}

// objectError reads an error object, or whatever stands in its place. whole is
// what is quoted when nothing in it says what happened.
func objectError(raw, whole json.RawMessage) *Error {
	var v struct {
		Message, Type, Code, Status text
		Metadata                    json.RawMessage
	}
	if json.Unmarshal(raw, &v) != nil {
		var s text
		_ = json.Unmarshal(raw, &s) // text takes every value
		return &Error{Message: excerpt([]byte(s))}
	}
	e := &Error{Type: string(v.Type), Code: string(v.Code), Message: string(v.Message)}
	if e.Type == "" {
		e.Type = string(v.Status)
	}
	var m struct{ Raw text } // what the provider behind a router said
	if present(v.Metadata) && json.Unmarshal(v.Metadata, &m) == nil && m.Raw != "" {
		e.Message = strings.TrimSpace(e.Message + ": " + excerpt([]byte(m.Raw)))
	}
	if e.Message == "" {
		e.Message = excerpt(whole)
	}
	return e
}

// streamError reads an error in the middle of a stream.
func streamError(raw, whole json.RawMessage) *Error {
	e := objectError(raw, whole)
	if n, err := strconv.Atoi(e.Code); err == nil && n >= 400 && n <= 599 {
		e.Status = n
	}
	return e
}

// retryAfter reads how long the server asks to wait.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		return span(ms / 1000)
	}
	v := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(v, 64); err == nil {
		return span(s)
	}
	at, err := http.ParseTime(v)
	if err != nil {
		return 0
	}
	// The server's clock is the one that the date was made with.
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date
	}
	return max(0, at.Sub(now))
}

// span turns seconds into a duration, within reason.
func span(seconds float64) time.Duration {
	if !(seconds > 0) {
		return 0
	}
	return time.Duration(min(seconds, 24*60*60) * float64(time.Second))
}

// excerpt is the beginning of a text, on one line.
func excerpt(b []byte) string {
	const most = 500
	s := strings.Join(strings.Fields(strings.ToValidUTF8(string(b[:min(len(b), 4*most)]), "\uFFFD")), " ")
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

func nonEmpty(all ...string) []string {
	var some []string
	for _, s := range all {
		if s != "" {
			some = append(some, s)
		}
	}
	return some
}
