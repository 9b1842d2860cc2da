package chain

import (
	"strings"
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestNumberOfAKeeper(t *testing.T) {
	var (
		shown  = expect.Served("show_keeper").Returning("{right}, hives at Tarnby")
		change = expect.Served("set_phone")
		right  = change.With("id", "{right}").Where("it is the new phone", func(c behavior.Call) bool {
			return strings.ReplaceAll(c.Arg("phone"), " ", "") == "041722096"
		})
	)
	behavior.Run(t, behavior.Case{
		Claim:  "Of two people of nearly one name the right one is told by the record, and changed by the id that was looked up.",
		Prompt: "Jonas Feld has a new phone, I mean the one with the hives at Tarnby: 0417 220 96. Enter it for him.",
		Draws:  map[string]behavior.Draw{"right": {Hex: 8}, "wrong": {Hex: 8}},
		Tools: []fixtures.Tool{
			{
				Name: "find_keepers", About: "Finds beekeepers by a part of the name.", Args: []fixtures.Arg{{Name: "name"}},
				Answer: func(c fixtures.Call) fixtures.Answer {
					for word := range strings.FieldsSeq(c.String("name")) {
						if !strings.Contains("jonas a. feld", strings.ToLower(word)) {
							return fixtures.Error("no beekeeper has %s in the name", word)
						}
					}
					if c.Fact("listed") == "first" {
						return fixtures.OK("%s Jonas Feld\n%s Jonas A. Feld", c.Fact("right"), c.Fact("wrong"))
					}
					return fixtures.OK("%s Jonas Feld\n%s Jonas A. Feld", c.Fact("wrong"), c.Fact("right"))
				},
			},
			{
				Name: "show_keeper", About: "Shows a beekeeper.", Args: []fixtures.Arg{{Name: "id"}},
				Answer: func(c fixtures.Call) fixtures.Answer {
					id, place, phone := c.String("id"), "Tarnby", "0417 118 40"
					switch id {
					case c.Fact("right"):
					case c.Fact("wrong"):
						place, phone = "Tarnfield", "0417 553 71"
					default:
						return fixtures.Error("there is no beekeeper with the id %s", id)
					}
					for _, s := range c.Past {
						if s.Tool == "set_phone" && s.String("id") == id {
							phone = s.String("phone")
						}
					}
					return fixtures.OK("%s, hives at %s, phone %s", id, place, phone)
				},
			},
			{
				Name: "set_phone", About: "Sets the phone number of a beekeeper.", Writes: true,
				Args: []fixtures.Arg{{Name: "id"}, {Name: "phone"}}, Text: "The phone of {id} is {phone}.",
			},
		},
		Worlds: []behavior.World{
			{Name: "listed-first", Facts: map[string]string{"listed": "first"}},
			{Name: "listed-last", Facts: map[string]string{"listed": "last"}},
		},
		Expect: behavior.BySignal{
			behavior.ArgumentGrounding: {expect.AllOf(right, change.Attempted().Times(1))},
			behavior.ToolChain:         {expect.Served("find_keepers").Before(shown), shown.Before(change)},
		},
	})
}
