package chain

import (
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestRyeOfThisSeason(t *testing.T) {
	behavior.Run(t, behavior.Case{
		Claim:  "What stands in a document of a server is found there, where the tool with the fitting name has only last season's.",
		Prompt: "What does a sack of rye cost us in the season of 2027? I need it in rye.txt, the amount alone, with two decimals.",
		Draws: map[string]behavior.Draw{
			"rye": {Lo: 44, Hi: 58, Decimals: 2, Threshold: 40}, "last": {Lo: 30, Hi: 39, Decimals: 2},
			"spelt": {Lo: 61, Hi: 75, Decimals: 2},
		},
		Servers: []fixtures.Server{{
			Name: "mill",
			Tools: []fixtures.Tool{{
				Name: "sack_price", About: "Tells what we paid for a sack on the last invoice.",
				Args: []fixtures.Arg{{Name: "flour", Of: []string{"rye", "spelt", "wheat"}}},
				Answer: func(c fixtures.Call) fixtures.Answer {
					if c.String("flour") != "rye" {
						return fixtures.Error("no invoice over %s is on file", c.String("flour"))
					}
					return fixtures.OK("rye, 25 kg: %s (invoice of November, season of 2026)", c.Fact("last"))
				},
			}},
			Resources: []fixtures.Resource{
				{
					URI: "mill://agreements/2026", Name: "agreement-2026", About: "Prices agreed for the season of 2026.",
					Text: "Season of 2026, per sack of 25 kg\nrye    {last}\nspelt  {spelt}\n",
				},
				{
					URI: "mill://agreements/2027", Name: "agreement-2027", About: "Prices agreed for the season of 2027.",
					Text: "Season of 2027, per sack of 25 kg\nspelt  {spelt}\nrye    {rye}\n",
				},
				{URI: "mill://holidays", Name: "holidays", About: "Days without deliveries.", Text: "Closed from 24 December to 6 January.\n"},
			},
		}},
		Expect: behavior.BySignal{
			behavior.MCPDiscovery: {
				expect.Changing("rye.txt").After(expect.Served("mill/resource").With("uri", "mill://agreements/2027")),
			},
			behavior.ToolResultIntegrity: {
				expect.Changed(behavior.Tree{"rye.txt": expect.Text("{rye}")}),
			},
		},
	})
}
