package chain

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestBrokenPlates(t *testing.T) {
	const plates, page = 276, 100
	number := func(row string) string { // of the plate in that row
		n, _ := strconv.Atoi(row)
		return fmt.Sprintf("VP-%d", 2000+n*7)
	}
	var (
		list    = expect.Served("list_plates")
		written = expect.Changing("broken.txt")
	)
	behavior.Run(t, behavior.Case{
		Claim:  "What is said of a whole list rests on all of it, not on the part that came first.",
		Prompt: "Which plates in the catalogue are broken? broken.txt should have their numbers in the order of the catalogue, one to a line, or the word none.",
		Draws:  map[string]behavior.Draw{"second": {Hex: 10}, "third": {Hex: 10}},
		Tools: []fixtures.Tool{{
			Name: "list_plates", About: "Lists the photographic plates in the catalogue, with their state.",
			Args: []fixtures.Arg{{Name: "after", About: "where to go on, as an answer before gave it", Optional: true}},
			Answer: func(c fixtures.Call) fixtures.Answer {
				pages := map[string]int{"": 0, c.Fact("second"): 1, c.Fact("third"): 2}
				n, ok := pages[c.String("after")]
				if !ok {
					return fixtures.Error("there is nothing after %s", c.String("after"))
				}
				from, to := n*page+1, min((n+1)*page, plates)
				var b strings.Builder
				for i := from; i <= to; i++ {
					row, state := strconv.Itoa(i), "whole"
					if row == c.Fact("one") || row == c.Fact("two") {
						state = "broken"
					}
					fmt.Fprintf(&b, "%s %s\n", number(row), state)
				}
				fmt.Fprintf(&b, "(%d to %d of %d", from, to, plates)
				if n < 2 {
					fmt.Fprintf(&b, "; the rest after %s", c.Fact([]string{"second", "third"}[n]))
				}
				return fixtures.OK("%s)", b.String())
			},
		}},
		Worlds: []behavior.World{
			{
				Name:  "some",
				Draws: map[string]behavior.Draw{"one": {Lo: 120, Hi: 190}, "two": {Lo: 210, Hi: 270}},
				Expect: behavior.BySignal{behavior.ToolResultIntegrity: {
					expect.FileEquals("broken.txt", "the two plates that are broken", func(e behavior.Evidence) string {
						return number(e.Facts["one"]) + "\n" + number(e.Facts["two"])
					}),
				}},
			},
			{
				Name:  "none",
				Facts: map[string]string{"one": "none", "two": "none"},
				Expect: behavior.BySignal{behavior.ToolResultIntegrity: {
					expect.FileEquals("broken.txt", "none", func(behavior.Evidence) string { return "none" }),
				}},
			},
		},
		Expect: behavior.BySignal{
			behavior.ToolChain: {
				written.After(list.With("after", "{second}")),
				written.After(list.With("after", "{third}")),
			},
			behavior.NoUnneededTools: {expect.AllOf(list.AtLeast(3), list.Attempted().AtMost(5))},
		},
	})
}
