package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/sim"
	"github.com/deeds-evals/deeds/results"
)

// What is handed over in memory is what the files say.
func TestRecordsGiveTheSameAnswers(t *testing.T) {
	t.Parallel()
	s := suite{cases: 10, attempts: 4, signals: 3}
	root := t.TempDir()
	play := func(id, rates string, seed int64) (memory, files *results.Run) {
		memory = s.play(id, model(rates), seed)
		files, err := recorded(root, memory)
		require.NoError(t, err)
		require.Empty(t, files.Problems)
		require.Zero(t, files.Torn)
		return memory, files
	}
	var arms [2][4]results.Arm
	for i, id := range []string{"base", "candidate", "one", "two"} {
		memory, files := play(id, []string{"sim:0.3", "sim:0.8", "sim:0.3", "sim:0.3"}[i], int64(i))
		require.Equal(t, memory.Units(), files.Units())
		for n, run := range []*results.Run{memory, files} {
			arm, err := results.NewArm(id, []*results.Run{run}, "")
			require.NoError(t, err)
			arms[n][i] = arm
		}
	}
	var said [2]string
	for n, a := range arms {
		o := results.CompareOptions{Noise: a[2:], Guards: []string{signalName(1)}}
		c, err := results.Compare(a[0], a[1], o)
		require.NoError(t, err)
		require.Equal(t, 10, c.Paired)
		require.Equal(t, results.Better, c.Signals[0].Verdict, "a change of half of all attempts is seen")
		g, err := results.Gate(a[1], []results.Need{{Signal: signalName(0), Rate: 0.5}}, results.GateOptions{Confident: true})
		require.NoError(t, err)
		text, err := json.Marshal([]any{c, g})
		require.NoError(t, err)
		said[n] = string(text)
	}
	require.Equal(t, said[0], said[1])
}

// A small edition of the page, in which no bound is broken.
func TestStatisticsHoldAgainstTheTruth(t *testing.T) {
	t.Parallel()
	var page bytes.Buffer
	broken, err := calibrate(&page, settings{n: 20, seed: 3, filed: 0})
	require.NoError(t, err)
	require.Zero(t, broken, page.String())
	require.NotContains(t, page.String(), "NaN")

	committed, err := os.ReadFile(filepath.Join("..", "..", "docs", "calibration.md"))
	require.NoError(t, err)
	require.NotContains(t, string(committed), "BROKEN")
	require.Equal(t, skeleton(page.String()), skeleton(string(committed)), "docs/calibration.md asks something else; make calibrate > docs/calibration.md")
}

// skeleton is what a page asks: its titles, and the first cell of each row.
func skeleton(page string) (all []string) {
	for line := range strings.Lines(page) {
		switch {
		case strings.HasPrefix(line, "#"):
			all = append(all, strings.TrimSpace(line))
		case strings.HasPrefix(line, "|"):
			all = append(all, strings.TrimSpace(strings.Split(line, "|")[1]))
		}
	}
	return all
}

func TestBoundsCanBreak(t *testing.T) {
	t.Parallel()
	require.True(t, share{75, 1500}.atMost(0.05))
	require.True(t, share{100, 1500}.atMost(0.05))
	require.False(t, share{104, 1500}.atMost(0.05))
	require.True(t, share{52, 1500}.atLeast(0.05))
	require.False(t, share{48, 1500}.atLeast(0.05))
	require.True(t, share{4, 20}.atMost(0.05), "few simulations prove little")
	require.False(t, share{9, 20}.atMost(0.05))
	require.False(t, share{1, 20}.atMost(0), "what cannot be has been")
	require.False(t, share{19, 20}.atLeast(1))
	require.True(t, share{20, 20}.near(1))
	require.False(t, share{}.near(0.5), "nothing was counted")

	p := section{title: "T", says: "s.", head: []string{"what", "n"}}
	p.add("a row", "1")
	p.require(true, "nothing")
	require.NotContains(t, p.String(), "BROKEN")
	p.require(false, "%d of them", 7)
	require.Equal(t, "## T\n\ns.\n\n| what  |    n |\n| ----- | ---: |\n| a row |    1 |\n\n**BROKEN: 7 of them.**\n", p.String())
}

// Of the units one in five is hard, as near as can be, and all have names of their own.
func TestHardCases(t *testing.T) {
	t.Parallel()
	for cases, want := range map[int]int{1: 0, 3: 1, 5: 1, 8: 2, 15: 3, 34: 7, 100: 20} {
		hard := 0
		seen := make(map[string]bool)
		for _, u := range (suite{cases: cases}).units() {
			seen[u.Case] = true
			if strings.HasPrefix(u.Case, "hard/") {
				hard++
			}
		}
		require.Equal(t, want, hard, "of %d", cases)
		require.Len(t, seen, cases)
	}
}

// The program draws what the model draws, signal by signal.
func TestPlayIsWhatTheModelDraws(t *testing.T) {
	t.Parallel()
	m, err := sim.Parse("sim:0.6")
	require.NoError(t, err)
	run := suite{cases: 5, attempts: 3, signals: 2}.play("x", m, 9)
	require.Len(t, run.Attempts, 15)
	for _, a := range run.Attempts {
		want := results.Pass
		for i := range 2 {
			if !m.Passes(9*maxSignals+int64(i), a.Slot) {
				require.Equal(t, results.Fail, a.Signals[signalName(i)])
				want = results.Fail
			} else {
				require.Equal(t, results.Pass, a.Signals[signalName(i)])
			}
		}
		require.Equal(t, want, a.Outcome)
	}
}
