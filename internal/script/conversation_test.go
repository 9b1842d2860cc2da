package script_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gotest.tools/v3/golden"

	"github.com/deeds-evals/deeds/internal/gateway"
	"github.com/deeds-evals/deeds/internal/script"
)

// family is a script with two children, a follow-up, a new conversation and all that
// goes with them.
const family = `-- pass --
# it asks two at once
task agent=explore assignment="Find lot 12."
task agent=explore assignment="Find lot 40."

child 1
grep pattern="lot 12"
ls

child 1
read path=${(\S+\.txt)}

child 1
say Shelf ${shelf (\w+)}.

child 2
say None.

task id=child-1 assignment="And lot 13?"

child 1
say Beside it.

say Twelve is on ${Shelf (\w+)}.

summary They look for ${lot (\d+)}.

fresh
read path=report.txt

say So it says.

summary They are
summary done.

user Where is lot 12?

user Is it ${on (\w+)}
user or not?
`

func parsed(t testing.TB, text string) script.Section {
	t.Helper()
	s, err := script.Parse([]byte(text))
	require.NoError(t, err)
	return s.Sections[0]
}

func TestParseConversations(t *testing.T) {
	t.Parallel()
	s := parsed(t, family)
	require.Equal(t, []string{"They look for ${lot (\\d+)}.", "They are\ndone."}, s.Summary)
	require.Equal(t, []string{"Where is lot 12?", "Is it ${on (\\w+)}\nor not?"}, s.User)
	require.Equal(t, 2, script.Children(s.Messages))
	own := script.Of(s.Messages, 0)
	require.Len(t, own, 5)
	require.Equal(t, []string{"it asks two at once"}, own[0].Comments)
	require.True(t, own[3].Fresh)
	require.Len(t, script.Of(s.Messages, 1), 4)
	require.Len(t, script.Of(s.Messages, 2), 1)
	require.Empty(t, script.Of(s.Messages, 3))
}

func TestRoundTripOfConversations(t *testing.T) {
	t.Parallel()
	want, err := script.Parse([]byte(family))
	require.NoError(t, err)
	text := script.Format(want)
	golden.Assert(t, string(text), "family.golden")
	got, err := script.Parse(text)
	require.NoError(t, err)
	require.Equal(t, lineless(want), lineless(got))
}

// A talk is the history of one conversation with the player.
type talk struct {
	t        *testing.T
	p        *script.Player
	messages []gateway.Message
}

// hear adds what the speaker is told.
func (k *talk) hear(role, text string) *talk {
	k.messages = append(k.messages, gateway.Message{Role: role, Text: text})
	return k
}

// next asks for the next message, and adds it.
func (k *talk) next() gateway.Message {
	k.t.Helper()
	m := answer(k.t, k.p, &gateway.Request{Model: "m", Tools: []string{"read"}, Messages: k.messages})
	require.Equal(k.t, m, answer(k.t, k.p, &gateway.Request{Model: "m", Tools: []string{"read"}, Messages: k.messages}), "asking again changes nothing")
	k.messages = append(k.messages, m)
	return m
}

// aside asks without tools.
func (k *talk) aside(text string) string {
	k.t.Helper()
	return answer(k.t, k.p, &gateway.Request{Model: "m", Messages: append(k.messages[:len(k.messages):len(k.messages)], gateway.Message{Role: "user", Text: text})}).Text
}

// begin begins a conversation.
func begin(t *testing.T, p *script.Player, words string) *talk {
	return (&talk{t: t, p: p}).hear("system", "You are an agent.").hear("user", words)
}

func newPlayer(s script.Section) *script.Player {
	p := script.NewPlayer(s.Messages)
	p.Summary = s.Summary
	return p
}

func ids(m gateway.Message) (all []string) {
	for _, c := range m.Calls {
		all = append(all, c.ID)
	}
	return all
}

