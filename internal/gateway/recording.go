package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Recording answers requests with what they were answered before, each answer once.
// A request is known by its meaning, its messages and its tools: neither the order of
// JSON keys nor settings such as the temperature matter. One that was not recorded, or
// was answered already, is a [Diverged] fault that shows where it parts from the
// nearest one that was.
type Recording struct {
	entries []recorded

	mu      sync.Mutex
	meaning meaning
	next    map[digest][]int // entries that answer a digest and were not asked for, the next first
	fault   *Fault           // the first divergence
}

// RecordingConfig says in what the requests of today may differ from the recorded ones.
type RecordingConfig struct {
	// Replace are texts of the record, and what stands for each of them today, in
	// turn: the workspace that was becomes the workspace that is.
	Replace []string
	// Redact takes out of the requests what was taken out of the record when it was
	// written. It must change nothing that it has been through already. Nil takes
	// nothing out.
	Redact func([]byte) []byte
	// Then is when what is on record was played. The times of then and of now are not
	// what a request means: a listing of files has others each time.
	Then Span
}

// recorded is one request and what came of it: an answer, a limit of the agent's, or
// neither where the agent was stopped while it waited.
type recorded struct {
	number   int // among the requests, from 1
	messages []canonicalMessage
	tools    string
	reply    *Reply
	fault    *Fault
}

// settled reports whether anything came of the request.
func (e recorded) settled() bool { return e.reply != nil || e.fault != nil }

// NewRecording takes what a session recorded.
func NewRecording(exchanges []Exchange, c RecordingConfig) (*Recording, error) {
	if len(c.Replace)%2 != 0 {
		return nil, fmt.Errorf("%d replacements are not old and new in turn", len(c.Replace))
	}
	replacer := strings.NewReplacer(c.Replace...)
	rec := &Recording{
		meaning: meaning{redact: c.Redact, known: make(map[string]string)},
		next:    make(map[digest][]int),
	}
	if !c.Then.From.IsZero() {
		rec.meaning.spans = []Span{c.Then, {From: time.Now()}}
	}
	for i, x := range exchanges {
		e := recorded{number: i + 1}
		var err error
		if e.messages, e.tools, err = rec.meaning.of([]byte(replacer.Replace(string(x.Request)))); err != nil {
			return nil, fmt.Errorf("request %d of the recording cannot be read: %w", i+1, err)
		}
		switch {
		case x.Fault != nil && !x.Fault.Kind.Voids():
			e.fault = x.Fault
		case x.Fault == nil && x.Response != nil:
			if e.reply, err = x.reply(replacer); err != nil {
				return nil, fmt.Errorf("answer %d of the recording cannot be read: %w", i+1, err)
			}
		}
		rec.entries = append(rec.entries, e)
		key := digestOf(e.messages, e.tools)
		rec.next[key] = append(rec.next[key], i)
	}
	return rec, nil
}

// reply makes the answer out of what was recorded of it.
func (x Exchange) reply(replacer *strings.Replacer) (*Reply, error) {
	a := new(assembler)
	response := []byte(replacer.Replace(string(x.Response)))
	if !json.Valid(response) {
		return nil, fmt.Errorf("it is no JSON: %s", clip(string(response), 80))
	}
	if f := a.delta(response); f != nil {
		return nil, f
	}
	r := a.done()
	r.Finish, r.Model, r.Fingerprint, r.Usage, r.Capped, r.Status = x.Finish, x.Model, x.Fingerprint, x.Usage, x.Capped, x.Status
	r.ID = "chatcmpl-1"
	return r, nil
}

// Complete answers from the record. What was asked several times is answered in the
// recorded order.
func (rec *Recording) Complete(_ context.Context, r *Request) (*Reply, error) {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	messages, tools, err := rec.meaning.of(r.Body)
	if err != nil {
		return nil, NewFault(Internal, "%v", err)
	}
	key := digestOf(messages, tools)
	known := rec.next[key]
	// What was asked again, because nobody had waited for the answer, has it from the
	// later request.
	for len(known) > 1 && !rec.entries[known[0]].settled() {
		known = known[1:]
	}
	if len(known) == 0 {
		return nil, rec.diverge(rec.divergence(messages, tools))
	}
	rec.next[key] = known[1:]
	switch e := rec.entries[known[0]]; {
	case e.fault != nil:
		f := *e.fault
		return nil, &f
	case e.reply != nil:
		reply := *e.reply
		return &reply, nil
	default:
		return nil, rec.diverge(fmt.Sprintf("request %d has no answer on record: the agent was stopped while it waited for one", e.number))
	}
}

