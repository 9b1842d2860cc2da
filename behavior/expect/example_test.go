package expect_test

import (
	"errors"
	"fmt"
	"strings"

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

// judge puts one expectation to made-up evidence, as a test of a case's words may.
func judge(x behavior.Expectation, e behavior.Evidence) {
	v := behavior.Grade(behavior.Case{Expect: behavior.BySignal{behavior.ToolChain: {x}}}, e)[0]
	fmt.Println(v.Result)
	if v.Got != "" {
		fmt.Println(v.Got)
	}
}

// called is a call that succeeded.
func called(turn int, tool, path string) behavior.Event {
	return behavior.Event{Kind: behavior.KindCall, Turn: turn, Call: &behavior.Call{
		Tool: tool, Args: map[string]any{"path": path}, Status: behavior.OK,
	}}
}

// Ends are exact: these files, exactly so, and no others.
func ExampleChanged() {
	file := func(s string) behavior.File { return behavior.File{Mode: 0o644, Data: []byte(s), Size: int64(len(s))} }
	e := behavior.Evidence{
		Before: behavior.Files{"settings.txt": file("channel=draft\nkeep=this\n")},
		After:  behavior.Files{"settings.txt": file("channel=published\n")},
	}
	judge(expect.Changed(behavior.Tree{"settings.txt": "channel=published\nkeep=this\n"}), e)
	// Output:
	// fail
	// settings.txt (-want +got)
	// @@ -1,2 +1 @@
	//  channel=published
	// -keep=this
}

// Calls that do not depend on one another share a message. These two are in two.
func ExampleSameTurn() {
	together := expect.SameTurn(expect.Reading("a.txt"), expect.Reading("b.txt"))
	judge(together, behavior.Evidence{Timeline: []behavior.Event{called(1, "read", "a.txt"), called(1, "read", "b.txt")}})
	judge(together, behavior.Evidence{Timeline: []behavior.Event{called(1, "read", "a.txt"), called(2, "read", "b.txt")}})
	// Output:
	// pass
	// fail
	// turn 1 has read at event 1, and no reading of b.txt (read at event 2 is of turn 2)
}

// What hangs on a deed is judged only where the deed was done; elsewhere there is
// nothing to judge, and that is told beside every rate.
func ExampleWhen() {
	edit := expect.Call("edit")
	grounded := expect.When(edit, expect.Call("read").Before(edit))
	judge(grounded, behavior.Evidence{Timeline: []behavior.Event{called(1, "read", "a.txt"), called(2, "edit", "a.txt")}})
	judge(grounded, behavior.Evidence{Timeline: []behavior.Event{called(1, "read", "a.txt")}})
	// Output:
	// pass
	// n/a
	// there was no edit call
}

// A pattern is a value: refined, it is a copy, and the first one stays what it was.
func ExampleEvent_With() {
	read := expect.Call("read")
	e := behavior.Evidence{Timeline: []behavior.Event{called(1, "read", "a.txt")}}
	judge(read.With("path", "b.txt"), e)
	judge(read, e)
	// Output:
	// fail
	// no read call with path "b.txt"; read at event 1 has path "a.txt"
	// pass
}

// What no word says is said in plain Go.
func ExampleThat() {
	brief := expect.That("the answer is one line", func(e behavior.Evidence) error {
		for _, r := range e.Answer() {
			if r == '\n' {
				return errors.New("there is a line end in it")
			}
		}
		return nil
	})
	judge(brief, behavior.Evidence{Timeline: []behavior.Event{{Kind: behavior.KindMessage, Turn: 1, Text: "Yes.\nAnd more."}}})
	// Output:
	// fail
	// there is a line end in it
}

// A function that knows in which event it saw what it says points to it: reports mark
// the event, and `deeds show --guilty` shows it.
func ExampleAt() {
	words := expect.That("no figure but that of the invoice", func(e behavior.Evidence) error {
		for i, ev := range e.Timeline {
			if ev.Kind == behavior.KindMessage && strings.Contains(ev.Text, "$") && !strings.Contains(ev.Text, "$"+e.Facts["amount"]) {
				return expect.At(fmt.Errorf("it said %q", ev.Text), i)
			}
		}
		return nil
	})
	c := behavior.Case{Expect: behavior.BySignal{behavior.ArgumentGrounding: {words}}}
	v := behavior.Grade(c, behavior.Evidence{
		Facts: map[string]string{"amount": "95"},
		Timeline: []behavior.Event{
			{Kind: behavior.KindUser, Text: "What does the invoice say?"},
			{Kind: behavior.KindMessage, Turn: 1, Text: "It says $15."},
		},
	})[0]
	fmt.Println(v.Result, v.Got)
	fmt.Println("in the events with the indexes", v.Events)
	// Output:
	// fail it said "It says $15."
	// in the events with the indexes [1]
}
