package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/tools"
)

// A cast is a model that plays the agent and its children, each by its own function
// of how often it was asked. Who asks is told by the first words of the conversation.
type cast struct {
	mu    sync.Mutex
	parts map[string]func(n int) Message
	asked map[string]int
	seen  map[string][]Request
	fail  map[string]error
	think time.Duration
}

func (c *cast) Next(ctx context.Context, r Request) (Message, error) {
	if c.think > 0 {
		time.Sleep(c.think)
	}
	if ctx.Err() != nil {
		return Message{}, ctx.Err()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	who := r.Messages[1].Text
	if c.asked == nil {
		c.asked, c.seen = make(map[string]int), make(map[string][]Request)
	}
	c.asked[who]++
	c.seen[who] = append(c.seen[who], r)
	if err := c.fail[who]; err != nil {
		return Message{}, err
	}
	if c.parts[who] == nil {
		return say("done: " + who), nil
	}
	return c.parts[who](c.asked[who]), nil
}

// in is a part of fixed messages.
func in(messages ...Message) func(int) Message {
	return func(n int) Message {
		if n > len(messages) {
			return say("enough")
		}
		return messages[n-1]
	}
}

func task(agent, assignment string) string {
	return fmt.Sprintf(`task {"agent":%q,"assignment":%q}`, agent, assignment)
}

func again(id, assignment string) string {
	return fmt.Sprintf(`task {"id":%q,"assignment":%q}`, id, assignment)
}

// answers lists the answers to calls in the conversation.
func answers(history []Message) []string {
	var all []string
	for _, m := range history {
		if m.Role == Tool {
			all = append(all, m.Text)
		}
	}
	return all
}

// births lists what was told of children.
func (s *stage) births() []string {
	var all []string
	for _, ev := range s.events {
		if ev.Kind == Child {
			all = append(all, ev.ID+" "+ev.State+" "+ev.Text)
		}
	}
	return all
}

func TestDelegation(t *testing.T) {
	t.Parallel()
	c := &cast{parts: map[string]func(int) Message{
		"go": in(calls(task("worker", "build it"), "look {}"), say("hi")),
		"build it": in(
			calls("change {}", "todo {}", "question {}", task("worker", "more")), say(" <think>hm</think>It is built. "),
		),
	}}
	s := newStage(t, Config{Model: c, ModelName: "m"})
	stop, err := s.play(t, background)
	require.NoError(t, err)
	require.Equal(t, Done, stop)
	require.Equal(t, []string{"child-1 (worker): completed\n\nIt is built.", "fine"}, answers(s.History()))
	require.Equal(t, []string{"child-1 started worker: build it", "child-1 ended It is built."}, s.births())

	var told []string
	for _, ev := range s.events {
		told = append(told, fmt.Sprintf("%s %d %s %s", ev.Agent, ev.Turn, ev.Kind, ev.Outcome.Status))
	}
	require.Equal(t, []string{
		" 1 message ", " 1 child ",
		"child-1 1 message ", "child-1 1 call ok", "child-1 1 call unknown", "child-1 1 call unknown", "child-1 1 call unknown", "child-1 2 message ",
		" 1 child ", " 1 call ok", " 1 call ok", " 2 message ",
	}, told)

	r := c.seen["build it"][0]
	require.Equal(t, "m", r.Model)
	require.Len(t, r.Messages, 2, "a child sees nothing of the conversation")
	require.Contains(t, r.Messages[0].Text, "You are a coding agent. Another agent")
	require.Equal(t, []string{"bash", "write"}, names(r.Tools))
}

func names(specs []tools.Spec) []string {
	var all []string
	for _, s := range specs {
		all = append(all, s.Name)
	}
	return all
}

func TestRoles(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		agent string
		plan  bool
		specs []string
		mode  tools.Mode
		want  string
	}{
		"worker":           {"worker", false, []string{"bash", "write"}, tools.Build, "child-1 (worker): completed\n\ndone: x"},
		"explore":          {"explore", false, []string{"bash"}, tools.Plan, "child-1 (explore): completed\n\ndone: x"},
		"review":           {"review", false, []string{"bash"}, tools.Plan, "child-1 (review): completed\n\ndone: x"},
		"explore, in plan": {"explore", true, []string{"bash"}, tools.Plan, "child-1 (explore): completed\n\ndone: x"},
		"worker, in plan":  {"worker", true, nil, "", "not begun: a worker changes things, and in plan mode nothing is changed; explore and review only read"},
		"somebody else":    {"boss", false, nil, "", `there is no kind of agent "boss"; there are: worker, explore, review`},
		"nobody":           {"", false, nil, "", `there is no kind of agent ""; there are: worker, explore, review`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &cast{parts: map[string]func(int) Message{"go": in(calls(task(test.agent, "x")), say("hi"))}}
			s := newStage(t, Config{Model: c})
			if test.plan {
				s.Enter(tools.Plan, nil)
			}
			_, err := s.play(t, background)
			require.NoError(t, err)
			require.Equal(t, []string{test.want}, answers(s.History()))
			if test.specs == nil {
				require.Empty(t, s.children)
				require.Empty(t, s.births())
				return
			}
			require.Equal(t, test.specs, names(c.seen["x"][0].Tools))
			require.Equal(t, test.mode, s.children[0].env.Mode)
			require.Nil(t, s.children[0].env.Delegate)
		})
	}
}

