package core

import (
	"strings"
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestTicketAsItWasSaid(t *testing.T) {
	ticket := expect.Served("open_ticket")
	says := func(arg, text string) expect.Event {
		return ticket.Where(arg+" is as it was said", func(c behavior.Call) bool { return strings.TrimSpace(c.Arg(arg)) == text })
	}
	behavior.Run(t, behavior.Case{
		Claim: "What was not said is left open, however inviting its place may be.",
		Prompt: `Open a ticket for the lighthouse crew, title "Door of the lamp room sticks", text "Since the storm the door can only be ` +
			`opened with a shoulder, and it is worse when it is wet."`,
		Tools: []fixtures.Tool{{
			Name: "open_ticket", About: "Opens a ticket for the lighthouse crew.", Writes: true,
			Args: []fixtures.Arg{
				{Name: "title"},
				{Name: "text"},
				{Name: "priority", About: "normal if it is left out", Of: []string{"low", "normal", "high"}, Optional: true},
				{Name: "assignee", About: "who of the crew is to see to it", Optional: true},
				{Name: "due", About: "YYYY-MM-DD", Optional: true},
				{Name: "labels", About: "separated by commas", Optional: true},
				{Name: "reply_to", About: "mail address of who reports it", Optional: true},
			},
			Text: "Ticket opened: {title}",
		}},
		Expect: behavior.BySignal{
			behavior.RequiredTool: {ticket.Times(1)},
			behavior.ArgumentGrounding: {
				expect.Named("title_kept", says("title", "Door of the lamp room sticks")),
				expect.Named("text_kept", says("text", "Since the storm the door can only be opened with a shoulder, and it is worse when it is wet.")),
				expect.Named("nothing_added", expect.AllOf(ticket, expect.No(ticket.Where("more is set", func(c behavior.Call) bool {
					return c.Arg("assignee")+c.Arg("due")+c.Arg("labels")+c.Arg("reply_to") != "" || c.Arg("priority") != "" && c.Arg("priority") != "normal"
				})))),
			},
		},
	})
}
