package core

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestLongFileIsCounted(t *testing.T) {
	var log strings.Builder
	refused := 0
	for n := range uint32(2400) {
		h, status, bytes := (n+1)*2654435761, 200, 4000+n%977
		switch {
		case h%14 == 3:
			status = 503
			refused++
		case h%31 == 8:
			bytes = 503 // the same figure in another place
		}
		fmt.Fprintf(&log, "r%08x GET /lots/%04x status=%d bytes=%d\n", h, h>>16, status, bytes)
	}

	behavior.Run(t, behavior.Case{
		Claim:  "What is too long to be counted by eye is counted by a program.",
		Files:  fixtures.Txtar("-- logs/access.log --\n" + log.String()),
		Prompt: "How many requests in logs/access.log were answered with status 503?",
		Facts:  map[string]string{"refused": strconv.Itoa(refused)},
		Expect: behavior.BySignal{
			behavior.RequiredTool: {expect.AnyOf(
				expect.Shown("{refused}").Where("a count comes back, not a listing", func(c behavior.Call) bool {
					return c.Tool == "bash" && strings.Count(c.Result, "\n") < refused
				}),
				expect.Call("grep").Returning("of {refused} matching lines"),
			)},
			behavior.ToolResultIntegrity: {expect.AnswerFact("refused")},
		},
	})
}
