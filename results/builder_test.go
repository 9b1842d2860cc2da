package results

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The tests of the analysis write their records by hand, with the helpers here.

// A shot is one slot of a unit: how its only play ended, and what was found. The
// outcome NotRun is a slot without a play.
type shot struct {
	outcome string
	signals map[string]string
	markers map[string]string
	edit    func(*Attempt)
}

// hit passes, or fails, with a signal to match.
func hit(passed bool) shot {
	o := Fail
	if passed {
		o = Pass
	}
	return shot{outcome: o, signals: map[string]string{"tool-chain": o}}
}

// hits are n shots, of which the first ones passed.
func hits(passed, n int) []shot {
	all := make([]shot, n)
	for i := range all {
		all[i] = hit(i < passed)
	}
	return all
}

// marked are n shots that passed, with a marker that held in the first ones.
func marked(name string, held, n int) []shot {
	all := make([]shot, n)
	for i := range all {
		all[i] = hit(true)
		all[i].markers = map[string]string{name: Fail}
		if i < held {
			all[i].markers[name] = Pass
		}
	}
	return all
}

// shots are the slots of each unit: "core/a", "core/a|world", "core/a|world|variant".
type shots map[string][]shot

// every has the same slots in n units, each a case of its own.
func every(n int, each func(unit int) []shot) shots {
	all := make(shots, n)
	for i := range n {
		all[fmt.Sprintf("core/t%03d", i)] = each(i)
	}
	return all
}

// shotRun is the record of one run of the model "m".
func shotRun(id string, of shots) *Run { return modelRun(id, "m", of) }

func modelRun(id, model string, of shots) *Run {
	r := &Run{ID: id}
	p := Plan{Schema: Schema, Run: id, Package: "core", Kind: "live", Signals: map[string][]string{}, Settings: Settings{Models: []string{model}, Agent: "builtin", Repeat: 3}}
	for _, unit := range slices.Sorted(maps.Keys(of)) {
		parts := append(strings.Split(unit, "|"), "", "")
		for i, s := range of[unit] {
			slot := Slot{Case: parts[0], World: parts[1], Variant: parts[2], Model: model, Agent: "builtin", Attempt: i + 1}
			p.Slots = append(p.Slots, slot)
			for name := range s.signals {
				if !slices.Contains(p.Signals[slot.Case], name) {
					p.Signals[slot.Case] = append(p.Signals[slot.Case], name)
				}
			}
			if s.outcome == NotRun {
				continue
			}
			a := Attempt{
				Schema: Schema, Run: id, Slot: slot, Play: 1, Outcome: s.outcome, End: "stop", Signals: s.signals, Turns: 1, Usage: Usage{Prompt: 10, Completion: 5},
				Digests: Digests{Case: "c1", Grader: "g1"}, Started: time.Unix(int64(len(r.Attempts)), 0).UTC(),
			}
			for _, name := range slices.Sorted(maps.Keys(s.markers)) {
				outcome, conditional := strings.CutPrefix(s.markers[name], "?")
				a.Verdicts = append(a.Verdicts, Verdict{Signal: "tool-chain", Name: name, Outcome: outcome, Marker: true, Conditional: conditional})
			}
			if s.edit != nil {
				s.edit(&a)
			}
			r.Attempts = append(r.Attempts, a)
		}
	}
	r.Plans = []Plan{p}
	return r
}

// armOf makes an arm of the model "m", named for its first run.
func armOf(t testing.TB, runs ...*Run) Arm {
	t.Helper()
	a, err := NewArm(runs[0].ID, runs, "")
	require.NoError(t, err)
	return a
}

// shotArm makes an arm of one run.
func shotArm(t testing.TB, id string, of shots) Arm {
	t.Helper()
	return armOf(t, shotRun(id, of))
}

// compared compares two arms.
func compared(t testing.TB, base, candidate Arm, o CompareOptions) *Comparison {
	t.Helper()
	c, err := Compare(base, candidate, o)
	require.NoError(t, err)
	return c
}

// flat has n units of k attempts, passed of which pass.
func flat(n, passed, k int) shots { return every(n, func(int) []shot { return hits(passed, k) }) }

// rowOf finds a row by its name.
func rowOf(t testing.TB, rows []Row, name string) Row {
	t.Helper()
	for _, r := range rows {
		if r.Name == name {
			return r
		}
	}
	require.Failf(t, "no such row", "%s", name)
	return Row{}
}
