package behavior

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/gateway"
	"github.com/deeds-evals/deeds/internal/journal"
	"github.com/deeds-evals/deeds/results"
)

// aRun is a run with a record in a folder of the test's own.
func aRun(t *testing.T, dir, pkg, from string) *run {
	t.Helper()
	w, err := journal.Open(dir, pkg, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = w.Close() })
	r := &run{dir: dir, journal: w, base: results.Plan{Package: pkg, Dir: from}}
	r.ctx, r.cancel = context.WithCancelCause(t.Context())
	plan := r.base
	plan.Slots = []results.Slot{{Case: pkg + "/x", Model: "m", Attempt: 1}}
	require.NoError(t, w.WritePlan(plan))
	return r
}

func TestTwoPackagesOfOneNameAreRefused(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "20260101T000000Z-abcdef")
	require.NoError(t, os.Mkdir(dir, 0o755))
	first := aRun(t, dir, "core", "a/core")
	require.NoError(t, first.namesake())
	require.NoError(t, aRun(t, dir, "chain", "a/chain").namesake())
	second := aRun(t, dir, "core", "b/core")
	require.EqualError(t, second.namesake(), "deeds: two packages of this run are both called core: a/core and b/core\nhint: a case is known by the name of its package's folder: rename one, or run them apart")
	require.Error(t, context.Cause(second.ctx), "nothing more is played")
	require.Error(t, first.namesake(), "whoever looks second sees it")
}

func TestHopeless(t *testing.T) {
	t.Parallel()
	for kind, want := range map[gateway.FaultKind]bool{
		gateway.Auth: true, gateway.NotFound: true, gateway.Network: true, gateway.Garbage: true,
		gateway.Server: false, gateway.RateLimit: false, gateway.CutStream: false, gateway.Stalled: false,
	} {
		require.Equal(t, want, hopeless(gateway.NewFault(kind, "x")), kind)
	}
	require.False(t, hopeless(nil))
}

func TestPlanThatDoesNotFitIsRefused(t *testing.T) {
	t.Parallel()
	require.NoError(t, fits(time.Second, 60, 8, 10*time.Minute))
	require.EqualError(t, fits(10*time.Second, 300, 8, 10*time.Minute),
		"deeds: 300 attempts, 8 at a time, need about 38m0s, and go test ends in 10m0s\nhint: give -timeout=1h17m0s, or -timeout=0 for no end")
}

// What an endpoint says goes to the terminal of whoever runs the test.
func TestCleanIsInert(t *testing.T) {
	t.Parallel()
	r := run{redact: gateway.NewRedactor("sk-0123456789")}
	require.Equal(t, "void: \\u202eoh\n  \\x3a:error::x #\\x23[add-mask]y [redacted]", r.clean("void: \u202eoh\n  ::error::x ##[add-mask]y sk-0123456789"))
}
