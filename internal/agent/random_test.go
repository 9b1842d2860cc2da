package agent

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/tools"
)

// wild is a model that says anything, for the agent and for its children.
type wild struct {
	mu    sync.Mutex
	rand  *rand.Rand
	turns int
}

func pick[T any](r *rand.Rand, all ...T) T { return all[r.IntN(len(all))] }

// pause is how long it thinks.
func (w *wild) pause() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return pick(w.rand, 0, 0, time.Second, time.Hour)
}

func (w *wild) Next(ctx context.Context, _ Request) (Message, error) {
	time.Sleep(w.pause())
	if ctx.Err() != nil {
		return Message{}, ctx.Err()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.rand
	if w.turns++; w.turns > 40 {
		return Message{Text: "enough", Stop: "stop"}, nil
	}
	switch r.IntN(200) {
	case 0:
		return Message{}, errors.New("the line is dead")
	case 1:
		panic("oh no")
	case 2:
		return Message{}, wide{}
	}
	m := Message{
		Role:      pick(r, Assistant, "", Tool, "nobody"),
		Text:      pick(r, "", "hi", "<think>", "a</think>b", "\xff\xfe", "<think>x</think>y"),
		Reasoning: pick(r, "", "hm"),
		CallID:    pick(r, "", "x"),
		Stop:      pick(r, "tool_calls", "tool_calls", "stop", "length", "", "content_filter", "else"),
		Usage:     Usage{Prompt: r.IntN(100), Completion: r.IntN(100), Cost: r.Float64() / 100},
	}
	if m.Stop == "content_filter" && r.IntN(4) > 0 {
		m.Stop = "tool_calls"
	}
	for range pick(r, 0, 1, 1, 1, 2, 3, 7, 40) {
		m.Calls = append(m.Calls, ToolCall{
			ID:        pick(r, "", "x", "call_1", "call_2", fmt.Sprint(r.IntN(1000))),
			Name:      pick(r, "look", "look", "look", "change", "change", "slow", "sleep", "list", "fail", "nothing", "", "no such", "\xff") + pick(r, "", "", "", "", "", "", "", "", "x"),
			Arguments: pick(r, "", "{}", `{"a":1}`, `{"a":1`, "null", "[]", `"{}"`, "\x00", `{"a":{"b":[1,2,{}]}}`, fmt.Sprintf(`{"n":%d}`, r.IntN(5))),
		})
		if r.IntN(100) == 0 {
			m.Calls[len(m.Calls)-1].Name = pick(r, "ask", "plan", "ready", "hang", "panic", "stuck")
		}
		if r.IntN(10) == 0 {
			c := &m.Calls[len(m.Calls)-1]
			c.Name, c.Arguments = "job", fmt.Sprintf(`{"n":%d}`, r.IntN(100))
			if r.IntN(2) == 0 {
				c.Name = "task"
				c.Arguments = fmt.Sprintf(`{"agent":%q,"id":%q,"assignment":"do it"}`,
					pick(r, "worker", "explore", "explore", "review", "nobody", ""), pick(r, "", "", "", "child-1", "child-2", "child-9"))
			}
		}
	}
	return m, nil
}

// playAtRandom plays a session with a wild model, over several turns of the user.
func playAtRandom(t *testing.T, seed uint64) {
	synctest.Test(t, func(t *testing.T) {
		defer time.Sleep(48 * time.Hour) // until the last stuck call has ended
		r := rand.New(rand.NewPCG(seed, 1))
		w := &wild{rand: r}
		s := newStage(t, Config{
			Model: w,
			Heard: func() []Word {
				w.mu.Lock()
				defer w.mu.Unlock()
				if r.IntN(100) > 0 {
					return nil
				}
				return []Word{{Text: pick(r, "", "a word"), Stop: r.IntN(2) == 0}}
			},
			Window: pick(r, 0, 0, 100, 500),
			Limits: Limits{
				Turns: pick(r, 0, 1, 5, 30), Time: pick(r, 0, time.Second, time.Minute, time.Hour),
				Tokens: pick(r, 0, 0, 500), Cost: pick(r, 0, 0, 0.05),
			},
		})
		sleep := func(d time.Duration) func(context.Context, map[string]any) tools.Outcome {
			return func(ctx context.Context, _ map[string]any) tools.Outcome {
				select {
				case <-time.After(d):
					return tools.Outcome{Status: tools.OK, Text: "slept"}
				case <-ctx.Done():
					return tools.Outcome{Status: tools.Cut, Text: "woken"}
				}
			}
		}
		s.tools.do["slow"], s.tools.do["sleep"] = sleep(time.Second), sleep(time.Minute)
		s.tools.do["stuck"] = func(context.Context, map[string]any) tools.Outcome {
			time.Sleep(24 * time.Hour)
			return tools.Outcome{Status: tools.OK, Text: "late"}
		}
		for range 1 + r.IntN(3) {
			ctx, cancel := context.WithTimeout(background, pick(r, time.Second, time.Hour, 100*time.Hour))
			stop, err := s.play(t, ctx)
			switch {
			case err == nil:
				require.Contains(t, []Stop{Done, Asked, Planned, TooMany, TooLong, TooLarge, TooDear, TooWide, Length, Filtered}, stop)
			case errors.Is(err, context.DeadlineExceeded):
				require.Error(t, ctx.Err())
			default:
				var (
					broken *ModelError
					p      *PanicError
					stuck  *StuckError
				)
				require.True(t, errors.As(err, &broken) || errors.As(err, &p) || errors.As(err, &stuck), "%v", err)
			}
			cancel()
			var given *StuckError
			require.False(t, !errors.As(err, &given) && s.tools.raced, "a mutation raced a sibling")
			if given != nil {
				return // what was given up goes on beside whatever comes next
			}
		}
	})
}

func TestAnyModel(t *testing.T) {
	t.Parallel()
	for seed := range uint64(150) {
		playAtRandom(t, seed)
	}
}

func FuzzLoop(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(playAtRandom)
}

// BenchmarkTurn measures what the loop itself costs in a turn, with twenty turns
// of history on average.
func BenchmarkTurn(b *testing.B) {
	const turns = 40
	var messages []Message
	for i := range turns {
		messages = append(messages, calls(fmt.Sprintf(`look {"n":%d}`, i), fmt.Sprintf(`change {"n":%d}`, i)))
	}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		s, err := newSession(Config{Model: &script{messages: messages}}, func(tools.Env) toolset { return newBench() })
		if err != nil {
			b.Fatal(err)
		}
		if _, err := s.Send(background, "go"); err != nil {
			b.Fatal(err)
		}
		n += turns
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/turn")
}
