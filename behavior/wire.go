package behavior

import (
	"bytes"
	"encoding/json"

	"github.com/deeds-evals/deeds/internal/gateway"
)

// readWire puts what the gateway recorded into the evidence.
func readWire(e *Evidence, session *gateway.Session) {
	u := session.Usage()
	e.Usage.Requests, e.Usage.Retries = u.Requests, u.Retries
	e.Usage.Prompt, e.Usage.Completion = u.Prompt, u.Completion
	e.Usage.Cached, e.Usage.Reasoning = u.Cached, u.Reasoning
	e.Usage.Unreported = u.Unreported
	if u.CostReported {
		e.Usage.Cost, e.Usage.CostSource = u.Cost, "reported"
	}
	e.Usage.FirstToken, e.Usage.Provider = u.FirstToken, session.Waited()
	e.Usage.Model, e.Usage.Fingerprint = u.Model, u.Fingerprint
	e.Wire = exchanges(session)
}

// exchanges are the requests of a wire and their answers, each shortened by what the
// one before it had.
func exchanges(session *gateway.Session) (all []Exchange) {
	var last conversation
	for _, x := range session.Exchanges() {
		out := Exchange{
			Response: x.Response, Finish: x.Finish, Status: x.Status,
			Tries: x.Tries, Usage: x.Usage.JSON(), At: x.At, First: x.First, Took: x.Took,
		}
		out.Request, out.Repeats, last = last.shorten(x.Request)
		if x.Fault != nil {
			out.Fault = x.Fault.Error()
		}
		all = append(all, out)
	}
	return all
}

// Requests returns the requests of the wire as they were sent, each one whole. A
// request that cannot be put together again is nil.
func (e Evidence) Requests() []json.RawMessage { return wholeRequests(e.Wire) }

func wholeRequests(wire []Exchange) []json.RawMessage {
	var last conversation
	var all []json.RawMessage
	for _, x := range wire {
		var whole json.RawMessage
		whole, last = last.lengthen(x.Request, x.Repeats)
		all = append(all, whole)
	}
	return all
}

// A conversation is what a request says again of the one before it. An agent sends
// all that was said each time it asks, so that what is sent grows with the square
// of what is said; what is kept grows with what is said.
type conversation struct {
	messages []json.RawMessage
	fields   map[string]json.RawMessage // all but the messages
}

// parse reads a request, and fails on what is no request with messages.
func (conversation) parse(request json.RawMessage) (c conversation, ok bool) {
	if json.Unmarshal(request, &c.fields) != nil || json.Unmarshal(c.fields["messages"], &c.messages) != nil {
		return conversation{}, false
	}
	delete(c.fields, "messages")
	return c, true
}

// shorten leaves out what the request before had too: the messages with which both
// begin, which are counted, and the fields that are equal.
func (c conversation) shorten(request json.RawMessage) (short json.RawMessage, repeats int, next conversation) {
	next, ok := c.parse(request)
	if !ok {
		return request, 0, conversation{}
	}
	if c.fields == nil {
		return request, 0, next
	}
	for repeats < len(c.messages) && repeats < len(next.messages) && bytes.Equal(c.messages[repeats], next.messages[repeats]) {
		repeats++
	}
	if repeats == 0 {
		return request, 0, next
	}
	fields := map[string]json.RawMessage{}
	for name, value := range next.fields {
		if !bytes.Equal(value, c.fields[name]) {
			fields[name] = value
		}
	}
	for name := range c.fields {
		if _, has := next.fields[name]; !has {
			return request, 0, next // a field that was dropped cannot be told from an equal one
		}
	}
	messages, err := json.Marshal(next.messages[repeats:])
	if err != nil {
		return request, 0, next
	}
	fields["messages"] = messages
	if short, err = json.Marshal(fields); err != nil {
		return request, 0, next
	}
	return short, repeats, next
}

// lengthen undoes shorten.
func (c conversation) lengthen(short json.RawMessage, repeats int) (whole json.RawMessage, next conversation) {
	next, ok := c.parse(short)
	if !ok || repeats == 0 {
		return short, next
	}
	if repeats > len(c.messages) {
		return nil, conversation{}
	}
	next.messages = append(append([]json.RawMessage(nil), c.messages[:repeats]...), next.messages...)
	for name, value := range c.fields {
		if _, has := next.fields[name]; !has {
			next.fields[name] = value
		}
	}
	all := map[string]json.RawMessage{}
	for name, value := range next.fields {
		all[name] = value
	}
	messages, err := json.Marshal(next.messages)
	if err != nil {
		return nil, conversation{}
	}
	all["messages"] = messages
	if whole, err = json.Marshal(all); err != nil {
		return nil, conversation{}
	}
	return whole, next
}
