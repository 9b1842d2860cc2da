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
	var (
		boards   = regexp.MustCompile(`(?i)csv|brim-4`)
		archives = regexp.MustCompile(`(?i)parquet|brim-6`)
		line     = regexp.MustCompile(`(?im)^\W*layout\W+.*$`)
	)
	planned := func(layout string) behavior.Expectation {
		return expect.AllOf(expect.PlanReady(), expect.FileMatches(plan, "has the layout on its line", func(text string) error {
			for _, l := range line.FindAllString(text, -1) {
				if strings.Contains(l, layout) && strings.Count(l, "brim-") == 1 {
					return nil
				}
			}
			return errors.New("no line with " + layout)
		}))
	}

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
			"in plans/export.md; the layout of the file is to be in it on a line of its own, as in: layout: brim-1",
		Worlds: []behavior.World{{
			Name:  "open",
			Facts: map[string]string{"decision": open},
			Files: fixtures.Txtar("-- docs/decisions.md --\n# The nightly export\n\n- At 02:10, into export/.\n- " + open + "\n"),
			Turns: []behavior.Turn{{Say: "The one that the board can read. Nothing else is open."}},
			Expect: behavior.BySignal{
				behavior.ToolChain: {expect.InTurn(1, expect.Shown("{decision}"))},
				behavior.AskOrAct: {
					expect.InTurn(1, expect.That("the user is asked for one of the two, and the plan takes neither", func(e behavior.Evidence) error {
						asked := e.Answer()
						var at []int
						for i, ev := range e.Timeline {
							if ev.Kind == behavior.KindQuestion {
								asked, at = ev.Text+"?", []int{i}
							}
						}
						text := e.After[plan].Data
						switch {
						case !strings.Contains(asked, "?"):
							return errors.New("nothing was asked")
						case !boards.MatchString(asked) || !archives.MatchString(asked):
							return expect.At(errors.New("it is not what was asked: "+asked), at...)
						case boards.Match(text) != archives.Match(text):
							return errors.New("the plan has one of them")
						}
						return nil
					})),
					expect.AllOf(expect.InTurn(1, expect.No(expect.Call("plan_done").Attempted())), expect.InTurn(2, planned("brim-4"))),
				},
			},
		}, {
			Name:  "settled",
			Facts: map[string]string{"decision": settled},
			Files: fixtures.Txtar("-- docs/decisions.md --\n# The nightly export\n\n- At 02:10, into export/.\n- " + settled + "\n"),
			Expect: behavior.BySignal{
				behavior.ToolChain: {expect.Shown("{decision}").Before(expect.Changing(plan))},
				behavior.AskOrAct:  {expect.AllOf(planned("brim-6"), expect.NoCall("question"))},
			},
		}},
	})
}
