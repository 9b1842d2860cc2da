package results

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// records makes a run of one unit, of the outcomes of its plays by attempt.
func record(planned int, plays ...Attempt) *Run {
	r := &Run{}
	p := Plan{Package: "core", Kind: "live", Signals: map[string][]string{"core/a": {"tool-chain"}}}
	for n := 1; n <= planned; n++ {
		p.Slots = append(p.Slots, Slot{Case: "core/a", Model: "m", Agent: "builtin", Attempt: n})
	}
	if planned > 0 {
		r.Plans = append(r.Plans, p)
	}
	for i, a := range plays {
		a.Slot = Slot{Case: "core/a", Model: "m", Agent: "builtin", Attempt: a.Attempt}
		a.Started = time.Unix(int64(i), 0)
		r.Attempts = append(r.Attempts, a)
	}
	return r
}

// played is a play with an outcome, the same for its signal unless it is void.
func played(attempt int, outcome string) Attempt {
	a := Attempt{Slot: Slot{Attempt: attempt}, Outcome: outcome}
	switch outcome {
	case Pass, Fail:
		a.Signals = map[string]string{"tool-chain": outcome}
	case Void:
		a.Reason = "provider"
	}
	return a
}

func TestSlots(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name           string
		plays          []string
		want           string
		voids, rerolls int
	}{
		{"never played", nil, NotRun, 0, 0},
		{"pass", []string{Pass}, Pass, 0, 0},
		{"fail", []string{Fail}, Fail, 0, 0},
		{"void", []string{Void}, Void, 1, 0},
		{"void thrice", []string{Void, Void, Void}, Void, 3, 0},
		{"void, then pass", []string{Void, Pass}, Pass, 1, 0},
		{"void, then fail", []string{Void, Void, Fail}, Fail, 2, 0},
		{"a fail cannot be rolled again", []string{Fail, Pass}, Fail, 0, 1},
		{"nor a pass", []string{Pass, Fail, Fail}, Pass, 0, 2},
		{"a void after a pass is a reroll", []string{Pass, Void}, Pass, 0, 1},
		{"an unknown outcome proves nothing", []string{"great"}, Void, 1, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var plays []Attempt
			for _, o := range tt.plays {
				plays = append(plays, played(1, o))
			}
			slots := record(1, plays...).Slots()
			require.Len(t, slots, 1)
			s := slots[0]
			require.Equal(t, tt.want, s.Outcome)
			require.Equal(t, tt.voids, s.Voids)
			require.Equal(t, tt.rerolls, s.Rerolls)
			require.Len(t, s.Plays, len(tt.plays))
			require.False(t, s.Unplanned)
			require.Equal(t, tt.plays == nil, s.Decided == nil)
		})
	}
}

// What is marked as a reroll was played after a pass or fail. It never decides,
// not even where that one was lost, or comes later by the clock.
func TestRerollNeverDecides(t *testing.T) {
	t.Parallel()
	reroll := played(1, Pass)
	reroll.Reroll = true
	s := record(1, reroll, played(1, Fail)).Slots()[0]
	require.Equal(t, Fail, s.Outcome)
	require.Equal(t, 1, s.Rerolls)

	r := record(1, reroll)
	s = r.Slots()[0]
	require.Equal(t, Void, s.Outcome)
	require.Equal(t, 1, s.Rerolls)
	require.Zero(t, s.Voids)
	require.Equal(t, 1, r.Totals()[0].NotMeasured)
}

func TestSlotsCountWhatWasNotPlanned(t *testing.T) {
	t.Parallel()
	slots := record(1, played(1, Pass), played(2, Fail)).Slots()
	require.Len(t, slots, 2)
	require.False(t, slots[0].Unplanned)
	require.True(t, slots[1].Unplanned)
}

func TestSlotsOfSeveralPlansAreUnited(t *testing.T) {
	t.Parallel()
	r := record(2)
	r.Plans = append(r.Plans, record(3).Plans...)
	require.Len(t, r.Slots(), 3)
}

func TestUnits(t *testing.T) {
	t.Parallel()
	cut := played(1, Fail)
	cut.Signals = nil // by a limit, before anything could be judged
	mute := played(1, Pass)
	mute.Signals = nil
	na := played(2, Pass)
	na.Signals = map[string]string{"tool-chain": NA}
	other := played(1, Fail)
	other.Signals = map[string]string{"tool-chain": Pass, "plan-safety": Fail}
	for _, tt := range []struct {
		name         string
		planned      int
		plays        []Attempt
		unit, signal string
		split        bool
	}{
		{"all pass", 2, []Attempt{played(1, Pass), played(2, Pass)}, Pass, Pass, false},
		{"all fail", 2, []Attempt{played(1, Fail), played(2, Fail)}, Fail, Fail, false},
		{"two of three is a fail", 3, []Attempt{played(1, Pass), played(2, Fail), played(3, Pass)}, Fail, Fail, true},
		{"a void left", 2, []Attempt{played(1, Pass), played(2, Void)}, Void, Void, false},
		{"a void beside a fail", 2, []Attempt{played(1, Fail), played(2, Void)}, Void, Void, false},
		{"a hole", 2, []Attempt{played(1, Pass)}, Void, Void, false},
		{"all holes", 2, nil, Void, Void, false},
		{"a void that was played again", 1, []Attempt{played(1, Void), played(1, Pass)}, Pass, Pass, false},
		{"cut short", 1, []Attempt{cut}, Fail, Fail, false},
		{"a pass without a word", 1, []Attempt{mute}, Pass, NA, false},
		{"nothing to judge in one", 2, []Attempt{played(1, Pass), na}, Pass, NA, false},
		{"nothing to judge beside a fail", 2, []Attempt{played(1, Fail), na}, Fail, Fail, true},
		{"the fault of another signal", 1, []Attempt{other}, Fail, Pass, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			units := record(tt.planned, tt.plays...).Units()
			require.Len(t, units, 1)
			require.Equal(t, tt.unit, units[0].Outcome())
			require.Equal(t, tt.signal, units[0].Signals["tool-chain"].Outcome())
			require.Equal(t, tt.split, units[0].Split())
		})
	}
	units := record(1, other).Units()
	require.Equal(t, Fail, units[0].Signals["plan-safety"].Outcome(), "a signal that only the attempt has")
}

