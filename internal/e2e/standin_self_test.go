package e2e

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/gateway"
	"github.com/deeds-evals/deeds/internal/script"
)

// counter is a case with all that an endpoint must tell apart: what is drawn, of
// which the prompt holds one value, children, a summary, a new conversation and a
// simulated user.
func counter() knownCase {
	return knownCase{
		ID: "chain/counter",
		Units: []knownUnit{{
			Prompt: "Where is lot {lot} of Marrow Hall?", Fresh: []string{"And lot {other}?"},
			Facts: map[string]string{"house": "Marrow Hall"}, Draws: []string{"lot", "other", "shelf"},
		}},
		script: `-- pass --
read path={lot}.txt

task assignment="Look for ${task: (.*)}." agent=explore

child 1
say It is on shelf ${shelf (\w+)}.

say Lot {lot} is on ${on shelf (\w+)}, in {house}.

fresh
say I was not told.

summary They look for a lot in {house}.

user Are you sure?

-- fail tool-chain: it names what it cannot know --
say It is on {shelf}.

-- fail ask-or-act --
say No idea.
`,
	}
}

// ask puts one request, and returns the answer.
func ask(t *testing.T, s *standIn, tools bool, said ...string) gateway.Message {
	t.Helper()
	r := &gateway.Request{Model: "m"}
	if tools {
		r.Tools = []string{"read"}
	}
	for i := 0; i < len(said); i += 2 {
		r.Messages = append(r.Messages, gateway.Message{Role: said[i], Text: said[i+1]})
	}
	reply, err := s.Complete(t.Context(), r)
	require.NoError(t, err)
	return reply.Message
}

func TestStandInKnowsWhoAsks(t *testing.T) {
	t.Parallel()
	s := standFor(t.Errorf, []knownCase{counter()}, nil, honest)
	// Two attempts with draws of their own, at the same time.
	for _, lot := range []string{"7", "31"} {
		prompt := fmt.Sprintf("Where is lot %s of Marrow Hall?", lot)
		require.Equal(t, `{"path":"`+lot+`.txt"}`, ask(t, s, true, "user", prompt).Calls[0].Arguments)
		m := ask(t, s, true, "user", prompt, "assistant", "", "tool", "task: the shelf of "+lot)
		require.Equal(t, `{"assignment":"Look for the shelf of `+lot+`.","agent":"explore"}`, m.Calls[0].Arguments)
	}
	require.Equal(t, "It is on shelf q4.", ask(t, s, true, "user", "Look for the shelf of 7.\n", "tool", "shelf q4").Text)
	prompt := "Where is lot 7 of Marrow Hall?"
	require.Equal(t, "Lot 7 is on q4, in Marrow Hall.", ask(t, s, true, "user", prompt, "assistant", "", "assistant", "", "tool", "on shelf q4").Text)
	require.Equal(t, "They look for a lot in Marrow Hall.", ask(t, s, false, "user", prompt, "assistant", "", "user", "Sum it up.").Text)
	require.Equal(t, "They look for a lot in Marrow Hall.", ask(t, s, false, "user", "<conversation>\n\nuser:\n"+prompt+"\n</conversation>").Text)
	require.Equal(t, "They look for a lot in Marrow Hall.", ask(t, s, false, "user", "<conversation>\n\nuser:\nLook for the shelf of 7.\n</conversation>").Text)
	require.Equal(t, "I was not told.", ask(t, s, true, "user", "And lot 12?").Text)
	require.Equal(t, "Are you sure?", ask(t, s, false, "system", "You play a person.", "assistant", prompt, "user", "On q4.").Text)
	require.Equal(t, script.Hangup, ask(t, s, false, "system", "You play a person.", "assistant", prompt, "user", "On q4.", "assistant", "Are you sure?", "user", "Yes.").Text)
	require.Equal(t, "OK.", ask(t, s, false, "user", "Say OK.").Text)
}

// A conversation that was compacted is known by its summary, if that says which it is.
func TestStandInKnowsWhatWasCompacted(t *testing.T) {
	t.Parallel()
	k := counter()
	k.script = "-- pass --\nread path={lot}.txt\n\nsay Lot {lot}?\n\nsay Lot {lot}!\n\nsummary They look for a lot.\n"
	var said []string
	s := standFor(func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }, []knownCase{k}, nil, honest)
	ask(t, s, true, "user", "Where is lot 7 of Marrow Hall?")
	rest := []string{"user", "<summary>\nThey look for a lot.\n</summary>", "assistant", "Lot 7?", "user", "Yes."}
	require.Equal(t, "Lot 7!", ask(t, s, true, rest...).Text)
	require.Empty(t, said)
	ask(t, s, true, "user", "Where is lot 31 of Marrow Hall?")
	ask(t, s, true, rest...)
	require.Len(t, said, 1)
	require.Contains(t, said[0], "cannot be told apart")
}

// What nobody knows, or several know differently, is no silence of a model.
func TestStandInComplains(t *testing.T) {
	t.Parallel()
	var said []string
	note := func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }
	s := standFor(note, []knownCase{counter()}, nil, honest)
	ask(t, s, true, "user", "Where is lot 7 of Barrow Hall?")
	ask(t, s, true, "user", "Look for the shelf of 7.")
	require.Equal(t, []string{
		`nothing that was asked or assigned begins with "Where is lot 7 of Barrow Hall?"`,
		`nothing that was asked or assigned begins with "Look for the shelf of 7."`,
	}, said)

	said = nil
	other := counter()
	other.ID, other.script = "core/other", "-- pass --\nsay x\n"
	s = standFor(note, []knownCase{counter(), other}, nil, honest)
	ask(t, s, true, "user", "Where is lot 7 of Marrow Hall?")
	require.Len(t, said, 1)
	require.Contains(t, said[0], "chain/counter and core/other cannot be told apart")

	said = nil
	other.script = counter().script
	s = standFor(note, []knownCase{counter(), other}, nil, honest)
	ask(t, s, true, "user", "Where is lot 7 of Marrow Hall?")
	require.Empty(t, said, "who answers alike needs not be told apart")
}

// A script that names what is drawn and said by nobody cannot be played from here.
func TestScriptsThatNeedTheUnknownAreLeftOut(t *testing.T) {
	t.Parallel()
	k := counter()
	require.Equal(t, []string{"ask-or-act"}, fails(t, k, k.Units[0]))
	sections, err := k.sections(k.Units[0], map[string]string{"lot": "7"})
	require.NoError(t, err)
	require.Len(t, sections, 2)
	k.Units[0].Draws = []string{"shelf", "lot"}
	k.Units[0].Prompt = "Where is it?"
	_, err = k.sections(k.Units[0], nil)
	require.ErrorContains(t, err, "chain/counter @: no pass script can be played")
	k.Units[0].Draws = nil
	k.Units[0].Facts = map[string]string{"shelf": "q4", "lot": "7"}
	require.Equal(t, []string{"tool-chain"}, fails(t, k, k.Units[0]))
}

func TestRoundsHaveOneWorldOfEachCase(t *testing.T) {
	t.Parallel()
	cases := []knownCase{
		{Worlds: []string{"big", "small"}}, {Worlds: []string{"small", "lost", "big"}}, {}, {Worlds: []string{"dry", "wet"}},
	}
	all := rounds(cases)
	require.Equal(t, [][]string{nil, {"big", "dry"}, {"small", "wet"}, {"lost"}}, all)
	require.Equal(t, [][]string{nil}, rounds(nil))
}
