package behavior

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/fixtures"
	"github.com/deeds-evals/deeds/internal/agent"
)

// Faults that measurements of agents had elsewhere; package results tells of the
// others (bugs_test.go).

// A reply that ends in a question mark is a reply. Nobody answers it, and it is the turn
// that is judged.
func TestQuestionMarkEarnsNoTurn(t *testing.T) {
	t.Parallel()
	wonders := speaking{act: func(task Task, _ string) {
		task.Record(Event{Kind: KindMessage, Turn: 1, Text: "Shall I go on?"})
	}}
	for name, turns := range map[string][]Turn{
		"no words are left":             nil,
		"words for a question are left": {{Say: "Yes.", Only: []EndReason{EndQuestion}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, heard := played(t, Case{Turns: turns}, wonders)
			require.Equal(t, Pass, a.outcome, a.detail)
			require.Equal(t, []Word{{Text: "Begin."}}, heard)
			said := 0
			for _, ev := range a.evidence.Timeline {
				if ev.Kind == KindUser {
					said++
				}
			}
			require.Equal(t, 1, said)
			require.Equal(t, "Shall I go on?", a.evidence.Answer())
		})
	}
}

// What a stub answers stands in its fixture. An argument comes back where the fixture
// has its name in braces, as it was given, and nowhere else.
func TestStubEchoesNothingByItself(t *testing.T) {
	t.Parallel()
	var said []string
	stubs := []fixtures.Tool{
		{Name: "search", About: "finds what was written", Args: []fixtures.Arg{{Name: "query"}}, Text: "no entry"},
		{Name: "open", About: "opens an entry", Args: []fixtures.Arg{{Name: "id"}}, Text: "{id}: closed by {clerk}"},
	}
	a, _ := played(t, Case{Tools: stubs, Facts: map[string]string{"clerk": "Ada"}}, speaking{act: func(task Task, _ string) {
		for i, args := range []map[string]any{
			{"query": "the leak in hall 4", "note": "hall 4 leaks"},
			{"id": "{clerk} 7", "text": "hall 4 leaks", "clerk_": "Eve"},
		} {
			text, _ := task.Tools[i].Call(context.Background(), args)
			said = append(said, text)
		}
	}})
	require.Equal(t, Pass, a.outcome, a.detail)
	require.Equal(t, []string{"no entry", "{clerk} 7: closed by Ada"}, said)
}

// thinker is a model that thinks, and may say nothing then.
type thinker struct{ said *[]string }

func (m thinker) Next(context.Context, agent.Request) (agent.Message, error) {
	text := (*m.said)[0]
	*m.said = (*m.said)[1:]
	return agent.Message{Role: agent.Assistant, Text: text, Reasoning: "They must not know."}, nil
}

// What the model of a simulated user thinks is none of the user's words.
func TestSimulatedUserKeepsItsThoughts(t *testing.T) {
	t.Parallel()
	g := guest{user: User{Goal: "a berth", Turns: 2}, name: "m", model: thinker{&[]string{"<think>They want a name. I have none.</think>\nI have no name.", "<think>Enough.</think>"}}}
	text, more, err := g.answer(context.Background(), nil)
	require.NoError(t, err)
	require.True(t, more)
	require.Equal(t, "I have no name.", text)
	_, more, err = g.answer(context.Background(), nil)
	require.NoError(t, err)
	require.False(t, more, "and thoughts alone are no turn")
}
