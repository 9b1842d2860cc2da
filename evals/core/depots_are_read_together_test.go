package core

import (
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestDepotsAreReadTogether(t *testing.T) {
	behavior.Run(t, behavior.Case{
		Claim: "Files that do not depend on one another are read in one turn.",
		Files: fixtures.Txtar(`
-- depots/ashby.md --
After the flood Ashby is down to 417 pallets; it had 900.
-- depots/corran.md --
Corran took in 212 from Ashby and now stands at 655 pallets.
-- depots/ilsham.md --
Ilsham counts 83 pallets on the quay and 560 within, 643 in all.
-- depots/morlake.md --
Morlake, built for 1200, holds 588 pallets.
`),
		Prompt: "Which depot holds the most pallets now, and how many? Only its name and the number. The four reports are depots/ashby.md, depots/corran.md, " +
			"depots/ilsham.md and depots/morlake.md.",
		Expect: behavior.BySignal{
			behavior.ParallelTools: {expect.AtOnce("down to 417 pallets\nstands at 655 pallets\n643 in all\nholds 588 pallets")},
			behavior.ToolResultIntegrity: {
				expect.Answer("Corran"),
				expect.Answer("655"),
				expect.AnswerNone("417", "643", "588", "900", "1200"),
			},
		},
	})
}
