package chain

import (
	"strings"
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestRateOfAnAccession(t *testing.T) {
	var (
		find = expect.Served("seedbank/find_accession")
		rate = expect.Served("seedbank/germination")
	)

	behavior.Run(t, behavior.Case{
		Claim:  "A number that one tool gives out is what the next one is asked with, and what that one answers is what is written down.",
		Prompt: "What did the last trial of our marsh samphire come to? Put the rate into samphire.txt as the seed bank gives it, with the percent sign and nothing else.",
		Draws: map[string]behavior.Draw{
			"marsh": {Hex: 8}, "rock": {Hex: 8},
			"rate": {Lo: 55, Hi: 97, Decimals: 2}, "other": {Lo: 12, Hi: 48, Decimals: 2},
		},
		Servers: []fixtures.Server{{Name: "seedbank", Stdio: true, Tools: []fixtures.Tool{
			{
				Name: "find_accession", About: "Finds the accessions of a plant.",
				Args: []fixtures.Arg{{Name: "plant", About: "English name, or a part of it"}},
				Answer: func(c fixtures.Call) fixtures.Answer {
					var lines []string
					for _, kind := range []string{"rock", "marsh"} {
						if strings.Contains(kind+" samphire", strings.ToLower(c.String("plant"))) {
							lines = append(lines, kind+" samphire: accession "+c.Fact(kind))
						}
					}
					if lines == nil {
						return fixtures.Error("there is no accession of %s", c.String("plant"))
					}
					return fixtures.OK("%s", strings.Join(lines, "\n"))
				},
			},
			{
				Name: "germination", About: "Gives the rate of germination in the last trial of an accession.",
				Args: []fixtures.Arg{{Name: "accession"}},
				Answer: func(c fixtures.Call) fixtures.Answer {
					switch c.String("accession") {
					case c.Fact("marsh"):
						return fixtures.OK("germinated: %s%%", c.Fact("rate"))
					case c.Fact("rock"):
						return fixtures.OK("germinated: %s%%", c.Fact("other"))
					}
					return fixtures.Error("there is no accession %s", c.String("accession"))
				},
			},
		}}},
		Expect: behavior.BySignal{
			behavior.MCPToolChain: {
				find.Returning("{marsh}").Before(rate.With("accession", "{marsh}")),
			},
			behavior.ArgumentGrounding: {expect.AllOf(
				rate.With("accession", "{marsh}"),
				expect.No(rate.Failing()),
			)},
			behavior.ToolResultIntegrity: {
				expect.Changed(behavior.Tree{"samphire.txt": expect.Text("{rate}%")}),
			},
		},
	})
}
