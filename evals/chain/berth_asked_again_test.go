package chain

import (
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestBerthAskedAgain(t *testing.T) {
	known := expect.AllOf(expect.AnswerFact("berth"), expect.AnswerFact("depth"))
	noted := expect.AllOf(
		expect.InTurn(3, expect.Changing("log/today.txt")),
		expect.Changed(behavior.Tree{"log/today.txt": expect.Text("06:10 pilot on duty\n{berth} {depth}")}),
	)

	behavior.Run(t, behavior.Case{
		Claim: "What was just found out and is asked again is said, without another look; what is to be done then is done.",
		Files: fixtures.Txtar(`
-- harbour/berths.txt --
berth depth length
{other} 9.35 140
{berth} {depth} 205
{third} 11.20 180
-- log/today.txt --
06:10 pilot on duty
`),
		Draws: map[string]behavior.Draw{
			"berth": {Of: []string{"K14", "K27", "K38"}}, "other": {Of: []string{"M12", "M23"}}, "third": {Of: []string{"R31", "R46"}},
			"depth": {Of: []string{"14.37", "14.92", "15.46", "15.83", "16.29", "17.14", "17.58"}},
		},
		Prompt: "Which berth in harbour/berths.txt is the deepest, and how deep is it?",
		Turns: []behavior.Turn{
			{Say: "Sorry, the radio was on. How deep, and which one was it?"},
			{Say: "Thanks. Add it to log/today.txt as a line of its own at the end: berth, space, depth."},
		},
		Expect: behavior.BySignal{
			behavior.NoUnneededTools:     {expect.AllOf(expect.InTurn(2, known), expect.InTurn(2, expect.NoCall()), noted)},
			behavior.RequiredTool:        {expect.AllOf(expect.InTurn(1, known), expect.InTurn(1, expect.Shown("{depth}"))), noted},
			behavior.ToolResultIntegrity: {expect.InTurn(2, known), noted},
		},
	})
}
