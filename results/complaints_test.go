package results

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// A complaint is one of a list of what users of such tools ask for, by its section and
// number there: those about what counts, and over what. A test shows what is right, here
// or elsewhere, or it is said why the situation cannot arise.
type complaint struct {
	name    string
	test    func(t *testing.T)
	covered []string
	never   string
}

func TestComplaints(t *testing.T) {
	t.Parallel()
	seen := make(map[int]bool)
	for _, c := range complaints {
		number := regexp.MustCompile(`^03\.\d-(\d+)`).FindStringSubmatch(c.name)
		require.NotNil(t, number, c.name)
		n, err := strconv.Atoi(number[1])
		require.NoError(t, err)
		seen[n] = true
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.NotEqual(t, c.test != nil || len(c.covered) > 0, c.never != "", "it is tested, or cannot arise")
			covered(t, c.covered...)
			if c.test != nil {
				c.test(t)
			}
		})
	}
	// The sections that are about counting are whole.
	for n := 1; n <= 65; n++ {
		if n <= 39 || n >= 56 {
			require.True(t, seen[n], "complaint %d is missing", n)
		}
	}
}

// gateOf holds an arm against one need.
func gateOf(t *testing.T, a Arm, need Need) (GateRow, string) {
	t.Helper()
	g, err := Gate(a, []Need{need}, GateOptions{})
	require.NoError(t, err)
	return g.Signals[0], g.Decision
}

// lostOf is n units of which the first ones were lost: void, or not run.
func lostOf(n, lost int, outcome string) shots {
	return every(n, func(i int) []shot {
		if i < lost {
			return []shot{{outcome: outcome, signals: map[string]string{"tool-chain": ""}}}
		}
		return hits(1, 1)
	})
}

