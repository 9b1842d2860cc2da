package results

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBaseline(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	r := shotRun("20261129T224301Z-3f9c1a", shots{
		"core/a": {hit(true), hit(false), {outcome: Void}, {outcome: NotRun}},
		"core/b": marked("g", 1, 2),
	})
	r.Attempts[0].Detail, r.Attempts[0].Evidence = "long", "evidence/x"
	r.Attempts[4].Verdicts[0].Got, r.Attempts[4].Verdicts[0].Events = "much", []int{1}
	require.NoError(t, SaveBaseline(root, "main", []*Run{r}))
	require.Equal(t, "much", r.Attempts[4].Verdicts[0].Got, "what was saved is left alone")

	back, err := LoadBaseline(root, "main")
	require.NoError(t, err)
	require.Equal(t, "main", back.ID)
	require.Equal(t, armOf(t, r).Summary().Attempts, armOf(t, back).Summary().Attempts)
	require.Equal(t, r.Totals(), back.Totals())
	require.Equal(t, r.Signals(), back.Signals())
	require.Empty(t, back.Attempts[0].Detail)
	require.Empty(t, back.Attempts[0].Evidence)
	require.Equal(t, Verdict{Signal: "tool-chain", Name: "g", Outcome: Fail, Marker: true}, back.Attempts[4].Verdicts[0])

	all, err := Baselines(root)
	require.NoError(t, err)
	require.Equal(t, []BaselineInfo{{
		Name: "main", Path: filepath.Join(root, "baselines", "main.json"), Kind: "live",
		Runs: []string{r.ID}, Models: []string{"m"}, Units: 2, Attempts: 5,
	}}, all)
	left, err := os.ReadDir(filepath.Join(root, "baselines"))
	require.NoError(t, err)
	require.Len(t, left, 1, "nothing else is left behind")
	data, err := os.ReadFile(all[0].Path)
	require.NoError(t, err)
	require.True(t, json.Valid(data))
}

// What cannot be written is told once, and leaves nothing.
func TestBaselineNotWritten(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	f, err := os.Open(root)
	require.NoError(t, err)
	err = fill(f, func(w *bufio.Writer) error {
		_, err := w.Write(make([]byte, 1<<17))
		return err
	})
	require.Error(t, err)
	require.NotContains(t, err.Error(), "\n")
	require.ErrorIs(t, f.Close(), os.ErrClosed)

	r := shotRun("r1", flat(6, 1, 4))
	r.Attempts[0].DurationMS = math.NaN()
	require.ErrorContains(t, SaveBaseline(root, "main", []*Run{r}), "save the baseline")
	require.NoDirExists(t, filepath.Join(root, "baselines"))
}

// Runs that were saved together are as many runs as before.
func TestBaselineOfSeveralRuns(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	runs := []*Run{shotRun("r1", flat(6, 1, 4)), shotRun("r2", flat(6, 2, 4)), shotRun("r3", flat(6, 3, 4))}
	require.NoError(t, SaveBaseline(root, "three", runs))
	back, err := LoadBaseline(root, "three")
	require.NoError(t, err)
	require.Len(t, back.Slots(), 6*12, "no attempt of one is a reroll of another's")
	pooled, loaded := armOf(t, runs...), armOf(t, back)
	require.Equal(t, pooled.ids, loaded.ids)
	require.Equal(t, pooled.units, loaded.units)
	n, err := Noise([]Arm{loaded})
	require.NoError(t, err)
	require.Equal(t, []float64{0.25, 0.5, 0.75}, n.Overall.Means)
	// A run that is in the baseline already would count twice beside it.
	_, err = NewArm("x", []*Run{back, runs[1]}, "")
	require.ErrorContains(t, err, "run r2 is in it twice")
}

func TestSaveBaselineRefuses(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	r := shotRun("r", flat(2, 1, 2))
	for _, name := range []string{"", ".", "..", "../x", "a/b", `a\b`, ".hidden", "a b", "last", "20261129T224301Z-3f9c1a", "x.", "ä"} {
		require.Errorf(t, SaveBaseline(root, name, []*Run{r}), "%q", name)
		_, err := LoadBaseline(root, name)
		require.ErrorIsf(t, err, ErrNoBaseline, "%q", name)
	}
	require.ErrorContains(t, SaveBaseline(root, "x", nil), "nothing was played")
	require.ErrorContains(t, SaveBaseline(root, "x", []*Run{r, r}), "given twice")
	require.NoError(t, SaveBaseline(root, "x", []*Run{r}))
	before, err := os.ReadFile(baselinePath(root, "x"))
	require.NoError(t, err)
	require.ErrorIs(t, SaveBaseline(root, "x", []*Run{shotRun("other", flat(3, 1, 2))}), ErrBaselineExists)
	after, err := os.ReadFile(baselinePath(root, "x"))
	require.NoError(t, err)
	require.Equal(t, before, after)
	_, err = LoadBaseline(root, "y")
	require.ErrorIs(t, err, ErrNoBaseline)
}

func TestBaselinesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	all, err := Baselines(root)
	require.NoError(t, err)
	require.Empty(t, all)
	simulated := shotRun("s", flat(2, 1, 2))
	simulated.Plans[0].Kind = "simulated"
	require.NoError(t, SaveBaseline(root, "sim", []*Run{simulated}))
	for name, text := range map[string]string{"later": `{"schema": 99}`, "torn": `{"schema": 1, "att`} {
		require.NoError(t, os.WriteFile(baselinePath(root, name), []byte(text), 0o644))
	}
	all, err = Baselines(root)
	require.NoError(t, err)
	require.Len(t, all, 3)
	require.Contains(t, all[0].Problem, "later deeds: its schema is 99")
	require.Equal(t, "simulated", all[1].Kind)
	require.NotEmpty(t, all[2].Problem)
}
