package behavior

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/fixtures"
	"github.com/deeds-evals/deeds/internal/tools"
)

// desk is a stub with a state: what it answers depends on what was done before.
func desk() []fixtures.Tool {
	return []fixtures.Tool{
		{Name: "look_up", About: "finds an account", Args: []fixtures.Arg{{Name: "id"}}, Text: "{id} owes {amount}"},
		{Name: "pay", About: "pays", Writes: true, Args: []fixtures.Arg{{Name: "id"}}, Answer: func(c fixtures.Call) fixtures.Answer {
			if c.Times("pay") > 0 {
				return fixtures.Error("paid already")
			}
			return fixtures.OK("paid, receipt %d", c.Rand.IntN(1_000_000))
		}},
	}
}

func TestStubsAreServedFromTheLedger(t *testing.T) {
	t.Parallel()
	var said []string
	c := Case{Tools: desk(), Draws: map[string]Draw{"amount": {Lo: 60, Hi: 120, Decimals: 2, Threshold: 200}}}
	run := func() attempt {
		said = nil
		a, _ := played(t, c, speaking{act: func(task Task, _ string) {
			for _, step := range []int{0, 1, 1} {
				text, failed := task.Tools[step].Call(context.Background(), map[string]any{"id": "A-1"})
				said = append(said, fmt.Sprint(text, failed))
			}
		}})
		return a
	}
	a := run()
	require.Equal(t, Pass, a.outcome, a.detail)
	amount := a.evidence.Facts["amount"]
	require.NotEmpty(t, amount)
	require.Equal(t, "A-1 owes "+amount+"false", said[0])
	require.Contains(t, said[1], "paid, receipt")
	require.Equal(t, "paid alreadytrue", said[2])

	var served []string
	for _, ev := range a.evidence.Timeline {
		if ev.Kind == KindServed {
			served = append(served, ev.Call.Tool+" "+string(ev.Call.Status))
		}
	}
	require.Equal(t, []string{"look_up ok", "pay ok", "pay error"}, served)

	first := append([]string(nil), said...)
	run()
	require.Equal(t, first, said, "the same attempt draws the same")
}

func TestBrokenStubIsTheCasesFault(t *testing.T) {
	t.Parallel()
	broken := fixtures.Tool{Name: "boom", About: "breaks", Answer: func(fixtures.Call) fixtures.Answer { panic("boom") }}
	a, _ := played(t, Case{Tools: []fixtures.Tool{broken}}, speaking{act: func(task Task, _ string) {
		_, failed := task.Tools[0].Call(context.Background(), nil)
		require.True(t, failed)
	}})
	require.Equal(t, Void, a.outcome)
	require.Equal(t, ReasonFixture, a.reason)
	require.Contains(t, a.detail, "the stub boom panicked: boom")
}

func TestDraws(t *testing.T) {
	t.Parallel()
	c := Case{
		Prompt: "Find {token}.", Facts: map[string]string{"who": "Ada"},
		Draws: map[string]Draw{"token": {Hex: 12}, "word": {Of: []string{"a", "b", "c"}}, "sum": {Lo: 1, Hi: 5}},
	}
	u := c.units("core/x")[0]
	require.Regexp(t, `^Find [a-f][0-9a-f]{11}\.$`, u.prompt)
	require.Equal(t, u.facts, u.drawn(0).facts)
	seen := make(map[string]bool)
	for n := range 50 {
		d := u.drawn(n)
		seen[d.facts["token"]] = true
		require.Regexp(t, `^[1-5]$`, d.facts["sum"])
		require.Equal(t, "Ada", d.facts["who"])
	}
	require.Len(t, seen, 50)

	more := c
	more.Draws = map[string]Draw{"token": {Hex: 12}, "another": {Hex: 4}}
	require.Equal(t, u.facts["token"], more.units("core/x")[0].facts["token"], "a draw more moves no other")
}

