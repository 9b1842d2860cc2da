package sim

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/results"
)

func slot(i int) results.Slot {
	return results.Slot{Case: "chain/refund", World: "big", Variant: fmt.Sprint("v", i/4), Attempt: i%4 + 1}
}

// word spells what a model makes of the first slots.
func word(m Model, seed int64, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteByte("-+"[map[bool]int{true: 1}[m.Passes(seed, slot(i))]])
	}
	return b.String()
}

// The streams are pinned: a resumed run, a committed table and a colleague must draw
// what was drawn before.
func TestStreamsArePinned(t *testing.T) {
	t.Parallel()
	m := parse(t, "sim:0.5")
	require.Equal(t, "+-+++---+---+-++---+++-++----+-+-+++-+++", word(m, 7, 40))
	require.Equal(t, "++-+-+-++-+-+---+-++++-+++------------++", word(m, 8, 40))
	require.Equal(t, "++-+++--++-+--+---+-+-+-+-----+--+-++-++", word(parse(t, "sim:0.50"), 7, 40), "another spelling is another model")
	var chosen []int
	for i := range 16 {
		chosen = append(chosen, m.Choose(7, slot(i), 5))
	}
	require.Equal(t, []int{1, 3, 2, 0, 3, 1, 3, 4, 1, 1, 2, 1, 3, 1, 4, 3}, chosen)
	require.InDelta(t, 0.376509968763, parse(t, "sim:0..1").Rate(slot(0).Unit()), 1e-12)
	require.EqualValues(t, 533050730310, SeedOf("20260101T000000Z-abcdef"))
}

// correlation of the outcomes of two streams over n slots.
func correlation(n int, a, b func(i int) bool) float64 {
	var both, as, bs float64
	for i := range n {
		x, y := a(i), b(i)
		if x {
			as++
		}
		if y {
			bs++
		}
		if x && y {
			both++
		}
	}
	pa, pb := as/float64(n), bs/float64(n)
	return (both/float64(n) - pa*pb) / math.Sqrt(pa*(1-pa)*pb*(1-pb))
}

func TestStreamsAreIndependent(t *testing.T) {
	t.Parallel()
	const n = 20_000
	bound := 4 / math.Sqrt(n)
	m, other := parse(t, "sim:0.3"), parse(t, "sim:0.30")
	draws := func(m Model, seed int64, change func(*results.Slot)) func(int) bool {
		return func(i int) bool {
			s := slot(i)
			if change != nil {
				change(&s)
			}
			return m.Passes(seed, s)
		}
	}
	base := draws(m, 1, nil)
	require.InDelta(t, 1, correlation(n, base, draws(m, 1, func(s *results.Slot) { s.Model, s.Agent = "x", "y" })), 1e-9, "only the unit and the attempt count")
	for name, stream := range map[string]func(int) bool{
		"another seed":    draws(m, 2, nil),
		"a negative seed": draws(m, -1, nil),
		"another model":   draws(other, 1, nil),
		"another case":    draws(m, 1, func(s *results.Slot) { s.Case = "chain/other" }),
		"another world":   draws(m, 1, func(s *results.Slot) { s.World = "small" }),
		"another variant": draws(m, 1, func(s *results.Slot) { s.Variant += "x" }),
		"another attempt": draws(m, 1, func(s *results.Slot) { s.Attempt += 4 }),
		"the next slot":   func(i int) bool { return m.Passes(1, slot(i+1)) },
		"another purpose": func(i int) bool { return m.Choose(1, slot(i), 2) == 1 },
		"shifted words":   draws(m, 1, func(s *results.Slot) { s.World, s.Variant = "", s.World+s.Variant }),
	} {
		require.InDelta(t, 0, correlation(n, base, stream), bound, name)
	}
}

func TestRatesAreRealised(t *testing.T) {
	t.Parallel()
	const n = 40_000
	for _, rate := range []float64{0, 0.05, 0.3, 0.8, 1} {
		m := parse(t, fmt.Sprint("sim:", rate))
		passed := 0
		for i := range n {
			if m.Passes(3, slot(i)) {
				passed++
			}
		}
		require.InDelta(t, rate, float64(passed)/n, 4*math.Sqrt(rate*(1-rate)/n), "%g", rate)
	}
}

func TestChooseIsEven(t *testing.T) {
	t.Parallel()
	m := parse(t, "sim:0.3")
	const n, ways = 30_000, 3
	var count [ways]int
	for i := range n {
		count[m.Choose(5, slot(i), ways)]++
	}
	for _, c := range count {
		require.InDelta(t, 1.0/ways, float64(c)/n, 4*math.Sqrt(2.0/9/n))
	}
	require.Zero(t, m.Choose(5, slot(0), 1))
	require.Zero(t, m.Choose(5, slot(0), 0))
}

func TestSeedOfARun(t *testing.T) {
	t.Parallel()
	seen := make(map[int64]bool)
	for i := range 1000 {
		seed := SeedOf(fmt.Sprint("run-", i))
		require.False(t, seen[seed])
		require.True(t, seed >= 0 && seed < 1e12)
		seen[seed] = true
	}
}
