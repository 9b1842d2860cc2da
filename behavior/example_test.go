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
