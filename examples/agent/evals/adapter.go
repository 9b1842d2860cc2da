package evals

import (
	"context"
	"time"

	"github.com/deeds-evals/deeds/behavior"

	"example.org/errand/errand"
)

// Errand is the agent under test.
type Errand struct{}

// Name is what the record calls it.
func (Errand) Name() string { return "errand" }

// Run puts the runner in the world of the task, and notes what it does there.
func (Errand) Run(ctx context.Context, task behavior.Task) error {
	start := time.Now()
	runner := errand.New(errand.Config{
		BaseURL: task.BaseURL, Key: task.Key, Model: task.Model,
		Desk: desk{task},
		More: extra(task.Tools),
		Observe: func(s errand.Step) {
			ev := event(s, task.Changed())
			ev.At = s.Began.Sub(start)
			task.Record(ev)
		},
	})
	for word, more := (behavior.Word{Text: task.Prompt}), true; more; word, more = task.Next(ctx) {
		if word.Fresh {
			runner.Forget()
		}
		if _, err := runner.Ask(ctx, word.Text); err != nil {
			return err
		}
	}
	return nil
}

// extra are the tools that a case gives the agent beside its own.
func extra(given []behavior.Tool) []errand.Tool {
	var all []errand.Tool
	for _, t := range given {
		all = append(all, errand.Tool{
			Name: t.Name, About: t.About, Schema: t.Schema,
			Do: func(ctx context.Context, _ errand.Desk, args map[string]any) errand.Result {
				text, failed := t.Call(ctx, args)
				if failed {
					return errand.Result{Text: text, Fault: errand.Failed}
				}
				return errand.Result{Text: text}
			},
		})
	}
	return all
}
