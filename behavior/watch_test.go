package behavior

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/gateway"
	"github.com/deeds-evals/deeds/internal/progress"
)

func TestDoing(t *testing.T) {
	for want, calls := range map[string][]gateway.Call{
		"has answered":                      nil,
		"bash go test ./...":                {{Name: "bash", Arguments: `{"timeout":3,"command":"go test ./..."}`}},
		"grep secret":                       {{Name: "grep", Arguments: `{"pattern":"secret"}`}},
		"mcp_port_list A 1":                 {{Name: "mcp_port_list", Arguments: `{"zone":"","harbour":"A 1"}`}},
		"todo":                              {{Name: "todo", Arguments: `{"items":[]}`}},
		"read":                              {{Name: "read", Arguments: `{"path":`}},
		"write b.txt, and 2 more":           {{Name: "read"}, {Name: "read"}, {Name: "write", Arguments: `{"content":"x","path":"b.txt"}`}},
		"bash " + strings.Repeat("y", 1000): {{Name: "bash", Arguments: `{"command":"` + strings.Repeat("y", 5000) + `"}`}},
	} {
		require.Equal(t, want, doing(calls))
	}
}

func TestMetered(t *testing.T) {
	a := attempt{outcome: Fail, verdicts: []Verdict{
		{Signal: ToolChain, Result: Fail}, {Signal: PlanSafety, Result: Pass}, {Signal: Delegation, Result: NA, Conditional: true},
	}}
	a.evidence.Usage = Usage{Prompt: 30, Completion: 4, Cost: 0.5, CostSource: "reported"}
	cost := 0.5
	require.Equal(t, progress.Result{
		Outcome: "fail", Tokens: 34, Cost: &cost,
		Signals: map[string]bool{"tool-chain": false, "plan-safety": true},
	}, metered(a))
	a.evidence.Usage = Usage{Unreported: 1}
	require.Nil(t, metered(a).Cost)
	require.Negative(t, metered(a).Tokens)
}

// screen is a terminal that keeps what is written to it.
type screen struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}
func (s *screen) Close() error     { return nil }
func (s *screen) Size() (int, int) { return 100, 24 }
func (s *screen) Colour() bool     { return false }
func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

func TestWatcher(t *testing.T) {
	var s screen
	r := &run{
		meter:  progress.Start(progress.Config{Total: 1, Terminal: func() (progress.Terminal, error) { return &s, nil }}),
		redact: gateway.NewRedactor("hunter2-hunter2"),
	}
	defer r.meter.Stop("")
	shows := func(text string) {
		t.Helper()
		require.Eventually(t, func() bool { return strings.Contains(s.String(), text) }, 5*time.Second, 10*time.Millisecond, "%q", text)
	}
	answer := make(chan *gateway.Reply)
	up := gateway.UpstreamFunc(func(context.Context, *gateway.Request) (*gateway.Reply, error) {
		if reply := <-answer; reply != nil {
			return reply, nil
		}
		return nil, errors.New("no answer")
	})
	r.meter.Begin("key", progress.Attempt{Name: "core/case"})
	w := &watcher{run: r, key: "key"}
	ask := func(up gateway.Upstream) chan error {
		done := make(chan error, 1)
		go func() {
			_, err := up.Complete(t.Context(), &gateway.Request{})
			done <- err
		}()
		return done
	}

	done := ask(w.agent(up))
	shows("core/case  turn 1  asks the model")
	answer <- &gateway.Reply{Message: gateway.Message{Calls: []gateway.Call{{Name: "bash", Arguments: `{"command":"echo hunter2-hunter2"}`}}}}
	require.NoError(t, <-done)
	shows("turn 1  bash echo ")
	done = ask(w.user(up))
	shows("turn 1  the user answers")
	answer <- &gateway.Reply{}
	require.NoError(t, <-done)
	shows("turn 1  has been answered")
	done = ask(w.agent(up))
	shows("turn 2  asks the model")
	answer <- nil
	require.Error(t, <-done)
	require.NotContains(t, s.String(), "hunter2")

	require.Nil(t, w.user(nil), "there is no user")
}