func TestPlayerSpeaksForEveryone(t *testing.T) {
	t.Parallel()
	p := newPlayer(parsed(t, family))
	require.Equal(t, 10, p.Left())

	main := begin(t, p, "Where is lot 12?")
	require.Equal(t, "OK.", main.aside("A title, please."), "nothing of the script was played yet")
	require.Equal(t, []string{"call_1_1", "call_1_2"}, ids(main.next()))

	one, two := begin(t, p, "Find lot 12."), begin(t, p, "Find lot 40.")
	require.Equal(t, []string{"c1_1_1", "c1_1_2"}, ids(one.next()))
	require.Equal(t, "None.", two.next().Text)
	require.Equal(t, `{"path":"a.txt"}`, one.hear("tool", "a.txt:1: lot 12").hear("tool", "a.txt").next().Calls[0].Arguments)
	require.Equal(t, "Shelf B7.", one.hear("tool", "lot 12 is on shelf B7").next().Text)

	main.hear("tool", "child-1 (explore): completed\n\nShelf B7.").hear("tool", "child-2 (explore): completed\n\nNone.")
	require.Equal(t, []string{"call_2_1"}, ids(main.next()))
	require.Equal(t, "Beside it.", one.hear("user", "And lot 13?").next().Text)
	require.Equal(t, "Twelve is on B7.", main.hear("tool", "child-1 (explore): completed\n\nBeside it.").next().Text)
	require.Equal(t, 2, p.Left())

	fresh := begin(t, p, "Read the report.")
	require.Equal(t, []string{"call_4_1"}, ids(fresh.next()), "the agent's messages are counted on")
	require.Equal(t, "So it says.", fresh.hear("tool", "…").next().Text)
	require.Zero(t, p.Left())
	require.False(t, p.RanOut())
	require.Empty(t, p.Problems())

	begin(t, p, "And something else.").next()
	require.True(t, p.RanOut())
	require.Equal(t, []string{`the script has no conversation that begins with "And something else."`}, p.Problems())
}

func TestPlayerRunsOutOfAChildsWords(t *testing.T) {
	t.Parallel()
	p := newPlayer(parsed(t, family))
	begin(t, p, "Where is lot 12?").next()
	two := begin(t, p, "Find lot 40.")
	two.next()
	require.False(t, p.RanOut())
	require.Equal(t, "", two.hear("user", "Sure?").next().Text)
	require.True(t, p.RanOut(), "and the agent's next message is not the child's")
}

// Whatever a child's conversation is told again after a summary, it goes on.
func TestPlayerGoesOnAfterASummary(t *testing.T) {
	t.Parallel()
	p := newPlayer(parsed(t, "-- pass --\nread path=a\n\nls\n\nsay There.\n\nls path=b\n\nls path=c\n\nsay Here is ${id (\\w+)}.\n\nsay Bye.\n\nsummary First.\n\nsummary Second, ${id (\\w+)}.\n"))
	k := begin(t, p, "Look.")
	k.next()
	k.hear("tool", "x").next()
	k.hear("tool", "x").next()
	require.Equal(t, "First.", k.aside("Sum it up."))
	require.Equal(t, "First.", k.aside("Sum it up."))

	// The last message without calls is kept, and no call is left to go by.
	k = begin(t, p, "<summary>\nFirst.\n</summary>\n").hear("assistant", "There.").hear("user", "And?")
	require.Equal(t, []string{"call_4_1"}, ids(k.next()))
	require.Equal(t, []string{"call_5_1"}, ids(k.hear("tool", "id q7").next()))

	// In the middle of a turn two messages are kept.
	require.Equal(t, "Second, q7.", k.aside("Sum it up."))
	k.messages = append([]gateway.Message{{Role: "user", Text: "<summary>\nSecond, q7.\n</summary>"}}, k.messages[len(k.messages)-3:]...)
	require.Equal(t, "Here is q7.", k.hear("tool", "x").next().Text)
	require.Equal(t, "Second, q7.", k.aside("Sum it up."), "the last summary stands for all that follow")

	// What is to be summed up may also come as one text.
	for text, want := range map[string]string{
		"<conversation>\n\nuser:\nLook.\n\nassistant:\nThere.\n</conversation>":                   "First.",
		"<conversation>\n\nuser:\n<summary>\nFirst.\n</summary>\n\ntool:\nid q7\n</conversation>": "Second, q7.",
		"<conversation>\n\nuser:\nLook. It is another's.\n</conversation>":                        "OK.",
	} {
		require.Equal(t, want, (&talk{t: t, p: p}).aside(text))
	}

	// Words with something filled in are found again too.
	k = begin(t, p, "<summary>\nSecond, q7.\n</summary>").hear("assistant", "Here is q7.").hear("user", "Thanks.")
	require.Equal(t, "Bye.", k.next().Text)
	require.Zero(t, p.Left())
	require.False(t, p.RanOut())
	require.Empty(t, p.Problems())
}

