//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const brokenChain = `printf 'FAIL\tm/evals/chain\t0.1s\nFAIL\n'; exit 1`

func TestCases(t *testing.T) {
	t.Parallel()
	for file, tt := range map[string]struct {
		script string
		status int
	}{
		"cases":         {twoCases(`5`, ``), 0},
		"cases-broken":  {twoCases(`4`, `no script makes "files" fail\n  at b_test.go:12`) + brokenChain, 1},
		"cases-crash":   {twoCases(`4`, `no`) + `printf 'panic: oh\nFAIL\tm/evals/chain\t0.1s\nFAIL\n'; exit 1`, 1},
		"cases-other":   {twoCases(`4`, `no`) + `printf 'FAIL\tm/evals/core [build failed]\n'; ` + brokenChain, 1},
		"cases-build":   {"echo 'x.go:1: undefined: y'; exit 1", 1},
		"cases-none":    {"echo 'no test files'", 2},
		"cases-garbage": {"echo '{' >$DEEDS_CASES/x.json", 1},
	} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			m := withGo(t, tt.script)
			m.golden(t, file, "cases")
			_, _, status := m.deeds("cases")
			require.Equal(t, tt.status, status)
		})
	}
}

// twoCases is a script that reports two cases.
func twoCases(bites, why string) string {
	return "bites='" + bites + "' why='" + why + "'\n" +
		`echo '[{"id":"core/a","claim":"A holds.","signals":["required-tool"],"worlds":[],"variants":[],"scripts":2,"expectations":3,"killed":3}]' >$DEEDS_CASES/core.json
printf '%s' '[{"id":"chain/b","claim":"B holds.","signals":["tool-chain","filesystem-safety"],"worlds":["big","small"],"scripts":4,"expectations":5,"killed":'$bites',"broken":"'"$(printf '%s' "$why" | sed 's/"/\\"/g')"'"}]' >$DEEDS_CASES/chain.json
`
}

func TestCasesJSON(t *testing.T) {
	t.Parallel()
	m := withGo(t, twoCases("4", "no")+brokenChain)
	out, errs, status := m.deeds("cases", "--json")
	require.Equal(t, 1, status)
	require.Empty(t, errs)
	v := decode(t, out)
	require.InDelta(t, 7.0/8, v["kill_rate"], 1e-9)
	list := v["cases"].([]any)
	require.Len(t, list, 2)
	first := list[0].(map[string]any)
	require.Equal(t, "chain/b", first["id"])
	require.Equal(t, "B holds.", first["claim"])
	require.Equal(t, []any{"tool-chain", "filesystem-safety"}, first["signals"])
	require.Equal(t, []any{"big", "small"}, first["worlds"])
	require.InDelta(t, 0.8, first["kill_rate"], 1e-9)
	require.Equal(t, []any{}, first["variants"])
}

// The rehearsal sees the whole suite, whatever the environment says.
func TestCasesRehearses(t *testing.T) {
	t.Parallel()
	m := withGo(t, twoCases("5", "")+"env | grep ^DEEDS_ | sort >$DIR/environ")
	m.environ = append(m.environ, "DEEDS_MODEL=m", "DEEDS_SIGNAL=x", "DEEDS_CONTAINMENT=none", "DEEDS_RUN=x")
	_, errs, status := m.deeds("cases", "./evals/core")
	require.Zero(t, status, errs)
	require.Equal(t, "test -count=1 ./evals/core", m.args(t))
	environ, err := os.ReadFile(filepath.Join(m.dir, "environ"))
	require.NoError(t, err)
	require.Regexp(t, `^DEEDS_CASES=\S+\nDEEDS_CONTAINMENT=none\n(DEEDS_FOREGROUND=1\n)?$`, string(environ))
}
