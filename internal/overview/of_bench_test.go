package overview

import (
	"fmt"
	"io"
	"testing"

	"github.com/deeds-evals/deeds/results"
)

// A run of 100,000 attempts is summed up while somebody waits for it.
func BenchmarkOf(b *testing.B) {
	run := &results.Run{ID: "r"}
	plan := results.Plan{Kind: results.Live}
	for i := range 100_000 {
		s := results.Slot{Case: fmt.Sprintf("core/case-%d", i/30), Model: fmt.Sprintf("m%d", i%3), Agent: "builtin", Attempt: i/3%10 + 1}
		outcome := []string{results.Pass, results.Pass, results.Fail, results.Void}[i%4]
		plan.Slots = append(plan.Slots, s)
		run.Attempts = append(run.Attempts, results.Attempt{
			Slot: s, Play: 1, Outcome: outcome, DurationMS: float64(i % 977), Turns: i % 7, Started: began,
			Signals: map[string]string{"tool-chain": outcome, "filesystem-safety": results.Pass},
			Usage:   results.Usage{Prompt: i, Completion: i % 100},
		})
	}
	run.Plans = []results.Plan{plan}
	info := results.RunInfo{ID: "r", Created: began}
	for b.Loop() {
		if err := Of(info, run).Text(io.Discard, Style{}); err != nil {
			b.Fatal(err)
		}
	}
}