// A player that saw nothing of what came before finds the place just as well.
func TestPlayerGoesByTheHistoryAlone(t *testing.T) {
	t.Parallel()
	s := parsed(t, family)
	k := begin(t, newPlayer(s), "Where is lot 12?")
	for _, heard := range []string{"", "child-1\n\nShelf B7.", "child-1\n\nBeside it."} {
		if heard != "" {
			k.hear("tool", heard)
		}
		k.p = newPlayer(s)
		k.next()
	}
	require.Equal(t, "Twelve is on B7.", k.messages[len(k.messages)-1].Text)

	k.p = newPlayer(s)
	require.False(t, k.p.Knows(&gateway.Request{Messages: k.messages}), "calls of that name are in other scripts too")
	k.p.Begin(0, "Where is lot 12?")
	require.True(t, k.p.Knows(&gateway.Request{Messages: k.messages}))
	k.p.Begin(1, "Read it.")
	require.Equal(t, []string{"call_4_1"}, ids(begin(t, k.p, "Read it.").next()), "though it is the first that is asked")
}

func TestPlayerTellsOfChildrenThatAreAlike(t *testing.T) {
	t.Parallel()
	p := newPlayer(parsed(t, "-- pass --\ntask assignment=\"Find ${lot (\\\\w+)}.\"\ntask assignment=\"Find a.\"\n\nchild 1\nsay x\n\nchild 2\nsay y\n"))
	begin(t, p, "Find lot a").next()
	require.Equal(t, []string{`child 1 and child 2 have the same assignment and cannot be told apart: "Find a."`}, p.Problems())
	require.Equal(t, "x", begin(t, p, "Find a.").next().Text)
	require.Equal(t, 1, p.Left())
}

func TestPlayerHearsNoticesAndReplies(t *testing.T) {
	t.Parallel()
	p := script.NewPlayer(messages(t, "bash command=x background=true\n\nsay It runs.\n\nsay It said ${seal: (\\w+)}.\n"))
	k := begin(t, p, "Run it.")
	k.next()
	k.hear("tool", "bg-1 started").next()
	require.Equal(t, "It said k4.", k.hear("tool", "seal: k3").hear("user", "<notice>\nbg-1 ended\noutput:\nseal: k4\n</notice>").next().Text)
	require.Empty(t, p.Problems())
}

func TestUserPlayer(t *testing.T) {
	t.Parallel()
	p := script.NewUser(parsed(t, family).User)
	require.Equal(t, 2, p.Left())
	// ask tells what was said so far: by the user, who began, and the agent in turn.
	ask := func(p *script.UserPlayer, said ...string) string {
		r := &gateway.Request{Model: "m", Messages: []gateway.Message{{Role: "system", Text: "You play a person."}}}
		for i, text := range said {
			r.Messages = append(r.Messages, gateway.Message{Role: []string{"assistant", "user"}[i%2], Text: text})
		}
		got, err := p.Complete(t.Context(), r)
		require.NoError(t, err)
		return got.Message.Text
	}
	const began, first = "Good morning.", "Where is lot 12?"
	require.Equal(t, first, ask(p))
	require.Equal(t, first, ask(p, began, "Yes?"), "what began the conversation is none of the words")
	require.Equal(t, "Is it B7\nor not?", ask(p, began, "Yes?", first, "It is on B7."))
	require.Equal(t, first, ask(p, began, "Yes?"), "asking again changes nothing")
	require.Zero(t, p.Left())
	require.Equal(t, script.Hangup, ask(p, began, "Yes?", first, "It is on B7.", "Is it B7\nor not?", "Yes."))
	require.Empty(t, p.Problems())
	require.Equal(t, "Is it ${on (\\w+)}\nor not?", ask(p, began, "Yes?", first, "No idea."))
	require.Equal(t, []string{`word 2 of the user: nothing that the agent said matches ${on (\w+)}`}, p.Problems())

	require.Equal(t, script.Hangup, ask(script.NewUser(nil), began, "Yes?"))
	twice := script.NewUser([]string{"Yes.", "Yes."})
	require.Equal(t, "Yes.", ask(twice, began, "Now?", "Yes.", "Really?"))
	require.Equal(t, script.Hangup, ask(twice, began, "Now?", "Yes.", "Really?", "Yes.", "Done."))
}

