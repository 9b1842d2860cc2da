package e2e

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/sim"
	"github.com/deeds-evals/deeds/results"
)

// failHeader is the header of a fail section: its signals, and its world.
var failHeader = regexp.MustCompile(`(?m)^-- fail ([^ @:]+)(?: @([^ :]+))?(?::.*)? --$`)

// failScripts are the signals that each fail script of a case breaks in one world.
func (k knownCase) failScripts(world string) (all [][]string) {
	for _, m := range failHeader.FindAllStringSubmatch(k.script, -1) {
		if m[2] == "" || m[2] == world {
			signals := strings.Split(m[1], ",")
			slices.Sort(signals)
			all = append(all, signals)
		}
	}
	return all
}

// outcomes gives the outcome of each slot of a run.
func outcomes(run *results.Run) map[results.Slot]string {
	all := make(map[results.Slot]string)
	for _, s := range run.Slots() {
		all[s.Slot] = s.Outcome
	}
	return all
}

// What is simulated is known beforehand: every attempt of the whole suite comes out as it
// was drawn, and one that fails fails in the signals of the script that was drawn for it.
func TestSimulatedSuiteComesOutAsDrawn(t *testing.T) {
	t.Parallel()
	cases, err := suite()
	require.NoError(t, err)
	const seed = 7
	const name = "sim:0.5"
	model, err := sim.Parse(name)
	require.NoError(t, err)
	known := make(map[string]knownCase)
	for _, k := range cases {
		known[k.ID] = k
	}
	for _, pkg := range packages {
		t.Run(pkg, func(t *testing.T) {
			t.Parallel()
			p := play(t, pkg, t.TempDir(), nil, "-model="+name, "-repeat=2", fmt.Sprint("-seed=", seed), "-j=16")
			require.Contains(t, p.out, pkg+" "+name+" (simulated: no model was asked): ")
			run := p.run(t)
			require.Equal(t, "simulated", run.Kind())
			seen := make(map[string]bool)
			for _, s := range run.Slots() {
				seen[s.Case] = true
				want := results.Fail
				if model.Passes(seed, s.Slot) {
					want = results.Pass
				}
				require.NotNil(t, s.Decided, "%v", s.Slot)
				if s.Outcome != want {
					t.Errorf("%s %s/%s attempt %d: drawn %s, came out %s (%s %s) in %v",
						s.Case, s.World, s.Variant, s.Attempt, want, s.Outcome, s.Decided.Reason, s.Decided.Detail, failing(*s.Decided))
					continue
				}
				if scripts := known[s.Case].failScripts(s.World); want == results.Fail && len(scripts) > 0 {
					got := failing(*s.Decided)
					slices.Sort(got)
					if drawn := scripts[model.Choose(seed, s.Slot, len(scripts))]; !slices.Equal(drawn, got) {
						t.Errorf("%s %s/%s attempt %d: the script fails %v, the attempt failed %v", s.Case, s.World, s.Variant, s.Attempt, drawn, got)
					}
				}
			}
			for _, k := range cases {
				require.True(t, k.pkg() != pkg || seen[k.ID], "%s was not played", k.ID)
			}
		})
	}
}

// The same seed repeats a run, another one does not, and without one every run has its
// own, which is on record and repeats it.
func TestSimulatedRunIsRepeatedByItsSeed(t *testing.T) {
	t.Parallel()
	begin := func(args ...string) (map[results.Slot]string, int64) {
		p := play(t, "core", t.TempDir(), nil, append([]string{"-model=sim:0.5", "-repeat=3", "-limit=12", "-j=16"}, args...)...)
		run := p.run(t)
		require.NotNil(t, run.Plans[0].Settings.Seed)
		return outcomes(run), *run.Plans[0].Settings.Seed
	}
	first, seed := begin("-seed=1")
	require.EqualValues(t, 1, seed)
	again, _ := begin("-seed=1")
	require.Equal(t, first, again)
	other, _ := begin("-seed=2")
	require.NotEqual(t, first, other)

	drawn, seed := begin()
	repeated, _ := begin(fmt.Sprint("-seed=", seed))
	require.Equal(t, drawn, repeated)
	_, next := begin()
	require.NotEqual(t, seed, next)
}

// Packages of one run have one seed.
func TestPackagesOfASimulatedRunShareItsSeed(t *testing.T) {
	t.Parallel()
	const id = "20260102T030405Z-5eed00"
	root := t.TempDir()
	for _, pkg := range packages {
		play(t, pkg, root, []string{"DEEDS_RUN=" + id}, "-model=sim:1", "-limit=1")
	}
	run := played{root: root}.run(t)
	require.Len(t, run.Plans, len(packages))
	for _, plan := range run.Plans {
		require.EqualValues(t, sim.SeedOf(id), *plan.Settings.Seed)
	}
}

// The rates that are realised are those that were asked for.
func TestSimulatedRatesAreRealised(t *testing.T) {
	t.Parallel()
	const name = "sim:0.8+core/*=0.3"
	p := play(t, "core", t.TempDir(), nil, "-model="+name+",sim:0.9", "-repeat=60", "-seed=3", "-limit=6", "-j=16")
	passed, total := make(map[string]int), make(map[string]int)
	for slot, outcome := range outcomes(p.run(t)) {
		total[slot.Model]++
		if outcome == results.Pass {
			passed[slot.Model]++
		}
	}
	for model, rate := range map[string]float64{name: 0.3, "sim:0.9": 0.9} {
		require.GreaterOrEqual(t, total[model], 300)
		require.Greater(t, binomialTail(passed[model], total[model], rate), 1e-4, "%s: %d of %d", model, passed[model], total[model])
	}
}

// binomialTail is the chance of x of n or something farther out on its side.
func binomialTail(x, n int, p float64) float64 {
	below, above := 0.0, 0.0
	for i := range n + 1 {
		a, _ := math.Lgamma(float64(n + 1))
		b, _ := math.Lgamma(float64(i + 1))
		c, _ := math.Lgamma(float64(n - i + 1))
		mass := math.Exp(a - b - c + float64(i)*math.Log(p) + float64(n-i)*math.Log1p(-p))
		if i <= x {
			below += mass
		}
		if i >= x {
			above += mass
		}
	}
	return min(below, above)
}

func TestWhatCannotBeSimulatedIsRefused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"a rate":      {[]string{"-model=sim:1.5"}, `deeds: -model=sim:1.5: the rate "1.5" is not a number from 0 to 1`},
		"a pattern":   {[]string{"-model=sim:1+core/nothing-of-the-kind=0.5"}, "deeds: -model=sim:1+core/nothing-of-the-kind=0.5: no case, world or variant is called core/nothing-of-the-kind"},
		"temperature": {[]string{"-model=sim:1", "-temperature=0"}, "deeds: -temperature means nothing with -model=sim:1: scripts stand in for the model"},
		"a mixture":   {[]string{"-model=sim:1,other"}, "deeds: -model=sim:1 and other: one is a simulation and the other is not"},
		"publication": {[]string{"-model=sim:1", "-scoreboard"}, "deeds: -scoreboard with sim:1: a simulation is never published"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := play(t, "core", t.TempDir(), nil, append(test.args, "-limit=1")...)
			require.NotZero(t, p.exit)
			require.Contains(t, p.out, test.want)
			require.Zero(t, countLines(p.root), "nothing was played")
		})
	}
}
