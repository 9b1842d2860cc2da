package cli

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCompare(t *testing.T) {
	t.Parallel()
	m := withRuns(t)
	_, errs, status := m.deeds("baseline", "save", "main", "run1", "run2", "run3")
	require.Zero(t, status, errs)
	for file, tt := range map[string]struct {
		args string
		want int
	}{
		"compare-same":         {"run1 run2", 0},
		"compare-better":       {"run1 run4", 0},
		"compare-worse":        {"run4 run5", 1},
		"compare-floors":       {"run1 run4 --noise run1,run2,run3", 0},
		"compare-baseline":     {"main run5 --noise main", 1},
		"compare-holes":        {"run4 run6", 0},
		"compare-few":          {"run7 run7@m", 2},
		"compare-apart":        {"run4 run7", 2},
		"compare-models":       {"run8", 0},
		"compare-guards":       {"run1 run2 --must-not-regress filesystem-safety,read_first --margin 0.3", 0},
		"compare-strict":       {"run1 run2 --must-not-regress read_first --strict", 2},
		"compare-guard-falls":  {"run4 run5 --must-not-regress tool-chain --must-not-regress read_first --strict", 1},
		"compare-conditional":  {"run1 run3 --must-not-regress undone_when_asked", 0},
		"compare-against-self": {"run1 run1", 0},
	} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"compare"}, strings.Fields(tt.args)...)
			m.golden(t, file, args...)
			_, _, status := m.deeds(args...)
			require.Equal(t, tt.want, status)
		})
	}
}

func TestCompareJSON(t *testing.T) {
	t.Parallel()
	m := withRuns(t)
	out, _, status := m.deeds("compare", "run4", "run5", "--noise", "run1,run2", "--must-not-regress", "read_first", "--json")
	require.Equal(t, 1, status)
	v := decode(t, out)
	rows := append([]any{v["overall"]}, append(v["signals"].([]any), v["markers"].([]any)...)...)
	require.Len(t, rows, 4)
	for _, row := range rows {
		for _, name := range strings.Fields("name paired base candidate delta lo hi p p_holm verdict up down tie floor clears") {
			require.Contains(t, row, name)
		}
	}
	require.Equal(t, "worse", v["overall"].(map[string]any)["verdict"])
	require.Equal(t, []any{"read_first", "overall", "filesystem-safety", "tool-chain"}, v["regressions"])
	require.EqualValues(t, 1, v["status"])
	require.Equal(t, "fail", v["guards"].([]any)[0].(map[string]any)["decision"])

	out, _, status = m.deeds("compare", "run4", "run7", "--json")
	require.Equal(t, 2, status)
	v = decode(t, out)
	require.Contains(t, v["not_comparable"], "3 of 8")
	require.Nil(t, v["overall"].(map[string]any)["floor"])
}

func TestMisuseOfNumbers(t *testing.T) {
	t.Parallel()
	m := withRuns(t)
	_, errs, status := m.deeds("baseline", "save", "main", "run1")
	require.Zero(t, status, errs)
	for file, args := range map[string]string{
		"misuse-compare-one":       "compare run1",
		"misuse-compare-three":     "compare run1 run2 run3",
		"misuse-compare-run":       "compare run1 run9",
		"misuse-compare-baseline":  "compare mian run1",
		"misuse-compare-neither":   "compare elsewhere run1",
		"misuse-compare-models":    "compare run8 run1",
		"misuse-compare-model":     "compare run8@m/tow run1",
		"misuse-compare-no-model":  "compare run1@ run2",
		"misuse-compare-twice":     "compare run1,run1 run2",
		"misuse-compare-guard":     "compare run1 run2 --must-not-regress read-first",
		"misuse-compare-margin":    "compare run1 run2 --margin 0.1",
		"misuse-compare-margin-5":  "compare run1 run2 --must-not-regress overall --margin 5",
		"misuse-compare-alpha":     "compare run1 run2 --alpha 0",
		"misuse-compare-noise":     "compare run1 run2 --noise run1",
		"misuse-noise-none":        "noise",
		"misuse-noise-one":         "noise run1",
		"misuse-noise-models":      "noise run1 run8@m/one",
		"misuse-noise-twice":       "noise run1 run1",
		"misuse-power-none":        "power",
		"misuse-power-what":        "power --base 0.3 --k 4",
		"misuse-power-too-much":    "power --base 0.9 --k 4 --effect 0.2",
		"misuse-power-base":        "power --base 30 --k 4 --effect 0.1",
		"misuse-power-k":           "power --base 0.3 --k 0 --effect 0.1",
		"misuse-power-effect":      "power --base 0.3 --k 4 --effect 0",
		"misuse-power-cases":       "power --base 0.3 --k 4 --cases 0",
		"misuse-power-row":         "power --run run1 --row read-first",
		"misuse-power-row-no-run":  "power --base 0.3 --k 4 --effect 0.1 --row read_first",
		"misuse-gate-nothing":      "gate run1",
		"misuse-gate-form":         "gate run1 --need tool-chain",
		"misuse-gate-rate":         "gate run1 --need tool-chain=95",
		"misuse-gate-zero":         "gate run1 --need tool-chain=0",
		"misuse-gate-twice":        "gate run1 --need tool-chain=1,tool-chain=0.9",
		"misuse-gate-signal":       "gate run1 --need tool-chains=1",
		"misuse-gate-two":          "gate run1 run2 --need tool-chain=1",
		"misuse-gate-baseline":     "gate run1 --need tool-chain=1 --baseline mian",
		"misuse-baseline-verb":     "baseline sav main",
		"misuse-baseline-no-name":  "baseline save",
		"misuse-baseline-name":     "baseline save a/b",
		"misuse-baseline-last":     "baseline save last",
		"misuse-baseline-exists":   "baseline save main run2",
		"misuse-baseline-show":     "baseline show mian",
		"misuse-baseline-show-two": "baseline show main other",
	} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			m.golden(t, file, strings.Fields(args)...)
			out, _, status := m.deeds(strings.Fields(args)...)
			require.Empty(t, out)
			require.Equal(t, 2, status)
		})
	}
}

func TestNumbersWithoutRuns(t *testing.T) {
	t.Parallel()
	m := newModule(t)
	for _, args := range []string{"compare", "compare a b", "noise a b", "gate --need tool-chain=1", "baseline save main", "power --run last"} {
		out, errs, status := m.deeds(strings.Fields(args)...)
		require.Empty(t, out, args)
		require.Contains(t, errs, "no run was recorded under", args)
		require.Equal(t, 2, status, args)
	}
}
