package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/tools"
)

var background = context.Background()

func say(text string) Message { return Message{Text: text, Stop: "stop"} }

func TestHowATurnEnds(t *testing.T) {
	t.Parallel()
	with := func(m Message, stop string) Message {
		m.Stop = stop
		return m
	}
	spent := func(m Message, prompt, completion int, cost float64) Message {
		m.Usage = Usage{Prompt: prompt, Completion: completion, Cost: cost, CostReported: true}
		return m
	}
	tests := map[string]struct {
		limits   Limits
		messages []Message
		stop     Stop
		calls    []string
	}{
		"a word":                       {Limits{}, []Message{say("hi")}, Done, nil},
		"nothing at all":               {Limits{}, []Message{{}}, Done, nil},
		"only reasoning":               {Limits{}, []Message{say("<think>hm")}, Done, nil},
		"no reason, but a message":     {Limits{}, []Message{with(say("hi"), "")}, Done, nil},
		"a reason nobody knows":        {Limits{}, []Message{with(say("hi"), "bored")}, Done, nil},
		"calls are promised, not made": {Limits{}, []Message{with(say("I will look"), "tool_calls")}, Done, nil},
		"after a call":                 {Limits{}, []Message{calls("look {}"), say("hi")}, Done, []string{"look ok"}},
		"calls under another reason":   {Limits{}, []Message{with(calls("look {}"), "stop"), say("hi")}, Done, []string{"look ok"}},
		"unknown tool":                 {Limits{}, []Message{calls("fly {}", "look {}")}, Done, []string{"fly unknown", "look ok"}},
		"malformed":                    {Limits{}, []Message{calls(`look {"a`, "look [1]", "look null x")}, Done, []string{"look malformed", "look malformed", "look malformed"}},
		"a tool that says nothing":     {Limits{}, []Message{calls("nothing {}")}, Done, []string{"nothing error"}},

		"length, text":          {Limits{}, []Message{with(say("and then"), "length")}, Length, nil},
		"length, nothing":       {Limits{}, []Message{with(Message{}, "length")}, Length, nil},
		"length, in a call":     {Limits{}, []Message{with(calls("look {}", `look {"a": "b`), "length")}, Done, []string{"look ok", "look malformed"}},
		"length, before a call": {Limits{}, []Message{with(calls("look {}", `look `), "length")}, Done, []string{"look ok", "look malformed"}},
		"length, whole calls":   {Limits{}, []Message{with(calls("look {}", `look {"a":1}`), "length")}, Done, []string{"look ok", "look ok"}},
		"filter":                {Limits{}, []Message{with(say("I"), "content_filter")}, Filtered, nil},
		"filter, with a call":   {Limits{}, []Message{with(calls("look {}"), "content_filter")}, Filtered, []string{"look cut"}},

		"a question":                     {Limits{}, []Message{calls("ask {}")}, Asked, []string{"ask ok"}},
		"a question among others":        {Limits{}, []Message{calls("change 1", "ask {}", "look {}", "change {}")}, Asked, []string{"change malformed", "ask ok", "look ok", "change ok"}},
		"a question that fails":          {Limits{}, []Message{calls("fail {}"), say("hi")}, Done, []string{"fail error"}},
		"a request to plan":              {Limits{}, []Message{calls("plan {}")}, Planned, []string{"plan ok"}},
		"a plan":                         {Limits{}, []Message{calls("ready {}")}, Planned, []string{"ready ok"}},
		"the first signal counts":        {Limits{}, []Message{calls("ready {}", "ask {}")}, Planned, []string{"ready ok", "ask ok"}},
		"a list does not end it":         {Limits{}, []Message{calls("list {}"), say("hi")}, Done, []string{"list ok"}},
		"a question at the turn limit":   {Limits{Turns: 1}, []Message{calls("ask {}")}, Asked, []string{"ask ok"}},
		"a last word at the turn limit":  {Limits{Turns: 1}, []Message{say("hi")}, Done, nil},
		"more turns than there are":      {Limits{Turns: 2}, []Message{calls("look 1"), calls("change {}"), say("hi")}, TooMany, []string{"look malformed", "change ok"}},
		"more tokens than there are":     {Limits{Tokens: 10}, []Message{spent(calls("change {}"), 6, 5, 0)}, TooLarge, []string{"change cut"}},
		"too many tokens, last word":     {Limits{Tokens: 10}, []Message{spent(say("hi"), 6, 5, 0)}, TooLarge, nil},
		"all the tokens":                 {Limits{Tokens: 11}, []Message{spent(calls("change {}"), 6, 5, 0)}, TooLarge, []string{"change ok"}},
		"all the tokens, last word":      {Limits{Tokens: 11}, []Message{spent(say("hi"), 6, 5, 0)}, Done, nil},
		"more money than there is":       {Limits{Cost: 0.1}, []Message{spent(calls("change {}"), 0, 0, 0.2)}, TooDear, []string{"change cut"}},
		"money over several turns":       {Limits{Cost: 0.3}, []Message{spent(calls("change {}"), 0, 0, 0.2), spent(calls("look {}"), 0, 0, 0.2)}, TooDear, []string{"change ok", "look cut"}},
		"a cost nobody knows is no cost": {Limits{Cost: 0.1}, []Message{say("hi")}, Done, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, Config{Limits: test.limits}, test.messages...)
			stop, err := s.play(t, background)
			require.NoError(t, err)
			require.Equal(t, test.stop, stop)
			require.Equal(t, test.calls, s.statuses())
		})
	}
}

