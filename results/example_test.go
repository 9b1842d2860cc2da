package results_test

import (
	"fmt"
	"log"
	"path/filepath"

	"github.com/deeds-evals/deeds/results"
)

// sample is a run that is kept with this package.
func sample() *results.Run {
	run, err := results.Load(filepath.Join("testdata", "v1", "20261129T224301Z-3f9c1a"))
	if err != nil {
		log.Fatal(err)
	}
	return run
}

// Every attempt that was planned is there, played or not.
func ExampleRun_Slots() {
	for _, s := range sample().Slots() {
		fmt.Println(s.Case, s.World, s.Attempt, s.Outcome)
	}
	// Output:
	// chain/read-before-edit big 1 pass
	// chain/read-before-edit big 2 fail
	// chain/read-before-edit big 3 void
	// chain/read-before-edit small 1 pass
	// chain/read-before-edit small 2 not run
	// chain/read-before-edit small 3 not run
}

// A gate that cannot tell does not let through. Neither of these units was measured
// whole: one has a void attempt, the other was left in the middle.
func ExampleGate() {
	arm, err := results.NewArm("last night", []*results.Run{sample()}, "")
	if err != nil {
		log.Fatal(err)
	}
	report, err := results.Gate(arm, []results.Need{{Signal: "tool-chain", Rate: 1}}, results.GateOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range report.Signals {
		fmt.Println(row.Name, row.Decision+":", row.Remark)
		for _, u := range row.Unmeasured {
			fmt.Println(u.Unit, u.Why)
		}
	}
	fmt.Println(report.Decision)
	// Output:
	// tool-chain cannot decide: nothing was measured
	// chain/read-before-edit/big 1 void, 0 not run
	// chain/read-before-edit/small 0 void, 2 not run
	// cannot decide
}

// made is a run of eight cases with four attempts each, so many of which passed.
func made(id string, passed int) *results.Run {
	run := &results.Run{ID: id}
	plan := results.Plan{Schema: results.Schema, Run: id, Package: "core", Kind: results.Live}
	for i := range 8 {
		for n := range 4 {
			slot := results.Slot{Case: fmt.Sprintf("core/case-%d", i), Model: "m", Agent: "builtin", Attempt: n + 1}
			outcome := results.Fail
			if n < passed {
				outcome = results.Pass
			}
			plan.Slots = append(plan.Slots, slot)
			run.Attempts = append(run.Attempts, results.Attempt{
				Schema: results.Schema, Run: id, Slot: slot, Play: 1, Outcome: outcome,
				Signals: map[string]string{"tool-chain": outcome},
			})
		}
	}
	run.Plans = []results.Plan{plan}
	return run
}

// Two arms are paired by unit, and one exact test decides.
func ExampleCompare() {
	before, err := results.NewArm("before", []*results.Run{made("a", 1)}, "")
	if err != nil {
		log.Fatal(err)
	}
	after, err := results.NewArm("after", []*results.Run{made("b", 3)}, "")
	if err != nil {
		log.Fatal(err)
	}
	found, err := results.Compare(before, after, results.CompareOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range found.Signals {
		fmt.Printf("%s: %.2f became %.2f, %s (p = %.1g)\n", row.Name, row.Base, row.Candidate, row.Verdict, row.PHolm)
	}
	// Output:
	// tool-chain: 0.25 became 0.75, better (p = 0.0003)
}

// What would so many units show, before anything is spent?
func ExamplePlanPower() {
	plan, err := results.PlanPower(results.PowerOptions{Base: 0.30, K: 4, Cases: 33})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("a rise of %.3f\n", plan.DetectableEffect)
	// Output: a rise of 0.165
}
