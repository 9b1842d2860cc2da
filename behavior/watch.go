package behavior

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"sync/atomic"
	"time"

	"github.com/deeds-evals/deeds/internal/gateway"
	"github.com/deeds-evals/deeds/internal/progress"
)

// onMeter is how an attempt is called while it is running.
func (p *process) onMeter(s *slot) progress.Attempt {
	a := progress.Attempt{Name: path.Join(s.Case, s.World, s.Variant)}
	if len(p.settings.models) > 1 {
		a.Model = s.Model
	}
	if p.settings.repeat > 1 {
		a.Number = s.Attempt
	}
	return a
}

// A watcher tells the meter what an attempt is at. It looks at what the model is asked
// and answers, which is the same for every agent: a turn is an answer, and what its
// last call asks for is what the agent is doing until the next.
type watcher struct {
	run   *run
	key   string
	turns atomic.Int64
}

// agent is the upstream of the agent, watched.
func (w *watcher) agent(up gateway.Upstream) gateway.Upstream {
	return w.watch(up, func() { w.says(1, "asks the model") }, func(reply *gateway.Reply) {
		w.turns.Add(1)
		w.says(0, w.run.clean(doing(reply.Message.Calls)))
	})
}

// user is the upstream of the simulated user, watched.
func (w *watcher) user(up gateway.Upstream) gateway.Upstream {
	return w.watch(up, func() { w.says(0, "the user answers") }, func(*gateway.Reply) { w.says(0, "has been answered") })
}

func (w *watcher) says(ahead int, text string) {
	w.run.meter.Update(w.key, int(w.turns.Load())+ahead, text)
}

func (w *watcher) watch(up gateway.Upstream, asked func(), answered func(*gateway.Reply)) gateway.Upstream {
	if w.run.meter == nil || up == nil {
		return up
	}
	return gateway.UpstreamFunc(func(ctx context.Context, request *gateway.Request) (*gateway.Reply, error) {
		asked()
		reply, err := up.Complete(w.run.waits(ctx, w.key), request)
		if err == nil && reply != nil {
			answered(reply)
		}
		return reply, err
	})
}

// waits tells the meter what the requests of an attempt are held back for.
func (r *run) waits(ctx context.Context, key string) context.Context {
	if r.meter == nil {
		return ctx
	}
	return gateway.Watch(ctx, func(w gateway.Wait) { r.meter.Wait(key, w.Why, w.Until) })
}

// telling are the arguments that say most of a call, the best first.
var telling = []string{"command", "path", "pattern", "name", "assignment", "operation", "query", "id"}

// doing says on one line what the last of some calls asks for: "bash go test ./...".
func doing(calls []gateway.Call) string {
	if len(calls) == 0 {
		return "has answered"
	}
	last := calls[len(calls)-1]
	text := last.Name
	var args map[string]any
	if json.Unmarshal([]byte(last.Arguments), &args) == nil {
		for _, name := range slices.Concat(telling, sortedKeys(args)) {
			if value, ok := args[name].(string); ok && value != "" {
				// A terminal is never as wide.
				text += " " + value[:min(len(value), 1000)]
				break
			}
		}
	}
	if more := len(calls) - 1; more > 0 {
		text += fmt.Sprintf(", and %d more", more)
	}
	return text
}

// metered is what a meter counts of a play.
func metered(a attempt) progress.Result {
	u := a.evidence.Usage
	result := progress.Result{Outcome: string(a.outcome), Tokens: u.tokens(), Signals: make(map[string]bool)}
	if u.CostSource != "" {
		result.Cost = &u.Cost
	}
	for s, o := range BySignals(a.verdicts) {
		if o != NA {
			result.Signals[string(s)] = o == Pass
		}
	}
	return result
}

// warm asks a model for the first time, in sight of the meter.
func (r *run) warm(model string) (took time.Duration, err error) {
	r.meter.Begin(model, progress.Attempt{Name: model})
	defer r.meter.Forget(model)
	r.meter.Update(model, 0, "is asked for the first time")
	began := time.Now()
	err = r.source.warm(r.waits(r.ctx, model), model)
	return time.Since(began), err
}
