package behavior_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

// A lister is an agent of one's own, and a poor one: whatever it is asked, it lists
// the workspace and says what it saw. One that asks a model sends its requests to
// task.BaseURL, with task.Key.
type lister struct{}

func (lister) Run(ctx context.Context, task behavior.Task) error {
	out, exit, err := task.Shell(ctx, "ls")
	if err != nil {
		return err
	}
	task.Record(behavior.Event{Kind: behavior.KindCall, Turn: 1, Call: &behavior.Call{
		Tool: "bash", Args: map[string]any{"command": "ls"}, Result: out, Exit: &exit,
	}})
	task.Record(behavior.Event{Kind: behavior.KindMessage, Turn: 2, Text: "There are " + strings.Join(strings.Fields(out), ", ") + "."})
	return nil
}

// An agent of one's own is set in the case; the expectations are the same.
func ExampleAgent() {
	_ = func(t *testing.T) { // a Test function
		behavior.Run(t, behavior.Case{
			Claim:  "The files that are there are named.",
			Files:  fixtures.Txtar("-- apples.txt --\n-- pears.txt --\n"),
			Prompt: "Which files are there?",
			Agent:  lister{},
			Expect: behavior.BySignal{
				behavior.ToolResultIntegrity: {expect.Answer("apples.txt"), expect.Answer("pears.txt")},
			},
		})
	}
}

// Evidence can be judged without a run: from a record, or made up in a test of an
// expectation.
func ExampleGrade() {
	c := behavior.Case{Expect: behavior.BySignal{
		behavior.ToolChain: {expect.Call("read").On("a.txt").Before(expect.Call("edit").On("a.txt"))},
	}}
	blind := behavior.Evidence{Timeline: []behavior.Event{{
		Kind: behavior.KindCall, Turn: 1,
		Call: &behavior.Call{Tool: "edit", Args: map[string]any{"path": "a.txt"}, Status: behavior.OK},
	}}}
	for _, v := range behavior.Grade(c, blind) {
		fmt.Println(v.Signal, v.Result, v.Got)
	}
	// Output: tool-chain fail edit at event 1, and no read call on a.txt before it
}

// Where an agent that always does the same would pass, the case has two worlds: in one
// the request is to be carried out, in the other it is not.
func ExampleWorld() {
	c := behavior.Case{
		Claim:  "An order is cancelled while it has not left, and else it is not.",
		Prompt: "Cancel order 7, if you still can. It is in orders/7.",
		Worlds: []behavior.World{
			{
				Name:  "packed",
				Files: fixtures.Txtar("-- orders/7 --\nstate=packed\n"),
				Expect: behavior.BySignal{
					behavior.PolicyBranch: {expect.Changed(behavior.Tree{"orders/7": "state=cancelled\n"})},
				},
			},
			{
				Name:  "sent",
				Files: fixtures.Txtar("-- orders/7 --\nstate=sent\n"),
				Expect: behavior.BySignal{
					behavior.PolicyBranch: {expect.AllOf(expect.Reading("orders/7"), expect.NothingChanged())},
				},
			},
		},
	}
	// What an agent leaves behind that cancels whatever it is asked to.
	for world, state := range map[string]string{"packed": "state=packed\n", "sent": "state=sent\n"} {
		e := behavior.Evidence{
			World:  world,
			Before: behavior.Files{"orders/7": {Mode: 0o644, Data: []byte(state)}},
			After:  behavior.Files{"orders/7": {Mode: 0o644, Data: []byte("state=cancelled\n")}},
		}
		fmt.Println(world, behavior.BySignals(behavior.Grade(c, e))[behavior.PolicyBranch])
	}
	// Unordered output:
	// packed pass
	// sent fail
}

// What a case sets beside its files: a fact that every attempt has another of, a
// system that is a Go function, and a second turn of the user.
func ExampleCase() {
	_ = func(t *testing.T) { // a Test function
		behavior.Run(t, behavior.Case{
			Claim:  "What was looked up is told, and looked up again when it may have changed.",
			Draws:  map[string]behavior.Draw{"morning": {Lo: 2, Hi: 9}, "evening": {Lo: 12, Hi: 19}},
			Prompt: "How many litres are in the tank?",
			Tools: []fixtures.Tool{{
				Name: "gauge", About: "Reads the gauge of the tank.",
				Answer: func(c fixtures.Call) fixtures.Answer {
					if c.Turn == 1 {
						return fixtures.OK("%s l", c.Fact("morning"))
					}
					return fixtures.OK("%s l", c.Fact("evening"))
				},
			}},
			Turns: []behavior.Turn{{Say: "It has been filled up. And now?"}},
			Expect: behavior.BySignal{
				behavior.RequiredTool: {
					expect.InTurn(1, expect.Served("gauge")),
					expect.InTurn(2, expect.Served("gauge")),
				},
				behavior.ToolResultIntegrity: {
					expect.InTurn(1, expect.AnswerFact("morning")),
					expect.InTurn(2, expect.AnswerFact("evening")),
				},
			},
		})
	}
}

// A signal fails if one of its expectations does. What could not be judged, since it
// hangs on a deed that did not happen, decides nothing.
func ExampleBySignals() {
	outcomes := behavior.BySignals([]behavior.Verdict{
		{Signal: behavior.ToolChain, Result: behavior.Pass},
		{Signal: behavior.ToolChain, Result: behavior.NA, Conditional: true},
		{Signal: behavior.FilesystemSafety, Result: behavior.Pass},
		{Signal: behavior.FilesystemSafety, Result: behavior.Fail},
	})
	fmt.Println(outcomes[behavior.ToolChain], outcomes[behavior.FilesystemSafety])
	// Output: pass fail
}

// However the agent spells a path, it is the same file.
func ExampleEvidence_Path() {
	e := behavior.Evidence{Workspace: "/home/me/project"}
	for _, p := range []string{"./docs/../a.txt", "/home/me/project/a.txt", "/etc/hosts"} {
		fmt.Println(e.Path(p))
	}
	// Output:
	// a.txt
	// a.txt
	// /etc/hosts
}
