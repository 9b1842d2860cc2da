package chain

import (
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

// Its opposite is TestBerthAskedAgain.
func TestCallSignLookedUpAgain(t *testing.T) {
	logged := expect.InTurn(3, expect.Changed(behavior.Tree{"log/ships.txt": expect.Text("{second}")}))

	behavior.Run(t, behavior.Case{
		Claim: "What may have changed since it was looked up is looked up again, and said as it is now.",
		Files: fixtures.Txtar(`
-- quay/berth-2.txt --
call sign {first}
draught 7.1
`),
		Draws:  map[string]behavior.Draw{"first": {Hex: 8}, "second": {Hex: 8}},
		Prompt: "Which ship lies at berth 2 right now? Her call sign will do, it is in quay/berth-2.txt.",
		Turns: []behavior.Turn{
			{Say: "Back from lunch. Which one lies there now?", Files: fixtures.Txtar("-- quay/berth-2.txt --\ncall sign {second}\ndraught 5.4\n")},
			{Say: "Put her call sign into log/ships.txt, nothing else."},
		},
		Expect: behavior.BySignal{
			behavior.RequiredTool:        {expect.AllOf(expect.InTurn(1, expect.Shown("{first}")), expect.InTurn(2, expect.Shown("{second}")))},
			behavior.ToolResultIntegrity: {expect.InTurn(1, expect.AnswerFact("first")), expect.InTurn(2, expect.AnswerFact("second")), logged},
			behavior.StatePersistence:    {logged},
		},
	})
}
