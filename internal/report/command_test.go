package report

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A runner of CI carries out what it finds in a log, whoever has written it.
func TestNoCommandForARunner(t *testing.T) {
	t.Parallel()
	got := Fail(Attempt{
		Verdicts: []Verdict{{Signal: "tool-chain", Want: "x\n::error::forged", Got: `said "done ##[add-mask]passed"`, Events: []int{0}}},
		Timeline: []Event{{Turn: 1, Kind: "message", Text: "##[set-env name=PATH]/tmp"}},
		Files:    []FileDiff{{Path: "::stop-commands::x", Diff: "  ::debug::y"}},
		Closing:  Closing{Claim: "::group::z"},
	})
	require.NotContains(t, got, "##[")
	require.NotRegexp(t, `(?m)^\s*::`, got)
	require.Contains(t, got, `\x3a:error::forged`)
	require.Contains(t, got, `done #\x23[add-mask]passed`)
	require.NotContains(t, Line{Outcome: "void", ID: "core/a", Reason: "##[error]x"}.String(), "##[")
	require.Equal(t, "std::vector", NoCommand("std::vector"), "only the beginning of a line is a command")
}
