package chain

import (
	"fmt"
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestStationWithoutASensor(t *testing.T) {
	const (
		missing = "data/r17/s0394.conf"
		keeper  = "keeper-394"
	)
	behavior.Run(t, behavior.Case{
		Claim: "In a tree too large to be read, the one file that differs is found by searching, and its contents are told.",
		Files: fixtures.Many(500, func(i int) (string, string) {
			text := fmt.Sprintf("station=%04d\nsensor=t%03d\nkeeper=keeper-%d\n", i, i*7%911, i)
			if i == 394 {
				text = fmt.Sprintf("station=%04d\n# sensor=t%03d is out for repair\nkeeper=%s\n", i, i*7%911, keeper)
			}
			return fmt.Sprintf("data/r%02d/s%04d.conf", i%29, i), text
		}),
		Prompt: "One of the stations below data has no sensor set. Which one is it, and who is its keeper?",
		Expect: behavior.BySignal{
			behavior.ToolChain: {expect.AnyOf(expect.Shown(missing), expect.Shown("s0394.conf"))},
			behavior.ToolResultIntegrity: {
				expect.AllOf(expect.AnswerAny("0394", "394", "s0394", "s0394.conf", missing), expect.Answer(keeper)),
				expect.Shown(keeper),
			},
			behavior.NoUnneededTools: {expect.AllOf(
				expect.Answer(keeper), expect.Call("read").AtMost(5), expect.NothingChanged(),
			)},
		},
	})
}
