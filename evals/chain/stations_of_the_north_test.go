package chain

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
)

func TestStationsOfTheNorth(t *testing.T) {
	const (
		file = "legacy/stations.ini"
		ini  = "[harbour]\ngauge=1000\nplatforms=2\n\n[north]\ngauge=1000\nplatforms=3\n\n[quarry]\ngauge=1000\nplatforms=1"
	)
	changing := expect.Changing(file)
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }

	behavior.Run(t, behavior.Case{
		Claim: "A file keeps the line ends and the end that it has, in the lines that change and in those that are new.",
		Files: fstest.MapFS{
			file:                {Data: []byte(crlf(ini)), Mode: 0o644},
			"legacy/README.txt": {Data: []byte("The panel reads stations.ini line by line.\n"), Mode: 0o644},
		},
		Prompt: "In legacy/stations.ini the station north changes to gauge 1067, and gets a line depot=Kelso after its platforms.",
		Expect: behavior.BySignal{
			behavior.ToolChain: {expect.AnyOf(
				expect.Shown("[north]").Before(changing),
				expect.Call("bash").On(file).Before(changing), // as od shows it
				changing.Where("a command shows it", func(c behavior.Call) bool { return c.Tool == "bash" && strings.Contains(c.Result, "[north]") }),
			)},
			behavior.FilesystemSafety: {expect.Changed(behavior.Tree{
				file: crlf(strings.Replace(ini, "gauge=1000\nplatforms=3\n", "gauge=1067\nplatforms=3\ndepot=Kelso\n", 1)),
			})},
		},
	})
}
