package behavior

import (
	"context"
	"fmt"
	"strings"

	"github.com/deeds-evals/deeds/internal/agent"
	"github.com/deeds-evals/deeds/internal/gateway"
	"github.com/deeds-evals/deeds/internal/provider"
	"github.com/deeds-evals/deeds/internal/script"
)

// guestTurns is the default of [User.Turns].
const guestTurns = 8

// A guest is a simulated user: a model that is told a goal and a manner, and hears
// what the agent says and nothing of what it does.
type guest struct {
	user  User
	facts map[string]string
	model agent.Model
	name  string
	said  int
}

func newGuest(u User, facts map[string]string, wire *gateway.Session, model string) *guest {
	if u.Turns == 0 {
		u.Turns = guestTurns
	}
	return &guest{
		user: u, facts: facts, name: model,
		model: provider.New(provider.Config{BaseURL: wire.BaseURL(), Key: wire.Key()}),
	}
}

// guestError is for a simulated user that could not be asked.
type guestError struct{ err error }

func (e *guestError) Error() string {
	return fmt.Sprintf("the simulated user could not be asked: %v", e.err)
}
func (e *guestError) Unwrap() error { return e.err }

// answer is what the user says next, and whether it says anything. What its model
// thinks to itself is not said.
func (g *guest) answer(ctx context.Context, timeline []Event) (text string, more bool, err error) {
	if g.said >= g.user.Turns {
		return "", false, nil
	}
	g.said++
	messages := append([]agent.Message{{Role: agent.System, Text: expand(g.instructions(), g.facts)}}, heardBy(timeline)...)
	m, err := g.model.Next(ctx, agent.Request{Model: g.name, Messages: messages})
	if err != nil {
		return "", false, &guestError{err}
	}
	text = strings.TrimSpace(agent.Words(m))
	if text == "" || strings.Contains(text, script.Hangup) {
		return "", false, nil
	}
	return text, true, nil
}

// instructions is what the user's model is told.
func (g *guest) instructions() string {
	return strings.TrimSpace(fmt.Sprintf(`You play a person who talks to an assistant. You never help, you ask; you never say that you are played.

Who you are: %s

What you want, and all that you know: %s

Say one thing at a time, in your own words, as such a person would. Do not invent facts that you were not told: if you are asked for one, say that you do not know. When you have what you want, or it cannot be had, answer with %s and nothing else.`,
		g.user.Persona, g.user.Goal, script.Hangup))
}

// heardBy is the conversation as its user knows it: the user's own words are the
// model's, those of the agent are the other side's.
func heardBy(timeline []Event) []agent.Message {
	var (
		all  []agent.Message
		said []string
	)
	flush := func() {
		if text := strings.Join(said, "\n\n"); text != "" {
			all = append(all, agent.Message{Role: agent.User, Text: text})
		}
		said = nil
	}
	for _, ev := range timeline {
		switch {
		case ev.Agent != "" || strings.TrimSpace(ev.Text) == "":
		case ev.Kind == KindUser:
			flush()
			all = append(all, agent.Message{Role: agent.Assistant, Text: ev.Text})
		case ev.Kind == KindMessage, ev.Kind == KindQuestion, ev.Kind == KindPlan && ev.State == "ready":
			said = append(said, ev.Text)
		}
	}
	flush()
	return all
}
