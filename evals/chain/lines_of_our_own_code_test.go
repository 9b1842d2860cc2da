package chain

import (
	"fmt"
	"strings"
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestLinesOfOurOwnCode(t *testing.T) {
	// calls is source text with so many calls, and one line that only looks like one.
	calls := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "  ring_put(buf, %d);\n  step(%d);\n", i*7%31, i)
		}
		return b.String() + "  ring_put_all(buf);\n"
	}

	behavior.Run(t, behavior.Case{
		Claim: "What is counted is what was asked about: which folders are one's own is looked up, and not told by their names.",
		Files: fixtures.Txtar(`
-- README.md --
The harbour radio. Sources are in src, see also ORIGINS.
-- ORIGINS --
Taken over from elsewhere, and not to be touched here:
  src/compat         the ring library, 2.3
  src/radio/codec    from the maker of the radio
-- src/main.c --
` + calls(9) + `-- src/radio/mast.c --
` + calls(14) + `-- src/vendor_api/port.c --
` + calls(6) + `-- src/compat/ring.c --
` + calls(11) + `-- src/radio/codec/opus.c --
` + calls(5) + `-- src/radio/codec_test.c --
` + calls(8) + `-- notes/old.txt --
ring_put(buf, 1) was called put(buf, 1) once.
`),
		Prompt: "How many calls of ring_put are there in our own sources, the third-party code left out? The number will do.",
		Facts:  map[string]string{"own": "37"}, // of 53
		Expect: behavior.BySignal{
			behavior.ArgumentGrounding: {expect.Shown("src/radio/codec    from the maker of the radio")},
			behavior.ToolResultIntegrity: {expect.AllOf(
				expect.AnyOf( // counted, or seen one by one
					expect.Call("bash").Matching("command", "ring"),
					expect.Shown("ring_put(buf, 28)"),
					expect.Shown("{own}"),
				),
				expect.AnswerFact("own"),
				expect.AnswerNone("31", "36", "41", "42", "48"), // with or without the wrong ones
			)},
		},
	})
}