var complaints = []complaint{
	{name: "03.1-1 zero attempts are an error", covered: []string{"internal/e2e/broken_test.go TestNothingPassesByNotHappening/no case", "internal/e2e/broken_test.go TestNothingPassesByNotHappening/no attempt"},
		test: func(t *testing.T) {
			_, err := NewArm("a", []*Run{shotRun("a", nil)}, "")
			require.ErrorContains(t, err, "nothing was planned or played")
			_, decision := gateOf(t, shotArm(t, "a", lostOf(3, 3, NotRun)), Need{Overall, 0})
			require.Equal(t, DecisionOpen, decision)
			require.Error(t, SaveBaseline(t.TempDir(), "main", []*Run{shotRun("a", lostOf(3, 3, NotRun))}))
		}},
	{name: "03.1-2 what is named and not there is an error", covered: []string{
		"internal/e2e/broken_test.go TestNothingPassesByNotHappening/no world", "internal/cli/complaints_test.go TestComplaints/03.1-2 what is named and not there is an error"}},
	{name: "03.1-3 unknown names are fatal", covered: []string{"internal/e2e/broken_test.go TestNothingPassesByNotHappening/no signal"}, test: func(t *testing.T) {
		a := shotArm(t, "a", flat(6, 1, 2))
		_, err := Gate(a, []Need{{"tool-chian", 0}}, GateOptions{})
		require.ErrorContains(t, err, `no signal "tool-chian"`)
		_, err = PlanPower(PowerOptions{From: &a, Row: "tool-chian", Effect: 0.1})
		require.ErrorContains(t, err, `no signal or marker "tool-chian"`)
		_, err = Compare(a, a, CompareOptions{Guards: []string{"tool-chian"}})
		require.ErrorContains(t, err, `no guard "tool-chian"`)
		_, err = NewArm("a", a.Runs, "n")
		require.ErrorContains(t, err, "no model n")
	}},
	{name: "03.1-4 the exit status follows from the record", covered: []string{
		"internal/cli/complaints_test.go TestComplaints/03.1-4 the exit status follows from the record", "internal/cli/run_test.go TestRun/run-hole"}},
	{name: "03.1-5 one exit status whatever the form", covered: []string{"internal/cli/complaints_test.go TestComplaints/03.1-5 one exit status whatever the form"}},
	{name: "03.1-6 what cannot be read is not measured", covered: []string{"results/board_publish_test.go TestPublishRefuses", "internal/cli/complaints_test.go TestComplaints/03.1-6 what cannot be read is not measured"},
		test: func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "plan-core.json"), []byte(`{"schema":1,"package":"core","kind":"live","slots":[{"case":"core/a","model":"m","agent":"builtin","attempt":1}]}`), 0o644))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "attempts-core.jsonl"), []byte(`{"schema":1,"case":"core/a","model":"m","agent":"builtin","attempt":1,"outcome":"pa`), 0o644))
			r, err := Load(dir)
			require.NoError(t, err)
			require.Equal(t, 1, r.Torn)
			row, decision := gateOf(t, armOf(t, r), Need{Overall, 1})
			require.Equal(t, DecisionOpen, decision)
			require.Len(t, row.Unmeasured, 1)
		}},
	{name: "03.1-7 a check is shown to fail what is wrong", covered: []string{
		"behavior/rehearse_test.go TestRehearsalRefusesBrokenCases/a mutant survives", "behavior/rehearse_test.go TestKillRateCountsParts", "internal/e2e/models_test.go TestLazyModelFailsEverything"}},
	{name: "03.1-8 what ended and what passed are counted apart", test: func(t *testing.T) {
		r := ratesOf(t, flat(5, 0, 1), 1)
		require.Equal(t, []int{5, 5, 0}, []int{r.Arm.Attempts, r.Overall.Attempts, r.Overall.Passed})
		total := shotRun("a", flat(5, 0, 1)).Totals()[0]
		require.Equal(t, []int{5, 0, 5}, []int{total.Plays, total.Pass, total.Fail})
	}},
	{name: "03.1-9 every denominator is worked out by the reader", covered: []string{"results/board_verify_test.go TestTamperedAggregates", "results/slots_test.go TestSignalTotalsAddUp", "internal/cli/scoreboard_test.go TestScoreboardDisagrees"}},
	{name: "03.1-10 not run is not passed", covered: []string{"internal/e2e/broken_test.go TestNothingPassesByNotHappening/all skipped", "internal/cli/run_test.go TestRun/run-nothing"},
		test: func(t *testing.T) {
			_, decision := gateOf(t, shotArm(t, "a", lostOf(10, 1, NotRun)), Need{"tool-chain", 0.95})
			require.Equal(t, DecisionOpen, decision)
		}},
	{name: "03.1-11 a missing key is an error before anything is played", covered: []string{"internal/e2e/broken_test.go TestNothingPassesByNotHappening/no key"}},
	{name: "03.1-12 an outage of a check is no pass, negated or not", covered: []string{
		"behavior/expect/total_test.go TestMisuseNeverPasses", "behavior/judge_test.go TestJudge/a grader broke", "behavior/judge_test.go TestJudge/unsupported"}},
	{name: "03.1-13 nothing passes by not happening", covered: []string{"behavior/expect/total_test.go TestNothingPassesByNotHappening", "behavior/rehearse_test.go TestRehearsalRefusesBrokenCases/silence passes"}},
	{name: "03.1-14 an outcome that nobody knows is no pass", covered: []string{"results/slots_test.go TestSlots/an unknown outcome proves nothing"}, test: func(t *testing.T) {
		for _, outcome := range []string{"", "PASS", "passed", "1"} {
			row, decision := gateOf(t, shotArm(t, "a", shots{"core/a": {{outcome: outcome}}}), Need{Overall, 0})
			require.Equal(t, DecisionOpen, decision, outcome)
			require.Zero(t, row.Passed)
		}
	}},
	{name: "03.1-15 the text of a failure is never judged", covered: []string{"internal/e2e/broken_test.go TestBrokenEndpointVoidsEverySlot/garbage", "behavior/attempt_test.go TestAttemptOutcomes/a broken provider"}},
	{name: "03.1-16 verdicts are out of reach, and what was not attempted stays in the denominator", covered: []string{"results/board_verify_test.go TestTamperedRows", "internal/sandbox/escape_linux_test.go TestNothingOutsideCanBeWritten"},
		test: func(t *testing.T) {
			row, _ := gateOf(t, shotArm(t, "a", lostOf(10, 4, NotRun)), Need{Overall, 0.5})
			require.Equal(t, []int{6, 10}, []int{row.Passed, row.Total})
		}},

	{name: "03.2-17 one attempt that survived is no pass", test: func(t *testing.T) {
		of := shots{"core/a": {hit(true), {outcome: Void}, {outcome: NotRun}}}
		unit := shotRun("a", of).Units()[0]
		require.Equal(t, Void, unit.Outcome())
		_, decision := gateOf(t, shotArm(t, "a", of), Need{Overall, 1})
		require.Equal(t, DecisionOpen, decision)
		r := ratesOf(t, of, 3).Overall
		require.Equal(t, []int{2, 0}, []int{r.Lost, r.KUnits})
		require.False(t, r.PassPowK.Value.Known(), "three cannot be drawn from one")
	}},
	{name: "03.2-18 the estimator is the unbiased one, by its name", test: func(t *testing.T) {
		r := ratesOf(t, shots{"core/a": hits(3, 4), "core/b": hits(3, 4)}, 2).Overall
		near(t, 0.5, r.PassPowK.Value, 1e-12, "pass^2, and not 0.75²")
		near(t, 1, r.PassAtK.Value, 1e-12, "pass@2")
	}},
	{name: "03.2-19 what was lost is told and bracketed", covered: []string{"internal/e2e/replay_test.go TestRegradeKeepsLimitsAndVoids"}, test: func(t *testing.T) {
		of := lostOf(10, 1, Void)
		of["core/t009"] = hits(0, 1)
		r := ratesOf(t, of, 1)
		near(t, 8.0/9, r.Overall.PassAt1.Value, 1e-12, "88.9 % of what was measured")
		require.Equal(t, []string{"1 of 10 slots are lost: 1 void, 0 not run; the rates are of the others"}, r.Remarks)
		row, decision := gateOf(t, shotArm(t, "a", of), Need{Overall, 0.85})
		require.Equal(t, DecisionOpen, decision)
		require.Contains(t, row.Remark, "the rate is from 0.800 to 0.900")
	}},
	{name: "03.2-20 a check that breaks is void and no fail", covered: []string{"behavior/judge_test.go TestJudge/a grader broke", "results/slots_test.go TestTotals"}},
	{name: "03.2-21 a rate limit is retried, and void at last", covered: []string{"internal/e2e/broken_test.go TestBrokenEndpointVoidsEverySlot/429", "internal/gateway/fault_test.go TestFaultKinds"}},
	{name: "03.2-22 coverage stands beside each mean", covered: []string{"results/coverage_test.go TestConditionalSaysHowOftenItWasJudged"}, test: func(t *testing.T) {
		of := every(4, func(i int) []shot {
			s := hit(true)
			s.markers = map[string]string{"asked": "?" + NA}
			if i == 0 {
				s.markers["asked"] = "?" + Pass
			}
			return []shot{s}
		})
		asked := ratesOf(t, of, 1).Markers[0]
		near(t, 1, asked.PassAt1.Value, 0, "of one")
		require.Equal(t, []int{1, 1, 3}, []int{asked.Units, asked.Attempts, asked.NA})
		c := compared(t, shotArm(t, "a", of), shotArm(t, "b", of), CompareOptions{})
		require.Equal(t, []int{4, 1}, []int{c.Paired, c.Markers[0].Paired}, "one of four units")
		// One of four attempts of every unit.
		within := every(6, func(int) []shot {
			all := hits(4, 4)
			for i := range all {
				all[i].markers = map[string]string{"asked": "?" + NA}
			}
			all[2].markers["asked"] = "?" + Pass
			return all
		})
		row := compared(t, shotArm(t, "a", within), shotArm(t, "b", within), CompareOptions{}).Markers[0]
		require.Equal(t, []Number{1, 0.25, 0.25}, []Number{row.Base, row.BaseCoverage, row.CandidateCoverage})
		require.Equal(t, Conditional, row.Verdict)
	}},
	{name: "03.2-23 a score with holes is bracketed, and not published", covered: []string{"results/board_publish_test.go TestPublishRefuses/void", "results/board_publish_test.go TestPublishRefuses/hole"}, test: func(t *testing.T) {
		c := compared(t, shotArm(t, "a", lostOf(100, 0, Void)), shotArm(t, "b", lostOf(100, 40, Void)), CompareOptions{})
		near(t, -0.4, c.Overall.WorstLo, 1e-12, "if all of them failed")
		near(t, 0, c.Overall.WorstHi, 1e-12, "if none did")
		require.Len(t, c.Lost, 40)
	}},
	{name: "03.2-24 an attempt without a token is suspect", covered: []string{"internal/gateway/fault_test.go TestFaultKinds"}, test: func(t *testing.T) {
		mute := flat(8, 0, 2)
		for _, all := range mute {
			for i := range all {
				all[i].edit = func(a *Attempt) { a.Usage = Usage{} }
			}
		}
		c := compared(t, shotArm(t, "a", flat(8, 2, 2)), shotArm(t, "b", mute), CompareOptions{})
		require.Equal(t, []int{16, 0}, []int{c.Base.Answered, c.Candidate.Answered})
		require.Contains(t, c.Remarks[0], "whether there was an answer at all: 16 of 16 attempts in a, 0 of 16 in b")
	}},
	{name: "03.2-25 plays again are counted and never count", covered: []string{"results/board_merge_test.go TestRerunUntilGreen", "internal/e2e/record_test.go TestPlaysAgainAreRerolls", "behavior/attempt_test.go TestAttemptOutcomes"},
		test: func(t *testing.T) {
			r := shotRun("b", flat(6, 0, 2))
			for _, a := range r.Attempts {
				a.Play, a.Outcome, a.Signals = 2, Pass, map[string]string{"tool-chain": Pass}
				r.Attempts = append(r.Attempts, a)
			}
			c := compared(t, shotArm(t, "a", flat(6, 0, 2)), armOf(t, r), CompareOptions{})
			near(t, 0, c.Overall.Candidate, 0, "the first play counts")
			require.Equal(t, 12, c.Candidate.Rerolls)
			require.Contains(t, c.Remarks, "12 plays after a pass or fail are on record, none of them counted")
		}},

	{name: "03.3-26 a model differs from itself by no more than chance", covered: []string{"results/noise_test.go TestNoiseCountsFlips", "internal/stats/property_test.go TestFalseAlarms", "internal/calibrate/calibrate_test.go TestStatisticsHoldAgainstTheTruth"},
		test: func(t *testing.T) {
			// Three of eleven verdicts turn by themselves: 27 %.
			at := func(shift int) shots {
				return every(11, func(i int) []shot { return hits(3-map[bool]int{true: 1}[(i+shift)%11 < 3], 3) })
			}
			a, b := shotArm(t, "a", at(0)), shotArm(t, "b", at(5))
			require.Equal(t, 6, noiseOf(t, a, b).Overall.Flipped)
			require.Equal(t, NoDifference, compared(t, a, b, CompareOptions{}).Overall.Verdict)
			require.Equal(t, InsufficientData, compared(t, shotArm(t, "c", flat(3, 0, 3)), shotArm(t, "d", flat(3, 3, 3)), CompareOptions{}).Overall.Verdict)
		}},
	{name: "03.3-27 twelve plays of four cases are four", covered: []string{"results/compare_test.go TestSignFlipByCase"}},
	{name: "03.3-28 paired verdicts are tested as pairs", test: func(t *testing.T) {
		of := func(from, to int) shots {
			return every(40, func(i int) []shot { return hits(map[bool]int{true: 1}[i >= from && i < to], 1) })
		}
		row := compared(t, shotArm(t, "a", of(0, 20)), shotArm(t, "b", of(2, 30)), CompareOptions{}).Overall
		require.Equal(t, []int{10, 2}, []int{row.McNemarUp, row.McNemarDown})
		near(t, 2*(1+12+66)/4096.0, row.PMcNemar, 1e-12, "exact")
	}},
	{name: "03.3-29 equal totals hide no swaps", covered: []string{"results/bugs_test.go TestBug21ChurnInBothDirectionsIsNoChange"}},
	{name: "03.3-30 a baseline of another suite is refused", covered: []string{"results/gate_test.go TestGateAgainstABaseline", "results/compare_test.go TestChangedUnitsAreLeftOut"}},
	{name: "03.3-31 a change within the noise of the baseline is said to be", covered: []string{"results/compare_test.go TestGuardWithinItsFloor"}, test: func(t *testing.T) {
		// 100, 80 and 80 % of unchanged code.
		at := func(id string, passed int) Arm { return shotArm(t, id, flat(20, passed, 5)) }
		noise := []Arm{at("n", 5), at("o", 4), at("p", 4)}
		c := compared(t, at("a", 5), at("b", 4), CompareOptions{Noise: noise})
		require.Equal(t, Within, c.Overall.FloorWord)
		require.Empty(t, c.Regressions)
	}},
	{name: "03.3-32 what is published has its attempts fixed", covered: []string{"results/board_publish_test.go TestPublishRefuses/twice", "results/board_publish_test.go TestPublishRefuses/four times", "results/board_publish_test.go TestPublishRefuses/unplanned"}},
	{name: "03.3-33 pass^k is what enumeration gives", test: func(t *testing.T) {
		for n := 1; n <= 6; n++ {
			for c := 0; c <= n; c++ {
				for k := 1; k <= n; k++ {
					var all, some, draws int
					for set := range 1 << n {
						size, passed := 0, 0
						for i := range n {
							if set>>i&1 == 1 {
								size++
								if i < c {
									passed++
								}
							}
						}
						if size != k {
							continue
						}
						draws++
						if passed == k {
							all++
						}
						if passed > 0 {
							some++
						}
					}
					r := ratesOf(t, shots{"core/a": hits(c, n)}, k).Overall
					near(t, float64(all)/float64(draws), r.PassPowK.Value, 1e-12, fmt.Sprint("pass^", k, " of ", c, "/", n))
					near(t, float64(some)/float64(draws), r.PassAtK.Value, 1e-12, fmt.Sprint("pass@", k, " of ", c, "/", n))
				}
			}
		}
	}},
	{name: "03.3-34 attempts that vary leave the rate open", covered: []string{"results/noise_test.go TestNoiseWithinTheAttempts", "results/rates_test.go TestRatesByCase"}, test: func(t *testing.T) {
		r := ratesOf(t, flat(10, 2, 4), 0).Overall.PassAt1
		near(t, 0.5, r.Value, 0, "of every unit alike")
		require.Greater(t, float64(r.Hi-r.Lo), 0.3)
		row := compared(t, shotArm(t, "a", flat(10, 2, 4)), shotArm(t, "b", flat(10, 2, 4)), CompareOptions{}).Overall
		require.Less(t, float64(row.Lo), -0.01)
		require.Greater(t, float64(row.Hi), 0.01)
	}},
	{name: "03.3-34b the number of attempts changes no rule", test: func(t *testing.T) {
		for k := 1; k <= 5; k++ {
			of := shots{"core/a": hits(k, k), "core/b": hits(k-1, k)}
			row, _ := gateOf(t, shotArm(t, "a", of), Need{Overall, 0.5})
			require.Equal(t, []int{1, 1}, []int{row.Passed, row.Failed}, "all attempts must pass, of %d", k)
			require.Equal(t, k, ratesOf(t, of, 0).K, "and it is said how many there are")
		}
	}},
	{name: "03.3-35 one case that turns is neither a regression nor an improvement", covered: []string{"internal/calibrate/calibrate_test.go TestStatisticsHoldAgainstTheTruth"}, test: func(t *testing.T) {
		zero, one := flat(12, 1, 1), flat(12, 1, 1)
		zero["core/t003"] = hits(0, 1)
		for _, arms := range [][2]shots{{zero, one}, {one, zero}} {
			c := compared(t, shotArm(t, "a", arms[0]), shotArm(t, "b", arms[1]), CompareOptions{})
			require.Equal(t, NoDifference, c.Overall.Verdict)
			require.Empty(t, c.Regressions)
		}
	}},

	{name: "03.4-36 repeats are never one answer several times", covered: []string{"internal/e2e/replay_test.go TestReplayKeepsRepeatsApart", "internal/gateway/recording_test.go TestRecordingOfARepeatedRequest"}},
	{name: "03.4-37 requests that are alike are kept apart", covered: []string{"internal/gateway/recording_test.go TestRecordingOfARepeatedRequest", "internal/journal/writer_test.go TestAppend"}},
	{name: "03.4-38 answers that are given again are no scores, and a difference is told", covered: []string{"results/board_publish_test.go TestPublishRefuses/replayed", "results/board_publish_test.go TestPublishRefuses/replay", "internal/e2e/replay_test.go TestReplayDiverges"}},
	{name: "03.4-39 attempts that disagree are seen", covered: []string{"internal/cli/show_test.go TestShow", "results/noise_test.go TestNoiseCountsFlips"}, test: func(t *testing.T) {
		r := shotRun("a", shots{"core/a": hits(1, 3), "core/b": hits(3, 3)})
		require.Equal(t, 1, r.Totals()[0].Split)
		require.Equal(t, 1, r.Signals()[0].Split)
	}},

	{name: "03.5-40 equal calls are counted one by one", covered: []string{"behavior/expect/words_test.go TestWords", "behavior/rehearse_test.go TestKillRateCountsParts"}},
	{name: "03.5-42 every verdict has its reason", covered: []string{"behavior/judge_test.go TestBySignals", "results/gate_test.go TestGate/nothing measured"}, test: func(t *testing.T) {
		c := compared(t, shotArm(t, "a", flat(3, 0, 3)), shotArm(t, "b", flat(3, 3, 3)), CompareOptions{Guards: []string{Overall}})
		require.NotEmpty(t, c.Overall.Cause)
		require.NotEmpty(t, c.Guards[0].Why)
	}},
	{name: "03.6-48 waiting for the model is not the agent's time", covered: []string{"behavior/attempt_test.go TestWaitingForTheModelIsNotTheAgentsTime"}},
	{name: "03.6-53 a number that means nothing is refused", covered: []string{"behavior/flags_test.go TestSettingsRefuse/-repeat=0"}},

	{name: "03.7-56 one play decides a slot, however often it is on record", covered: []string{"internal/e2e/resume_test.go TestResumeNeverDuplicates/peers 56: one line for each slot"}, test: func(t *testing.T) {
		r := shotRun("a", flat(4, 1, 2))
		r.Attempts = append(r.Attempts, r.Attempts...)
		arm := armOf(t, r).Summary()
		require.Equal(t, []int{8, 8, 8}, []int{arm.Slots, arm.Attempts, arm.Rerolls})
		_, err := NewArm("a", []*Run{r, r}, "")
		require.ErrorContains(t, err, "run a is in it twice")
	}},
	{name: "03.7-57 the record on disk comes first", covered: []string{"internal/journal/crash_test.go TestAKilledRunLosesNothingThatHadFinished", "internal/e2e/record_test.go TestRunThatCannotRecordStops"}},
	{name: "03.7-58 nothing is replaced before what follows is whole", covered: []string{
		"internal/e2e/resume_test.go TestResumeNeverDuplicates/peers 58: a part of it is played, and nothing is replaced", "internal/e2e/resume_test.go TestKilledRunIsGoneOnWith", "internal/journal/rejoin_test.go TestResumeIsInOneHandAtATime"}},
	{name: "03.7-59 a record is gone on with slot by slot, and only as it was planned", covered: []string{
		"internal/e2e/resume_test.go TestResumeNeverDuplicates/peers 59: a plan of another size is refused", "behavior/resume_test.go TestResumeRefusesWhatChanged", "behavior/resume_test.go TestResumeFindsItsSlots"}},
	{name: "03.7-60 judging again writes nothing", covered: []string{"internal/e2e/replay_test.go TestRegradeListsTheFlips"}},
	{name: "03.7-61 judging twice says the same", covered: []string{"behavior/expect/total_test.go TestEveryWordIsTotalAndPure", "behavior/expect/total_test.go TestAnAuthorsFunctionCannotReach"}},
	{name: "03.7-62 a file is replaced as a whole or not at all", covered: []string{"results/board_files_test.go TestKilledWriter", "results/board_files_test.go TestDamagedEntryIsLeftAlone", "results/baseline_test.go TestBaseline"}},
	{name: "03.7-63 the second time there is nothing to play", covered: []string{"internal/e2e/resume_test.go TestResumeNeverDuplicates/peers 63: the second time there is nothing to play"}},
	{name: "03.7-64 what cannot be shown is on record all the same", covered: []string{"internal/board/board_test.go TestPublishSaysWhyNot", "internal/journal/writer_test.go TestEvidenceSurvivesWhatTextCannot"}},
	{name: "03.7-65 what was lost can be played alone, and a part decides what it can", covered: []string{"internal/e2e/resume_test.go TestResumeNeverDuplicates/peers 65: what is not played under a budget stays open"},
		test: func(t *testing.T) {
			// 297 of 300 are enough for a need of 0.95, whatever the three would have been.
			row, decision := gateOf(t, shotArm(t, "a", lostOf(300, 3, Void)), Need{"tool-chain", 0.95})
			require.Equal(t, DecisionPass, decision)
			require.Len(t, row.Unmeasured, 3, "which are listed")
			_, decision = gateOf(t, shotArm(t, "a", lostOf(300, 3, Void)), Need{"tool-chain", 1})
			require.Equal(t, DecisionOpen, decision)
		}},

	{name: "03.8-69 a token is billed once", covered: []string{"internal/gateway/session_test.go TestUsage", "internal/gateway/live_test.go TestLiveCountsWhatIsSpentAndPauses"}},
	{name: "03.9-79 doing nothing earns nothing", covered: []string{"behavior/rehearse_test.go TestRehearsalRefusesBrokenCases/silence earns", "internal/e2e/models_test.go TestLazyModelFailsEverything"}},
	{name: "03.9-80 a check that anything passes is refused", covered: []string{"behavior/rehearse_test.go TestRehearsalRefusesBrokenCases/a part never bites", "behavior/rehearse_test.go TestRehearsalRefusesBrokenCases/prose passes"}},
	{name: "03.9-82b a fail is not asked again, and neither is a pass", covered: []string{"results/slots_test.go TestSlots/a fail cannot be rolled again", "results/slots_test.go TestSlots/nor a pass", "results/slots_test.go TestRerollNeverDecides"}},
	{name: "03.9-82c a field that is missing is no pass", test: func(t *testing.T) {
		of := every(6, func(int) []shot { return []shot{{outcome: Pass, signals: map[string]string{"tool-chain": ""}}} })
		row, decision := gateOf(t, shotArm(t, "a", of), Need{"tool-chain", 0})
		require.Equal(t, DecisionOpen, decision)
		require.Equal(t, []int{0, 6}, []int{row.Passed, row.NA})
	}},
	{name: "03.9-82d a part that never ran is missed", covered: []string{"results/slots_test.go TestMissing", "internal/cli/run_test.go TestRun/run-package", "results/board_merge_test.go TestOnePackageIsUnfinished"}},
	{name: "03.9-82 a judge contradicts its own evidence", never: "no model judges: a verdict is a function of the evidence, and the same at every reading"},
	{name: "03.9-83 a record of a later version is said and left out", covered: []string{"results/load_test.go TestLoadSaysWhatItCannotRead", "results/load_test.go TestKeptSamples"}},
}
