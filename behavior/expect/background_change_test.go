package expect_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
)

// What a command does in the background is no call's doing, and no less a change.
func TestChangingSeesTheBackground(t *testing.T) {
	t.Parallel()
	e := behavior.Evidence{Workspace: "/w", Timeline: []behavior.Event{
		{Kind: behavior.KindMessage, Turn: 1},
		{Kind: behavior.KindBackground, Turn: 1, ID: "bg-1", State: "started", Text: "./job"},
		{Kind: behavior.KindBackground, Turn: 1, ID: "bg-1", State: "ended", Text: "./job", Changed: []string{"a.txt"}},
	}}
	require.Equal(t, behavior.Pass, expect.Changing("a.txt").Check(e).Outcome)
	require.Equal(t, behavior.Pass, expect.Changing().Check(e).Outcome)
	require.Equal(t, behavior.Fail, expect.No(expect.Changing("a.txt").By("")).Check(e).Outcome)
	require.Equal(t, behavior.Pass, expect.No(expect.Changing("b.txt")).Check(e).Outcome)
	require.Equal(t, behavior.Pass, expect.No(expect.Changing().ByChild()).Check(e).Outcome)
}
