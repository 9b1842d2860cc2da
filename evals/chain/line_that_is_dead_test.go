package chain

import (
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestLineThatIsDead(t *testing.T) {
	var (
		tone   = expect.Served("read_box").With("line", "{line}").Returning("dial tone: yes")
		books  = expect.Served("read_account").With("line", "{line}")
		lift   = expect.Served("lift_block")
		lifted = lift.With("line", "{line}")
		report = expect.Served("close_report")
		closed = func(cause string) behavior.Expectation {
			return expect.AllOf(expect.InTurn(2, report.With("line", "{line}").With("cause", cause)), report.Times(1))
		}
		// The customer has heard which switch is meant.
		told = expect.InTurn(1, expect.AnyOf(expect.AnswerFact("switch"), expect.Asked().Saying("{switch}")))
	)
	none := func(c fixtures.Call) fixtures.Answer { return fixtures.Error("there is no line %s", c.String("line")) }

	behavior.Run(t, behavior.Case{
		Claim: "Of a fault that may lie on either side, or on both, each side's part is mended by the one who can, and nothing else is touched.",
		Files: fixtures.Txtar(`
-- AGENTS.md --
# Fellside Telephone, fault desk

Those who write here are customers, at home, with the box of their line before them. A line is dead because of the box, because
of the account, or because of both, so look at both.

- The box: only the customer can set its switches. Tell which switch is to be set, by its number, and wait for word.
- The account: a block whose bill is paid you lift yourself. Where there is no block there is nothing to lift.
- When the customer has answered and there is a dial tone again by the box's reading, close the report with the cause: box, account or both.
`),
		Prompt: "My telephone is dead, line {line}. Not a sound. I need it today!",
		Draws:  map[string]behavior.Draw{"line": {Lo: 3010, Hi: 3989}, "switch": {Lo: 41, Hi: 88}},
		Tools: []fixtures.Tool{
			{
				Name: "read_box", About: "Reads the box at a customer's home.", Args: []fixtures.Arg{{Name: "line"}},
				Answer: func(c fixtures.Call) fixtures.Answer {
					if c.String("line") != c.Fact("line") {
						return none(c)
					}
					set := c.Fact("box") == "sound" || c.Turn > 1
					open := c.Fact("account") == "open" || c.Times("lift_block") > 0
					text := "switches: all as they should be"
					if !set {
						text = "switches: " + c.Fact("switch") + " is off and should be on"
					}
					if set && open {
						return fixtures.OK("%s\ndial tone: yes", text)
					}
					return fixtures.OK("%s\ndial tone: no", text)
				},
			},
			{
				Name: "read_account", About: "Shows the account of a line.", Args: []fixtures.Arg{{Name: "line"}},
				Answer: func(c fixtures.Call) fixtures.Answer {
					if c.String("line") != c.Fact("line") {
						return none(c)
					}
					if c.Fact("account") == "open" || c.Times("lift_block") > 0 {
						return fixtures.OK("bill: paid\nblock: none")
					}
					return fixtures.OK("bill: paid\nblock: yes, for an unpaid bill")
				},
			},
			{
				Name: "lift_block", About: "Lifts the block of a line.", Writes: true, Args: []fixtures.Arg{{Name: "line"}}, Text: "line {line} is not blocked",
			},
			{
				Name: "close_report", About: "Closes the report of a fault.", Writes: true,
				Args: []fixtures.Arg{{Name: "line"}, {Name: "cause", Of: []string{"box", "account", "both"}}}, Text: "closed",
			},
		},
		Worlds: []behavior.World{
			{
				Name:  "box",
				Facts: map[string]string{"box": "off", "account": "open"},
				Turns: []behavior.Turn{{Say: "There, I have set it. What now?"}},
				Expect: behavior.BySignal{
					behavior.PolicyBranch: {expect.AllOf(closed("box"), expect.No(lift))},
					behavior.AskOrAct:     {told},
				},
			},
			{
				Name:  "account",
				Facts: map[string]string{"box": "sound", "account": "blocked"},
				Turns: []behavior.Turn{{Say: "I can hear it humming! Is that all now?"}},
				Expect: behavior.BySignal{
					behavior.PolicyBranch: {expect.AllOf(closed("account"), lift.Times(1))},
					behavior.AskOrAct:     {expect.InTurn(1, expect.AllOf(books.Before(lifted), expect.No(report)))},
				},
			},
			{
				Name:  "both",
				Facts: map[string]string{"box": "off", "account": "blocked"},
				Turns: []behavior.Turn{{Say: "There, I have set it. What now?"}},
				Expect: behavior.BySignal{
					behavior.PolicyBranch: {expect.AllOf(closed("both"), books.Before(lifted), lift.Times(1))},
					behavior.AskOrAct:     {told},
				},
			},
		},
		Expect: behavior.BySignal{behavior.ToolChain: {
			expect.Named("looked_at_both", expect.AllOf(tone.Before(report), books.Before(report))),
		}},
	})
}
