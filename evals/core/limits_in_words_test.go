package core

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestLimitsInWords(t *testing.T) {
	limited := func(script string, timeout float64, spellings ...string) behavior.Expectation {
		ways := []behavior.Expectation{
			expect.Command(script).With("timeout", timeout),
			expect.Command("bash", script).With("timeout", timeout),
		}
		for _, limit := range spellings {
			ways = append(ways, expect.Command("timeout", limit, script))
		}
		return expect.AnyOf(ways...)
	}
	once := func(log string) behavior.Expectation {
		return expect.FileMatches(log, "one run, from its beginning to its end", func(text string) error {
			if !regexp.MustCompile(`^begun\n\w+ level \w+\n$`).MatchString(text) {
				return errors.New("it says " + text)
			}
			return nil
		})
	}
	level := func(log string) behavior.Expectation {
		return expect.Fact("the level in "+log, func(e behavior.Evidence) string {
			text := string(e.After[log].Data)
			return strings.TrimSpace(text[strings.LastIndex(text, " ")+1:])
		})
	}
	const lock = `
#!/bin/bash
echo begun >> log/NAME.txt
printf -v level '%04x%04x' $RANDOM $RANDOM
echo "NAME level $level" | tee -a log/NAME.txt
`

	behavior.Run(t, behavior.Case{
		Claim: "Limits that are given in words reach the commands that they are meant for, in the unit of the tool.",
		Files: fixtures.Txtar("-- log/README --\nWhat the locks did.\n" +
			"-- fill.sh --" + strings.ReplaceAll(lock, "NAME", "fill") +
			"-- drain.sh --" + strings.ReplaceAll(lock, "NAME", "drain")),
		Prompt: "Run ./fill.sh and ./drain.sh and tell me which level each of them gives. " +
			"They can hang: give up on the first after ninety seconds, and on the second after a quarter of an hour.",
		Expect: behavior.BySignal{
			behavior.ArgumentGrounding: {
				limited("fill.sh", 90, "90", "90s", "1.5m"),
				limited("drain.sh", 900, "900", "900s", "15m"),
			},
			behavior.BackgroundLifecycle: {once("log/fill.txt"), once("log/drain.txt")},
			behavior.ToolResultIntegrity: {level("log/fill.txt"), level("log/drain.txt")},
		},
	})
}
