package core

import (
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestDefinition(t *testing.T) {
	behavior.Run(t, behavior.Case{
		Claim: "The definition of a symbol is told from its uses, from comments and from longer names.",
		Files: fixtures.Txtar(`
-- src/http/client.ts --
import { retryBudget } from "../flow";

// retryBudget is defined in ./limits.
export function send(url: string): number {
  return url.length > 9 ? retryBudget(4) : retryBudget(1);
}
-- src/http/limits.ts --
// function retryBudget(n: number) moved to the flow folder.
export function retryBudgetFloor(n: number): number {
  return n > 3 ? n - 1 : 2;
}
-- src/flow/index.ts --
export * from "./pacing";
export * from "./drain";
-- src/flow/drain.ts --
import { retryBudget } from "./pacing";

export const drain = () => retryBudget(7);
-- src/flow/pacing.ts --
// Pacing of outgoing calls.

export const windowMs = 430;

export function slots(load: number): number {
  return load > windowMs ? 2 : 5;
}

/** How often a call may be made again. */
export function retryBudget(n: number): number {
  return slots(n * 60);
}
`),
		Prompt: "Where is the function retryBudget defined? Answer with path:line, only that.",
		Expect: behavior.BySignal{
			behavior.RequiredTool: {expect.Shown("export function retryBudget(")},
			behavior.ToolResultIntegrity: {
				expect.Answer("src/flow/pacing.ts:10"),
				expect.AnswerNone("limits.ts:1", "limits.ts:2", "client.ts:2"),
			},
		},
	})
}
