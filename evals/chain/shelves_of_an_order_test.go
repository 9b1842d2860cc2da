package chain

import (
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestShelvesOfAnOrder(t *testing.T) {
	items := []string{"first", "second", "third"}
	var (
		order = expect.Served("shop/order").With("order", 5120)
		place = expect.Served("stacks/place")
	)
	lookups := make([]behavior.Expectation, 0, 6)
	calls := make([]expect.Event, 0, 3)
	for _, item := range items {
		one := place.With("mark", "{"+item+"}")
		lookups = append(lookups, order.Before(one), one.Times(1))
		calls = append(calls, one)
	}

	behavior.Run(t, behavior.Case{
		Claim: "What one server lists is looked up at the other, each item once and all of them together.",
		Prompt: "Where do the parts of order 5120 lie in the stacks? " +
			"Put it into pick.txt, a line for each in the order in which the shop has them: the part's name, a blank, the place.",
		Draws: map[string]behavior.Draw{
			"first": {Hex: 7}, "second": {Hex: 7}, "third": {Hex: 7}, "other": {Hex: 7},
			"aisle1": {Lo: 101, Hi: 199}, "aisle2": {Lo: 201, Hi: 299}, "aisle3": {Lo: 301, Hi: 399},
		},
		Servers: []fixtures.Server{
			{Name: "shop", Tools: []fixtures.Tool{
				{
					Name: "order", About: "Shows the parts of an order, with the marks by which the stacks know them.", Args: []fixtures.Arg{{Name: "order", Type: "integer"}},
					Answer: func(c fixtures.Call) fixtures.Answer {
						if c.String("order") != "5120" {
							return fixtures.OK("order %s\nhinge %s", c.String("order"), c.Fact("other"))
						}
						return fixtures.OK("order 5120\nhinge %s\nlatch %s\ncrank %s", c.Fact("first"), c.Fact("second"), c.Fact("third"))
					},
				},
				{Name: "orders", About: "Lists the open orders.", Text: "5119\n5120\n5121"},
			}},
			{Name: "stacks", Tools: []fixtures.Tool{
				{
					Name: "place", About: "Tells where the part with a mark lies.", Args: []fixtures.Arg{{Name: "mark"}},
					Answer: func(c fixtures.Call) fixtures.Answer {
						for i, item := range items {
							if c.String("mark") == c.Fact(item) {
								return fixtures.OK("%s lies at %s", c.Fact(item), c.Fact([]string{"aisle1", "aisle2", "aisle3"}[i]))
							}
						}
						return fixtures.Error("nothing has the mark %s", c.String("mark"))
					},
				},
				{Name: "lift", About: "Has the lift bring a part down.", Writes: true, Args: []fixtures.Arg{{Name: "mark"}}, Text: "{mark} comes"},
			}},
		},
		Expect: behavior.BySignal{
			behavior.MCPToolChain:        {expect.AllOf(append(lookups, expect.No(place.Failing()), expect.No(expect.Served("stacks/lift")))...)},
			behavior.ParallelTools:       {expect.SameTurn(calls...)},
			behavior.ToolResultIntegrity: {expect.Changed(behavior.Tree{"pick.txt": expect.Text("hinge {aisle1}\nlatch {aisle2}\ncrank {aisle3}")})},
		},
	})
}
