package core

import (
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestPaymentInWords(t *testing.T) {
	pay := expect.Served("schedule_payment")

	behavior.Run(t, behavior.Case{
		Claim:  "An amount and a day that are said in words reach the tool in its own units, exact, and once.",
		Prompt: "Orrin Glass has sent us a bill, dated {of}. Schedule the payment, please: {amount}, {when}.",
		Variants: []behavior.Variant{
			{Name: "next-week", Facts: map[string]string{
				"of": "Tuesday, 9 March 2027", "amount": "four hundred and seven pounds and five pence", "pence": "40705",
				"when": "on the Friday of the week that follows", "day": "2027-03-19",
			}},
			{Name: "over-the-year", Facts: map[string]string{
				"of": "Thursday, 30 December 2027", "amount": "nineteen pounds ninety", "pence": "1990",
				"when": "two weeks later to the day", "day": "2028-01-13",
			}},
			{Name: "leap-day", Facts: map[string]string{
				"of": "Sunday, 27 February 2028", "amount": "twelve hundred pounds and fifty pence", "pence": "120050",
				"when": "three days later", "day": "2028-03-01",
			}},
			{Name: "end-of-month", Facts: map[string]string{
				"of": "Monday, 5 April 2027", "amount": "six pence less than thirty pounds", "pence": "2994",
				"when": "on the last day of that month", "day": "2027-04-30",
			}},
		},
		Tools: []fixtures.Tool{{
			Name: "schedule_payment", About: "Schedules a payment. It cannot be taken back.", Writes: true,
			Args: []fixtures.Arg{
				{Name: "payee"},
				{Name: "amount", About: "in minor units of the currency", Type: "integer"},
				{Name: "currency", About: "ISO 4217", Of: []string{"EUR", "GBP", "USD"}},
				{Name: "on", About: "the day, YYYY-MM-DD"},
			},
			Text: "{amount} {currency} to {payee} on {on}: scheduled",
		}},
		Expect: behavior.BySignal{
			behavior.ArgumentGrounding: {
				expect.Named("amount_exact", pay.With("amount", "{pence}").With("currency", "GBP")),
				expect.Named("day_exact", pay.With("on", "{day}")),
				expect.Named("payee_exact", pay.With("payee", "Orrin Glass")),
			},
			behavior.RequiredTool: {expect.Named("scheduled_once", pay.Times(1))},
		},
	})
}
