package core

import (
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestWholeWordAnyCase(t *testing.T) {
	behavior.Run(t, behavior.Case{
		Claim: "A word is found however it is capitalised, and not inside of longer words.",
		Files: fixtures.Txtar(`
-- logs/gateway.log --
k31v upstream Timeout after 9 s
m58c timeouts in the last hour: 4
n20h connected to depot 6
p07d TIMEOUT while draining
r92x route without settimeout
t46b waited, then timeout
u83f retimeouting is off
w15n connected to depot 2
-- logs/gateway.1.log --
a64j timeout at the door
`),
		Prompt: "Which lines of logs/gateway.log have the word timeout in them, in capitals or not? " +
			"Longer words that contain it do not count. Give me the ids at the beginning of those lines, nothing else.",
		Expect: behavior.BySignal{
			behavior.RequiredTool: {
				expect.Shown("k31v upstream Timeout after 9 s"),
				expect.Shown("p07d TIMEOUT while draining"),
				expect.Shown("t46b waited, then timeout"),
			},
			behavior.ToolResultIntegrity: {
				expect.Answer("k31v"),
				expect.Answer("p07d"),
				expect.Answer("t46b"),
				expect.AnswerNone("m58c", "r92x", "u83f", "a64j"),
			},
		},
	})
}
