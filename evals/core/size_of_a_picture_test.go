package core

import (
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestSizeOfAPicture(t *testing.T) {
	behavior.Run(t, behavior.Case{
		Claim: "What a picture is like is looked up in the picture, and not in what is written about it.",
		Files: fixtures.Join(fixtures.Txtar(`
-- assets/README --
banner.png, 640 by 200, for the top of the page
`), fixtures.Bytes(map[string][]byte{"assets/banner.png": fixtures.PNG(613, 187)})),
		Prompt: "The page looks squeezed. How many pixels wide and high is assets/banner.png really?",
		Expect: behavior.BySignal{
			behavior.RequiredTool: {expect.AnyOf(
				expect.Call("read").On("assets/banner.png"),
				expect.Call("bash").On("assets/banner.png"),
			)},
			behavior.ToolResultIntegrity: {
				expect.AllOf(expect.Answer("613"), expect.Answer("187")),
				expect.NothingChanged(),
			},
		},
	})
}
