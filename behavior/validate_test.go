package behavior

import (
	"cmp"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gotest.tools/v3/golden"

	"github.com/deeds-evals/deeds/fixtures"
)

// What is wrong with a case is told before it is played, all of it and once. The texts
// stand in one file, to be read as one.
func TestValidateRefuses(t *testing.T) {
	t.Parallel()
	negative, conditional := finds(Pass), finds(Pass)
	negative.spec.Negative = true
	conditional.spec.Conditional = true
	good := BySignal{ToolChain: {finds(Pass)}}
	expecting := func(spec Spec) BySignal {
		return BySignal{ToolChain: {fixed{spec: spec, finding: Finding{Outcome: Pass}}}}
	}
	stub := func(tool fixtures.Tool) []fixtures.Tool { return []fixtures.Tool{tool} }
	var text strings.Builder
	for _, test := range []struct {
		name string
		c    Case
	}{
		{"an empty case", Case{}},
		{"an empty signal", Case{Expect: BySignal{ToolChain: {finds(Pass)}, PlanSafety: {}}}},
		{"an unknown signal", Case{Expect: BySignal{"plan-savety": {finds(Pass)}}}},
		{"only what must not be", Case{Expect: BySignal{ToolChain: {negative}}}},
		{"only conditions", Case{Expect: BySignal{ToolChain: {conditional, negative}}}},
		{"a nil expectation", Case{Expect: BySignal{ToolChain: {finds(Pass), nil}}}},
		{"a mode", Case{Mode: "biuld", Expect: good}},
		{"worlds of one name", Case{Expect: good, Worlds: []World{{Name: "a"}, {Name: "a"}}}},
		{"names that are not kebab case", Case{Expect: good, Worlds: []World{{Name: "Big Order"}}, Variants: []Variant{{Name: "Ä"}}, Draft: &Draft{Name: "publish_it"}}},
		{"variants of one name", Case{Expect: good, Variants: []Variant{{Name: "a"}, {Name: "a"}}}},
		{"limits", Case{Expect: good, Limits: Limits{Turns: -1, Time: -time.Second, Tokens: -2, Cost: -0.5}}},
		{"a world of negatives", Case{Worlds: []World{{Name: "a", Expect: good}, {Name: "b", Expect: BySignal{ToolChain: {negative}}}}}},
		{"files that are none", Case{Expect: good, Files: fixtures.Dir("ntoes")}},
		{"files in a world and a turn", Case{
			Expect: good, Worlds: []World{{Name: "a", Files: fixtures.Txtar("no file\n")}},
			Turns: []Turn{{Say: "Go on."}, {Say: "And on.", Files: fixtures.Txtar("-- ../x --\n")}}, Meanwhile: []Meanwhile{{Files: fixtures.Txtar("-- a --\n-- a --\n")}},
		}},
		{"misspelt facts", Case{
			Facts: map[string]string{"fact": "1"}, Draws: map[string]Draw{"code": {Hex: 4}}, Prompt: "Tell {fcat}.", Turns: []Turn{{Say: "And {cdoe}."}},
			Expect: expecting(Spec{Want: "an answer with {fcat}", Where: "x_test.go:7"}),
		}},
		{"misspelt tools", Case{
			Faults: []Fault{{Tool: "raed", Fail: "no"}}, Meanwhile: []Meanwhile{{After: "wirte", Say: "Stop."}},
			Servers: []fixtures.Server{{Name: "desk", Tools: stub(fixtures.Tool{Name: "refund", About: "refunds", Text: "done"})}},
			Expect:  expecting(Spec{Want: "calls", Where: "x_test.go:8", Tools: []string{"bahs"}, Mentions: []string{"bahs", "mcp_desk_refudn", "fetch"}}),
		}},
		{"turns and meanwhiles", Case{
			Expect: good, Turns: []Turn{{}, {Plan: "aproved"}, {Say: "x", Only: []EndReason{"stpo"}}},
			Meanwhile: []Meanwhile{{}, {Stop: true, Removed: []string{"x"}}},
		}},
		{"faults", Case{Expect: good, Faults: []Fault{{}, {Tool: "bash"}, {Tool: "bash", Fail: "a", Lose: "b"}, {Tool: "bash", Fail: "a", Rate: 2}}}},
		{"draws", Case{Expect: good, Facts: map[string]string{"d": "1"}, Draws: map[string]Draw{"a": {}, "b": {Lo: 2, Hi: 1}, "c": {Lo: 1, Hi: 3, Threshold: 2}, "d": {Hex: 2}}}},
		{"tools", Case{Expect: good, Tools: []fixtures.Tool{
			{Name: "Pay Bill"}, {Name: "read"}, {Name: "mcp_x"}, {Name: "a"}, {Name: "b", About: "b"}, {Name: "b"},
			{Name: "c", About: "c", Text: "c", Args: []fixtures.Arg{{Name: "N"}, {Name: "n", Type: "int"}}},
		}}},
		{"servers", Case{Expect: good, Servers: []fixtures.Server{{Name: "the desk"}, {Name: "desk"}, {Name: "desk"}}}},
		{"a user and waits", Case{Expect: good, User: &User{Turns: -1}, Background: Background{Wait: -time.Second}}},
		{"the same in every world", Case{Expect: good, Faults: []Fault{{Tool: "bash"}}, Worlds: []World{{Name: "a"}, {Name: "b"}}}},
		{"the same in two of three", Case{Expect: good, Worlds: []World{{Name: "a", Faults: []Fault{{Tool: "bash"}}}, {Name: "b"}, {Name: "c", Faults: []Fault{{Tool: "bash"}}}}}},
	} {
		if test.name != "an empty case" {
			test.c.Claim, test.c.Prompt = "c", cmp.Or(test.c.Prompt, "p")
		}
		fmt.Fprintf(&text, "# %s\n%v\n\n", test.name, test.c.validate())
	}
	golden.Assert(t, text.String(), "case.golden")

	require.NoError(t, Case{Claim: "c", Prompt: "p", Expect: BySignal{ToolChain: {finds(Pass), negative}}}.validate())
	require.NoError(t, Case{Claim: "c", Expect: good, Variants: []Variant{{Name: "a", Prompt: "p"}}}.validate())
	own := expecting(Spec{Want: "calls", Tools: []string{"reads", "bsh"}})
	require.NoError(t, Case{Claim: "c", Prompt: "p", Expect: own, Agent: speaking{}}.validate(), "an agent of one's own has tools of its own")
	require.NoError(t, Case{Claim: "c", Prompt: "p", Expect: expecting(Spec{Want: "{other} things", Mentions: []string{"fetch", "web_search"}})}.validate())
}

// declared counts the signals that this process declared: a declaration is for
// good, and a test may run twice.
var declared atomic.Int64

func TestNewSignal(t *testing.T) {
	t.Parallel()
	name := fmt.Sprintf("cites-its-sources-%d", declared.Add(1))
	s := NewSignal(name)
	require.True(t, s.known())
	require.Contains(t, Signals(), s)
	require.PanicsWithValue(t, `behavior: signal "`+name+`" is declared already`, func() { NewSignal(name) })
	require.PanicsWithValue(t, `behavior: signal "tool-chain" is declared already`, func() { NewSignal("tool-chain") })
	require.Panics(t, func() { NewSignal("No Kebab") })
}

func TestExpand(t *testing.T) {
	t.Parallel()
	facts := map[string]string{"a": "1", "ab": "2", "b": "{a}"}
	require.Equal(t, "1 2 {a} {c} {", expand("{a} {ab} {b} {c} {", facts))
	require.Equal(t, "{a}", expand("{a}", nil))
}