func TestWhatIsTold(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{ModelName: "m"}, Message{
		Text: "<think>hm</think>I look.", Reasoning: "first", Stop: "tool_calls",
		Calls: []ToolCall{{ID: "a", Name: "look", Arguments: `{"x":1}`}, {ID: "b", Name: "list", Arguments: `{}`}, {ID: "c", Name: "ready"}},
	})
	stop, err := s.play(t, background)
	require.NoError(t, err)
	require.Equal(t, Planned, stop)
	require.Equal(t, []EventKind{Said, Called, Called, TodosUpdated, Called, PlanState}, s.kinds())
	require.Equal(t, "I look.", s.events[0].Message.Text)
	require.Equal(t, "first\nhm", s.events[0].Message.Reasoning)
	require.Equal(t, map[string]any{"x": 1.0}, s.events[1].Args)
	require.Equal(t, []tools.Todo{{Content: "one", Status: "pending"}}, s.events[3].Todos)
	require.Equal(t, "ready", s.events[5].State)
	require.Equal(t, "because", s.events[5].Text)
	for _, ev := range s.events {
		require.Equal(t, 1, ev.Turn)
	}

	r := s.model.requests[0]
	require.Equal(t, "m", r.Model)
	require.Equal(t, []Role{System, User}, []Role{r.Messages[0].Role, r.Messages[1].Role})
	require.Equal(t, "go", r.Messages[1].Text)
	require.NotEmpty(t, r.Tools)

	for kind, want := range map[string][]EventKind{"ask": {Said, Called, Questioned}, "plan": {Said, Called, PlanState}} {
		s := newStage(t, Config{}, calls(kind))
		_, err := s.play(t, background)
		require.NoError(t, err)
		require.Equal(t, want, s.kinds())
	}
}

func TestSeveralTurnsOfTheUser(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{Limits: Limits{Turns: 3}}, calls("ask {}"), calls("look {}"), say("thanks"), say("never said"))
	stop, err := s.play(t, background)
	require.NoError(t, err)
	require.Equal(t, Asked, stop)

	before := len(s.events)
	s.Enter(tools.Plan, nil)
	require.Equal(t, tools.Plan, s.Mode())
	require.Len(t, s.events, before, "whoever enters a mode knows of it")

	stop, err = s.play(t, background)
	require.NoError(t, err)
	require.Equal(t, Done, stop)
	require.Contains(t, s.model.requests[1].Messages[0].Text, "Mode: plan")
	require.Equal(t, 3, s.events[len(s.events)-1].Turn, "turns are counted on")
	require.Len(t, s.History(), 7)

	stop, err = s.play(t, background)
	require.NoError(t, err)
	require.Equal(t, TooMany, stop, "limits hold for the session")
}

func TestIDsAreRepaired(t *testing.T) {
	t.Parallel()
	same := Message{Calls: []ToolCall{
		{ID: "", Name: "look"}, {ID: "call_2", Name: "look"}, {ID: "x", Name: "change"}, {ID: "x", Name: "change"}, {ID: "", Name: "change"},
	}}
	s := newStage(t, Config{}, same, same)
	_, err := s.play(t, background)
	require.NoError(t, err)
	var ids []string
	for _, c := range s.History()[1].Calls {
		ids = append(ids, c.ID)
	}
	require.Equal(t, []string{"call_1", "call_2", "x", "call_3", "call_4"}, ids)
	require.Empty(t, same.Calls[0].ID, "the model's own message is left alone")
}