func TestProseOfConversations(t *testing.T) {
	t.Parallel()
	require.Equal(t, "say Twelve is on ${Shelf (\\w+)}.\n\nfresh\nsay So it says.\n", script.FormatMessages(script.Prose(parsed(t, family).Messages)))
	require.Equal(t, "say My plan.\n\nfresh\nsay Done.\n", script.FormatMessages(script.Prose(messages(t, "say My plan.\nplan_done summary=x\n\nfresh\nls\n"))))
}

func TestTruncateOfConversations(t *testing.T) {
	t.Parallel()
	cut, ok := script.Truncate(messages(t, "ls\n\ntask assignment=a\n\nchild 1\nls\n\nsay Done.\n"))
	require.True(t, ok)
	require.Equal(t, "ls\n\nsay Done.\n", script.FormatMessages(cut), "the child goes with the call that starts it")
	cut, ok = script.Truncate(messages(t, "ls\n\nfresh\nread path=a\n"))
	require.True(t, ok)
	require.Equal(t, "ls\n\nfresh\nsay\n", script.FormatMessages(cut), "the second conversation stays, and is silent")
	cut, ok = script.Truncate(messages(t, "read path=a\n\nfresh\nsay x\n"))
	require.True(t, ok)
	require.Equal(t, "say\n\nfresh\nsay x\n", script.FormatMessages(cut), "and so does the first")
}

func TestMutantsOfConversations(t *testing.T) {
	t.Parallel()
	m := parsed(t, family).Messages
	before := script.FormatMessages(m)
	var b strings.Builder
	for _, mutant := range script.Mutants(m) {
		b.WriteString("## " + mutant.Name + "\n" + script.FormatMessages(mutant.Messages) + "\n")
		_, err := script.Parse([]byte("harmless " + mutant.Name + ": reason\n-- pass --\nsay x\n"))
		require.NoError(t, err)
	}
	golden.Assert(t, b.String(), "family-mutants.golden")
	require.Equal(t, before, script.FormatMessages(m), "the script itself is untouched")
}

// Where calls change their order, each child keeps its own words.
func TestSwappedChildrenKeepTheirWords(t *testing.T) {
	t.Parallel()
	m := messages(t, "task assignment=a\n\ntask assignment=b\n\nchild 1\nsay I am a.\n\nchild 2\nsay I am b.\n\nsay Done.\n")
	for _, mutant := range script.Mutants(m) {
		p := script.NewPlayer(mutant.Messages)
		k := begin(t, p, "Go.")
		for range 3 {
			k.next()
		}
		switch mutant.Name {
		case "swap 1 2":
			require.Equal(t, "I am a.", begin(t, p, "a").next().Text)
			require.Equal(t, "I am b.", begin(t, p, "b").next().Text)
		case "drop 1.1":
			require.Equal(t, "I am b.", begin(t, p, "b").next().Text)
			require.Len(t, mutant.Messages, 3)
		}
	}
}

// A player of any mutant answers whatever it is asked.
func TestMutantsCanBePlayed(t *testing.T) {
	t.Parallel()
	for _, mutant := range script.Mutants(parsed(t, family).Messages) {
		p := script.NewPlayer(mutant.Messages)
		p.Summary = []string{"${none}"}
		for _, words := range []string{"Where?", "Find lot 12.", "Find lot 40.", "Find lot 12-2.", "Read.", "<summary>\nx", "And?"} {
			k := begin(t, p, words)
			for i := range 6 {
				k.next()
				k.aside("Sum it up.")
				k.hear("tool", fmt.Sprintf("lot 12 shelf a%d.txt", i))
			}
		}
		p.Left()
		p.Problems()
	}
}
