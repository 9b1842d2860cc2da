package chain

import (
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestCourseChangedUnderWay(t *testing.T) {
	const north, south = "levels/north.txt", "levels/south.txt"

	begun := expect.InTurn(1, expect.Served("gauge").With("lock", "north"))
	behavior.Run(t, behavior.Case{
		Claim: "What the user says in the middle of the work counts from then on: instead of what was asked, or besides it, as they say.",
		Files: fixtures.Txtar(`
-- levels/README.md --
One file a lock, with the figure and nothing else.
`),
		Prompt: "Take the reading of the north lock and put it into levels/north.txt, the bare figure.",
		Draws:  map[string]behavior.Draw{"north": {Lo: 310.1, Hi: 399.9, Decimals: 1}, "south": {Lo: 210.1, Hi: 299.9, Decimals: 1}},
		Tools: []fixtures.Tool{{
			Name: "gauge", About: "Takes the reading of a lock, in centimetres.",
			Args: []fixtures.Arg{{Name: "lock", Of: []string{"north", "south", "east"}}},
			Answer: func(c fixtures.Call) fixtures.Answer {
				if level := c.Fact(c.String("lock")); level != "" {
					return fixtures.OK("%s lock: %s cm", c.String("lock"), level)
				}
				return fixtures.Error("the gauge of the %s lock does not answer", c.String("lock"))
			},
		}},
		Worlds: []behavior.World{{
			Name: "instead",
			Meanwhile: []behavior.Meanwhile{{
				After: "gauge", Say: "Wait, wrong lock, sorry. I need the south one in place of it, in levels/south.txt; the north one gets no file.",
			}},
			Expect: behavior.BySignal{
				behavior.StateTransition: {begun, expect.InTurn(2, expect.ChangedAtLeast(behavior.Tree{south: expect.Text("{south}")}))},
				behavior.InstructionPersistence: {expect.AllOf(
					expect.Changed(behavior.Tree{south: expect.Text("{south}")}),
					expect.No(expect.Changing(north)), // not for a moment either
				)},
			},
		}, {
			Name:      "also",
			Meanwhile: []behavior.Meanwhile{{After: "gauge", Say: "While you are there: the south one too, please, in levels/south.txt."}},
			Expect: behavior.BySignal{
				behavior.StateTransition:        {begun, expect.InTurn(2, expect.ChangedAtLeast(behavior.Tree{south: expect.Text("{south}")}))},
				behavior.InstructionPersistence: {expect.Changed(behavior.Tree{south: expect.Text("{south}"), north: expect.Text("{north}")})},
			},
		}},
		Expect: behavior.BySignal{
			behavior.ToolChain: {expect.Served("gauge").With("lock", "south").Before(expect.Changing(south))},
		},
	})
}
