package behavior

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/results"
)

func TestCompareVerdicts(t *testing.T) {
	t.Parallel()
	was := []results.Verdict{
		{Signal: "tool-chain", Name: "same", Outcome: "pass", Where: "a_test.go:1"},
		{Signal: "tool-chain", Name: "flips", Outcome: "fail", Where: "a_test.go:2"},
		{Signal: "tool-chain", Name: "other words", Outcome: "pass", Where: "a_test.go:3"},
		{Signal: "tool-chain", Name: "removed", Outcome: "pass", Where: "a_test.go:4"},
		{Signal: "ask-or-act", Name: "moved to another signal", Outcome: "pass", Where: "a_test.go:5"},
		{Signal: "ask-or-act", Name: "moved to another line", Outcome: "n/a", Where: "a_test.go:6"},
	}
	is := []Verdict{
		{Signal: ToolChain, Name: "new", Result: Fail, Where: "a_test.go:9"},
		{Signal: ToolChain, Name: "moved to another signal", Result: Pass, Where: "a_test.go:5"},
		{Signal: AskOrAct, Name: "moved to another line", Result: NA, Where: "a_test.go:3"},
		{Signal: ToolChain, Name: "in other words", Result: Fail, Where: "a_test.go:3"},
		{Signal: ToolChain, Name: "flips", Result: Pass, Where: "a_test.go:2"},
		{Signal: ToolChain, Name: "same", Result: Pass, Where: "a_test.go:8"},
	}
	c := compareVerdicts(was, is)
	require.Equal(t, []flippedVerdict{{was[1], is[4]}, {was[2], is[3]}}, c.flipped)
	require.Equal(t, []Verdict{is[0], is[1]}, c.new)
	require.Equal(t, []results.Verdict{was[3], was[4]}, c.dropped)
	require.Equal(t, "other words", was[2].Name, "what is on record is left as it is")
	require.Equal(t, comparison{}, compareVerdicts(nil, nil))
}

// What the agent lacks makes an attempt void by its verdicts; that it does not listen
// makes it void whatever they say.
func TestUnsupportedBy(t *testing.T) {
	t.Parallel()
	require.True(t, unsupportedBy([]results.Verdict{{Outcome: "pass"}, {Outcome: "n/a"}}))
	require.False(t, unsupportedBy([]results.Verdict{{Outcome: "pass"}, {Outcome: "n/a", Conditional: true}}))
	require.False(t, unsupportedBy(nil))
}

// Only an attempt that got all of its answers can be driven again.
func TestDrives(t *testing.T) {
	t.Parallel()
	for end, want := range map[EndReason]bool{
		EndStop: true, EndQuestion: true, EndPlan: true, EndTurns: true, EndTime: true, EndRefusal: true,
		EndProvider: false, EndStopped: false, EndHarness: false, "": false,
	} {
		slot := results.Slot{Case: "core/a", Attempt: 1}
		k := &keptRun{counts: map[results.Slot]*results.Attempt{slot: {End: string(end), Evidence: "x"}}}
		require.Equal(t, want, k.drives(slot), end)
		require.Equal(t, want, k.drivable(), end)
	}
	k := &keptRun{counts: map[results.Slot]*results.Attempt{{Case: "core/a"}: nil, {Case: "core/b"}: {End: "stop"}}}
	require.False(t, k.drivable(), "not run, or without evidence")
}

func TestSandboxNames(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"/dev/shm/w-1", "/tmp/w-2", "w-1", "w-2"}, sandboxNames("/dev/shm/w-1/project", "/tmp/w-2/project"))
	require.Nil(t, sandboxNames("", "/tmp/w-2/project"), "the attempt had no sandbox")
}