// diverge keeps the first divergence, for [Recording.Divergence]. The lock is held.
func (rec *Recording) diverge(message string) *Fault {
	f := NewFault(Diverged, "")
	f.Message = message // which has more lines than one
	if rec.fault == nil {
		rec.fault = f
	}
	return f
}

// Divergence says, when no more is asked, in what that which was asked differed from
// the record: the first request that was not recorded, or else the first answer that
// nobody asked for. It is nil if all was asked that was answered before, and no more.
func (rec *Recording) Divergence() *Fault {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	if rec.fault != nil {
		return rec.fault
	}
	var left []int
	for _, waiting := range rec.next {
		for _, i := range waiting {
			if rec.entries[i].settled() {
				left = append(left, i)
			}
		}
	}
	if len(left) == 0 {
		return nil
	}
	first := rec.entries[slices.Min(left)]
	f := NewFault(Diverged, "")
	f.Message = fmt.Sprintf("%d of %d requests on record did not come again; the first is request %d, with %d messages, the last of them\n%s",
		len(left), len(rec.entries), first.number, len(first.messages), clip(first.last(), mostDiff))
	return f
}

// last is the last message of a request.
func (e recorded) last() string {
	if len(e.messages) == 0 {
		return "none"
	}
	return string(e.messages[len(e.messages)-1])
}

// divergence says where the request parts from the recorded one that it has the
// most messages in common with: among those that were not asked for yet, if there is
// any.
func (rec *Recording) divergence(messages []canonicalMessage, tools string) string {
	best, common, open := -1, -1, false
	for i, e := range rec.entries {
		n := 0
		for n < len(e.messages) && n < len(messages) && e.messages[n] == messages[n] {
			n++
		}
		waits := slices.Contains(rec.next[digestOf(e.messages, e.tools)], i)
		if waits && !open || waits == open && n > common {
			best, common, open = i, n, waits
		}
	}
	if best < 0 {
		return "the recording has no answers"
	}
	e := rec.entries[best]
	at := fmt.Sprintf("request %d, message %d", e.number, common+1)
	switch {
	case !open && common == len(messages) && common == len(e.messages) && tools == e.tools:
		return fmt.Sprintf("request %d comes once more than it was recorded", e.number)
	case !open:
		return "all answers on record are given, and one more is asked for; its last message\nis  " + clip(string(messages[len(messages)-1]), mostDiff)
	case common < len(e.messages) && common < len(messages):
		return at + " differs from the recorded one:\n" + shortDiff(string(e.messages[common]), string(messages[common]))
	case common < len(messages):
		return at + " was not there when it was recorded:\nis  " + clip(string(messages[common]), mostDiff)
	case common < len(e.messages):
		return at + " is missing, which was recorded:\nwas " + clip(string(e.messages[common]), mostDiff)
	}
	return fmt.Sprintf("request %d offers other tools than the recorded one:\n", e.number) + shortDiff(e.tools, tools)
}

// mostDiff is how much of each side a diff shows, in bytes.
const mostDiff = 160

// shortDiff shows two texts from shortly before their first difference.
func shortDiff(was, is string) string {
	n := 0
	for n < len(was) && n < len(is) && was[n] == is[n] {
		n++
	}
	from := max(0, n-40)
	lead := ""
	if from > 0 {
		lead = "…"
	}
	side := func(s string) string {
		return lead + clip(strings.ToValidUTF8(s[from:], ""), mostDiff)
	}
	return "was " + side(was) + "\nis  " + side(is)
}

// FaultOf reads what [Fault.Error] says of a fault, as a record keeps it. What is no
// fault's text is an [Internal] fault that says so.
func FaultOf(text string) *Fault {
	head, message, _ := strings.Cut(text, ": ")
	kind, status, _ := strings.Cut(head, " (HTTP ")
	if _, known := consequences[FaultKind(kind)]; !known {
		return NewFault(Internal, "%s", text)
	}
	f := NewFault(FaultKind(kind), "%s", message)
	_, _ = fmt.Sscanf(status, "%d)", &f.Status) // there may be none
	return f
}
