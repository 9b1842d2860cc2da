package script

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/deeds-evals/deeds/internal/gateway"
)

// Hangup is what a simulated user answers when it has nothing more to say. It is
// no word of the conversation: whoever drives the user ends it there.
const Hangup = "###END###"

// A UserPlayer is a simulated user that says what a script says. Its own words are
// the assistant's messages of the requests it gets, and the agent's are the
// user's: it answers with the word after the last one that it finds there, and with
// [Hangup] when there is none. What else was said for the user, such as the words
// that began it all, is no word of its. Like a [Player] it goes by the history alone.
type UserPlayer struct {
	words []string

	mu       sync.Mutex
	played   int
	problems []string
}

var _ gateway.Upstream = (*UserPlayer)(nil)

// NewUser returns a player of the words of a simulated user.
func NewUser(words []string) *UserPlayer { return &UserPlayer{words: words} }

// Left is how many words at the end were never asked for.
func (p *UserPlayer) Left() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.words) - p.played
}

// Problems lists what could not be said as it was meant, each once: a ${REGEX}
// that nothing matched which the agent said.
func (p *UserPlayer) Problems() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.problems)
}

// Complete answers with the word that is next in the request's history.
func (p *UserPlayer) Complete(_ context.Context, r *gateway.Request) (*gateway.Reply, error) {
	said := 0
	for _, m := range r.Messages {
		if m.Role == "assistant" && said < len(p.words) && matches(p.words[said], m.Text) {
			said++
		}
	}
	if said >= len(p.words) {
		return reply(r, gateway.Message{Text: Hangup}), nil
	}
	text, unmatched := expand(p.words[said], heard(r))
	p.mu.Lock()
	defer p.mu.Unlock()
	p.played = max(p.played, said+1)
	for _, u := range unmatched {
		p.problems = addNew(p.problems, fmt.Sprintf("word %d of the user: nothing that the agent said matches %s", said+1, u))
	}
	return reply(r, gateway.Message{Text: text}), nil
}

// heard lists what the speaker was told in the request's history, the newest last:
// the results of its tools and the words of its user, and before them what it was told
// at first, such as rules.
func heard(r *gateway.Request) []string {
	var first, texts []string
	for _, m := range r.Messages {
		switch m.Role {
		case "tool", "user":
			texts = append(texts, m.Text)
		case "system", "developer":
			first = append(first, m.Text)
		}
	}
	return append(first, texts...)
}

// addNew appends a line that is not in the list yet.
func addNew(list []string, line string) []string {
	if slices.Contains(list, line) {
		return list
	}
	return append(list, line)
}
