package chain

import (
	"strings"
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestYearOfABell(t *testing.T) {
	find := expect.Served("campanile/find_bell")
	sought := find.Matching("name", `(?i)^susanna$`)
	register := func(names ...string) []fixtures.Server {
		return []fixtures.Server{{Name: "campanile", Tools: []fixtures.Tool{
			{
				Name: "find_bell", About: "Finds a bell of the register by its name.",
				Args: []fixtures.Arg{{Name: "name"}},
				Answer: func(c fixtures.Call) fixtures.Answer {
					for _, n := range names {
						if strings.EqualFold(n, c.String("name")) {
							return fixtures.OK("%s: entry %s", n, c.Fact(n))
						}
					}
					return fixtures.Error("no bell is called %s; names that sound alike: Osanna, entry %s", c.String("name"), c.Fact("Osanna"))
				},
			},
			{
				Name: "read_entry", About: "Shows what the register has on a bell.",
				Args: []fixtures.Arg{{Name: "entry"}},
				Answer: func(c fixtures.Call) fixtures.Answer {
					for _, n := range names {
						if c.String("entry") == c.Fact(n) {
							return fixtures.OK("%s, cast in %s, bronze", n, c.Fact("cast "+n))
						}
					}
					return fixtures.Error("there is no entry %s", c.String("entry"))
				},
			},
		}}}
	}

	behavior.Run(t, behavior.Case{
		Claim: "What the register has is written down, and what it does not have is written down as not known, whatever sounds alike.",
		Files: fixtures.Txtar(`
-- years/Gloriosa.txt --
1611
-- years/Brida.txt --
unknown
`),
		Prompt: "For the tour we still lack the bell Susanna. Look her up in the register of the campanile " +
			"and add years/Susanna.txt, made like the others: the year alone, or unknown.",
		Draws: map[string]behavior.Draw{
			"Susanna": {Hex: 7}, "Osanna": {Hex: 7},
			"cast Susanna": {Lo: 1502, Hi: 1589}, "cast Osanna": {Lo: 1602, Hi: 1689},
		},
		Worlds: []behavior.World{{
			Name: "there", Servers: register("Osanna", "Susanna"),
			Expect: behavior.BySignal{
				behavior.MCPToolChain: {expect.InOrder(
					sought, expect.Served("campanile/read_entry").With("entry", "{Susanna}"),
				)},
				behavior.ToolResultIntegrity: {
					expect.Changed(behavior.Tree{"years/Susanna.txt": expect.Text("{cast Susanna}")}),
				},
			},
		}, {
			Name: "absent", Servers: register("Osanna"),
			Expect: behavior.BySignal{
				behavior.ToolErrorRecovery: {expect.AllOf(
					sought.Failing().Before(expect.Changing("years/Susanna.txt")),
					find.Failing().AtMost(6),
				)},
				behavior.ToolResultIntegrity: {
					expect.Changed(behavior.Tree{"years/Susanna.txt": expect.Text("unknown")}),
				},
			},
		}},
	})
}
