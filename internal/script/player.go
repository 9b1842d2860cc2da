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

// sideAnswer is what a request without tools is answered: a title, a summary, a
// classifier. It is no part of the script.
const sideAnswer = "OK."

// A Player is a model that says what a script says. The step is chosen from the
// request's own history, by the number of the assistant's messages in it, and
// never by counting requests: what is asked again is answered the same again.
//
// A Player belongs to one session, and may be asked from several goroutines.
type Player struct {
	// Latency is how long it pretends to think before each answer.
	Latency time.Duration
	// ToolLess makes it play the script to requests without tools too, for an
	// agent that has none.
	ToolLess bool

	messages []Message

	mu       sync.Mutex
	played   int
	ranOut   bool
	problems []string
}

var _ gateway.Upstream = (*Player)(nil)

// NewPlayer returns a player of the messages.
func NewPlayer(messages []Message) *Player { return &Player{messages: messages} }

// RanOut reports whether more was asked than the script has. What is past its
// end is answered with an empty message.
func (p *Player) RanOut() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ranOut
}

// Left is how many messages at the end of the script were never asked for.
func (p *Player) Left() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.messages) - p.played
}

// Problems lists what could not be played as it was meant, each once: a ${REGEX}
// that no tool result matched.
func (p *Player) Problems() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.problems)
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
	if len(r.Tools) == 0 && !p.ToolLess {
		return reply(r, gateway.Message{Text: sideAnswer}), nil
	}
	step := 0
	var results []string
	for _, m := range r.Messages {
		switch m.Role {
		case "assistant":
			step++
		case "tool":
			results = append(results, m.Text)
		}
	}
	m, problems := p.message(step, results)
	p.note(step, problems)
	return reply(r, m), nil
}

// message renders the script's message number step.
func (p *Player) message(step int, results []string) (gateway.Message, []string) {
	if step >= len(p.messages) {
		return gateway.Message{}, nil
	}
	var (
		m        = p.messages[step]
		problems []string
	)
	fill := func(s string) string {
		text, unmatched := expand(s, results)
		for _, u := range unmatched {
			problems = append(problems, fmt.Sprintf("message %d: no tool result so far matches %s", step+1, u))
		}
		return text
	}
	out := gateway.Message{Text: fill(m.Say), Reasoning: fill(m.Think)}
	for i, c := range m.Calls {
		out.Calls = append(out.Calls, gateway.Call{
			ID:        fmt.Sprintf("call_%d_%d", step+1, i+1),
			Name:      c.Tool,
			Arguments: c.arguments(fill),
		})
	}
	return out, problems
}

func (p *Player) note(step int, problems []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if step >= len(p.messages) {
		p.ranOut = true
		return
	}
	p.played = max(p.played, step+1)
	for _, problem := range problems {
		if !slices.Contains(p.problems, problem) {
			p.problems = append(p.problems, problem)
		}
	}
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
