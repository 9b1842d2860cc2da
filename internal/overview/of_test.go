package overview

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gotest.tools/v3/golden"

	"github.com/deeds-evals/deeds/results"
)

var began = time.Date(2026, 11, 29, 22, 43, 1, 0, time.UTC)

// A builder makes a run by hand.
type builder struct{ run results.Run }

func (b *builder) plan(p results.Plan) *results.Plan {
	b.run.Plans = append(b.run.Plans, p)
	return &b.run.Plans[len(b.run.Plans)-1]
}

// play plays a slot: change says what it came to.
func (b *builder) play(s results.Slot, outcome string, change func(*results.Attempt)) {
	a := results.Attempt{
		Schema: 1, Slot: s, Play: 1, Outcome: outcome, End: "done", Turns: 2, DurationMS: 1000,
		Started: began.Add(time.Duration(len(b.run.Attempts)) * time.Second),
		Signals: map[string]string{"tool-chain": outcome},
		Usage:   results.Usage{Prompt: 100, Completion: 10},
	}
	if outcome == results.Void {
		a.Signals = nil
	}
	if change != nil {
		change(&a)
	}
	b.run.Attempts = append(b.run.Attempts, a)
}

func slot(id, model string, n int) results.Slot {
	return results.Slot{Case: id, Model: model, Agent: "builtin", Attempt: n}
}

// mixed is a run with something of everything: two models, a split, a failing unit, a
// void one, holes, rerolls, costs that are known and not, and text that is not friendly.
func mixed() (results.RunInfo, *results.Run) {
	b := &builder{}
	cost := 0.004
	p := b.plan(results.Plan{
		Schema: 1, Package: "core", Dir: "evals/core", Kind: results.Live, Commit: "0123456789abcdef", Dirty: true,
		Settings: results.Settings{Models: []string{"m", "it's"}, Agent: "builtin", Repeat: 3},
		Suite:    []results.SuiteCase{{Case: "core/good"}, {Case: "chain/never"}},
		Signals:  map[string][]string{"core/good": {"tool-chain"}, "core/split": {"tool-chain"}, "core/bad": {"tool-chain"}, "core/void": {"tool-chain"}, "core/hole": {"tool-chain"}, "core/na": {"tool-chain"}},
	})
	for _, id := range []string{"core/good", "core/split", "core/bad", "core/void", "core/hole", "core/na"} {
		for n := 1; n <= 3; n++ {
			s := slot(id, "m", n)
			if id == "core/split" {
				s.World, s.Variant = "big one", "v1"
			}
			p.Slots = append(p.Slots, s)
			switch {
			case id == "core/split" && n == 2:
				b.play(s, results.Fail, func(a *results.Attempt) { a.Usage.Cost = &cost; a.DurationMS = 90_000; a.Turns = 9 })
				b.play(s, results.Pass, func(a *results.Attempt) { a.Play = 2; a.Reroll = true })
			case id == "core/bad":
				b.play(s, results.Fail, func(a *results.Attempt) {
					a.Signals["filesystem-safety\x1b[31m"] = results.Fail
					if n == 3 {
						a.Reason, a.End = "limit-turns", "limit-turns"
					}
				})
			case id == "core/void" && n == 3:
				b.play(s, results.Void, func(a *results.Attempt) { a.Reason = "provider"; a.Usage = results.Usage{Unreported: 1} })
			case id == "core/hole" && n > 1:
			case id == "core/na":
				b.play(s, results.Pass, func(a *results.Attempt) {
					a.Signals["tool-chain"] = results.NA
					a.Verdicts = []results.Verdict{{Signal: "tool-chain", Name: "gives up in time", Outcome: results.NA, Conditional: true}}
				})
			default:
				b.play(s, results.Pass, nil)
			}
		}
	}
	s := slot("core/good", "it's", 1)
	p.Slots = append(p.Slots, s)
	b.play(s, results.Fail, nil)
	b.run.ID, b.run.Dir = "20261129T224301Z-3f9c1a", "results/runs/20261129T224301Z-3f9c1a"
	b.run.Stopped = &results.Stop{Reason: "the budget of $2.00 is spent"}
	b.run.Torn = 2
	b.run.Problems = []string{"plan-x.json is no plan"}
	return results.RunInfo{ID: b.run.ID, Dir: b.run.Dir, Created: began}, &b.run
}

