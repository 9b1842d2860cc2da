package script

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/deeds-evals/deeds/internal/gateway"
)

// sideAnswer is what a request without tools is answered: a title, a classifier. It
// is no part of the script.
const sideAnswer = "OK."

// A Player is a model that says what a script says, for the agent and for its
// children. Whose turn it is and what is next is chosen from the request's own
// history, and never by counting requests: what is asked again is answered the same
// again, and a conversation that was compacted goes on.
//
// A child is known by the first words of its user, which are the assignment that
// the script gave it. A conversation that begins with any other words that are new
// is the agent's next one.
//
// A Player belongs to one session, and may be asked from several goroutines.
type Player struct {
	// Latency is how long it pretends to think before each answer.
	Latency time.Duration
	// ToolLess makes it play the script to requests without tools too, for an
	// agent that has none.
	ToolLess bool
	// Summary is what it answers, one after the other, to requests without tools in
	// a conversation of the script: the conversation is to be compacted.
	Summary []string

	conversations []conversation
	own           int // how many of them are the agent's, and not a child's

	mu       sync.Mutex
	played   []int          // by conversation: how many messages
	begun    map[string]int // conversations of the agent, by the words that they begin with
	assigned map[string]int // children, by their assignment
	ranOut   bool
	problems []string
}

var _ gateway.Upstream = (*Player)(nil)

// NewPlayer returns a player of the messages.
func NewPlayer(messages []Message) *Player {
	all, own := conversations(messages)
	return &Player{
		conversations: all, own: own,
		played: make([]int, len(all)), begun: make(map[string]int), assigned: make(map[string]int),
	}
}

// RanOut reports whether more was asked than the script has. What is past its
// end is answered with an empty message.
func (p *Player) RanOut() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ranOut
}

// Left is how many messages at the ends of the script's conversations were never
// asked for.
func (p *Player) Left() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	left := 0
	for i, conv := range p.conversations {
		left += len(conv.messages) - p.played[i]
	}
	return left
}

// Problems lists what could not be played as it was meant, each once: a ${REGEX}
// that nothing matched, two children that cannot be told apart, a conversation that
// the script has not.
func (p *Player) Problems() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.problems)
}

// Begin says which words conversation number n of the agent begins with, counted
// from 0, to a player that may not see them in their order.
func (p *Player) Begin(n int, words string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.begun[strings.TrimSpace(words)] = n
}

// Knows reports whether the words of a request belong to the script: they begin as
// a conversation that the player knows, or hold its beginning or a summary. It asks
// nothing of the calls, whose names the players of other scripts use as well.
func (p *Player) Knows(r *gateway.Request) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	first := firstWords(r)
	_, begun := p.begun[first]
	_, assigned := p.assigned[first]
	return begun || assigned || p.recalls(r)
}

