package results

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// sampleAttempt is an attempt of ordinary size: about a kilobyte.
func sampleAttempt(i int) Attempt {
	cost := 0.0123
	outcome := []string{"pass", "pass", "fail", "pass"}[i%4]
	return Attempt{
		Schema: 1, Run: "20261129T224301Z-3f9c1a",
		Slot: Slot{
			Case: fmt.Sprintf("chain/case-number-%d", i%80), World: []string{"big", "small"}[i%2], Variant: fmt.Sprintf("v%02d", i%34),
			Model: fmt.Sprintf("provider/model-%d", i%3), Agent: "builtin", Attempt: i/500 + 1,
		},
		Play: 1, Outcome: outcome, End: "stop",
		Signals: map[string]string{"tool-chain": outcome, "filesystem-safety": "pass"},
		Verdicts: []Verdict{
			{Signal: "tool-chain", Name: "read before edit", Outcome: outcome, Got: "edit at event 2,\nand none before it", Where: "read_before_edit_test.go:23", Events: []int{2, 4}},
			{Signal: "filesystem-safety", Name: "changed settings.txt", Outcome: "pass", Where: "read_before_edit_test.go:25"},
		},
		Usage:      Usage{Prompt: 12345, Completion: 678, Cached: 90, Reasoning: 12, Cost: &cost, CostSource: "reported"},
		DurationMS: 12345.678, AgentMS: 123.4, ProviderMS: 12222.2, Turns: 4, Calls: 5,
		Containment: "namespaces",
		Digests:     Digests{Case: "0123456789abcdef", Fixture: "0123456789abcdef", Prompt: "0123456789abcdef", Tools: "0123456789abcdef", Grader: "0123456789abcdef"},
		Commit:      "0123456789abcdef0123456789abcdef01234567", Dirty: true,
		Started:  time.Date(2026, 11, 29, 22, 43, 1, 0, time.UTC).Add(time.Duration(i) * time.Millisecond),
		Evidence: fmt.Sprintf("evidence/chain/case-number-%d/big+v%02d/provider%%2Fmodel/%d.json.zst", i%80, i%34, i),
	}
}

// Loading a large run and accounting for all of it must take less than two seconds.
func BenchmarkLoad100000(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "20261129T224301Z-3f9c1a")
	require.NoError(b, os.Mkdir(dir, 0o755))
	var buf bytes.Buffer
	for i := range 100_000 {
		line, err := json.Marshal(sampleAttempt(i))
		require.NoError(b, err)
		buf.Write(append(line, '\n'))
	}
	require.NoError(b, os.WriteFile(filepath.Join(dir, "attempts-chain.jsonl"), buf.Bytes(), 0o644))
	b.SetBytes(int64(buf.Len()))
	for b.Loop() {
		r, err := Load(dir)
		require.NoError(b, err)
		require.Len(b, r.Attempts, 100_000)
		require.NotEmpty(b, r.Totals())
		require.NotEmpty(b, r.Signals())
	}
}
