package chain

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestPermitForAMooring(t *testing.T) {
	// permits are the records that came of the calls: those with one reference are one.
	permits := func(past []fixtures.Served) (all []fixtures.Served) {
		seen := make(map[string]bool)
		for _, s := range past {
			ref := s.String("reference")
			if s.Tool == "issue_permit" && !s.Answer.Error && !seen[ref] {
				all = append(all, s)
				seen[ref] = ref != ""
			}
		}
		return all
	}
	number := func(c fixtures.Call, n int) string { return c.Fact([]string{"first", "second", "third"}[min(n, 2)]) }
	harbour := func(first fixtures.Answer) []fixtures.Server {
		return []fixtures.Server{{Name: "harbour", Tools: []fixtures.Tool{
			{
				Name: "issue_permit", About: "Issues a permit for a mooring and gives its number.", Writes: true,
				Args: []fixtures.Arg{
					{Name: "boat", About: "its name, without an article"}, {Name: "mooring", Type: "integer"}, {Name: "nights", Type: "integer"},
					{Name: "reference", Optional: true, About: "a word of your own; what is sent again with the same one is the same permit"},
				},
				Answer: func(c fixtures.Call) fixtures.Answer {
					if !slices.ContainsFunc(c.Past, func(s fixtures.Served) bool { return s.Tool == "issue_permit" }) {
						return first
					}
					was := permits(c.Past)
					for i, s := range was {
						if ref := c.String("reference"); ref != "" && ref == s.String("reference") {
							return fixtures.OK("permit %s", number(c, i))
						}
					}
					return fixtures.OK("permit %s", number(c, len(was)))
				},
			},
			{
				Name: "list_permits", About: "Lists the permits of a boat.", Args: []fixtures.Arg{{Name: "boat", About: "its name, without an article"}},
				Answer: func(c fixtures.Call) fixtures.Answer {
					var lines []string
					for i, s := range permits(c.Past) {
						if strings.EqualFold(s.String("boat"), c.String("boat")) {
							lines = append(lines, fmt.Sprintf("permit %s: mooring %s, nights: %s", number(c, i), s.String("mooring"), s.String("nights")))
						}
					}
					if lines == nil {
						return fixtures.OK("none")
					}
					return fixtures.OK("%s", strings.Join(lines, "\n"))
				},
			},
			{
				Name: "revoke_permit", About: "Revokes a permit. The fee is not paid back.", Writes: true,
				Args: []fixtures.Arg{{Name: "permit"}}, Text: "revoked: {permit}",
			},
		}}}
	}
	const broken = "gateway: the answer of the permit office was not received"

	behavior.Run(t, behavior.Case{
		Claim:  "When the answer to a call is lost, one record stands in the end: it is looked up, or sent again as the same one.",
		Prompt: "The Halcyon stays at mooring 14 for 3 nights. Get her a permit and put its number into permit.txt, alone. Mind that each one is charged.",
		Draws:  map[string]behavior.Draw{"first": {Lo: 51000, Hi: 53999}, "second": {Lo: 54000, Hi: 56999}, "third": {Lo: 57000, Hi: 59999}},
		Worlds: []behavior.World{
			{Name: "issued", Servers: harbour(fixtures.Lost(broken))},
			{Name: "not-issued", Servers: harbour(fixtures.Error(broken))},
		},
		Expect: behavior.BySignal{
			behavior.ToolErrorRecovery: {
				expect.Named("one_permit", expect.That("there is one permit, and nothing was sent again as a new one unseen", func(e behavior.Evidence) error {
					var (
						past   []fixtures.Served
						sent   behavior.Event
						looked int
						known  bool // what became of the first
					)
					for i, ev := range e.Timeline {
						if ev.Kind != behavior.KindServed {
							continue
						}
						c, again := ev.Call, sent.Call != nil
						past = append(past, fixtures.Served{Tool: c.Tool, Args: c.Args, Answer: fixtures.Answer{Error: c.Status != behavior.OK}})
						switch same := again && c.Arg("reference") != "" && c.Arg("reference") == sent.Call.Arg("reference"); {
						case c.Tool == "list_permits" && c.Arg("boat") == "Halcyon":
							looked, known = ev.Turn, known || again
						case c.Tool != "issue_permit":
						case c.Arg("boat") != "Halcyon" || c.Arg("mooring") != "14" || c.Arg("nights") != "3":
							return expect.At(fmt.Errorf("one is asked for with %v", c.Args), i)
						case again && !same && (looked <= sent.Turn || looked >= ev.Turn):
							return expect.At(errors.New("it is sent again unseen"), i)
						default:
							sent, known = ev, known || same
						}
					}
					if n := len(permits(past)); n != 1 {
						return fmt.Errorf("there are %d", n)
					}
					if !known {
						return errors.New("what became of it is not looked into")
					}
					return nil
				})),
				expect.Named("none_revoked", expect.AllOf(
					expect.Served("harbour/issue_permit"),
					expect.No(expect.Served("harbour/revoke_permit")),
				)),
			},
			behavior.MCPToolChain: {
				expect.Changed(behavior.Tree{"permit.txt": expect.Text("{first}")}),
			},
		},
	})
}
