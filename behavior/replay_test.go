package behavior

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/results"
)

// What a run has on record and a replay leaves out is counted, once however often the
// case comes.
func TestReplayCountsWhatItLeavesOut(t *testing.T) {
	t.Parallel()
	attempt := func(end EndReason) *results.Attempt {
		return &results.Attempt{Evidence: "evidence/a.json.zst", End: string(end)}
	}
	slot := func(world string, n int) results.Slot {
		return results.Slot{Case: "core/a", World: world, Model: "m", Agent: "builtin", Attempt: n}
	}
	p := &process{folder: "core", old: &keptRun{Run: &results.Run{ID: oldRun}, counts: map[results.Slot]*results.Attempt{
		slot("big", 1): attempt(EndStop), slot("big", 2): attempt(EndProvider), slot("big", 3): nil,
		slot("small", 1): attempt(EndStop), slot("small", 2): attempt(EndProvider),
		{Case: "core/b", Model: "m", Attempt: 1}: attempt(EndProvider),
	}}}
	require.Equal(t, 2, p.old.repeat(), "of those on record")
	p.settings.replay = oldRun
	e := &entry{id: "core/a", c: Case{Worlds: []World{{Name: "big"}}}}
	for range 2 {
		p.missed(e)
	}
	require.Equal(t, "gone   core/a/small (2 attempts): the case has no such world or variant\n"+
		"left   1 attempt broke off, and cannot be driven again\n"+
		"replayed 0 attempts of "+oldRun+": 0 diverged; 0 verdicts flipped, 0 outcomes\n", p.replaySum())
}

// A record of one kind takes no attempt of another.
func TestSameKind(t *testing.T) {
	t.Parallel()
	plan := func(kind, of string) []results.Plan {
		return []results.Plan{{Kind: kind, Settings: results.Settings{Replay: of}}}
	}
	live, simulated, replayed := settings{models: []string{"m"}}, settings{models: []string{"sim:1"}}, settings{replay: oldRun}
	require.NoError(t, sameKind("r", nil, live))
	require.NoError(t, sameKind("r", plan("live", ""), live))
	require.NoError(t, sameKind("r", plan("simulated", ""), simulated))
	require.NoError(t, sameKind("r", plan("replayed", oldRun), replayed))
	require.ErrorContains(t, sameKind("r", plan("replayed", oldRun), live), "DEEDS_RUN names r, which is replayed, and this run is live\nhint: ")
	require.ErrorContains(t, sameKind("r", plan("simulated", ""), live), "which is simulated, and this run is live")
	require.ErrorContains(t, sameKind("r", plan("live", ""), simulated), "which is live, and this run is simulated")
	require.ErrorContains(t, sameKind("r", plan("replayed", "other"), replayed), "which is no replay of "+oldRun)
	require.ErrorContains(t, sameKind("r", plan("live", ""), replayed), "which is no replay of "+oldRun)
}
