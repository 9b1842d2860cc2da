package behavior

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/sim"
	"github.com/deeds-evals/deeds/internal/suite"
	"github.com/deeds-evals/deeds/results"
)

// simulated is a process whose only case is to be played by a simulated model.
func simulated(t *testing.T, c Case, text, model string, repeat int) *process {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "testdata"), 0o755))
	if text != "" {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "testdata", "x.txtar"), []byte(text), 0o644))
	}
	seed := int64(11)
	p := &process{
		dir: dir, folder: "core", suite: []suite.Case{{ID: "core/x"}, {ID: "core/y"}},
		settings: settings{models: []string{model}, repeat: repeat, seed: &seed},
	}
	e := &entry{id: "core/x", test: "TestX", c: c}
	for _, u := range c.units(e.id) {
		for n := range repeat {
			e.slots = append(e.slots, &slot{
				Slot: results.Slot{Case: e.id, World: u.world, Variant: u.variant, Model: model, Attempt: n + 1},
				unit: u.drawn(n + 1),
			})
		}
	}
	p.entries = []*entry{e}
	return p
}

// twoWorlds has a fact that is drawn for each attempt, and worlds with and without a way
// to fail that is their own.
var twoWorlds = Case{
	Claim: "x", Prompt: "Write {code}.",
	Worlds: []World{{Name: "big"}, {Name: "small"}, {Name: "odd"}},
	Draws:  map[string]Draw{"code": {Hex: 8}},
	Expect: BySignal{RequiredTool: {called("write")}, FilesystemSafety: {exists("done"), wrote{}}},
}

// wrote expects the code of the attempt in the file.
type wrote struct{}

func (wrote) Spec() Spec { return Spec{Want: "the code", Where: "simulate_test.go:1"} }
func (wrote) Check(e Evidence) Finding {
	if f, ok := e.After["done"]; ok && string(f.Data) == e.Facts["code"] {
		return Finding{Outcome: Pass}
	}
	return Finding{Outcome: Fail, Got: "something else"}
}

const twoWorldsScript = `-- pass --
write path=done content="{code}"

say Done.

-- fail required-tool,filesystem-safety @big --
say Done.

-- fail filesystem-safety @big --
write path=other content=x

say Done.

-- fail filesystem-safety @small --
write path=done content=x

say Done.
`

func TestSimulationPlaysWhatIsDrawn(t *testing.T) {
	t.Parallel()
	const name, repeat = "sim:0.5+core/x/small=0.8", 24
	p := simulated(t, twoWorlds, twoWorldsScript, name, repeat)
	source, err := newSimulation(p)
	require.NoError(t, err)
	require.NoError(t, source.warm(t.Context(), name))
	model, err := sim.Parse(name)
	require.NoError(t, err)
	both := []Signal{FilesystemSafety, RequiredTool}
	fails := map[string][][]Signal{
		"big":   {both, {FilesystemSafety}},
		"small": {{FilesystemSafety}},
		"odd":   {both}, // silence
	}
	seen := make(map[string]int)
	for _, s := range p.entries[0].slots {
		st := testStage(t)
		up, err := source.set(&st, s)
		require.NoError(t, err)
		a := st.play(t.Context(), s.unit, s.Model, up)
		var failed []Signal
		for _, sig := range []Signal{FilesystemSafety, RequiredTool} {
			if BySignals(a.verdicts)[sig] == Fail {
				failed = append(failed, sig)
			}
		}
		if model.Passes(11, s.Slot) {
			require.Equal(t, Pass, a.outcome, "%v: %v", s.Slot, a.verdicts)
			seen["pass "+s.World]++
			continue
		}
		require.Equal(t, Fail, a.outcome, "%v", s.Slot)
		require.Equal(t, fails[s.World][model.Choose(11, s.Slot, len(fails[s.World]))], failed, "%v", s.Slot)
		seen[fmt.Sprint("fail ", s.World, len(failed))]++
	}
	for _, what := range []string{"pass big", "pass small", "pass odd", "fail big1", "fail big2", "fail small1", "fail odd2"} {
		require.NotZero(t, seen[what], "%s: %v", what, seen)
	}
}

func TestSimulationRefusesWhatItCannotPlay(t *testing.T) {
	t.Parallel()
	const hint = "\nhint: rehearse it: go test without -model says more"
	for name, test := range map[string]struct{ script, model, want string }{
		"no script":  {"", "sim:1", "deeds: core/x cannot be simulated: it has no script testdata/x.txtar\nhint: a simulation plays the scripts of a rehearsal; leave the case out with -run, or write it one"},
		"no pass":    {"-- pass @big --\nsay x\n", "sim:1", "deeds: core/x cannot be simulated: testdata/x.txtar has no pass script for small" + hint},
		"no grammar": {"-- pas --\nsay x\n", "sim:1", "deeds: core/x cannot be simulated: testdata/x.txtar: line 1: "},
		"no world":   {twoWorldsScript, "sim:1+core/x/bgi=0", "deeds: -model=sim:1+core/x/bgi=0: no case, world or variant is called core/x/bgi\nhint: a pattern is folder/case/world/variant, as far as the rate is for all below"},
		"no rate":    {twoWorldsScript, "sim:x", "deeds: -model=sim:x: the rate \"x\" is not a number from 0 to 1\nhint: " + simHint},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := newSimulation(simulated(t, twoWorlds, test.script, test.model, 1))
			require.ErrorContains(t, err, test.want)
		})
	}
	_, err := newSimulation(simulated(t, twoWorlds, twoWorldsScript, "sim:1+core/x/big=0+core/y/any=0+core=0.5", 1))
	require.NoError(t, err, "a case of the suite that is not played here is none that does not exist")
}

func TestSimulationDrawsASeedFromItsRun(t *testing.T) {
	t.Parallel()
	p := simulated(t, twoWorlds, twoWorldsScript, "sim:1", 1)
	p.settings.seed, p.run.id = nil, "20260101T000000Z-abcdef"
	_, err := newSimulation(p)
	require.NoError(t, err)
	require.EqualValues(t, 533050730310, *p.settings.seed)
	require.Equal(t, []string{"-seed=533050730310"}, p.again, "what is shown again comes out as it did")
}

func TestSettingsOfASimulation(t *testing.T) {
	t.Parallel()
	s, err := readSettings(flagsOf(nil), nil, envOf(map[string]string{"DEEDS_MODEL": "sim:0.5,sim:0.50", "DEEDS_SEED": "3", "OPENAI_BASE_URL": "http://x/v1"}))
	require.NoError(t, err, "what every shell has set may stay")
	require.Equal(t, "simulated", s.kind())
	require.EqualValues(t, 3, *s.seed)
	for name, value := range map[string]string{
		"base-url": "http://127.0.0.1:1/v1", "temperature": "0", "reasoning": "high",
		"user-model": "m", "retries": "1", "rpm": "3", "budget": "1",
	} {
		_, err := readSettings(flagsOf(map[string]string{"model": "sim:0.5", name: value}), nil, envOf(nil))
		require.EqualError(t, err, "deeds: -"+name+" means nothing with -model=sim:0.5: scripts stand in for the model\nhint: leave it out")
	}
	_, err = readSettings(flagsOf(map[string]string{"model": "sim:2"}), nil, envOf(nil))
	require.EqualError(t, err, "deeds: -model=sim:2: the rate \"2\" is not a number from 0 to 1\nhint: "+simHint)
}
