package chain

import (
	"fmt"
	"strings"
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestSearchThenRead(t *testing.T) {
	var lanes strings.Builder // what is asked for stands far below the definition
	for n := range 140 {
		fmt.Fprintf(&lanes, "  [\"lane-%03d\", %d],\n", n*7%140, 200+n*37%811)
	}
	var (
		definition = expect.Shown("export function settleWindow(")
		value      = expect.Shown(`["mainsail", 1310]`)
	)

	behavior.Run(t, behavior.Case{
		Claim: "What a search finds is followed into the file, to the place that decides.",
		Files: fixtures.Txtar(`
-- src/pay/payout.ts --
import { settleWindow } from "../ops/windows";
export const due = (lane: string) => settleWindow(lane) + 15;
-- src/pay/refund.ts --
// settleWindow does not apply to refunds.
const spans = new Map([["mainsail", 45], ["topsail", 90]]);
export const refundWindow = (lane: string) => spans.get(lane) ?? 60;
-- src/ops/report.ts --
import { settleWindow } from "./windows";
export const line = (lane: string) => lane + ": " + settleWindow(lane);
-- src/ops/windows.ts --
/** How many minutes a lane has to settle. */
export function settleWindow(lane: string): number {
  return spans.get(lane) ?? spans.get("mainsail")!;
}

const spans = new Map([
` + lanes.String() + `  ["mainsail", 1310],
]);
`),
		Prompt: "How many minutes does settleWindow give to a lane that is not listed?",
		Expect: behavior.BySignal{
			behavior.ToolChain: {expect.AnyOf(
				expect.InOrder(definition, value),
				expect.InOrder(expect.Shown("windows.ts"), value), // found by its name
				expect.Call("bash").Attempted().Returning("export function settleWindow(").Returning(`["mainsail", 1310]`), // both in one command
			)},
			behavior.ToolResultIntegrity: {expect.Answer("1310")},
		},
	})
}
