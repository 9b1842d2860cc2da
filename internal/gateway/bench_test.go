package gateway_test

import (
	"bytes"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/deeds-evals/deeds/internal/gateway"
	"github.com/deeds-evals/deeds/internal/script"
)

// exchange sends one chat request and reads the answer away.
func exchange(b *testing.B, client *http.Client, s *gateway.Session, body []byte) {
	r, err := http.NewRequest(http.MethodPost, s.BaseURL()+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+s.Key())
	resp, err := client.Do(r)
	if err != nil {
		b.Error(err)
		return
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.StatusCode != 200 {
		b.Error(resp.Status, err)
	}
}

// BenchmarkExchange is what one scripted exchange over loopback costs, the
// client's side included.
func BenchmarkExchange(b *testing.B) {
	s := openSession(b, play(b, "-- pass --\nsay Looking.\nread path=a.txt\n\nsay Done.\n"))
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	b.ReportAllocs()
	for b.Loop() {
		exchange(b, client, s, []byte(ask))
	}
}

// BenchmarkSessions is 1,000 sessions of 3 exchanges at 200 ms, 200 of them at a
// time, each with a client of its own as agents have. The ideal is 3 s.
func BenchmarkSessions(b *testing.B) {
	const (
		sessions, parallel, exchanges = 1000, 200, 3
		latency                       = 200 * time.Millisecond
		ideal                         = sessions / parallel * exchanges * latency
	)
	g := gatewayFor(b, gateway.Config{})
	scripts, err := script.Parse([]byte("-- pass --\nsay Looking.\nread path=a.txt\n\nsay Done.\n"))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		begun := time.Now()
		limiter, err := gateway.NewLimiter(gateway.LimiterConfig{Dir: b.TempDir(), Slots: parallel})
		if err != nil {
			b.Fatal(err)
		}
		var wg sync.WaitGroup
		for range sessions {
			wg.Go(func() {
				release, err := limiter.Acquire(b.Context())
				if err != nil {
					b.Error(err)
					return
				}
				defer release()
				p := script.NewPlayer(scripts.Sections[0].Messages)
				p.Latency = latency
				s, err := g.Open(gateway.SessionConfig{Upstream: p})
				if err != nil {
					b.Error(err)
					return
				}
				defer s.Close()
				client := &http.Client{Transport: &http.Transport{}}
				defer client.CloseIdleConnections()
				for range exchanges {
					exchange(b, client, s, []byte(ask))
				}
			})
		}
		wg.Wait()
		if err := limiter.Close(); err != nil {
			b.Error(err)
		}
		b.ReportMetric(time.Since(begun).Seconds()/ideal.Seconds(), "x-ideal")
	}
}