// What a strict endpoint would refuse to see again is not sent back to it, but
// told of as it was.
func TestHistoryIsWellFormed(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("n", 100)
	s := newStage(t, Config{}, calls(`read<|channel|> {"a": "b`, " {}", long+" []", `look {"a": 1}`))
	_, err := s.play(t, background)
	require.NoError(t, err)
	sent := s.History()[1].Calls
	require.Equal(t, []string{"read__channel__", "unnamed", long[:64], "look"}, []string{sent[0].Name, sent[1].Name, sent[2].Name, sent[3].Name})
	require.Equal(t, []string{"{}", "{}", "{}", `{"a": 1}`}, []string{sent[0].Arguments, sent[1].Arguments, sent[2].Arguments, sent[3].Arguments})
	told := s.events[1].Call
	require.Equal(t, "read<|channel|>", told.Name)
	require.Equal(t, `{"a": "b`, told.Arguments)
}

func TestRepetition(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		messages []Message
		want     []string
	}{
		"over turns": {
			[]Message{calls(`look {"a":1,"b":2}`), calls(`look {"b":2, "a":1}`), calls(`look {"a":1,"b":2}`), calls(`look {"a":1,"b":2}`), calls(`look {"a":1,"b":2}`)},
			[]string{"look ok", "look ok", "look ok", "look refused", "look refused"},
		},
		"in a message":       {[]Message{calls("look {}", "look {}", "look {}", "look {}")}, []string{"look ok", "look ok", "look ok", "look refused"}},
		"another in between": {[]Message{calls("look {}", "look {}", "look {}", "change {}", "look {}")}, []string{"look ok", "look ok", "look ok", "change ok", "look ok"}},
		"other arguments":    {[]Message{calls(`look {"a":1}`, `look {"a":2}`, `look {"a":3}`, `look {"a":4}`)}, []string{"look ok", "look ok", "look ok", "look ok"}},
		"large numbers":      {[]Message{calls(`look {"a":9007199254740993}`, `look {"a":9007199254740992}`, `look {"a":9007199254740993}`, `look {"a":9007199254740992}`)}, []string{"look ok", "look ok", "look ok", "look ok"}},
		"what is no JSON":    {[]Message{calls("look {", "look {", "look {", "look {")}, []string{"look malformed", "look malformed", "look malformed", "look refused"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, Config{}, test.messages...)
			_, err := s.play(t, background)
			require.NoError(t, err)
			require.Equal(t, test.want, s.statuses())
		})
	}
	t.Run("the user speaks", func(t *testing.T) {
		t.Parallel()
		s := newStage(t, Config{}, calls("look {}", "look {}", "look {}"), say("hi"), calls("look {}"))
		for range 2 {
			_, err := s.play(t, background)
			require.NoError(t, err)
		}
		require.Equal(t, []string{"look ok", "look ok", "look ok", "look ok"}, s.statuses())
	})
}

func TestHundredsOfCalls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var all []string
		for i := range 500 {
			all = append(all, fmt.Sprintf(`look {"n":%d}`, i))
		}
		s := newStage(t, Config{}, calls(all...))
		s.tools.do["look"] = func(context.Context, map[string]any) tools.Outcome {
			time.Sleep(time.Second)
			return tools.Outcome{Status: tools.OK, Text: "seen"}
		}
		begun := time.Now()
		_, err := s.play(t, background)
		require.NoError(t, err)
		require.Len(t, s.statuses(), 500)
		require.Equal(t, maxAtOnce, s.tools.most)
		require.Equal(t, 32*time.Second, time.Since(begun)) // 500 / 16, rounded up
	})
}

// A call that changes something runs alone, and everything keeps its order.
func TestMutationNeverRaces(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, Config{}, calls(`look {"n":3}`, `look {"n":1}`, `change {"n":2}`, `change {"n":1}`, `look {"n":2}`, `look {"n":5}`, `change {}`))
		var ended []float64
		wait := func(_ context.Context, args map[string]any) tools.Outcome {
			n, _ := args["n"].(float64)
			time.Sleep(time.Duration(n) * time.Second)
			s.tools.mu.Lock()
			defer s.tools.mu.Unlock()
			ended = append(ended, n)
			return tools.Outcome{Status: tools.OK, Text: "fine"}
		}
		s.tools.do["look"], s.tools.do["change"] = wait, wait
		begun := time.Now()
		_, err := s.play(t, background)
		require.NoError(t, err)
		require.False(t, s.tools.raced)
		require.Equal(t, 2, s.tools.most)
		require.Equal(t, []float64{1, 3, 2, 1, 2, 5, 0}, ended)
		require.Equal(t, 11*time.Second, time.Since(begun)) // 3 + 2 + 1 + 5 + 0
		var starts, took []time.Duration
		for _, ev := range s.events[1:8] {
			starts, took = append(starts, ev.Begun.Sub(begun)), append(took, ev.Took)
		}
		sec := time.Second
		require.Equal(t, []time.Duration{0, 0, 3 * sec, 5 * sec, 6 * sec, 6 * sec, 11 * sec}, starts)
		require.Equal(t, []time.Duration{3 * sec, 1 * sec, 2 * sec, 1 * sec, 2 * sec, 5 * sec, 0}, took)
	})
}

