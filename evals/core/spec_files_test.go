package core

import (
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestSpecFiles(t *testing.T) {
	behavior.Run(t, behavior.Case{
		Claim: "Files are found by the kind that was asked for, under the folder that was asked for.",
		Files: fixtures.Txtar(`
-- packages/billing/src/dunning.spec.ts --
describe("dunning", () => {});
-- packages/billing/src/dunning.ts --
export const stages = 3;
-- packages/billing/src/inspect.ts --
export const depth = 2;
-- packages/billing/src/spec.ts --
export const revision = 11;
-- packages/billing/src/tax/levy.spec.ts --
describe("levy", () => {});
-- packages/billing/src/tax/levy.spec.ts.snap --
levy: 19
-- packages/billing/proration.spec.ts --
describe("proration", () => {});
-- packages/billing/docs/refund.spec.md --
How refunds are specified.
-- packages/shipping/src/route.spec.ts --
describe("route", () => {});
`),
		Prompt: "Which .spec.ts files are there under packages/billing? Just the paths.",
		Expect: behavior.BySignal{
			behavior.RequiredTool: {
				expect.Shown("dunning.spec.ts"),
				expect.Shown("levy.spec.ts"),
				expect.Shown("proration.spec.ts"),
			},
			behavior.NoUnneededTools: {expect.AllOf(expect.Shown("proration.spec.ts"), expect.No(expect.Shown("describe(")))}, // names were asked for
			behavior.ToolResultIntegrity: {
				expect.Answer("dunning.spec.ts"),
				expect.Answer("levy.spec.ts"),
				expect.Answer("proration.spec.ts"),
				expect.AnswerNone("route.spec.ts", "refund.spec.md", "levy.spec.ts.snap", "src/spec.ts", "inspect.ts", "dunning.ts"),
			},
		},
	})
}
