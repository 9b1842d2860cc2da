package script

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/deeds-evals/deeds/internal/gateway"
)

// A place is where a request stands in the script: a conversation, by its number in
// [Player.conversations], and the message in it that is next.
type place struct {
	conversation, step int
}

// locate finds the place of a request by what its history holds, in this order:
// the calls of the script that are in it; its first words of the user, which are an
// assignment that the script gave or the beginning of a conversation that was
// played; and, if those were compacted away, the last thing that was said. It
// returns false for a conversation that it has never seen.
func (p *Player) locate(r *gateway.Request) (place, bool) {
	since := 0 // messages of the assistant after the one that is looked at
	for _, m := range slices.Backward(r.Messages) {
		if m.Role != "assistant" {
			continue
		}
		if at, ok := p.called(m); ok {
			at.step += 1 + since
			return at, true
		}
		since++
	}
	first := firstWords(r)
	if n, ok := p.assigned[first]; ok {
		return place{p.own + n - 1, since}, true
	}
	if n, ok := p.begun[first]; ok {
		return place{n, since}, true
	}
	if !compacted(first) {
		return place{}, false
	}
	if at, ok := p.said(r); ok {
		return at, true
	}
	return place{max(0, len(p.begun)-1), since}, true
}

// callName is the form of [conversation.callID].
var callName = regexp.MustCompile(`^c(all|\d+)_(\d+)_\d+$`)

// called finds the message of the script whose calls the message has.
func (p *Player) called(m gateway.Message) (place, bool) {
	for _, c := range m.Calls {
		name := callName.FindStringSubmatch(c.ID)
		if name == nil {
			continue
		}
		child, _ := strconv.Atoi(name[1]) // "all" is 0: the agent itself
		number, err := strconv.Atoi(name[2])
		if err != nil {
			continue
		}
		for i, conv := range p.conversations {
			step := number - 1 - conv.before
			if conv.child == child && 0 <= step && step < len(conv.messages) {
				return place{i, step}, true
			}
		}
	}
	return place{}, false
}

// said finds the message of the script that ends with the words that the assistant
// said last. Of several the newest that was played is meant: what is compacted is
// what has just been said.
func (p *Player) said(r *gateway.Request) (at place, ok bool) {
	last := ""
	for _, m := range r.Messages {
		if m.Role == "assistant" {
			last = m.Text
		}
	}
	if strings.TrimSpace(last) == "" {
		return place{}, false
	}
	for i, conv := range p.conversations {
		for step, m := range conv.messages {
			if len(m.Calls) == 0 && matches(m.Say, last) && (!ok || step < p.played[i]) {
				at, ok = place{i, step + 1}, true
			}
		}
	}
	return at, ok
}

// firstWords is the first thing that the user says in a request.
func firstWords(r *gateway.Request) string {
	for _, m := range r.Messages {
		if m.Role == "user" {
			return strings.TrimSpace(m.Text)
		}
	}
	return ""
}

// recalls reports whether the user's first words in a request stand for a conversation
// of the script: they are a summary of it, or, where it is to be summed up, a text of
// it that has its beginning as lines of its own.
func (p *Player) recalls(r *gateway.Request) bool {
	first := firstWords(r)
	sums := func(s string) bool { return holds(first, s) }
	if compacted(first) {
		return slices.ContainsFunc(p.Summary, sums)
	}
	if len(r.Tools) > 0 {
		return false
	}
	for _, beginnings := range []map[string]int{p.begun, p.assigned} {
		for words := range beginnings {
			if words != "" && strings.Contains("\n"+first+"\n", "\n"+words+"\n") {
				return true
			}
		}
	}
	return strings.Contains(first, "<summary>") && slices.ContainsFunc(p.Summary, sums)
}

// compacted reports whether a conversation that begins with these words has lost
// its beginning to a summary.
func compacted(first string) bool { return strings.HasPrefix(first, "<summary>") }