func TestOwnTime(t *testing.T) {
	t.Parallel()
	sleep := func(d time.Duration) func(context.Context, map[string]any) tools.Outcome {
		return func(context.Context, map[string]any) tools.Outcome {
			time.Sleep(d)
			return tools.Outcome{Status: tools.OK, Text: "fine"}
		}
	}
	t.Run("the model's time does not count", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			s := newStage(t, Config{Limits: Limits{Time: time.Second}}, calls("look {}"))
			s.model.before = func(int) { time.Sleep(time.Hour) }
			stop, err := s.play(t, background)
			require.NoError(t, err)
			require.Equal(t, Done, stop)
			require.Equal(t, time.Hour, s.events[0].Took)
		})
	})
	t.Run("a running call is stopped", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			s := newStage(t, Config{Limits: Limits{Time: time.Minute}}, calls("look {}", "hang {}", "change {}"))
			s.tools.do["look"] = sleep(time.Second)
			begun := time.Now()
			stop, err := s.play(t, background)
			require.NoError(t, err)
			require.Equal(t, TooLong, stop)
			require.Equal(t, []string{"look ok", "hang cut", "change cut"}, s.statuses())
			require.Equal(t, []string{"half"}, s.events[2].Outcome.Changed)
			require.Equal(t, time.Minute, time.Since(begun))
		})
	})
	t.Run("it adds up", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			s := newStage(t, Config{Limits: Limits{Time: 3 * time.Second}}, calls("change {}"), calls("change {}"), calls("hang {}"))
			s.tools.do["change"] = sleep(time.Second)
			stop, err := s.play(t, background)
			require.NoError(t, err)
			require.Equal(t, TooLong, stop)
			require.Equal(t, []string{"change ok", "change ok", "hang cut"}, s.statuses())
		})
	})
	t.Run("over, even with a question", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			s := newStage(t, Config{Limits: Limits{Time: time.Second}}, calls("change {}", "ask {}"))
			s.tools.do["change"] = sleep(2 * time.Second)
			stop, err := s.play(t, background)
			require.NoError(t, err)
			require.Equal(t, TooLong, stop)
		})
	})
	t.Run("by the clock that was given", func(t *testing.T) {
		t.Parallel()
		now := time.Unix(1e9, 0)
		s := newStage(t, Config{Limits: Limits{Time: time.Hour}, Now: func() time.Time { return now }}, calls("change {}"))
		s.tools.do["change"] = func(context.Context, map[string]any) tools.Outcome {
			now = now.Add(2 * time.Hour)
			return tools.Outcome{Status: tools.OK, Text: "fine", Signal: tools.Signal{Kind: tools.AskedUser}}
		}
		stop, err := s.play(t, background)
		require.NoError(t, err)
		require.Equal(t, TooLong, stop)
	})
	t.Run("a clock that runs back", func(t *testing.T) {
		t.Parallel()
		now := time.Unix(1e9, 0)
		s := newStage(t, Config{Limits: Limits{Time: time.Second}, Now: func() time.Time { now = now.Add(-time.Hour); return now }}, calls("look {}"))
		stop, err := s.play(t, background)
		require.NoError(t, err)
		require.Equal(t, Done, stop)
	})
}

