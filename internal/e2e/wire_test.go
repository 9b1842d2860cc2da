package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/gateway"
	"github.com/deeds-evals/deeds/internal/script"
	"github.com/deeds-evals/deeds/results"
)

// What a run says that it asked for stands in every request, the first included;
// what it does not say is left to the endpoint.
func TestSettingsArriveAtTheEndpoint(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		args []string
		want map[string]any
	}{
		"given":     {[]string{"-temperature=0", "-seed=7", "-reasoning=low"}, map[string]any{"temperature": 0.0, "seed": 7.0, "reasoning_effort": "low"}},
		"not given": {nil, map[string]any{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var (
				mu     sync.Mutex
				bodies [][]byte
			)
			address, key := serve(t, gateway.UpstreamFunc(func(ctx context.Context, r *gateway.Request) (*gateway.Reply, error) {
				mu.Lock()
				bodies = append(bodies, r.Body)
				mu.Unlock()
				return script.NewPlayer(script.Silence()).Complete(ctx, r)
			}))
			p := play(t, "core", t.TempDir(), []string{"OPENAI_API_KEY=" + key}, append([]string{"-model=m", "-base-url=" + address, "-limit=2", "-containment=best"}, test.args...)...)
			require.Equal(t, 1, p.exit, "%s", p.out)
			mu.Lock()
			defer mu.Unlock()
			require.GreaterOrEqual(t, len(bodies), 3, "the first request, and one of each slot")
			for _, body := range bodies {
				var fields map[string]any
				require.NoError(t, json.Unmarshal(body, &fields))
				got := make(map[string]any)
				for _, name := range []string{"temperature", "seed", "reasoning_effort"} {
					if v, there := fields[name]; there {
						got[name] = v
					}
				}
				require.Equal(t, test.want, got, "%s", body)
			}
		})
	}
}

// What -j allows, it allows to all packages of a run together.
func TestPackagesOfOneRunShareItsSlots(t *testing.T) {
	t.Parallel()
	const latency, atOnce = 100 * time.Millisecond, 2
	cases, err := suite()
	require.NoError(t, err)
	model := standFor(t.Errorf, cases, nil, honest)
	model.latency = latency
	var (
		mu                          sync.Mutex
		inFlight, most, warm, asked int
	)
	ready := make(chan struct{}) // both packages have begun
	address, key := serve(t, gateway.UpstreamFunc(func(ctx context.Context, r *gateway.Request) (*gateway.Reply, error) {
		if len(r.Tools) > 0 {
			mu.Lock()
			inFlight++
			asked++
			most = max(most, inFlight)
			mu.Unlock()
			defer func() {
				mu.Lock()
				inFlight--
				mu.Unlock()
			}()
			return model.Complete(ctx, r)
		}
		// The first request of a package, which is no attempt: it is answered when
		// the other package asks as well, so that they play at the same time.
		mu.Lock()
		if warm++; warm == len(packages) {
			close(ready)
		}
		mu.Unlock()
		select {
		case <-ready:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		return script.NewPlayer(script.Silence()).Complete(ctx, r)
	}))
	root := t.TempDir()
	all := make([]played, len(packages))
	var wg sync.WaitGroup
	for i, pkg := range packages {
		wg.Go(func() {
			all[i] = play(t, pkg, root, []string{"OPENAI_API_KEY=" + key, "DEEDS_RUN=20260101T000000Z-abcdef"}, "-model=m", "-base-url="+address, "-limit=3", fmt.Sprintf("-j=%d", atOnce), "-test.skip="+skipPattern(cases), "-containment=best")
		})
	}
	wg.Wait()
	for _, p := range all {
		require.Zero(t, p.exit, "%s", p.out)
	}
	run := all[0].run(t)
	require.Len(t, run.Plans, len(packages))
	for _, s := range run.Slots() {
		require.Equal(t, results.Pass, s.Outcome)
	}
	mu.Lock()
	defer mu.Unlock()
	require.Greater(t, asked, 2*atOnce)
	require.Equal(t, atOnce, most, "requests at once")
}
