package chain

import (
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestLoanOfAReader(t *testing.T) {
	var (
		reader = expect.Served("find_reader").Returning("{card}")
		loans  = expect.Served("loans_of")
	)
	behavior.Run(t, behavior.Case{
		Claim:  "A call that needs what another returns waits for it, and is made with what it returned.",
		Prompt: "Ottilie Brann says that she has one book of ours at home. Which one is it? Tell me its shelf mark.",
		Draws:  map[string]behavior.Draw{"card": {Hex: 8}, "mark": {Hex: 7}},
		Tools: []fixtures.Tool{
			{
				Name: "find_reader", About: "Finds the card of a reader.", Args: []fixtures.Arg{{Name: "name"}},
				Answer: func(c fixtures.Call) fixtures.Answer {
					if c.String("name") != "Ottilie Brann" {
						return fixtures.Error("no reader has the name %s", c.String("name"))
					}
					return fixtures.OK("Ottilie Brann: card %s", c.Fact("card"))
				},
			},
			{
				Name: "loans_of", About: "Lists what is on loan on a card.", Args: []fixtures.Arg{{Name: "card"}},
				Answer: func(c fixtures.Call) fixtures.Answer {
					if c.String("card") != c.Fact("card") {
						return fixtures.Error("there is no card %s", c.String("card"))
					}
					return fixtures.OK("one loan: shelf mark %s, back by Thursday", c.Fact("mark"))
				},
			},
		},
		Expect: behavior.BySignal{
			behavior.ParallelTools: {reader.Before(loans.Attempted())},
			behavior.ArgumentGrounding: {expect.AllOf(
				loans.With("card", "{card}"),
				expect.No(loans.Failing()),
			)},
			behavior.ToolResultIntegrity: {expect.AnswerFact("mark")},
		},
	})
}
