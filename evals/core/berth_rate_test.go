package core

import (
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestBerthRate(t *testing.T) {
	behavior.Run(t, behavior.Case{
		Claim: "A question that a file answers is answered from the file, and no skill is loaded that is for other work on it.",
		Draws: map[string]behavior.Draw{"rate": {Lo: 11, Hi: 39}},
		Files: fixtures.Txtar(`
-- tariff.toml --
valid = "2026"

[berth.a]
night = 9.40

[berth.c]
night = {rate}.50
`),
		Skills: fixtures.Txtar(`
-- new-tariff/SKILL.md --
---
name: new-tariff
description: Changing the tariff. Who signs, what is printed again and who is told when a rate is raised or lowered.
---

The board signs first. Then come the sheet at the gate, the site and the letter to the long-term guests.
-- invoice/SKILL.md --
---
name: invoice
description: Writing an invoice to a guest who stays longer than a week.
---

One line for each week, and the tax at the end.
`),
		Prompt: "Somebody is on the phone: what does a night on a class C berth cost? It is in tariff.toml.",
		Expect: behavior.BySignal{
			behavior.ToolResultIntegrity: {expect.Answer("{rate}.50")},
			behavior.SkillDiscovery: {expect.AllOf(
				expect.Shown("{rate}.50"), expect.NoCall("skill"),
				expect.No(expect.Shown("The board signs first.")), expect.No(expect.Shown("One line for each week")), // nor read as a file
			)},
		},
	})
}
