package chain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestDepthOfFourBerths(t *testing.T) {
	berths := []string{"Anvil", "Bramble", "Cutter", "Dory"}
	// The last digit is the berth's own, so that no two are equally deep.
	depth := func(facts map[string]string, berth string) string {
		return fmt.Sprintf("%s%d", facts[strings.ToLower(berth)], slices.Index(berths, berth)+1)
	}
	asked := func(berth string) expect.Event { return expect.Served("berth_depth").With("berth", berth) }
	anvil, bramble, cutter, dory := asked("Anvil"), asked("Bramble"), asked("Cutter"), asked("Dory")
	written := expect.Changing("berth.txt")
	water := behavior.Draw{Lo: 4, Hi: 9, Decimals: 1}

	behavior.Run(t, behavior.Case{
		Claim:  "Of look-ups that do not depend on one another most share one message, and what they say is compared.",
		Prompt: "Which of the berths Anvil, Bramble, Cutter and Dory has the most water today? Put it into berth.txt, as in: Anvil 3.14",
		Draws:  map[string]behavior.Draw{"anvil": water, "bramble": water, "cutter": water, "dory": water},
		Tools: []fixtures.Tool{{
			Name: "berth_depth", About: "Shows how deep the water at a berth is today.", Args: []fixtures.Arg{{Name: "berth", Of: berths}},
			Answer: func(c fixtures.Call) fixtures.Answer {
				berth := c.String("berth")
				if !slices.Contains(berths, berth) {
					return fixtures.Error("there is no berth %s", berth)
				}
				return fixtures.OK("%s: %s m", berth, depth(c.Facts, berth))
			},
		}},
		Expect: behavior.BySignal{
			behavior.ParallelTools: {expect.AnyOf(
				expect.SameTurn(anvil, bramble, cutter),
				expect.SameTurn(anvil, bramble, dory),
				expect.SameTurn(anvil, cutter, dory),
				expect.SameTurn(bramble, cutter, dory),
			)},
			behavior.ToolResultIntegrity: {
				expect.FileEquals("berth.txt", "the deepest berth and its depth", func(e behavior.Evidence) string {
					deepest := slices.MaxFunc(berths, func(a, b string) int {
						return cmp.Compare(depth(e.Facts, a), depth(e.Facts, b))
					})
					return deepest + " " + depth(e.Facts, deepest)
				}),
			},
			behavior.ToolChain: {expect.AllOf(anvil.Before(written), bramble.Before(written), cutter.Before(written), dory.Before(written))},
		},
	})
}
