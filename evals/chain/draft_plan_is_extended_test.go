package chain

import (
	"errors"
	"regexp"
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestDraftPlanIsExtended(t *testing.T) {
	const plan = "plans/archive-move.md"
	extended := regexp.MustCompile(`(?s)^# Moving the archive\n.*\n- \[ \] Measure the shelves in room 214\n` +
		`.*(?i:logger).*\n- \[ \] Carry the crates over, 40 a day\n.*\n## Check\n.*\nEvery crate number stands on a shelf list\.\n`)

	behavior.Run(t, behavior.Case{
		Claim: "A plan that was begun is found, read and extended; what stands in it already is kept, and no second plan is made.",
		Mode:  behavior.Plan,
		Files: fixtures.Txtar(`
-- inventory/rooms.txt --
214: 88 m of shelf
`),
		Draft: &behavior.Draft{Name: "archive-move", Text: `# Moving the archive

- [ ] Measure the shelves in room 214
- [ ] Carry the crates over, 40 a day

## Check

Every crate number stands on a shelf list.
`},
		Prompt: "Let us go on with the plan for the archive. It lacks a step: the humidity loggers must hang before the first crate is " +
			"carried. Add that in the right place; then it is complete, and you can hand it in.",
		Expect: behavior.BySignal{
			behavior.ToolChain: {expect.Reading(plan).Before(expect.Changing(plan))},
			behavior.StatePersistence: {
				expect.FileMatches(plan, "every old line in order, and the loggers before the crates", func(text string) error {
					if !extended.MatchString(text + "\n") {
						return errors.New("it is\n" + text)
					}
					return nil
				}),
			},
			behavior.PlanLifecycle: {expect.Changing(plan).Before(expect.PlanReady())},
			behavior.PlanSafety:    {expect.AllOf(expect.Changing(plan), expect.NothingChanged(plan))},
		},
	})
}