func TestTotals(t *testing.T) {
	t.Parallel()
	r := record(4, played(1, Pass), played(2, Fail), played(3, Void), played(3, Void), played(1, Fail))
	require.Equal(t, []Totals{{
		Model: "m", Agent: "builtin",
		Units: 1, NotMeasured: 1,
		Slots: 4, Pass: 1, Fail: 1, Void: 1, NotRun: 1,
		Rerolls: 1, Plays: 5, Reasons: map[string]int{"provider": 1},
	}}, r.Totals())
	require.Equal(t, []SignalTotal{{
		Model: "m", Agent: "builtin", Signal: "tool-chain", Units: 1, NotMeasured: 1, Attempts: 2,
	}}, r.Signals())
	require.Empty(t, (&Run{}).Totals())
	require.Empty(t, (&Run{}).Signals())
}

func TestSignalTotalsAddUp(t *testing.T) {
	t.Parallel()
	r := record(1, played(1, Pass))
	for i, o := range []string{Fail, Void, NA} {
		s := Slot{Case: "core/" + string(rune('b'+i)), Model: "m", Agent: "builtin", Attempt: 1}
		r.Plans[0].Slots = append(r.Plans[0].Slots, s)
		r.Plans[0].Signals[s.Case] = []string{"tool-chain"}
		a := Attempt{Slot: s, Outcome: o, Signals: map[string]string{"tool-chain": o}}
		if o == NA {
			a.Outcome = Pass
		}
		r.Attempts = append(r.Attempts, a)
	}
	require.Equal(t, []SignalTotal{{
		Model: "m", Agent: "builtin", Signal: "tool-chain",
		Units: 4, Passed: 1, Failed: 1, NA: 1, NotMeasured: 1, Attempts: 3,
	}}, r.Signals())
}

func TestMissing(t *testing.T) {
	t.Parallel()
	r := record(1)
	r.Plans[0].Suite = []SuiteCase{{Case: "core/a"}, {Case: "core/b"}, {Case: "chain/a"}, {Case: "chain/b"}, {Case: "later/x"}}
	require.Equal(t, []string{"chain", "later"}, r.Missing())
	r.Plans = append(r.Plans, Plan{Package: "chain"})
	require.Equal(t, []string{"later"}, r.Missing())
	require.Empty(t, (&Run{}).Missing())
}

func TestKindAndModels(t *testing.T) {
	t.Parallel()
	r := record(1)
	require.Equal(t, "live", r.Kind())
	r.Plans = append(r.Plans, Plan{Kind: "simulated", Settings: Settings{Models: []string{"n", "m"}}})
	require.Equal(t, "simulated", r.Kind())
	require.Equal(t, []string{"m", "n"}, r.Models())
	require.Empty(t, (&Run{}).Kind())
}

// A signal that only one world asks for is none of the other's, however that one ends.
func TestSignalsOfAWorld(t *testing.T) {
	t.Parallel()
	slot := func(world string) Slot {
		return Slot{Case: "core/a", World: world, Model: "m", Agent: "builtin", Attempt: 1}
	}
	r := &Run{
		Plans: []Plan{{
			Package: "core", Slots: []Slot{slot("alive"), slot("dead")},
			Signals:      map[string][]string{"core/a": {"mcp-discovery", "tool-chain"}},
			WorldSignals: map[string]map[string][]string{"core/a": {"dead": {"tool-chain"}}},
		}},
		Attempts: []Attempt{
			{Slot: slot("alive"), Play: 1, Outcome: Fail, Reason: "limit-turns", Signals: map[string]string{"tool-chain": Fail}},
			{Slot: slot("dead"), Play: 1, Outcome: Fail, Signals: map[string]string{"tool-chain": Fail}},
		},
	}
	for _, s := range r.Signals() {
		require.Equal(t, map[string]int{"mcp-discovery": 1, "tool-chain": 2}[s.Signal], s.Units, s.Signal)
		require.Equal(t, s.Units, s.Failed, s.Signal)
	}
	a, err := NewArm("a", []*Run{r}, "")
	require.NoError(t, err)
	g, err := Gate(a, []Need{{"mcp-discovery", 1}}, GateOptions{})
	require.NoError(t, err)
	require.Equal(t, 1, g.Signals[0].Total)
}
