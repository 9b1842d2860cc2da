package report_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"gotest.tools/v3/golden"

	"github.com/deeds-evals/deeds/internal/report"
)

func someFlips() []report.Flip {
	return []report.Flip{
		{ID: "core/a/big/2", Was: "pass", Is: "fail"},
		{
			ID: "core/a/big/2", Signal: "tool-chain", Name: "sum", Where: "a_test.go:12",
			Want: "a call read\nthen a call edit", Got: "no call\x1b[31m edit", Was: "pass", Is: "fail",
		},
	}
}

func TestReplay(t *testing.T) {
	t.Parallel()
	first := report.Replay{Run: "20261129T225800Z-3f9c1a", Attempts: 1, Flips: someFlips()}
	second := report.Replay{Run: "20261129T225800Z-3f9c1a", Attempts: 1200, Diverged: 3, Void: 1, Left: 2, Gone: []string{"chain/b: the suite has no such case"}}
	golden.Assert(t, first.String()+"\n"+second.String()+"\n"+report.Replay{}.Plus(first).Plus(second).String(), "replay.golden")
}

func TestRegrade(t *testing.T) {
	t.Parallel()
	first := report.Regrade{Run: "20261129T225800Z-3f9c1a", Attempts: 2, Cases: 1, Flips: someFlips(), Unknown: []string{"core/z"}}
	second := report.Regrade{
		Run: "20261129T225800Z-3f9c1a", Attempts: 1200, Cases: 300, Void: 4,
		New: []string{"chain/b/big  tool-chain: a call: pass (3 attempts)"}, Dropped: []string{"chain/b/big  tool-chain: no call: pass (3 attempts)"},
		Unread: []string{"chain/b/big/1: read the evidence: no such file"}, Gone: []string{"chain/c: the suite has no such case"},
		Unknown: []string{"chain/x", "chain/y"}, Open: []string{"chain/d: planned and not run (2 attempts)"}, NotRun: 2,
	}
	whole := report.Regrade{}.Plus(first).Plus(second)
	golden.Assert(t, first.String()+"\n"+second.String()+"\n"+report.Flips(whole.Flips)+whole.String(), "regrade.golden")

	// It is passed on from process to process as JSON.
	data, err := json.Marshal(whole)
	require.NoError(t, err)
	var back report.Regrade
	require.NoError(t, json.Unmarshal(data, &back))
	require.Equal(t, whole, back)
}