func TestChildGoesOn(t *testing.T) {
	t.Parallel()
	c := &cast{parts: map[string]func(int) Message{
		"go": in(
			calls(again("child-1", "x")),
			calls(task("explore", "first"), task("worker", "second")),
			calls(again("child-1", "and then?"), again("child-3", "x"), again("child-1", "x")),
			calls(`task {"id":"child-1","agent":"worker","assignment":"x"}`, `task {"id":"child-1","agent":"explore","assignment":"last"}`),
			say("hi"),
		),
	}}
	s := newStage(t, Config{Model: c})
	_, err := s.play(t, background)
	require.NoError(t, err)
	require.Equal(t, []string{
		`there is no agent "child-1" yet: leave id out to begin a new one`,
		"child-1 (explore): completed\n\ndone: first",
		"child-2 (worker): completed\n\ndone: second",
		"child-1 (explore): completed\n\ndone: first",
		`there is no agent "child-3"; there are: child-1 (explore), child-2 (worker)`,
		"child-1 (explore): completed\n\ndone: first",
		"child-1 is of the kind explore and cannot go on as worker: leave id out to begin a new one",
		"child-1 (explore): completed\n\ndone: first",
	}, answers(s.History()))
	require.Contains(t, s.births(), "child-1 continued explore: and then?")
	last := c.seen["first"][3].Messages
	require.Equal(t, []string{"first", "and then?", "x", "last"}, said(last), "with its whole history")
	turns := 0
	for _, ev := range s.events {
		if ev.Agent == "child-1" && ev.Kind == Said {
			turns++
			require.Equal(t, turns, ev.Turn)
		}
	}
	require.Equal(t, 4, turns)
}

func TestHowAChildEnds(t *testing.T) {
	t.Parallel()
	cut := say("half a rep")
	cut.Stop = "length"
	dear := calls("change {}")
	dear.Usage.Cost = 2
	forever := func(n int) Message { return calls(fmt.Sprintf(`look {"n":%d}`, n)) }
	tests := map[string]struct {
		limits Limits
		part   func(int) Message
		fail   error
		want   string
		stop   Stop
	}{
		"cut at the limit": {Limits{}, in(cut), nil, "child-1 (worker): failed\n\nIt ended unfinished: its last message was cut at the output limit.\n\nhalf a rep", Done},
		"without a word":   {Limits{}, in(say("")), nil, "child-1 (worker): failed\n\nIt ended without a report.", Done},
		"too many turns":   {Limits{Turns: 2}, forever, nil, "child-1 (worker): failed\n\nIt ended unfinished: it had sent 40 messages, which is the most it may.", Done},
		"too wide":         {Limits{}, in(), wide{}, "child-1 (worker): failed\n\nIt ended unfinished: its conversation outgrew the context window.", Done},
		"its costs count":  {Limits{Cost: 1}, in(dear), nil, "child-1 (worker): failed\n\nIt ended unfinished: the budget is used up.", TooDear},
		"a long report":    {Limits{}, in(say(strings.Repeat("é", maxReport+1))), nil, "child-1 (worker): completed\n\n" + strings.Repeat("é", maxReport) + "\n\n(The report goes on; ask for the rest by the id.)", Done},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &cast{
				parts: map[string]func(int) Message{"go": in(calls(task("worker", "x")), say("hi")), "x": test.part},
				fail:  map[string]error{"x": test.fail},
			}
			s := newStage(t, Config{Model: c, Limits: test.limits})
			stop, err := s.play(t, background)
			require.NoError(t, err)
			require.Equal(t, test.stop, stop)
			require.Equal(t, []string{test.want}, answers(s.History()))
			failed := strings.Contains(test.want, "failed")
			require.Equal(t, failed, strings.HasPrefix(s.births()[1], "child-1 failed"))
			require.Equal(t, !failed, s.statuses()[0] == "task ok")
		})
	}
}

// A harness that breaks under a child breaks the turn: the agent is not at fault.
func TestHarnessBreaksUnderAChild(t *testing.T) {
	t.Parallel()
	dead := errors.New("the line is dead")
	c := &cast{parts: map[string]func(int) Message{"go": in(calls(task("worker", "x")), say("hi"))}, fail: map[string]error{"x": dead}}
	s := newStage(t, Config{Model: c})
	_, err := s.play(t, background)
	var broken *ModelError
	require.ErrorAs(t, err, &broken)
	require.ErrorIs(t, err, dead)
	require.ErrorContains(t, err, "child-1: ")

	c = &cast{parts: map[string]func(int) Message{"go": in(calls(task("worker", "x")), say("hi")), "x": in(calls("panic {}"))}}
	s = newStage(t, Config{Model: c})
	_, err = s.play(t, background)
	var p *PanicError
	require.ErrorAs(t, err, &p)
}

