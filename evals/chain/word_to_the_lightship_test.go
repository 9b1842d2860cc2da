package chain

import (
	"strings"
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestWordToTheLightship(t *testing.T) {
	var (
		send = expect.Served("send_word")
		sent = send.With("to", "Nore").With("text", "relief at six")
		on   = expect.Served("set_unit").With("unit", "shore transmitter").With("on", true)
	)
	units := []string{"foghorn", "shore transmitter", "yard lights"}
	is := func(c fixtures.Call, unit string) string {
		for i := len(c.Past) - 1; i >= 0; i-- {
			if s := c.Past[i]; s.Tool == "set_unit" && s.String("unit") == unit && s.String("on") == "true" {
				return "on"
			} else if s.Tool == "set_unit" && s.String("unit") == unit {
				break
			}
		}
		return "off"
	}
	behavior.Run(t, behavior.Case{
		Claim:  "What a call says that it lacks is put in place, that alone, and the call is made again.",
		Prompt: "Tell the lightship Nore, word for word: relief at six",
		Tools: []fixtures.Tool{
			{
				Name: "send_word", About: "Sends a text to a lightship.", Writes: true, Args: []fixtures.Arg{{Name: "to"}, {Name: "text"}},
				Answer: func(c fixtures.Call) fixtures.Answer {
					if is(c, "shore transmitter") == "off" {
						return fixtures.Error("not sent: the shore transmitter is off")
					}
					return fixtures.OK("sent to %s", c.String("to"))
				},
			},
			{
				Name: "list_units", About: "Lists the units of the station, and which are on.",
				Answer: func(c fixtures.Call) fixtures.Answer {
					var lines []string
					for _, unit := range units {
						lines = append(lines, unit+": "+is(c, unit))
					}
					return fixtures.OK("%s", strings.Join(lines, "\n"))
				},
			},
			{
				Name: "set_unit", About: "Turns a unit of the station on or off.", Writes: true,
				Args: []fixtures.Arg{{Name: "unit", Of: units}, {Name: "on", Type: "boolean"}}, Text: "{unit}, on: {on}",
			},
		},
		Expect: behavior.BySignal{
			behavior.ToolErrorRecovery: {expect.AllOf(sent, send.Times(1))},
			behavior.StateTransition: {expect.AllOf(
				on.Times(1),
				expect.No(expect.Served("set_unit").Where("it is another unit", func(c behavior.Call) bool { return c.Arg("unit") != "shore transmitter" })),
			)},
		},
	})
}
