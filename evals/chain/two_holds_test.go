package chain

import (
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestTwoHolds(t *testing.T) {
	var (
		north  = expect.Shown("{north}")
		south  = expect.Shown("{south}")
		report = expect.Changing("leaks.txt")
	)
	behavior.Run(t, behavior.Case{
		Claim: "Two searches that have nothing to do with each other are given to two agents at once, and each finding keeps its place.",
		Draws: map[string]behavior.Draw{"north": {Hex: 6}, "south": {Hex: 6}},
		Files: fixtures.Txtar(`
-- north/log-1.txt --
06:10 crate d41207 dry
06:25 crate e90b11 dry
-- north/log-2.txt --
07:40 crate {north} leaks
07:55 crate a7713c dry
-- south/log-1.txt --
06:05 crate b2290f dry
-- south/log-2.txt --
07:15 crate {south} leaks
07:20 crate c5541e dry
`),
		Prompt: "In each hold one crate leaks; it stands somewhere in the logs under north/ and south/. Send two agents to find out which, " +
			"one into each hold and both at the same time. Then put it into leaks.txt: a line with north, a blank and the number of the crate, " +
			"and below it the same for south.",
		Expect: behavior.BySignal{
			behavior.Delegation: {north.ByChild().Before(report), south.ByChild().Before(report)},
			behavior.ParallelTools: {expect.SameTurn(
				expect.Call("task").By("").Matching("assignment", "(?i)north").Returning("{north}"),
				expect.Call("task").By("").Matching("assignment", "(?i)south").Returning("{south}"),
			)},
			behavior.ToolResultIntegrity: {expect.Changed(behavior.Tree{"leaks.txt": expect.Text("north {north}\nsouth {south}")})},
		},
	})
}
