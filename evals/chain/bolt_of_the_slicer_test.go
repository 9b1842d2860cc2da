package chain

import (
	"strings"
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestBoltOfTheSlicer(t *testing.T) {
	sheets := func(list string, third bool) []fixtures.Server {
		return []fixtures.Server{{
			Name:      "sheets",
			Resources: []fixtures.Resource{{URI: "sheet://list", Name: "list", About: "The machines that have a sheet.", Text: list}},
			Templates: []fixtures.Template{{
				URI: "sheet://{machine}", Name: "sheet", About: "What is to be known of a machine, as sheet://s2 of slicer S2.",
				Read: func(v map[string]string) (string, bool) {
					switch strings.ToLower(v["machine"]) {
					case "s2":
						return "slicer S2\nblade bolt: {older} Nm\nguard bolt: 9 Nm\n", true
					case "m1":
						return "mixer M1\nhook bolt: 44 Nm\n", true
					case "s3":
						return "slicer S3\nguard bolt: 11 Nm\nblade bolt: {torque} Nm\n", third
					}
					return "", false
				},
			}},
		}}
	}
	var (
		asked = expect.Served("sheets/resource").Matching("uri", `(?i)^sheet://s3$`)
		list  = expect.Served("sheets/resource").With("uri", "sheet://list")
		noted = expect.Changing("torque/s3.txt")
	)

	behavior.Run(t, behavior.Case{
		Claim: "A document that is there is read, and one that is not there is noted as missing, whatever its neighbour says.",
		Files: fixtures.Txtar(`
-- torque/m1.txt --
44
-- torque/k7.txt --
no sheet
`),
		Prompt: "I am about to change the blade of slicer S3. How tight does the blade bolt go, by its sheet? " +
			"Add it to torque/ as for the others: the figure in Nm, or that there is no sheet.",
		Draws: map[string]behavior.Draw{"torque": {Lo: 21, Hi: 36}, "older": {Lo: 12, Hi: 19}},
		Worlds: []behavior.World{{
			Name: "present", Servers: sheets("m1 mixer M1\ns2 slicer S2\ns3 slicer S3\n", true),
			Expect: behavior.BySignal{
				behavior.MCPDiscovery:        {asked.Before(noted)},
				behavior.ToolResultIntegrity: {expect.Changed(behavior.Tree{"torque/s3.txt": expect.Text("{torque}")})},
			},
		}, {
			Name: "absent", Servers: sheets("m1 mixer M1\ns2 slicer S2\n", false),
			Expect: behavior.BySignal{
				behavior.ToolErrorRecovery:   {expect.AnyOf(asked.Failing().Before(noted), list.Before(noted))},
				behavior.ToolResultIntegrity: {expect.Changed(behavior.Tree{"torque/s3.txt": expect.Text("no sheet")})},
			},
		}},
	})
}
