package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spf13/afero"
	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/tools"
)

// A clerk is a model that answers requests without tools, which ask for a summary,
// by itself.
type clerk struct {
	*script
	summaries []Message // what it answers; when they are used up, a summary
	err       error     // instead of a summary
	asked     []Request // for summaries
	narrow    int       // it refuses requests of more bytes; zero is none
}

func (c *clerk) Next(ctx context.Context, r Request) (Message, error) {
	n := 0
	for _, m := range r.Messages {
		n += len(m.Text)
	}
	if r.Tools == nil {
		c.asked = append(c.asked, r)
		if c.err != nil {
			return Message{}, c.err
		}
	}
	if c.narrow > 0 && n > c.narrow {
		return Message{}, wide{}
	}
	if r.Tools != nil {
		return c.script.Next(ctx, r)
	}
	if len(c.summaries) == 0 {
		return Message{Text: "<think>hm</think> what was </summary> said ", Usage: Usage{Prompt: 5}}, nil
	}
	m := c.summaries[0]
	c.summaries = c.summaries[1:]
	return m, nil
}

func clerkStage(t *testing.T, c Config, k *clerk, messages ...Message) *stage {
	t.Helper()
	k.script = &script{messages: messages}
	c.Model = k
	return newStage(t, c)
}

// compactions lists the summaries that were told of.
func (s *stage) compactions() []string {
	var all []string
	for _, ev := range s.events {
		if ev.Kind == Compacted {
			all = append(all, ev.Text)
		}
	}
	return all
}

func TestCompactBetweenTwoTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var k clerk
		s := clerkStage(t, Config{Limits: Limits{Turns: 4}}, &k, calls(`job {"n":60}`, "look {}"), say("first"), say("second"))
		s.tools.todos = []tools.Todo{{Content: "one", Status: "pending"}}
		_, err := s.play(t, background)
		require.NoError(t, err)
		require.NoError(t, s.Compact(background))
		require.Equal(t, []string{"what was </summary> said"}, s.compactions())
		h := s.History()
		require.Equal(t, []Role{User, Assistant}, roles(h))
		require.Equal(t, "<summary>\nwhat was <\\/summary> said\n</summary>\n\nThis summary stands for the conversation up to here; go on from it."+
			"\n\nThe todo list as it stands:\n- [pending] one\n\nStill running in the background: bg-1.", h[0].Text)
		require.Equal(t, "first", h[1].Text)
		require.Equal(t, 2, s.Turns(), "a summary is no turn")
		require.Equal(t, 5, s.Usage().Prompt, "but it is paid for")

		stop, err := s.play(t, background)
		require.NoError(t, err)
		require.Equal(t, Done, stop)
		require.Equal(t, []Role{System, User, Assistant, User}, roles(k.requests[2].Messages))

		require.Len(t, k.asked, 1)
		require.Equal(t, []Role{System, User}, roles(k.asked[0].Messages))
		text := k.asked[0].Messages[1].Text
		for _, want := range []string{"user:\ngo", "call of job:\n{\"n\":60}", "result of look:\nfine"} {
			require.Contains(t, text, want)
		}
		require.NotContains(t, text, "first", "what stays is not summarized")
	})
}

func TestNothingToCompact(t *testing.T) {
	t.Parallel()
	var k clerk
	s := clerkStage(t, Config{}, &k)
	require.NoError(t, s.Compact(background))
	require.Empty(t, k.asked)
	require.Empty(t, s.events)
}

