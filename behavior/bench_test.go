//go:build unix

package behavior

import (
	"context"
	"fmt"
	"sync"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/deeds-evals/deeds/internal/gateway"
	"github.com/deeds-evals/deeds/internal/sandbox"
	"github.com/deeds-evals/deeds/internal/script"
)

// benchUnit is a file case as the suite has many.
func benchUnit() unit {
	c := Case{
		Claim: "c", Prompt: "Switch the channel in settings.txt from draft to published.",
		Files:  fstest.MapFS{"settings.txt": {Data: []byte("channel=draft\nkeep=this\n"), Mode: 0o644}},
		Expect: BySignal{ToolChain: {finds(Pass)}},
	}
	return c.units("chain/x")[0]
}

func benchScript(b *testing.B) []script.Message {
	b.Helper()
	s, err := script.Parse([]byte("-- pass --\nread path=settings.txt\n\nedit path=settings.txt old=\"channel=draft\" new=\"channel=published\"\n\nsay Done.\n"))
	if err != nil {
		b.Fatal(err)
	}
	return s.Sections[0].Messages
}

// cpu is the processor time that this process has used.
func cpu() time.Duration {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// BenchmarkAttempt is one rehearsed attempt of a file case, all included.
func BenchmarkAttempt(b *testing.B) {
	gw, err := gateway.Start(gateway.Config{})
	if err != nil {
		b.Fatal(err)
	}
	defer gw.Close()
	st := stage{gateway: gw, containment: sandbox.Best, now: time.Now}
	u, messages := benchUnit(), benchScript(b)
	used := cpu()
	for b.Loop() {
		if a := st.play(context.Background(), u, "script", script.NewPlayer(messages)); a.outcome != Pass {
			b.Fatal(a.outcome, a.reason, a.detail)
		}
	}
	b.ReportMetric(float64((cpu()-used).Microseconds())/float64(b.N)/1000, "cpu-ms/op")
}

// BenchmarkThousandAttempts is a run of 1,000 attempts of three requests each
// against a model that takes 200 ms a request, 200 at a time. The ideal is three
// seconds; the ratio to it is reported.
func BenchmarkThousandAttempts(b *testing.B) {
	const attempts, atOnce, latency = 1000, 200, 200 * time.Millisecond
	gw, err := gateway.Start(gateway.Config{})
	if err != nil {
		b.Fatal(err)
	}
	defer gw.Close()
	st := stage{gateway: gw, containment: sandbox.Best, now: time.Now}
	u, messages := benchUnit(), benchScript(b)
	ideal := time.Duration(len(messages)) * latency * attempts / atOnce
	for b.Loop() {
		began := time.Now()
		slots := make(chan struct{}, atOnce)
		var wg sync.WaitGroup
		var failed sync.Map
		for i := range attempts {
			slots <- struct{}{}
			wg.Go(func() {
				defer func() { <-slots }()
				p := script.NewPlayer(messages)
				p.Latency = latency
				if a := st.play(context.Background(), u, "script", p); a.outcome != Pass {
					failed.Store(i, fmt.Sprint(a.outcome, a.reason, a.detail))
				}
			})
		}
		wg.Wait()
		failed.Range(func(_, what any) bool { b.Error(what); return false })
		b.ReportMetric(float64(time.Since(began))/float64(ideal), "x-ideal")
	}
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	b.ReportMetric(float64(r.Maxrss)/1024, "peak-MB")
}
