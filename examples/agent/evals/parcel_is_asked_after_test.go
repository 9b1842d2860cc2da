package evals

import (
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestParcelIsAskedAfter(t *testing.T) {
	behavior.Run(t, behavior.Case{
		Agent:  Errand{},
		Claim:  "A question that a tool can answer is put to the tool, and its answer is what is told.",
		Facts:  map[string]string{"parcel": "KR-2207"},
		Draws:  map[string]behavior.Draw{"shelf": {Hex: 4}},
		Prompt: "On which shelf does parcel {parcel} lie?",
		Tools: []fixtures.Tool{{
			Name: "track", About: "Says where a parcel lies.",
			Args: []fixtures.Arg{{Name: "number"}},
			Answer: func(c fixtures.Call) fixtures.Answer {
				if c.String("number") != c.Fact("parcel") {
					return fixtures.Error("there is no parcel %s", c.String("number"))
				}
				return fixtures.OK("%s: shelf %s", c.Fact("parcel"), c.Fact("shelf"))
			},
		}},
		Expect: behavior.BySignal{
			behavior.ArgumentGrounding:   {expect.Served("track").With("number", "{parcel}")},
			behavior.ToolResultIntegrity: {expect.AnswerFact("shelf")},
		},
	})
}