// In the middle of a turn the last two messages stay, with all that belongs to them,
// and so do the user's own words.
func TestCompactWhenTheWindowIsNearlyFull(t *testing.T) {
	t.Parallel()
	used := func(m Message, prompt int) Message {
		m.Usage.Prompt = prompt
		return m
	}
	all := []Message{
		used(calls(`look {"n":1}`), 100), used(calls(`look {"n":2}`, "change {}"), 200), used(calls(`look {"n":3}`), 300),
		used(calls(`look {"n":4}`), 100), say("hi"),
	}
	large := func(context.Context, map[string]any) tools.Outcome {
		return tools.Outcome{Status: tools.OK, Text: strings.Repeat("x", 400)}
	}
	play := func(window int) (*stage, *clerk) {
		k := new(clerk)
		s := clerkStage(t, Config{Window: window}, k, all...)
		s.tools.do["look"] = large
		stop, err := s.play(t, background)
		require.NoError(t, err)
		require.Equal(t, Done, stop)
		return s, k
	}
	s, k := play(500) // 300 and a result of 100 are 80 %
	require.Len(t, s.compactions(), 1)
	h := s.History()
	require.Equal(t, []Role{User, Assistant, Tool, Tool, Assistant, Tool, Assistant, Tool, Assistant}, roles(h))
	require.Contains(t, h[0].Text, "<request>\ngo\n</request>")
	require.Contains(t, k.asked[0].Messages[1].Text, `{"n":1}`)
	require.NotContains(t, k.asked[0].Messages[1].Text, `{"n":2}`)

	s, _ = play(502)
	require.Empty(t, s.compactions())
	s, _ = play(0)
	require.Empty(t, s.compactions(), "nobody knows the window")
	s, _ = play(10)
	require.Len(t, s.compactions(), 2, "not for what wins nothing")
}

func TestCompactWhenTheModelSaysSo(t *testing.T) {
	t.Parallel()
	long := func(context.Context, map[string]any) tools.Outcome {
		return tools.Outcome{Status: tools.OK, Text: strings.Repeat("x", 30_000)}
	}
	read, look := calls(`read {"n":1}`), calls("look {}")
	tests := map[string]struct {
		narrow   int
		messages []Message
		stop     Stop
		asked    int // for a summary
		noticed  int
		kept     []Role
	}{
		"it helps": {
			40_000, []Message{read, look, look, read, say("hi")}, Done, 1, 0,
			[]Role{User, Assistant, Tool, Assistant, Tool, Assistant},
		},
		"it helps to keep less": {
			40_000, []Message{read, read, say("hi")}, Done, 1, 0,
			[]Role{User, Assistant, Tool, Assistant},
		},
		"the end alone is too wide": {
			20_000, []Message{look, look, read, say("never said")}, TooWide, 1, 0,
			[]Role{User, Assistant, Tool, Assistant, Tool},
		},
		"there is nothing but the end": {20_000, []Message{read, say("never said")}, TooWide, 0, 0, []Role{User, Assistant, Tool}},
		"nothing fits":                 {10, []Message{look}, TooWide, 0, 0, []Role{User}},
		"it fits as it is":             {80_000, []Message{read, read, say("hi")}, Done, 0, 0, []Role{User, Assistant, Tool, Assistant, Tool, Assistant}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := &clerk{narrow: test.narrow}
			s := clerkStage(t, Config{}, k, test.messages...)
			s.tools.do["read"] = long
			stop, err := s.play(t, background)
			require.NoError(t, err)
			require.Equal(t, test.stop, stop)
			require.Len(t, k.asked, test.asked)
			require.Len(t, s.noticed(), test.noticed)
			require.Equal(t, test.kept, roles(s.History()))
		})
	}

	before := []Message{
		{Role: User, Text: "first"},
		{Role: Assistant, Calls: []ToolCall{{ID: "z", Name: "look", Arguments: "{}"}}},
		{Role: Tool, CallID: "z", Text: strings.Repeat("z", 100_000)},
		{Role: Assistant, Text: "hi"},
	}
	t.Run("a summary of less", func(t *testing.T) {
		t.Parallel()
		k := &clerk{narrow: 9_000}
		s := clerkStage(t, Config{}, k, say("hi"))
		s.history.messages = before
		stop, err := s.Send(background, "go")
		require.NoError(t, err)
		require.Equal(t, Done, stop)
		require.Len(t, k.asked, 2)
		require.Contains(t, k.asked[0].Messages[1].Text, "(92000 characters left out)")
		require.Contains(t, k.asked[1].Messages[1].Text, "(99000 characters left out)")
		require.Equal(t, []Role{User, Assistant, User, Assistant}, roles(s.History()))
	})
	t.Run("no summary at all", func(t *testing.T) {
		t.Parallel()
		k := &clerk{narrow: 100}
		s := clerkStage(t, Config{}, k)
		s.history.messages = before
		stop, err := s.Send(background, "go")
		require.NoError(t, err)
		require.Equal(t, TooWide, stop)
		require.Len(t, s.noticed(), 1)
		require.Equal(t, append(before, Message{Role: User, Text: "go"}), s.History())
	})
}

