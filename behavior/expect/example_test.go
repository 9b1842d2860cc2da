package expect_test

import (
	"fmt"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
)

// A file must be read before it is changed, whatever tool does either. Here the
// change came first.
func ExampleEvent_Before() {
	read := expect.Reading("settings.txt")
	change := expect.Changing("settings.txt")

	c := behavior.Case{Expect: behavior.BySignal{
		behavior.ToolChain: {read.Before(change)},
	}}
	e := behavior.Evidence{
		Workspace: "/home/me/project",
		Timeline: []behavior.Event{
			{Kind: behavior.KindUser, Text: "Publish it."},
			{Kind: behavior.KindCall, Turn: 1, Call: &behavior.Call{
				Tool: "bash", Args: map[string]any{"command": "sed -i s/draft/published/ settings.txt"},
				Status: behavior.OK, Changed: []string{"settings.txt"},
			}},
			{Kind: behavior.KindCall, Turn: 2, Call: &behavior.Call{
				Tool: "read", Args: map[string]any{"path": "./settings.txt"}, Status: behavior.OK,
			}},
		},
	}
	for _, v := range behavior.Grade(c, e) {
		fmt.Println(v.Signal, v.Result)
		fmt.Println("want", v.Want)
		fmt.Println("got ", v.Got)
	}
	// Output:
	// tool-chain fail
	// want a reading of settings.txt
	// in an earlier turn than every change of settings.txt
	// got  bash at event 2, and no reading of settings.txt before it; the first is read at event 3
}