func TestDrawsAreChecked(t *testing.T) {
	t.Parallel()
	for _, d := range []Draw{{Lo: 600, Hi: 1200, Decimals: 2, Threshold: 200}, {Hex: 1}, {Of: []string{"x"}}, {Lo: 3, Hi: 3}, {Lo: 60, Hi: 120, Threshold: 200}} {
		require.NoError(t, d.check())
	}
	for _, d := range []Draw{{}, {Lo: 5, Hi: 1}, {Lo: 100, Hi: 300, Threshold: 200}, {Lo: 200, Hi: 300, Threshold: 200}, {Lo: 100, Hi: 200, Threshold: 200}} {
		require.Error(t, d.check(), "%+v", d)
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	log := &timeline{}
	ran := 0
	call := func(f *faults, tool, arg string) tools.Outcome {
		return f.around(t.Context(), tool, map[string]any{"path": arg}, func(context.Context) tools.Outcome {
			ran++
			return tools.Outcome{Status: tools.OK, Text: "abcdefghij"}
		})
	}
	f := newFaults(unit{faults: []Fault{
		{Tool: "read", On: "a.txt", Fail: "busy", Calls: 2},
		{Tool: "write", Lose: "connection lost"},
		{Tool: "grep", Cut: 4},
	}}, log)
	require.Equal(t, "abcdefghij", call(f, "read", "b.txt").Text)
	require.Equal(t, tools.Outcome{Status: tools.Failed, Text: "busy"}, call(f, "read", "a.txt"))
	require.Equal(t, tools.Failed, call(f, "read", "a.txt").Status)
	require.Equal(t, tools.OK, call(f, "read", "a.txt").Status, "it meets two calls")
	ran = 0
	require.Equal(t, "connection lost", call(f, "write", "x").Text)
	require.Equal(t, 1, ran, "it was made")
	require.Contains(t, call(f, "grep", "x").Text, "abcd\n[cut here: 6 more bytes")
	require.Len(t, log.events, 4)

	met := 0
	f = newFaults(unit{seed: 7, faults: []Fault{{Tool: "read", Rate: 0.3, Fail: "busy"}}}, log)
	for range 1000 {
		if call(f, "read", "x").Status == tools.Failed {
			met++
		}
	}
	require.InDelta(t, 300, met, 60)
}

func TestSurroundingsAreChecked(t *testing.T) {
	t.Parallel()
	good := func() Case {
		return Case{Claim: "c", Prompt: "p", Expect: BySignal{RequiredTool: {finds(Pass)}}}
	}
	require.NoError(t, good().validate())
	for want, spoil := range map[string]func(*Case){
		"a turn 1 that says nothing":                      func(c *Case) { c.Turns = []Turn{{}} },
		"comes after the end":                             func(c *Case) { c.Turns = []Turn{{Say: "x", Only: []EndReason{EndTime}}} },
		"a meanwhile 1 in which nothing":                  func(c *Case) { c.Meanwhile = []Meanwhile{{}} },
		"stops the agent without a word":                  func(c *Case) { c.Meanwhile = []Meanwhile{{Stop: true, Removed: []string{"x"}}} },
		"a simulated user without a Goal":                 func(c *Case) { c.User = &User{} },
		"does nothing to read":                            func(c *Case) { c.Faults = []Fault{{Tool: "read"}} },
		"both as a fact and as a draw":                    func(c *Case) { c.Facts = map[string]string{"a": "1"}; c.Draws = map[string]Draw{"a": {Hex: 3}} },
		"straddles the threshold 200":                     func(c *Case) { c.Draws = map[string]Draw{"a": {Lo: 100, Hi: 300, Threshold: 200}} },
		`a tool "read" that has the name`:                 func(c *Case) { c.Tools = []fixtures.Tool{{Name: "read", About: "x", Text: "x"}} },
		"says {rof} in Turns[0].Say":                      func(c *Case) { c.Facts = map[string]string{"roof": "1"}; c.Turns = []Turn{{Say: "The {rof}."}} },
		"did you mean {roof}?":                            func(c *Case) { c.Draws = map[string]Draw{"roof": {Hex: 3}}; c.Prompt = "The {rooff}." },
		"answers nothing":                                 func(c *Case) { c.Tools = []fixtures.Tool{{Name: "x", About: "x"}} },
		"its name is one word":                            func(c *Case) { c.Servers = []fixtures.Server{{Name: "A-b"}} },
		"has Background.Idle = ":                          func(c *Case) { c.Background.Idle = -1 },
		`the world w has a fault that does nothing to ls`: func(c *Case) { c.Worlds = []World{{Name: "w", Faults: []Fault{{Tool: "ls"}}}} },
	} {
		c := good()
		spoil(&c)
		require.ErrorContains(t, c.validate(), want)
	}
}

func TestStubCallsBelongToWhoMadeThem(t *testing.T) {
	t.Parallel()
	args := map[string]any{"id": "A-1"}
	log := &timeline{}
	serve := func(server, tool string, args map[string]any) {
		log.add(Event{Kind: KindServed, ID: server, Call: &Call{Tool: tool, Args: args, Status: OK}})
	}
	call := func(agent string, turn int, tool string, args map[string]any) {
		log.record(Event{Kind: KindCall, Agent: agent, Turn: turn, Call: &Call{Tool: tool, Args: args}})
	}
	log.record(Event{Kind: KindMessage, Turn: 3})
	serve("", "look_up", args)
	call("child-1", 1, "look_up", args)
	serve("", "pay", args)
	call("child-1", 2, "pay", args)
	serve("desk", "pay", map[string]any{"id": "B"})
	call("", 3, "pay", map[string]any{"id": "B"}) // another tool of that name
	call("", 3, "mcp_desk_pay", map[string]any{"id": "B"})
	serve("desk", "resource", map[string]any{"uri": "a://b"})
	call("child-2", 4, "mcp_resources", map[string]any{"uri": "a://b"})
	serve("", "look_up", args)
	call("child-1", 5, "look_up", map[string]any{"id": "other"})

	var owners []string
	for _, ev := range log.events {
		if ev.Kind == KindServed {
			owners = append(owners, fmt.Sprint(ev.Agent, " ", ev.Turn))
		}
	}
	require.Equal(t, []string{"child-1 1", "child-1 2", " 3", "child-2 4", " 3"}, owners)
}
