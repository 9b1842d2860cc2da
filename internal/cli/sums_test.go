//go:build unix

package cli

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What the packages leave of a regrade, as shell commands.
const (
	sumCore  = `echo '{"run":"20261129T224301Z-3f9c1a","attempts":2,"cases":1}' >$DEEDS_SUMS/core.json` + "\n"
	sumOpen  = `echo '{"run":"20261129T224301Z-3f9c1a","attempts":2,"open":["more/a: planned and not run (1 attempt)"],"not_run":1}' >$DEEDS_SUMS/more.json` + "\n"
	sumChain = `echo '{"run":"20261129T224301Z-3f9c1a","attempts":556,"cases":185,"void":1,"unread":["chain/x/1: gone"],
 "flips":[{"attempt":"chain/b/1","was":"pass","is":"fail"},{"attempt":"chain/b/1","signal":"tool-chain","name":"n","want":"a call","got":"none","was":"pass","is":"fail"}]}' >$DEEDS_SUMS/chain.json` + "\n"
)

func TestRunSumsUp(t *testing.T) {
	t.Parallel()
	replayed := strings.ReplaceAll(planTwo, `"kind":"live"`, `"kind":"replayed"`) + firstPass + secondPass
	for file, tt := range map[string]struct{ script, args string }{
		"regrade":           {sumCore + ok, "-regrade=last"},
		"regrade-flips":     {sumCore + sumChain + failed, "-regrade=last"},
		"regrade-green":     {sumCore + sumChain + ok, "-regrade=last -signal=ask-or-act"},
		"regrade-json":      {sumCore + sumChain + failed, "-regrade=last --json"},
		"regrade-nothing":   {`echo '{"run":"20261129T224301Z-3f9c1a","unknown":["core/a"]}' >$DEEDS_SUMS/core.json` + "\n" + ok, "-regrade=last"},
		"regrade-open":      {sumCore + sumOpen + ok, "-regrade=last"},
		"regrade-open-json": {sumCore + sumOpen + ok, "-regrade=last --json"},
		"regrade-only":      {strings.Replace(sumOpen, `"attempts":2`, `"attempts":0`, 1) + ok, "-regrade=last"},
		"regrade-build":     {failed, "-regrade=last"},
		"replay":            {replayed + `echo '{"run":"20261129T224301Z-000000","attempts":2,"diverged":1}' >$DEEDS_SUMS/core.json` + "\n" + ok, "-replay=last"},
	} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			m := withGo(t, tt.script)
			m.environ = append(m.environ, "DEEDS_RUN="+sampleID)
			m.golden(t, file, append([]string{"run"}, strings.Fields(tt.args)...)...)
		})
	}
	t.Run("a path counts from here", func(t *testing.T) {
		t.Parallel()
		m := withGo(t, sumCore+ok)
		_, errs, status := m.deeds("run", "-regrade=results/runs/x")
		require.Zero(t, status, errs)
		require.Contains(t, m.args(t), "-regrade="+m.dir+"/results/runs/x")
	})
}
