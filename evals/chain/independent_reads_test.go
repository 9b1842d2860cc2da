package chain

import (
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestIndependentReads(t *testing.T) {
	var (
		venue   = expect.Reading("notes/venue.md")
		caterer = expect.Reading("notes/caterer.md")
		written = expect.Changing("event.txt")
	)
	behavior.Run(t, behavior.Case{
		Claim: "Two sources that do not depend on one another are read in one turn, and only then put together.",
		Files: fixtures.Txtar(`
-- notes/venue.md --
We looked at Kestrel Room first, but the lift is broken.
In the end we settled on Marrow Hall; the deposit is paid.
-- notes/caterer.md --
The old order KX-41 fell through. The new one, with
the same kitchen, has the number KX-58.
`),
		Prompt: "Write event.txt: one line with the hall that notes/venue.md settles on, a comma, a space, and the number of the " +
			"order that stands according to notes/caterer.md.",
		Expect: behavior.BySignal{
			behavior.ParallelTools:    {expect.AtOnce("settled on Marrow Hall\nhas the number KX-58")},
			behavior.ToolChain:        {venue.Before(written), caterer.Before(written)},
			behavior.FilesystemSafety: {expect.Changed(behavior.Tree{"event.txt": expect.Text("Marrow Hall, KX-58")})},
		},
	})
}
