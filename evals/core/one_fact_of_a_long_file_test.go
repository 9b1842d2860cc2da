package core

import (
	"fmt"
	"strings"
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestOneFactOfALongFile(t *testing.T) {
	const budget = 12 << 10 // bytes, of a file of more than 200 KiB

	names := []string{"Orla", "Skua", "Ternen", "Merle", "Gannet", "Corrie"}
	lines := make([]string, 6000)
	berth := make(map[string]string)
	for i := range lines {
		h := uint32(i+1) * 2654435761
		vessel := fmt.Sprintf("%s-%d", names[h%6], 1000+i)
		switch i {
		case 5612:
			vessel = "Orla-77"
		case 118, 3304, 5871:
			vessel = map[int]string{118: "Orla-7", 3304: "Orla-771", 5871: "Ternen-77"}[i]
		}
		berth[vessel] = fmt.Sprintf("%c%d-%04x", 'K'+h%7, h%40+10, h>>16)
		lines[i] = fmt.Sprintf("%s;berth %s;draught %d", vessel, berth[vessel], 20+h%60)
	}

	behavior.Run(t, behavior.Case{
		Claim:  "A single fact of a long file is fetched, and the file is not.",
		Files:  fixtures.Txtar("-- registers/vessels.csv --\n" + strings.Join(lines, "\n")),
		Prompt: "At which berth does the Orla-77 lie? It is in registers/vessels.csv. Just the berth, please.",
		Facts: map[string]string{
			"berth":  berth["Orla-77"],
			"first":  berth["Orla-7"],
			"second": berth["Orla-771"],
			"third":  berth["Ternen-77"],
		},
		Expect: behavior.BySignal{
			behavior.RequiredTool: {expect.Shown("{berth}")},
			behavior.NoUnneededTools: {expect.AllOf(
				expect.Shown("{berth}"),
				expect.That(fmt.Sprintf("at most %d bytes come back from all calls and in notices", budget), func(e behavior.Evidence) error {
					bytes := 0
					var shown []int
					for i, ev := range e.Timeline {
						switch {
						case ev.Call != nil:
							bytes, shown = bytes+len(ev.Call.Result), append(shown, i)
						case ev.Kind == behavior.KindNotice:
							bytes, shown = bytes+len(ev.Text), append(shown, i)
						}
					}
					if bytes > budget {
						return expect.At(fmt.Errorf("%d bytes came back", bytes), shown...)
					}
					return nil
				}),
			)},
			behavior.ToolResultIntegrity: {expect.AllOf(
				expect.Shown("{berth}"),
				expect.AnswerFact("berth"),
				expect.AnswerNone("{first}", "{second}", "{third}"),
			)},
		},
	})
}
