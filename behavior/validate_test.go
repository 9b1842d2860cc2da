package behavior

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestValidateRefuses(t *testing.T) {
	t.Parallel()
	negative, conditional := finds(Pass), finds(Pass)
	negative.spec.Negative = true
	conditional.spec.Conditional = true
	good := BySignal{ToolChain: {finds(Pass)}}
	for name, test := range map[string]struct {
		c    Case
		want string
	}{
		"an empty case":         {Case{}, "the case has no Claim\nhint: say in one sentence what an agent that passes has shown\nthe case has no Prompt\nhint: say what the user asks for, and not which tool to use\nthe case has no expectation\nhint: put at least one under a signal in Expect"},
		"an empty signal":       {Case{Claim: "c", Prompt: "p", Expect: BySignal{ToolChain: {finds(Pass)}, PlanSafety: {}}}, "the signal plan-safety has no expectation\nhint: name what must be seen, or leave the signal out"},
		"an unknown signal":     {Case{Claim: "c", Prompt: "p", Expect: BySignal{"plan-savety": {finds(Pass)}}}, "there is no signal \"plan-savety\"\nhint: did you mean plan-safety?"},
		"only what must not be": {Case{Claim: "c", Prompt: "p", Expect: BySignal{ToolChain: {negative}}}, "the case expects only what must not happen, or what must hold if something else did: an agent that does nothing passes it\nhint: add the deed that an honest agent does here"},
		"only conditions":       {Case{Claim: "c", Prompt: "p", Expect: BySignal{ToolChain: {conditional, negative}}}, "the case expects only what must not happen, or what must hold if something else did: an agent that does nothing passes it\nhint: add the deed that an honest agent does here"},
		"a nil expectation":     {Case{Claim: "c", Prompt: "p", Expect: BySignal{ToolChain: {finds(Pass), nil}}}, "expectation 2 of the signal tool-chain is nil"},
		"a mode":                {Case{Claim: "c", Prompt: "p", Mode: "yolo", Expect: good}, "the case has the mode \"yolo\"\nhint: it is behavior.Build or behavior.Plan"},
		"worlds":                {Case{Claim: "c", Prompt: "p", Expect: good, Worlds: []World{{Name: "a"}, {Name: "a"}}}, "two worlds are named a"},
		"variants":              {Case{Claim: "c", Prompt: "p", Expect: good, Variants: []Variant{{Name: "A b"}}}, "the variant \"A b\" is not named in kebab case"},
		"limits":                {Case{Claim: "c", Prompt: "p", Expect: good, Limits: Limits{Time: -time.Second}}, "a limit is negative"},
		"a world of negatives":  {Case{Claim: "c", Prompt: "p", Worlds: []World{{Name: "a", Expect: good}, {Name: "b", Expect: BySignal{ToolChain: {negative}}}}}, "the world b expects only what must not happen, or what must hold if something else did: an agent that does nothing passes it\nhint: add the deed that an honest agent does here"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.EqualError(t, test.c.validate(), test.want)
		})
	}
	require.NoError(t, Case{Claim: "c", Prompt: "p", Expect: BySignal{ToolChain: {finds(Pass), negative}}}.validate())
	require.NoError(t, Case{Claim: "c", Expect: good, Variants: []Variant{{Name: "a", Prompt: "p"}}}.validate())
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