// Complete answers with the message that is next in the request's history.
func (p *Player) Complete(ctx context.Context, r *gateway.Request) (*gateway.Reply, error) {
	if p.Latency > 0 {
		timer := time.NewTimer(p.Latency)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return nil, gateway.NewFault(gateway.Cancelled, "%v", context.Cause(ctx))
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	at, known := p.locate(r)
	if len(r.Tools) == 0 && !p.ToolLess {
		if len(p.Summary) > 0 && (known || p.recalls(r)) {
			return reply(r, gateway.Message{Text: p.summary(r)}), nil
		}
		return reply(r, gateway.Message{Text: sideAnswer}), nil
	}
	if !known {
		first := firstWords(r)
		if len(p.begun) >= p.own {
			p.ranOut = true
			p.problem("the script has no conversation that begins with %q", clip(first))
			return reply(r, gateway.Message{}), nil
		}
		at.conversation = len(p.begun)
		for _, m := range r.Messages {
			if m.Role == "assistant" {
				at.step++
			}
		}
		p.begun[first] = at.conversation
	}
	return reply(r, p.say(at, heard(r))), nil
}

// say renders the message at a place of the script.
func (p *Player) say(at place, heard []string) gateway.Message {
	conv := p.conversations[at.conversation]
	if at.step >= len(conv.messages) {
		p.ranOut = true
		return gateway.Message{}
	}
	p.played[at.conversation] = max(p.played[at.conversation], at.step+1)
	m := conv.messages[at.step]
	fill := func(s string) string {
		text, unmatched := expand(s, heard)
		for _, u := range unmatched {
			p.problem("%s: no tool result so far matches %s, and no word of the user", conv.message(at.step), u)
		}
		return text
	}
	out := gateway.Message{Text: fill(m.Say), Reasoning: fill(m.Think)}
	for i, c := range m.Calls {
		out.Calls = append(out.Calls, gateway.Call{
			ID:        conv.callID(at.step, i),
			Name:      c.Tool,
			Arguments: c.arguments(fill),
		})
		if conv.child == 0 && c.starts() {
			p.assign(p.child(conv.before+at.step, i), fill(c.text("assignment")))
		}
	}
	return out
}

// child is the number of the child that call i of the agent's message step starts.
func (p *Player) child(step, i int) int {
	n := 0
	for _, conv := range p.conversations[:p.own] {
		for s, m := range conv.messages {
			for j, c := range m.Calls {
				if c.starts() {
					n++
				}
				if conv.before+s == step && j == i {
					return n
				}
			}
		}
	}
	return n
}

// assign notes what a child is told first.
func (p *Player) assign(child int, assignment string) {
	assignment = strings.TrimSpace(assignment)
	if other, taken := p.assigned[assignment]; taken && other != child {
		p.problem("child %d and child %d have the same assignment and cannot be told apart: %q", min(other, child), max(other, child), clip(assignment))
		return
	}
	p.assigned[assignment] = child
}

// summary renders the summary that follows those in the history; the last one
// stands for all that come after it.
func (p *Player) summary(r *gateway.Request) string {
	next := 0
	for i, s := range p.Summary {
		if slices.ContainsFunc(r.Messages, func(m gateway.Message) bool { return m.Role == "user" && holds(m.Text, s) }) {
			next = min(i+1, len(p.Summary)-1)
		}
	}
	text, unmatched := expand(p.Summary[next], heard(r))
	for _, u := range unmatched {
		p.problem("summary %d: no tool result so far matches %s, and no word of the user", next+1, u)
	}
	return text
}

func (p *Player) problem(format string, args ...any) {
	p.problems = addNew(p.problems, fmt.Sprintf(format, args...))
}

// arguments returns the arguments as they are sent, with every string filled.
func (c Call) arguments(fill func(string) string) string {
	if c.IsRaw {
		return c.Raw
	}
	var b strings.Builder
	b.WriteByte('{')
	for i, a := range c.Args {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(encode(a.Name))
		b.WriteByte(':')
		b.Write(a.fill(fill))
	}
	b.WriteByte('}')
	return b.String()
}

// fill fills in the value. A bare word is read again once it is filled.
func (a Arg) fill(fill func(string) string) json.RawMessage {
	value, err := mapStrings(a.Value, func(s string) (string, error) { return fill(s), nil })
	if err != nil {
		return a.Value
	}
	if a.Bare {
		var word string
		if json.Unmarshal(value, &word) == nil && isScalar(word) {
			return json.RawMessage(word)
		}
	}
	return value
}

// isScalar reports whether a bare word is JSON: a number, true, false or null.
func isScalar(word string) bool {
	return word != "" && !strings.ContainsAny(word[:1], "\"[{ \t\r\n") && json.Valid([]byte(word)) && strings.TrimSpace(word) == word
}

// reply wraps a message up, with usage that is made up but plausible: four bytes
// to a token.
func reply(r *gateway.Request, m gateway.Message) *gateway.Reply {
	m.Role = "assistant"
	finish := "stop"
	size := len(m.Text) + len(m.Reasoning)
	for _, c := range m.Calls {
		size += len(c.Name) + len(c.Arguments)
		finish = "tool_calls"
	}
	return &gateway.Reply{
		ID:      "chatcmpl-1",
		Model:   r.Model,
		Message: m,
		Finish:  finish,
		Usage: gateway.Usage{
			Reported:   true,
			Prompt:     len(r.Body)/4 + 1,
			Completion: size/4 + 1,
			Reasoning:  len(m.Reasoning) / 4,
		},
		Status: 200,
	}
}
