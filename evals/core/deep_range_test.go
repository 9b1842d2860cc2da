package core

import (
	"fmt"
	"strings"
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestDeepRange(t *testing.T) {
	entries := make([]string, 2700) // more than a read shows at once
	for i := range entries {
		entries[i] = fmt.Sprintf("entry-%08x settled", uint32(i+1)*2654435761)
	}
	window := expect.Shown("{one}\n{two}\n{three}")

	behavior.Run(t, behavior.Case{
		Claim:  "A range of lines is fetched as the request gives it, however deep in the file it lies.",
		Files:  fixtures.Txtar("-- audit/ledger.txt --\n" + strings.Join(entries, "\n")),
		Prompt: "Which entries stand on lines 2311 to 2313 of audit/ledger.txt? Those three only.",
		Facts: map[string]string{
			"above": strings.Fields(entries[2309])[0],
			"one":   strings.Fields(entries[2310])[0],
			"two":   strings.Fields(entries[2311])[0],
			"three": strings.Fields(entries[2312])[0],
			"below": strings.Fields(entries[2313])[0],
		},
		Expect: behavior.BySignal{
			behavior.ArgumentGrounding: {window.Where("at most 30 lines come back", func(c behavior.Call) bool {
				return strings.Count(c.Result, "\n") <= 30
			})},
			behavior.NoUnneededTools: {expect.Call().Times(1)},
			behavior.ToolResultIntegrity: {
				expect.AnswerFact("one"),
				expect.AnswerFact("two"),
				expect.AnswerFact("three"),
				expect.AnswerNone("{above}", "{below}"),
			},
		},
	})
}
