package chain

import (
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestFallbackFile(t *testing.T) {
	const local = "config/local.env"
	written := expect.Changing("run/port")

	behavior.Run(t, behavior.Case{
		Claim: "A file that is missing is found to be missing, and then the fallback is used; where it exists, it is not.",
		Files: fixtures.Txtar(`
-- config/default.env --
HOST=quay.internal
PORT=8847
-- run/host --
quay.internal
`),
		Prompt: "Write the port that applies here into run/port, just the number. It is the one in config/local.env; " +
			"only if there is no such file, the one in config/default.env.",
		Worlds: []behavior.World{{
			Name:  "missing",
			Facts: map[string]string{"port": "8847"},
			Expect: behavior.BySignal{behavior.ToolErrorRecovery: {expect.AnyOf( // it was looked for
				expect.Call().On(local).Attempted().Before(written),
				expect.Shown("default.env").Before(written),
				written.On(local),
			)}},
		}, {
			Name:  "there",
			Facts: map[string]string{"port": "9163"},
			Files: fixtures.Txtar("-- config/local.env --\nPORT=9163\n"),
		}},
		Expect: behavior.BySignal{
			behavior.ToolChain: {expect.AnyOf(
				expect.Shown("PORT={port}").Before(written),
				written.On(local), // read and written by one command
			)},
			behavior.FilesystemSafety: {expect.Changed(behavior.Tree{"run/port": expect.Text("{port}")})},
		},
	})
}