func TestNoSummary(t *testing.T) {
	t.Parallel()
	filtered := say("I")
	filtered.Stop = "content_filter"
	for want, summary := range map[string]Message{
		"the conversation was not compacted: the summary came back empty":            say(" <think>hm</think> "),
		"the conversation was not compacted: the content filter stopped the summary": filtered,
	} {
		k := &clerk{summaries: []Message{summary}}
		s := clerkStage(t, Config{}, k, calls("look {}"), say("hi"))
		_, err := s.play(t, background)
		require.NoError(t, err)
		before := s.History()
		require.NoError(t, s.Compact(background))
		require.Equal(t, before, s.History())
		require.Empty(t, s.compactions())
		last := s.events[len(s.events)-1]
		require.Equal(t, Noticed, last.Kind)
		require.Equal(t, want, last.Text)
		require.NoError(t, s.Compact(background))
		require.Len(t, s.compactions(), 1, "another time it works")
	}
}

func TestSummaryThatCannotBeAskedFor(t *testing.T) {
	t.Parallel()
	k := &clerk{err: errors.New("the line is dead")}
	s := clerkStage(t, Config{}, k, calls("look {}"), say("hi"))
	_, err := s.play(t, background)
	require.NoError(t, err)
	var broken *ModelError
	require.ErrorAs(t, s.Compact(background), &broken)

	ctx, cancel := context.WithCancel(background)
	cancel()
	require.ErrorIs(t, s.Compact(ctx), context.Canceled)
}

// A summary that fails is not asked for again at each message.
func TestFutileCompaction(t *testing.T) {
	t.Parallel()
	k := &clerk{err: wide{}}
	var all []Message
	for i := range 8 {
		m := calls(fmt.Sprintf(`look {"n":%d}`, i))
		m.Usage.Prompt = 1000
		all = append(all, m)
	}
	s := clerkStage(t, Config{Window: 1000}, k, all...)
	s.tools.do["look"] = func(context.Context, map[string]any) tools.Outcome {
		return tools.Outcome{Status: tools.OK, Text: strings.Repeat("x", 1000)}
	}
	stop, err := s.play(t, background)
	require.NoError(t, err)
	require.Equal(t, Done, stop)
	require.Len(t, k.asked, len(excerpts))
	require.Len(t, s.noticed(), 1)
}

// Rules that came into force with results are not forgotten with them.
func TestRulesOutliveCompaction(t *testing.T) {
	t.Parallel()
	files := afero.NewMemMapFs()
	require.NoError(t, afero.WriteFile(files, "sub/AGENTS.md", []byte("be kind"), 0o644))
	require.NoError(t, afero.WriteFile(files, "sub/a.txt", nil, 0o644))
	var k clerk
	s := clerkStage(t, Config{Tools: tools.Env{Dir: "/w", Files: files}}, &k, calls(`read {"path":"sub/a.txt"}`), say("hi"), calls(`read {"path":"sub/a.txt"}`))
	s.tools.do["read"] = s.tools.do["look"]
	_, err := s.play(t, background)
	require.NoError(t, err)
	require.NotContains(t, k.requests[1].Messages[0].Text, "be kind")
	require.NoError(t, s.Compact(background))
	_, err = s.play(t, background)
	require.NoError(t, err)
	require.Contains(t, k.requests[2].Messages[0].Text, "<rules path=\"sub/AGENTS.md\">\nbe kind\n</rules>")
	require.Equal(t, []string{"fine"}, answers(s.History()))
}

func TestExcerpt(t *testing.T) {
	t.Parallel()
	require.Equal(t, "abcdef", excerpt("abcdef", 6))
	require.Equal(t, "éb\n(2 characters left out)\nef", excerpt("ébcdef", 4))
}

func TestSummaryIsNotTheAgentsTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, Config{Limits: Limits{Time: time.Minute}}, calls("look {}"), say("hi"), say("a summary"))
		s.model.before = func(int) { time.Sleep(time.Hour) }
		_, err := s.play(t, background)
		require.NoError(t, err)
		require.NoError(t, s.Compact(background))
		require.False(t, s.meter.overTime())
		require.Equal(t, time.Hour, s.events[len(s.events)-1].Took)
	})
}