func TestUsageOfChildrenAddsUp(t *testing.T) {
	t.Parallel()
	main, child := calls(task("explore", "x"), task("explore", "y")), say("hi")
	main.Usage, child.Usage = Usage{Prompt: 1}, Usage{Prompt: 10}
	c := &cast{parts: map[string]func(int) Message{"go": in(main, say("hi")), "x": in(child), "y": in(child)}}
	s := newStage(t, Config{Model: c})
	_, err := s.play(t, background)
	require.NoError(t, err)
	require.Equal(t, 21, s.Usage().Prompt)
	require.Equal(t, 2, s.Turns())
}

// Children that only read work at the same time, four at once, and get their ids in
// the order in which they were asked for. Waiting for their models is not the agent's
// own time.
func TestChildrenAtTheSameTime(t *testing.T) {
	t.Parallel()
	for agent, want := range map[string]time.Duration{"explore": 3, "worker": 9} {
		t.Run(agent, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var all []string
				for i := range 9 {
					all = append(all, task(agent, fmt.Sprintf("part %d", i+1)))
				}
				c := &cast{parts: map[string]func(int) Message{"go": in(calls(all...), say("hi"))}, think: time.Minute}
				s := newStage(t, Config{Model: c, Limits: Limits{Time: time.Second}})
				begun := time.Now()
				stop, err := s.play(t, background)
				require.NoError(t, err)
				require.Equal(t, Done, stop)
				require.Equal(t, (want+2)*time.Minute, time.Since(begun))
				for i, text := range answers(s.History()) {
					require.Equal(t, fmt.Sprintf("child-%d (%s): completed\n\ndone: part %d", i+1, agent, i+1), text)
				}
			})
		})
	}
}

// The time that a child's tools take is the agent's own.
func TestOwnTimeOfChildren(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &cast{
			parts: map[string]func(int) Message{"go": in(calls(task("worker", "x")), say("hi")), "x": in(calls("hang {}"))},
			think: time.Hour,
		}
		s := newStage(t, Config{Model: c, Limits: Limits{Time: time.Minute}})
		begun := time.Now()
		stop, err := s.play(t, background)
		require.NoError(t, err)
		require.Equal(t, TooLong, stop)
		require.Equal(t, 2*time.Hour+time.Minute, time.Since(begun))
		require.Equal(t, []string{"task cut"}, s.statuses())
		require.Equal(t, []string{"child-1 (worker): cut\n\nIt was stopped before it ended."}, answers(s.History()))
		require.Equal(t, "child-1 failed It was stopped before it ended.", s.births()[1])
	})
}

func TestUserStopsAChild(t *testing.T) {
	t.Parallel()
	var m mouth
	var mu sync.Mutex
	heard := func() []Word {
		mu.Lock()
		defer mu.Unlock()
		return m.heard()
	}
	c := &cast{parts: map[string]func(int) Message{
		"go": in(calls(task("worker", "x"), "change {}"), say("hi")),
		"x":  in(calls("speak {}", "change {}"), say("never said")),
	}}
	s := newStage(t, Config{Model: c, Heard: heard})
	s.tools.do["speak"] = func(context.Context, map[string]any) tools.Outcome {
		mu.Lock()
		defer mu.Unlock()
		m = mouth{{Text: "leave it", Stop: true}}
		return tools.Outcome{Status: tools.OK, Text: "fine"}
	}
	stop, err := s.play(t, background)
	require.NoError(t, err)
	require.Equal(t, Done, stop)
	require.Equal(t, []string{"task cut", "change cut"}, s.statuses())
	require.Equal(t, 1, c.asked["x"])
	require.Equal(t, []string{"go", "leave it"}, said(s.History()))
}

// What runs in the background of a child is its own, and is not forgotten.
func TestChildLeavesCommandsRunning(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &cast{parts: map[string]func(int) Message{
			"go": in(calls(task("worker", "x")), calls(`sleep {}`), calls(again("child-1", "y")), say("hi")),
			"x":  in(calls(`job {"n":60}`), say("started"), say("it has ended")),
		}}
		s := newStage(t, Config{Model: c})
		s.tools.do["sleep"] = func(context.Context, map[string]any) tools.Outcome {
			time.Sleep(time.Hour)
			return tools.Outcome{Status: tools.OK, Text: "slept"}
		}
		_, err := s.play(t, background)
		require.NoError(t, err)
		require.Equal(t, "child-1 (worker): completed\n\nstarted\n\nIt left commands running in the background: bg-1.", answers(s.History())[0])
		require.Equal(t, "child-1 (worker): completed\n\nit has ended", answers(s.History())[2])
		for _, ev := range s.events {
			if ev.Kind == Noticed {
				require.Equal(t, "child-1 bg-1", ev.Agent+" "+ev.ID)
			}
		}
		require.Len(t, s.noticed(), 1)
	})
}
