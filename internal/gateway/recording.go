package gateway

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

// A Recording answers requests with what they were answered before. A request is
// known by its meaning, its messages and its tools: neither the order of JSON
// keys nor settings such as the temperature matter. One that was not recorded is
// a [Diverged] fault that shows where it parts from the nearest one that was.
type Recording struct {
	entries []recorded

	mu   sync.Mutex
	next map[[sha256.Size]byte][]int // entries that answer a digest, the next first
}

type recorded struct {
	messages []canonicalMessage
	tools    string
	reply    *Reply
}

// A canonicalMessage is the text of one message with sorted keys.
type canonicalMessage string

// NewRecording takes what a session recorded. Requests that were not answered are
// left out. The replacements, old and new in turn, are made in the record first:
// the workspace that was, for one, becomes the workspace that is.
func NewRecording(exchanges []Exchange, replacements ...string) (*Recording, error) {
	if len(replacements)%2 != 0 {
		return nil, fmt.Errorf("%d replacements are not old and new in turn", len(replacements))
	}
	replacer := strings.NewReplacer(replacements...)
	rec := &Recording{next: make(map[[sha256.Size]byte][]int)}
	for i, x := range exchanges {
		if x.Response == nil || x.Fault != nil {
			continue
		}
		messages, tools, err := canonical([]byte(replacer.Replace(string(x.Request))))
		if err != nil {
			return nil, fmt.Errorf("request %d of the recording cannot be read: %w", i+1, err)
		}
		reply, err := x.reply(replacer)
		if err != nil {
			return nil, fmt.Errorf("answer %d of the recording cannot be read: %w", i+1, err)
		}
		rec.entries = append(rec.entries, recorded{messages, tools, reply})
		key := digest(messages, tools)
		rec.next[key] = append(rec.next[key], len(rec.entries)-1)
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

// Complete answers from the record. What was asked several times is answered in
// the recorded order, and then with the last answer again.
func (rec *Recording) Complete(_ context.Context, r *Request) (*Reply, error) {
	messages, tools, err := canonical(r.Body)
	if err != nil {
		return nil, NewFault(Internal, "%v", err)
	}
	key := digest(messages, tools)
	rec.mu.Lock()
	defer rec.mu.Unlock()
	known := rec.next[key]
	if len(known) == 0 {
		f := NewFault(Diverged, "")
		f.Message = rec.divergence(messages, tools)
		return nil, f
	}
	if len(known) > 1 {
		rec.next[key] = known[1:]
	}
	reply := *rec.entries[known[0]].reply
	return &reply, nil
}

// divergence says where the request parts from the recorded one that it has the
// most messages in common with.
func (rec *Recording) divergence(messages []canonicalMessage, tools string) string {
	best, common := -1, -1
	for i, e := range rec.entries {
		n := 0
		for n < len(e.messages) && n < len(messages) && e.messages[n] == messages[n] {
			n++
		}
		if n > common {
			best, common = i, n
		}
	}
	if best < 0 {
		return "the recording has no answers"
	}
	e := rec.entries[best]
	switch {
	case common < len(e.messages) && common < len(messages):
		return fmt.Sprintf("message %d differs from the recorded one:\n%s", common+1, shortDiff(string(e.messages[common]), string(messages[common])))
	case common < len(messages):
		return fmt.Sprintf("message %d was not there when it was recorded:\n+ %s", common+1, clip(string(messages[common]), mostDiff))
	case common < len(e.messages):
		return fmt.Sprintf("message %d is missing, which was recorded:\n- %s", common+1, clip(string(e.messages[common]), mostDiff))
	}
	return "the tools differ from the recorded ones:\n" + shortDiff(e.tools, tools)
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
	return "- " + side(was) + "\n+ " + side(is)
}

// canonical returns the messages and the tools of a request with sorted keys.
func canonical(body []byte) (messages []canonicalMessage, tools string, err error) {
	var in struct {
		Messages []any `json:"messages"`
		Tools    any   `json:"tools"`
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := d.Decode(&in); err != nil {
		return nil, "", fmt.Errorf("the request is not a chat completion request: %w", err)
	}
	for _, m := range in.Messages {
		messages = append(messages, canonicalMessage(mustJSON(m)))
	}
	if in.Tools != nil {
		tools = string(mustJSON(in.Tools))
	}
	return messages, tools, nil
}

func digest(messages []canonicalMessage, tools string) (sum [sha256.Size]byte) {
	h := sha256.New()
	for _, m := range messages {
		fmt.Fprintf(h, "%d:%s", len(m), m)
	}
	fmt.Fprintf(h, "tools:%s", tools)
	h.Sum(sum[:0])
	return sum
}
