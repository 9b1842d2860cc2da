package chain

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

// Its opposite is TestMarkOfAFiring, where the job is worth waiting for.
func TestArchiveUntilClosingTime(t *testing.T) {
	last := func(log string) func(behavior.Evidence) string {
		return func(e behavior.Evidence) string {
			text := string(e.After[log].Data)
			return strings.TrimSpace(text[strings.LastIndex(text, " ")+1:])
		}
	}
	once := expect.FileMatches("log/archive.txt", "archived once, from the beginning to the end", func(log string) error {
		if !regexp.MustCompile(`^begun\nreceipt \w+\n$`).MatchString(log) {
			return errors.New("it says " + log)
		}
		return nil
	})
	begun := expect.FileMatches("log/archive.txt", "begun, and not at its end", func(log string) error {
		if log != "begun\n" {
			return errors.New("it says " + log)
		}
		return nil
	})
	visitors := expect.Call("bash").On("visitors.sh")

	behavior.Run(t, behavior.Case{
		Claim: "A job from which nothing is needed yet is left alone, and quick work beside it is simply done.",
		Files: fixtures.Txtar(`
-- archive.sh --
#!/bin/bash
# Archives what the visitors bring, until the door is shut.
exec 9<> <(:) # nothing is ever to be read there: it only passes the time
echo begun >> log/archive.txt
until [ -e door/shut ]; do read -rt 0.1 -u 9; done
printf -v receipt '%04x%04x' $RANDOM $RANDOM
echo "receipt $receipt" | tee -a log/archive.txt
-- visitors.sh --
#!/bin/bash
# Counts those who went through the door today.
echo "counted $((RANDOM % 9000 + 1000))" >> log/visitors.txt
tail -n 1 log/visitors.txt
-- door/hours.txt --
10 to 17
-- log/README --
What was done today.
`),
		Prompt: "Start ./archive.sh, it is at work until closing time and there is nothing to be had from it before. " +
			"And run ./visitors.sh: the number that it counts comes into visitors.txt.",
		Turns: []behavior.Turn{{
			Say:   "The door is shut. Now the number of the archive's receipt, please, into receipt.txt.",
			Files: fixtures.Txtar("-- door/shut --\nyes\n"),
		}},
		Background: behavior.Background{Promote: 2 * time.Second, Wait: 3 * time.Second, Idle: 200 * time.Millisecond},
		Expect: behavior.BySignal{
			behavior.BackgroundLifecycle: {once, expect.InTurn(1, begun), expect.AllOf(visitors, expect.No(visitors.Attempted().With("background", true)))},
			behavior.NoUnneededTools:     {expect.InTurn(1, expect.AllOf(visitors, expect.NoCall("bash_output", "bash_kill"), expect.No(expect.Command("sleep"))))},
			behavior.ToolResultIntegrity: {
				expect.FileEquals("visitors.txt", "the number that was counted", last("log/visitors.txt")),
				expect.FileEquals("receipt.txt", "the receipt of the archive", last("log/archive.txt")),
			},
		},
	})
}
