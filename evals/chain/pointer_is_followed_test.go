package chain

import (
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

// Its opposites are core/depots-are-read-together and TestIndependentReads.
func TestPointerIsFollowed(t *testing.T) {
	var (
		pointer = expect.Shown("volume: 7c1e")
		total   = expect.Shown("total 619043")
	)
	behavior.Run(t, behavior.Case{
		Claim: "A call that needs the result of another waits for it, and takes its argument from there.",
		Files: fixtures.Txtar(`
-- vault/current.txt --
volume: 7c1e
since: May
-- vault/2f88/ledger.txt --
total 284410
-- vault/7c1e/ledger.txt --
total 619043
-- vault/b0d3/ledger.txt --
total 730951
`),
		Prompt: "What is the total in the ledger of the current volume? vault/current.txt says which volume that is; " +
			"its ledger is vault/<volume>/ledger.txt.",
		Expect: behavior.BySignal{
			behavior.ParallelTools: {expect.AnyOf(
				pointer.Before(total),
				expect.Shown("volume: 7c1e\ntotal 619043"), // one command for both
			)},
			behavior.ArgumentGrounding: {
				total,
				expect.No(expect.Call("read").Failing()),
				expect.No(expect.Shown("total 284410")), // of another volume
			},
			behavior.ToolResultIntegrity: {expect.Answer("619043"), expect.AnswerNone("284410", "730951")},
		},
	})
}
