package core

import (
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestFolderContents(t *testing.T) {
	behavior.Run(t, behavior.Case{
		Claim: "What is told of a folder is all that lies in it, the hidden too, and nothing from below or beside it.",
		Files: fixtures.Txtar(`
-- inbox/.claim-7f3 --
claimed by w31
-- inbox/batch-0419.csv --
lot;claimed
-- inbox/manifest.tsv --
batches	claimed
-- inbox/rejected/batch-0388.csv --
lot;torn
-- outbox/batch-0502.csv --
lot;sent
`),
		Prompt: "What lies directly in the folder inbox, hidden entries included? I only need the names.",
		Expect: behavior.BySignal{
			behavior.RequiredTool: {
				expect.Shown(".claim-7f3"),
				expect.Shown("batch-0419.csv"),
				expect.Shown("manifest.tsv"),
				expect.Shown("rejected"),
			},
			behavior.NoUnneededTools: {expect.AllOf(expect.Shown("manifest.tsv"), expect.No(expect.Shown("claimed")))}, // names were asked for
			behavior.ToolResultIntegrity: {
				expect.Answer(".claim-7f3"),
				expect.Answer("batch-0419.csv"),
				expect.Answer("manifest.tsv"),
				expect.Answer("rejected"),
				expect.AnswerNone("batch-0388.csv", "batch-0502.csv"),
			},
		},
	})
}
