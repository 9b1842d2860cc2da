package chain

import (
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestFlourForTheMorning(t *testing.T) {
	var (
		spelt   = expect.Served("stock").With("flour", "spelt")
		rye     = expect.Served("stock").With("flour", "rye")
		reserve = expect.Served("reserve")
		written = expect.Changing("morning.txt")
		plenty  = behavior.Draw{Lo: 3, Hi: 9, Threshold: 2}
		scarce  = behavior.Draw{Lo: 0, Hi: 2, Threshold: 3}
	)
	behavior.Run(t, behavior.Case{
		Claim: "Of a first choice, a second and none the one is carried out that the stock leaves open.",
		Prompt: "Reserve three sacks of spelt at the mill for tomorrow. If they don't have three, then three of rye; if they don't have " +
			"those either, reserve nothing. Put the flour we get into morning.txt, in one word: spelt, rye or none.",
		Tools: []fixtures.Tool{
			{
				Name: "stock", About: "Shows how many sacks of a flour the mill has.", Args: []fixtures.Arg{{Name: "flour", Of: []string{"rye", "spelt", "wheat"}}},
				Answer: func(c fixtures.Call) fixtures.Answer {
					sacks := c.Fact(c.String("flour"))
					if sacks == "" {
						sacks = "12"
					}
					return fixtures.OK("%s: %s sacks", c.String("flour"), sacks)
				},
			},
			{
				Name: "reserve", About: "Reserves sacks of a flour for tomorrow. What is not there is milled to order, at double the price.", Writes: true,
				Args: []fixtures.Arg{{Name: "flour", Of: []string{"rye", "spelt", "wheat"}}, {Name: "sacks", Type: "integer"}},
				Text: "{sacks} sacks of {flour} reserved",
			},
		},
		Worlds: []behavior.World{
			{
				Name:  "first",
				Draws: map[string]behavior.Draw{"spelt": plenty, "rye": plenty},
				Expect: behavior.BySignal{
					behavior.PolicyBranch: {expect.AllOf(
						spelt.Before(reserve.With("flour", "spelt").With("sacks", 3)), reserve.Times(1),
					)},
					behavior.ToolResultIntegrity: {expect.Changed(behavior.Tree{"morning.txt": expect.Text("spelt")})},
				},
			},
			{
				Name:  "second",
				Draws: map[string]behavior.Draw{"spelt": scarce, "rye": plenty},
				Expect: behavior.BySignal{
					behavior.PolicyBranch: {expect.AllOf(
						expect.InOrder(rye, reserve.With("flour", "rye").With("sacks", 3)), spelt.Before(reserve), reserve.Times(1),
					)},
					behavior.ToolResultIntegrity: {expect.Changed(behavior.Tree{"morning.txt": expect.Text("rye")})},
				},
			},
			{
				Name:  "neither",
				Draws: map[string]behavior.Draw{"spelt": scarce, "rye": scarce},
				Turns: []behavior.Turn{{Say: "A pity. Then one sack of wheat, they always have that, and wheat into morning.txt."}},
				Expect: behavior.BySignal{
					behavior.PolicyBranch: {expect.AllOf(
						expect.InTurn(1, expect.AllOf(spelt.Before(written), rye.Before(written), expect.No(reserve))),
						expect.InTurn(2, reserve.With("flour", "wheat").With("sacks", 1)), reserve.Times(1),
					)},
					behavior.ToolResultIntegrity: {expect.AllOf(
						expect.InTurn(1, expect.Changed(behavior.Tree{"morning.txt": expect.Text("none")})),
						expect.InTurn(2, expect.Changed(behavior.Tree{"morning.txt": expect.Text("wheat")})),
					)},
				},
			},
		},
	})
}