func TestStoppedFromOutside(t *testing.T) {
	t.Parallel()
	t.Run("during a call", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			s := newStage(t, Config{}, calls("look {}", "hang {}", "hang {}", "change {}"))
			ctx, cancel := context.WithTimeout(background, time.Second)
			defer cancel()
			_, err := s.play(t, ctx)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.Equal(t, []string{"look ok", "hang cut", "hang cut", "change cut"}, s.statuses())
		})
	})
	t.Run("during the model", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancelCause(background)
		s := newStage(t, Config{}, calls("look {}"))
		s.model.before = func(int) { cancel(errors.New("the user pressed stop")) }
		_, err := s.play(t, ctx)
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorContains(t, err, "the user pressed stop")
		var broken *ModelError
		require.False(t, errors.As(err, &broken))
	})
	t.Run("before anything", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(background)
		cancel()
		s := newStage(t, Config{}, calls("look {}"))
		_, err := s.play(t, ctx)
		require.ErrorIs(t, err, context.Canceled)
		require.Empty(t, s.model.requests)
	})
	t.Run("it can go on afterwards", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			s := newStage(t, Config{}, calls("hang {}"), say("hi"))
			ctx, cancel := context.WithTimeout(background, time.Second)
			defer cancel()
			_, err := s.play(t, ctx)
			require.Error(t, err)
			stop, err := s.play(t, background)
			require.NoError(t, err)
			require.Equal(t, Done, stop)
		})
	})
	t.Run("a call that does not stop", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			s := newStage(t, Config{Limits: Limits{Time: time.Second}}, calls("look {}", "stuck {}", "look {}"))
			release := make(chan struct{})
			defer close(release)
			s.tools.do["stuck"] = func(context.Context, map[string]any) tools.Outcome {
				<-release
				return tools.Outcome{Status: tools.OK, Text: "too late"}
			}
			begun := time.Now()
			_, err := s.play(t, background)
			var stuck *StuckError
			require.ErrorAs(t, err, &stuck)
			require.Equal(t, "stuck", stuck.Tool)
			require.Equal(t, []string{"look ok", "stuck cut", "look cut"}, s.statuses())
			require.Equal(t, time.Second+stopGrace, time.Since(begun))
		})
	})
}

type wide struct{}

func (wide) Error() string         { return "too wide" }
func (wide) ContextExceeded() bool { return true }

func TestModelThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{}, calls("look {}"))
	s.model.err = errors.New("the line is dead")
	_, err := s.play(t, background)
	var broken *ModelError
	require.ErrorAs(t, err, &broken)
	require.EqualError(t, err, "the model did not answer: the line is dead")
	require.ErrorIs(t, err, s.model.err)

	s = newStage(t, Config{}, calls("look {}"))
	s.model.err = fmt.Errorf("asked: %w", wide{})
	stop, err := s.play(t, background)
	require.NoError(t, err)
	require.Equal(t, TooWide, stop)
}

func TestPanicIsNoCrash(t *testing.T) {
	t.Parallel()
	for _, all := range [][]string{{"look {}", "panic {}", "look {}"}, {"look {}", "unprepared {}", "look {}"}} {
		s := newStage(t, Config{}, calls(all...))
		s.tools.do["unprepared"] = s.tools.do["look"]
		_, err := s.play(t, background)
		var p *PanicError
		require.ErrorAs(t, err, &p)
		require.Equal(t, "oh no", p.Value)
		require.NotEmpty(t, p.Stack)
		require.Equal(t, p.Where+" error", s.statuses()[1])
		require.Equal(t, "look cut", s.statuses()[2])
	}
	t.Run("calls that run are stopped", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			s := newStage(t, Config{}, calls("hang {}", "unprepared {}", "look {}"))
			s.tools.do["unprepared"] = s.tools.do["look"]
			_, err := s.play(t, background)
			var p *PanicError
			require.ErrorAs(t, err, &p)
			require.Equal(t, []string{"hang cut", "unprepared error", "look cut"}, s.statuses())
		})
	})
	s := newStage(t, Config{})
	s.model.before = func(int) { panic("oh no") }
	_, err := s.play(t, background)
	var p *PanicError
	require.ErrorAs(t, err, &p)
	require.Equal(t, "model", p.Where)
}

func TestNoModel(t *testing.T) {
	t.Parallel()
	_, err := Run(background, Config{}, "go")
	require.EqualError(t, err, "an agent needs a model")
}

func TestUsageAddsUp(t *testing.T) {
	t.Parallel()
	first, second := calls("look {}"), say("hi")
	first.Usage = Usage{Prompt: 1, Completion: 2, Cached: 3, Reasoning: 4, Cost: 0.5, CostReported: true}
	second.Usage = Usage{Prompt: 10, Completion: 20}
	s := newStage(t, Config{}, first, second)
	_, err := s.play(t, background)
	require.NoError(t, err)
	require.Equal(t, Usage{Prompt: 11, Completion: 22, Cached: 3, Reasoning: 4, Cost: 0.5, CostReported: true}, s.Usage())
}
