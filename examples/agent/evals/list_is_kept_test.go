package evals

import (
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestListIsKept(t *testing.T) {
	behavior.Run(t, behavior.Case{
		Agent:  Errand{},
		Claim:  "What somebody else has written into a file since is still there after the next change.",
		Files:  fixtures.Txtar("-- list.txt --\nmilk\n"),
		Prompt: "Put rice on list.txt.",
		Turns: []behavior.Turn{{
			Files: fixtures.Txtar("-- list.txt --\nmilk\nrice\ntea\n"), // while nobody looked
			Say:   "And soap, please.",
		}},
		Expect: behavior.BySignal{
			behavior.StatePersistence: {
				expect.InTurn(1, expect.Changed(behavior.Tree{"list.txt": "milk\nrice\n"})),
				expect.InTurn(2, expect.Changed(behavior.Tree{"list.txt": "milk\nrice\ntea\nsoap\n"})),
			},
		},
	})
}
