package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/journal"
	"github.com/deeds-evals/deeds/results"
)

// The ids of runs made by hand.
func handmade(n int) string { return fmt.Sprintf("20261201T00000%dZ-run%d", n, n) }

// play writes a run by hand: a line a unit, with the attempts' outcomes in tool-chain,
// in filesystem-safety and, if it is there, of the conditional marker undone_when_asked:
// p(ass), f(ail), n(/a), and in the first column v(oid) and - for not run.
//
//	core/a  ppf  ppp  npp
//
// The markers read_first and observed_amount pass as tool-chain does.
func (m *module) play(t *testing.T, n int, spec string, models ...string) {
	t.Helper()
	dir := filepath.Join(m.dir, "results", "runs", handmade(n))
	require.NoError(t, os.MkdirAll(dir, 0o755))
	w, err := journal.Open(dir, "core", nil)
	require.NoError(t, err)
	defer w.Close()
	if len(models) == 0 {
		models = []string{"m"}
	}
	words := map[byte]string{'p': "pass", 'f': "fail", 'n': "n/a"}
	plan := results.Plan{Run: handmade(n), Kind: "live", Settings: results.Settings{Models: models, Agent: "builtin"}, Signals: map[string][]string{}}
	var attempts []results.Attempt
	for _, model := range models {
		for line := range strings.Lines(spec) {
			f := strings.Fields(line)
			if len(f) == 0 || len(models) > 1 && !strings.Contains(model, f[len(f)-1]) {
				continue
			}
			plan.Signals[f[0]] = []string{"filesystem-safety", "tool-chain"}
			for i := range len(f[1]) {
				slot := results.Slot{Case: f[0], Model: model, Agent: "builtin", Attempt: i + 1}
				plan.Slots = append(plan.Slots, slot)
				a := results.Attempt{
					Slot: slot, Play: 1, Outcome: "pass", End: "stop", Turns: 1, Usage: results.Usage{Completion: 9}, Containment: "strict",
					Digests: results.Digests{Case: "c1", Grader: "g1"},
				}
				switch f[1][i] {
				case '-':
					continue
				case 'v':
					a.Outcome, a.Reason, a.Turns, a.Usage = "void", "provider", 0, results.Usage{}
				default:
					chain, files := words[f[1][i]], words[f[2][i]]
					if chain == "fail" || files == "fail" {
						a.Outcome = "fail"
					}
					a.Signals = map[string]string{"tool-chain": chain, "filesystem-safety": files}
					a.Verdicts = []results.Verdict{
						{Signal: "tool-chain", Name: "read_first", Marker: true, Outcome: chain},
						{Signal: "tool-chain", Name: "observed_amount", Marker: true, Outcome: chain},
						{Signal: "filesystem-safety", Name: "a call of read", Outcome: files},
					}
					if len(f) > 3 && len(f[3]) == len(f[1]) {
						a.Verdicts = append(a.Verdicts, results.Verdict{Signal: "filesystem-safety", Name: "undone_when_asked", Marker: true, Conditional: true, Outcome: words[f[3][i]]})
					}
				}
				attempts = append(attempts, a)
			}
		}
	}
	require.NoError(t, w.WritePlan(plan))
	for _, a := range attempts {
		_, err := w.Append(a, nil)
		require.NoError(t, err)
	}
}

// units repeats one line for n units.
func units(n int, columns string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "core/%c  %s\n", 'a'+i, columns)
	}
	return b.String()
}

const (
	middling = `
core/a  ppf  ppp  npp
core/b  pff  ppp  nnp
core/c  fff  ppp  nnn
core/d  ppp  ppp  ppf
core/e  pff  ppp  nnp
core/f  ppf  ppp  npp
core/g  fpf  ppp  nnf
core/h  fff  ppp  nnn
`
	middlingToo = `
core/a  pff  ppp  npp
core/b  ppf  ppp  nnp
core/c  fff  ppp  nnn
core/d  ppp  ppp  ppf
core/e  pfp  ppp  nnp
core/f  pff  ppp  npp
core/g  fpf  ppp  nnf
core/h  fpf  ppp  nnn
`
	middlingAgain = `
core/a  ppf  ppp  npp
core/b  pff  ppp  nnp
core/c  fpf  ppp  nnn
core/d  ppf  ppp  ppf
core/e  pff  ppp  nnp
core/f  ppp  ppp  npp
core/g  fpf  ppp  nnf
core/h  fff  ppp  nnn
`
	holes = `
core/a  ppp  ppp
core/b  pvp  ppp
core/c  vvv  ppp
core/d  pp-  ppp
core/e  ppp  ppp
core/f  ppf  ppp
core/g  ppp  ppp
core/h  ppp  ppp
`
)

// withRuns is a module with runs of every kind: three that differ by chance alone, a
// good one, a bad one, one with holes, one of a few units and one of two models.
func withRuns(t *testing.T) *module {
	t.Helper()
	m := newModule(t)
	m.play(t, 1, middling)
	m.play(t, 2, middlingToo)
	m.play(t, 3, middlingAgain)
	m.play(t, 4, units(8, "ppp ppp"))
	m.play(t, 5, units(8, "fff ppf"))
	m.play(t, 6, holes)
	m.play(t, 7, units(3, "ppp ppp"))
	m.play(t, 8, units(8, "pff ppp one")+units(8, "ppp ppp two"), "m/one", "m/two")
	return m
}

func TestArms(t *testing.T) {
	t.Parallel()
	m := withRuns(t)
	_, errs, status := m.deeds("baseline", "save", "main", "run1", "run2")
	require.Zero(t, status, errs)
	reader, err := (&Config{Dir: m.dir}).arms()
	require.NoError(t, err)
	for word, want := range map[string][2]string{
		"run1":                        {"m", handmade(1)},
		"run1@m":                      {"m", handmade(1)},
		"run1,run2":                   {"m", handmade(1) + " " + handmade(2)},
		"run8@m/two":                  {"m/two", handmade(8)},
		"main":                        {"m", handmade(1) + " " + handmade(2)},
		"main,run3@m":                 {"m", handmade(1) + " " + handmade(2) + " " + handmade(3)},
		"results/runs/" + handmade(1): {"m", handmade(1)},
	} {
		arm, err := reader.arm(word)
		require.NoError(t, err, word)
		require.Equal(t, want[0], arm.Model, word)
		require.Equal(t, want[1], strings.Join(arm.Summary().Runs, " "), word)
	}
	replicates, err := reader.replicates([]string{"run1,run2@m", "main", "run8"}, "m/two")
	require.NoError(t, err)
	require.Len(t, replicates, 4)
	require.Equal(t, "m/two", replicates[3].Model)
}

func TestFigures(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"-", "0.352", "1.000"}, []string{rate(results.None()), rate(0.3521), rate(1)})
	require.Equal(t, []string{"-", "+0.052", "-0.140", "+0.000", "+0.000"},
		[]string{change(results.None()), change(0.0521), change(-0.14), change(-0.0001), change(0)})
	require.Equal(t, []string{"-", "0.257", "0.0036", "<0.0001", "1.000"},
		[]string{chance(results.None()), chance(0.2574), chance(0.00361), chance(0.00001), chance(1)})
	require.Equal(t, []string{"-", "[-0.026, +0.130]"}, []string{interval(0, results.None(), change), interval(-0.026, 0.13, change)})
	require.Equal(t, []string{"-", "43 %", "-", "2.3"}, []string{percent(results.None()), percent(0.43), points(results.None()), points(0.0229)})
}
