package chain

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestDecisionThatIsOpen(t *testing.T) {
	const (
		plan    = "plans/export.md"
		open    = "Not decided: CSV in layout brim-4, which the board can read, or Parquet in layout brim-6, as the archive would like."
		settled = "Decided on 3 June: Parquet in layout brim-6, as the archive would like. CSV in layout brim-4 was turned down."
	)

	behavior.Run(t, behavior.Case{
		Claim: "While planning, a decision that the files leave open is put to the user, and one that they have is taken from them.",
		Mode:  behavior.Plan,
		Files: fixtures.Txtar(`
-- src/levels.sh --
#!/bin/bash
# Prints the levels of the day, one a line.
cat data/levels.txt
-- data/levels.txt --
mole 2140
weir 1866
`),
		Prompt: "Plan the nightly export of what src/levels.sh prints. What we have decided about it is in docs/decisions.md. Put the plan " +
			"in plans/export.md; the layout of the file is to be in it.",
		Worlds: []behavior.World{{
			Name:  "open",
			Facts: map[string]string{"decision": open},
			Files: fixtures.Txtar("-- docs/decisions.md --\n# The nightly export\n\n- At 02:10, into export/.\n- " + open + "\n"),
			Expect: behavior.BySignal{
				behavior.ToolChain: {expect.Shown("{decision}")},
				behavior.AskOrAct: {
					expect.That("the user is asked for one of the two", func(e behavior.Evidence) error {
						asked := e.Answer()
						for _, ev := range e.Timeline {
							if ev.Kind == behavior.KindQuestion {
								asked = ev.Text + "?"
							}
						}
						switch {
						case !strings.Contains(asked, "?"):
							return errors.New("nothing was asked")
						case !regexp.MustCompile(`(?i)csv|brim-4`).MatchString(asked) || !regexp.MustCompile(`(?i)parquet|brim-6`).MatchString(asked):
							return errors.New("it is not what was asked: " + asked)
						}
						return nil
					}),
					expect.No(expect.Call("plan_done").Attempted()),
				},
			},
		}, {
			Name:  "settled",
			Facts: map[string]string{"decision": settled},
			Files: fixtures.Txtar("-- docs/decisions.md --\n# The nightly export\n\n- At 02:10, into export/.\n- " + settled + "\n"),
			Expect: behavior.BySignal{
				behavior.ToolChain: {expect.Shown("{decision}").Before(expect.Changing(plan))},
				behavior.AskOrAct: {expect.AllOf(
					expect.FileMatches(plan, "has the layout that was decided", func(text string) error {
						if !strings.Contains(text, "brim-6") {
							return errors.New("no brim-6")
						}
						return nil
					}),
					expect.PlanReady(),
					expect.NoCall("question"),
				)},
			},
		}},
	})
}
