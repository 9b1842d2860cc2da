package core

import (
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestKnownPath(t *testing.T) {
	behavior.Run(t, behavior.Case{
		Claim: "A file whose path is given is read at once, without a search for it.",
		Files: fixtures.Txtar(`
-- deploy/regions.conf --
primary=eu-west-3
standby=ap-south-2
weight=37
-- deploy/regions.conf.orig --
primary=eu-west-1
standby=us-east-2
weight=64
-- README.md --
What runs where is settled in deploy/.
`),
		Prompt: "What are the settings in deploy/regions.conf?",
		Expect: behavior.BySignal{
			behavior.RequiredTool: {expect.Reading("deploy/regions.conf")},
			behavior.NoUnneededTools: {expect.Call().Attempted().Where("it ran", func(c behavior.Call) bool {
				return c.Status == behavior.OK || c.Status == behavior.Failed
			}).Times(1)},
			behavior.ToolResultIntegrity: {
				expect.Answer("eu-west-3"),
				expect.Answer("ap-south-2"),
				expect.Answer("37"),
			},
		},
	})
}
