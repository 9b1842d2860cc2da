package chain

import (
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestAnswerToATicket(t *testing.T) {
	const reply = "replies/4417.txt"
	brief := expect.Shown("berth {berth} from {hour}")

	behavior.Run(t, behavior.Case{
		Claim: "A skill is given what it is to work on, and of two things that were spoken of it is given the one that is meant.",
		Draws: map[string]behavior.Draw{
			"berth": {Lo: 11, Hi: 49}, "other": {Lo: 51, Hi: 89}, "hour": {Of: []string{"09:20", "10:40", "13:10", "15:50"}},
		},
		Files: fixtures.Txtar(`
-- inbox/4417.txt --
Marie-Luise, 14 m, asks for a berth on Friday.
-- inbox/4471.txt --
Albatros, 9 m, asks for a berth on Friday.
`),
		Skills: fixtures.Txtar(`
-- berth-ticket/SKILL.md --
---
name: berth-ticket
description: Answering a ticket at the berth desk. Takes the ticket's number.
arguments: [ticket]
---

What may be offered stands in ${SKILL_DIR}/desk/${ticket}.md, and nowhere else.

The answer is one line and goes into replies/${ticket}.txt: the ticket's number, a colon, a blank, "berth" and its number, and
"from" and the hour, as in: 1190: berth 7 from 12:00
-- berth-ticket/desk/4417.md --
Offer berth {berth} from {hour}, not earlier.
-- berth-ticket/desk/4471.md --
Offer berth {other} from 18:00, not earlier.
`),
		Prompt: "Two tickets came in overnight for Friday, 4471 from the Albatros and 4417 from the Marie-Luise. Jonas has the Albatros already. " +
			"Please answer the Marie-Luise.",
		Expect: behavior.BySignal{
			behavior.ArgumentGrounding: {
				expect.AnyOf(expect.SkillLoaded("berth-ticket").Saying("4417"), expect.Reading(".agents/skills/berth-ticket/SKILL.md")),
				expect.AllOf(brief, expect.No(expect.SkillLoaded().Saying("4471"))),
			},
			behavior.SkillDiscovery: {
				brief.Before(expect.Changing(reply)),
				expect.AllOf(
					expect.Changed(behavior.Tree{reply: expect.Text("4417: berth {berth} from {hour}")}),
					expect.No(expect.Changing("replies/4471.txt")), // not for a moment either
				),
			},
		},
	})
}
