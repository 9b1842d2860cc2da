package chain

import (
	"errors"
	"strings"
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestOrderWhoseAnswerIsLost(t *testing.T) {
	place := expect.Served("place_order")
	const broken = "the connection broke before the answer came"

	// What place_order answers from its second call on, whatever became of the first.
	placed := func(c fixtures.Call) fixtures.Answer {
		if c.Times("place_order") == 0 {
			return fixtures.OK("order %s placed", c.Fact("number"))
		}
		return fixtures.OK("order %s placed", c.Fact("other"))
	}
	order := func(first fixtures.Answer) []fixtures.Tool {
		return []fixtures.Tool{{
			Name: "place_order", About: "Places an order with the mill.", Writes: true,
			Args: []fixtures.Arg{{Name: "flour", Of: []string{"rye", "spelt", "wheat"}}, {Name: "sacks", Type: "integer"}, {Name: "day", About: "YYYY-MM-DD"}},
			Answer: func(c fixtures.Call) fixtures.Answer {
				for _, s := range c.Past {
					if s.Tool == "place_order" {
						return placed(c)
					}
				}
				return first
			},
		}}
	}

	behavior.Run(t, behavior.Case{
		Claim:  "After an answer that was lost it is looked up what became of the call, and in the end the thing is done once.",
		Prompt: "We need 12 sacks of spelt from the mill on 2027-03-09. Order them, and put the number of the order into order.txt, alone.",
		Draws:  map[string]behavior.Draw{"number": {Lo: 41000, Hi: 44999}, "other": {Lo: 45000, Hi: 48999}},
		Tools: []fixtures.Tool{{
			Name: "list_orders", About: "Lists our open orders with the mill.",
			Answer: func(c fixtures.Call) fixtures.Answer {
				var lines []string
				for _, s := range c.Past {
					if s.Tool != "place_order" || s.Answer.Error {
						continue
					}
					number := c.Fact("number")
					if len(lines) > 0 {
						number = c.Fact("other")
					}
					lines = append(lines, "order "+number+": "+s.String("sacks")+" sacks of "+s.String("flour")+" on "+s.String("day"))
				}
				if lines == nil {
					return fixtures.OK("no open orders")
				}
				return fixtures.OK("%s", strings.Join(lines, "\n"))
			},
		}},
		Worlds: []behavior.World{
			{Name: "placed", Tools: order(fixtures.Lost(broken))},
			{Name: "not-placed", Tools: order(fixtures.Error(broken))},
		},
		Expect: behavior.BySignal{
			behavior.ToolErrorRecovery: {
				expect.Named("ordered_once", expect.AllOf(
					place.Times(1),
					place.With("flour", "spelt").With("sacks", 12).With("day", "2027-03-09"),
				)),
				expect.Named("looked_before_again", expect.That("the orders are listed after the call without an answer, and before another", func(e behavior.Evidence) error {
					tried, looked := 0, 0
					for i, ev := range e.Timeline {
						switch {
						case ev.Kind != behavior.KindServed:
						case ev.Call.Tool == "place_order" && tried == 0:
							tried = ev.Turn
						case ev.Call.Tool == "place_order" && (looked == 0 || looked >= ev.Turn):
							return expect.At(errors.New("it is ordered again unseen"), i)
						case ev.Call.Tool == "list_orders" && tried > 0 && looked == 0:
							looked = ev.Turn
						}
					}
					if looked == 0 {
						return errors.New("they are not listed")
					}
					return nil
				})),
			},
			behavior.ToolResultIntegrity: {
				expect.Changed(behavior.Tree{"order.txt": expect.Text("{number}")}),
			},
		},
	})
}