func TestOf(t *testing.T) {
	t.Parallel()
	info, run := mixed()
	o := Of(info, run)
	require.Equal(t, results.Live, o.Kind)
	require.Equal(t, "0123456789abcdef", o.Commit)
	require.True(t, o.Dirty)
	require.Equal(t, []string{"chain"}, o.Missing)
	require.Len(t, o.Arms, 2)
	m := o.Arms[0]
	require.Equal(t, "m", m.Model)

	names := func(units []Unit) (all []string) {
		for _, u := range units {
			all = append(all, u.name())
		}
		return all
	}
	require.Equal(t, []string{"core/bad"}, names(m.Failing))
	require.Equal(t, []string{"core/split/big one/v1"}, names(m.Splits))
	require.Equal(t, []string{"core/void"}, names(m.Voided), "a unit with holes alone is not void")
	require.Equal(t, []string{"pass", "fail", "pass"}, m.Splits[0].Outcomes, "a reroll never counts")
	require.Equal(t, []string{"filesystem-safety\x1b[31m", "tool-chain"}, m.Failing[0].Signals)
	require.Equal(t, []string{"limit-turns"}, m.Failing[0].Reasons)
	require.Equal(t, []string{"provider"}, m.Voided[0].Reasons)
	require.Equal(t, "deeds show 20261129T224301Z-3f9c1a core/split --world 'big one' --variant v1 --model m", m.Splits[0].Show)

	require.Equal(t, 17, m.Plays)
	require.Equal(t, 16*100, m.PromptTokens)
	require.Equal(t, 16*10, m.CompletionTokens)
	require.Equal(t, 1, m.TokensUnknown)
	require.InDelta(t, 0.004, *m.Cost, 1e-12)
	require.Equal(t, 16, m.CostUnknown)
	require.Nil(t, o.Arms[1].Cost)

	require.Equal(t, 15, m.TimeMS.N, "void plays and rerolls took no typical time")
	require.EqualValues(t, 1000, m.TimeMS.P50)
	require.Len(t, m.Slowest, Notable)
	require.Equal(t, "core/split/big one/v1/2", m.Slowest[0].Name())
	require.Equal(t, "core/good/1", m.Slowest[1].Name(), "equal ones stand in the order of the run")
	require.Equal(t, "core/split/big one/v1/2", m.Dearest[0].Name())
	require.Len(t, m.Dearest, 1, "the others have no cost")
	require.Len(t, o.Arms[1].Dearest, 1, "by tokens where no cost is known")

	// 1 of the 3 units that were measured: good passed, split and bad failed.
	s := m.Signals[1]
	require.Equal(t, "tool-chain", s.Signal)
	require.Equal(t, 6, s.Units)
	require.Equal(t, []int{1, 2, 1, 2}, []int{s.Passed, s.Failed, s.NA, s.NotMeasured})
	require.InDelta(t, 0.0084, float64(s.Lo), 1e-3)
	require.InDelta(t, 0.9057, float64(s.Hi), 1e-3)

	require.InDelta(t, 90_000+4_000, o.TookMS, 1, "the slow one began at 4 s, and ended last")
	require.Equal(t, "deeds run -resume=20261129T224301Z-3f9c1a", o.Next)
}

func TestNext(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		what, want string
		units      []string // the outcomes of the attempts of each: pass, fail, void for a reason, - for none
		kind       string
	}{
		{"all is well", "deeds show r", []string{"pass", "pass"}, results.Live},
		{"a failure before a void", "deeds show r core/1", []string{"grader", "fail"}, results.Live},
		{"a void", "deeds show r core/0", []string{"grader", "pass"}, results.Live},
		{"a void of no reason", "deeds show r core/1", []string{"pass", "void"}, results.Live},
		{"a hole", "deeds run -resume=r", []string{"fail", "-"}, results.Live},
		{"a hole in a replay", "deeds show r core/0", []string{"fail", "-"}, results.Replayed},
		{"interrupted", "deeds run -resume=r", []string{"fail", "pass stopped"}, results.Live},
		{"the endpoint", "deeds run -resume=r", []string{"provider"}, results.Simulated},
		{"the machine", "deeds run -resume=r", []string{"sandbox"}, results.Live},
		{"the agent's own code", "deeds run -resume=r", []string{"harness"}, results.Live},
		{"the endpoint, in a replay", "deeds show r core/0", []string{"provider"}, results.Replayed},
		{"what another play does not mend", "deeds show r core/1", []string{"pass", "fixture", "unsupported"}, results.Live},
		{"the worst first", "deeds show r core/2", []string{"pass", "pass fail", "fail fail", "fail fail"}, results.Live},
		{"the worst there is", "deeds show r core/1", []string{"pass", "pass fail", "fail pass"}, results.Live},
	} {
		b := &builder{}
		p := b.plan(results.Plan{Kind: tt.kind})
		for i, outcomes := range tt.units {
			for n, outcome := range strings.Fields(outcomes) {
				s := slot(fmt.Sprintf("core/%d", i), "m", n+1)
				p.Slots = append(p.Slots, s)
				switch outcome {
				case "-":
				case results.Pass, results.Fail, results.Void:
					b.play(s, outcome, nil)
				default:
					b.play(s, results.Void, func(a *results.Attempt) { a.Reason = outcome })
				}
			}
		}
		require.Equal(t, tt.want, Of(results.RunInfo{ID: "r"}, &b.run).Next, tt.what)
	}
}

// Nothing is an overview too, and every list in its JSON a list.
func TestNothing(t *testing.T) {
	t.Parallel()
	o := Of(results.RunInfo{ID: "r"}, &results.Run{})
	data, err := json.Marshal(o)
	require.NoError(t, err)
	require.Contains(t, string(data), `"arms":[]`)
	require.Contains(t, string(data), `"missing":[]`)
	require.Contains(t, string(data), `"models":[]`)
	require.Zero(t, o.TookMS)
	var b bytes.Buffer
	require.NoError(t, o.Text(&b, Style{}))
	require.Equal(t, "run r  unknown\n\nnext       deeds show r\n", b.String())
}

func TestJSON(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	require.NoError(t, e.Encode(Of(mixed())))
	require.NotContains(t, b.String(), "null")
	golden.Assert(t, b.String(), "mixed.json.golden")
}
