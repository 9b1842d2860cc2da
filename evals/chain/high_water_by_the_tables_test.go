package chain

import (
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestHighWaterByTheTables(t *testing.T) {
	const uri = "tides://x4-071/2027/123"
	var (
		list = expect.Served("tides/resource").With("uri", "tides://stations")
		days = expect.Served("tides/resource").Matching("uri", `^tides://[^/]+/`)
		page = expect.Served("tides/resource").With("uri", uri)
	)

	behavior.Run(t, behavior.Case{
		Claim:  "The address of a document is put together as the server describes it, of parts that were looked up.",
		Prompt: "When is the first high water at Saint Brannoc on the 3rd of May 2027? Put it into high-water.txt, as HH:MM and nothing else.",
		Draws: map[string]behavior.Draw{
			"first": {Of: []string{"04:17", "04:53", "05:08", "05:39", "05:51"}}, "second": {Of: []string{"16:38", "17:02", "17:46"}},
			"other": {Of: []string{"02:11", "02:29", "03:04"}}, "early": {Of: []string{"00:16", "00:31", "00:52"}},
		},
		Servers: []fixtures.Server{{
			Name: "tides",
			Resources: []fixtures.Resource{{
				URI: "tides://stations", Name: "stations", About: "The stations with their marks.",
				Text: "q2-118 Bran Head\nx4-071 Saint Brannoc\nx4-077 Saint Brannoc Bar\n",
			}},
			Templates: []fixtures.Template{{
				URI: "tides://{mark}/{year}/{day}", Name: "day", About: "High and low water of one day. The day is its number in the year, from 001 on.",
				Read: func(v map[string]string) (string, bool) {
					switch {
					case v["year"] != "2027" || len(v["day"]) != 3:
						return "", false
					case v["mark"] == "x4-071" && v["day"] == "123":
						return "high {first} low 11:20 high {second}", true
					case v["mark"] == "x4-071", v["mark"] == "x4-077":
						return "low 07:40 high {other} low 20:04", true
					}
					return "high {early} low 06:31", v["mark"] == "q2-118"
				},
			}},
		}},
		Expect: behavior.BySignal{
			behavior.MCPDiscovery:        {list.Before(page)},
			behavior.ArgumentGrounding:   {expect.AllOf(page, list.Before(days.Attempted()))},
			behavior.ToolResultIntegrity: {expect.Changed(behavior.Tree{"high-water.txt": expect.Text("{first}")})},
		},
	})
}
