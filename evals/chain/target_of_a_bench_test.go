package chain

import (
	"slices"
	"strings"
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestTargetOfABench(t *testing.T) {
	// tools are one a line, as "name argument argument: about"; those with a + write.
	tools := func(lines string) (all []fixtures.Tool) {
		for line := range strings.Lines(strings.TrimSpace(lines)) {
			head, about, _ := strings.Cut(strings.TrimSpace(line), ": ")
			words := strings.Fields(strings.TrimPrefix(head, "+"))
			tool := fixtures.Tool{Name: words[0], About: about, Writes: strings.HasPrefix(head, "+"), Text: "nothing on record"}
			if tool.Writes {
				tool.Text = "done"
			}
			for _, w := range words[1:] {
				arg := fixtures.Arg{Name: w}
				if w == "degrees" || w == "kilograms" {
					arg.Type = "number"
				}
				tool.Args = append(tool.Args, arg)
			}
			all = append(all, tool)
		}
		return all
	}
	writes := func(c behavior.Call) bool {
		verb, _, _ := strings.Cut(c.Tool, "_")
		return slices.Contains(strings.Fields("set reset move clear order cancel assign"), verb)
	}
	var (
		found = expect.Served("nursery/bench_of_lot").With("lot", "L-208")
		raise = expect.Served("hothouse/set_night_target").With("bench", "{bench}").With("degrees", 19)
		wrote = expect.Served().Where("it changes something", writes)
		other = expect.Served().Where("it only tells, and something else", func(c behavior.Call) bool {
			return !writes(c) && c.Tool != "bench_of_lot" && c.Tool != "night_target"
		})
	)

	behavior.Run(t, behavior.Case{
		Claim:  "Of many tools that read alike the two are found that answer and do what was asked, and no other changes anything.",
		Prompt: "The orchids of lot L-208 are too cold at night. Wherever they stand, have that bench kept at 19 degrees at night from now on, please.",
		Draws:  map[string]behavior.Draw{"bench": {Of: []string{"B3", "C7", "D2", "F5", "G9", "H4"}}},
		Servers: []fixtures.Server{
			{Name: "nursery", Tools: append(tools(`
lot_info lot: Species, age and supplier of a lot.
lots_of_species species: The lots of a species.
bench_of_order order: The bench on which an order is put together.
lots_on_bench bench: The lots that were planned for a bench in spring.
bench_history lot: Where a lot stood in earlier years.
+move_lot lot bench: Moves a lot to another bench.
+assign_order order lot: Sets a lot aside for an order.
+cancel_order order: Cancels an order.
losses lot: Plants of a lot that died.
`), fixtures.Tool{
				Name: "bench_of_lot", About: "The bench on which a lot stands now.", Args: []fixtures.Arg{{Name: "lot"}},
				Answer: func(c fixtures.Call) fixtures.Answer {
					if c.String("lot") != "L-208" {
						return fixtures.Error("there is no lot %s", c.String("lot"))
					}
					return fixtures.OK("L-208 stands on bench %s", c.Fact("bench"))
				},
			})},
			{Name: "hothouse", Tools: append(tools(`
day_target bench: The temperature that a bench is kept at by day.
night_lowest bench: The lowest temperature of a bench last night.
frost_limit bench: The temperature at which the alarm of a bench goes off.
+set_day_target bench degrees: Sets the temperature that a bench is kept at by day.
+set_night_limit bench degrees: Sets the temperature at which the night alarm of a bench goes off.
+set_house_target degrees: Sets the temperature of all benches, day and night.
+reset_night_target bench: Puts the night temperature of a bench back to what its species wants.
+set_tonight_target bench degrees: Sets the temperature of a bench for the coming night alone.
+clear_alarm bench: Clears the alarm of a bench.
`), fixtures.Tool{
				Name: "night_target", About: "The temperature that a bench is kept at by night.", Args: []fixtures.Arg{{Name: "bench"}},
				Answer: func(c fixtures.Call) fixtures.Answer {
					if s, ok := c.Last("set_night_target"); ok && s.String("bench") == c.String("bench") {
						return fixtures.OK("bench %s: %s at night", c.String("bench"), s.String("degrees"))
					}
					return fixtures.OK("bench %s: 16 at night", c.String("bench"))
				},
			}, fixtures.Tool{
				Name: "set_night_target", About: "Sets the temperature that a bench is kept at by night.", Writes: true,
				Args: []fixtures.Arg{{Name: "bench"}, {Name: "degrees", Type: "number"}}, Text: "bench {bench}: {degrees} at night",
			})},
			{Name: "coldstore", Tools: tools(`
night_target shelf: The temperature that a shelf is kept at by night.
shelf_of_lot lot: The shelf on which the bulbs of a lot lie.
shelf_info shelf: Size and place of a shelf.
door_log day: When the door stood open.
stock shelf: What lies on a shelf.
+set_night_target shelf degrees: Sets the temperature that a shelf is kept at by night.
+move_shelf shelf room: Moves a shelf to another room.
+order_ice kilograms: Orders ice.
+clear_shelf shelf: Clears a shelf.
`)},
		},
		Expect: behavior.BySignal{
			behavior.MCPDiscovery: {expect.AllOf(
				raise,
				wrote.Times(1),
				other.AtMost(3),
			)},
			behavior.ArgumentGrounding: {expect.AllOf(raise, found.Before(expect.Served("hothouse/set_night_target")))},
		},
	})
}
