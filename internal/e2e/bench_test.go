package e2e

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deeds-evals/deeds/internal/gateway"
)

// BenchmarkLiveRun is a whole live run as a user starts it: about 1,000 attempts of
// the core cases without worlds against an endpoint that takes 200 ms a request, 200 at a time,
// contained and recorded. What it takes is compared with the ideal, in which
// nothing but the endpoint takes time.
func BenchmarkLiveRun(b *testing.B) {
	const latency, atOnce, attempts = 200 * time.Millisecond, 200, 1000
	dir, err := binaries()
	if err != nil {
		b.Fatal(err)
	}
	cases, err := suite()
	if err != nil {
		b.Fatal(err)
	}
	core := slices.DeleteFunc(slices.Clone(cases), func(k knownCase) bool { return k.pkg() != "core" || len(k.Worlds) > 0 })
	model := standFor(b.Errorf, core, nil, honest)
	model.latency = latency
	var requests atomic.Int64
	gw, err := gateway.Start(gateway.Config{})
	if err != nil {
		b.Fatal(err)
	}
	defer gw.Close()
	session, err := gw.Open(gateway.SessionConfig{Model: "m", Upstream: gateway.UpstreamFunc(func(ctx context.Context, r *gateway.Request) (*gateway.Reply, error) {
		requests.Add(1)
		return model.Complete(ctx, r)
	})})
	if err != nil {
		b.Fatal(err)
	}
	defer session.Close()
	for b.Loop() {
		requests.Store(0)
		cmd := exec.Command(filepath.Join(dir, "core.test"), "-model=m", "-base-url="+session.BaseURL(), fmt.Sprintf("-j=%d", atOnce), fmt.Sprintf("-repeat=%d", attempts/units(core)), "-containment=best", "-test.skip="+skipPattern(cases))
		cmd.Dir = filepath.Join("..", "..", "evals", "core")
		cmd.Env = append(cleanEnv(), "OPENAI_API_KEY="+session.Key(), "DEEDS_RESULTS="+b.TempDir(), "CI=1")
		began := time.Now()
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
		ideal := time.Duration(requests.Load()) * latency / atOnce
		b.ReportMetric(float64(time.Since(began))/float64(ideal), "x-ideal")
		b.ReportMetric(float64(requests.Load()), "requests")
		cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		b.ReportMetric(float64(cpu.Milliseconds())/float64(attempts/units(core)*units(core)), "cpu-ms/attempt")
	}
}
