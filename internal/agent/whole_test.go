package agent

import (
	"context"
	"fmt"
	"io"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/tools"
)

// clockShell runs commands that do nothing but last a minute.
type clockShell struct{}

func (clockShell) Start(_ context.Context, script string, output io.Writer) (tools.Process, error) {
	fmt.Fprintf(output, "%s: %s\n", script, "ran")
	return clockProcess{}, nil
}

type clockProcess struct{}

func (clockProcess) Kill() error { return nil }
func (clockProcess) Wait(ctx context.Context) (int, error) {
	select {
	case <-time.After(time.Minute):
		return 0, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// The loop with the tools themselves: a child that reads, a skill, and a command in
// the background whose end the agent waits for.
func TestWithTheToolsThemselves(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		files := workspace(t, map[string]string{
			"lib/a.txt": "seven\n", "lib/AGENTS.md": "Be kind.",
			".agents/skills/deploy/SKILL.md": "---\nname: deploy\ndescription: How to deploy\n---\nShip $ARGUMENTS.\n",
		})
		c := &cast{parts: map[string]func(int) Message{
			"go": in(
				calls(`bash {"command":"make","background":true}`, task("explore", "x"), `skill {"name":"deploy","arguments":"it"}`),
				say("I wait"), say("hi"),
			),
			"x": in(calls(`read {"path":"lib/a.txt"}`, `write {"path":"b","content":"c"}`, `bash {"command":"touch x"}`), say("seven")),
		}}
		var (
			told    []string
			results []string
		)
		s, err := NewSession(Config{
			Model: c, Idle: time.Hour,
			Tools: tools.Env{Dir: "/w", Files: files, Shell: clockShell{}},
			Observe: func(ev Event) {
				told = append(told, fmt.Sprintf("%s %s %s %s", ev.Agent, ev.Kind, ev.ID, ev.State))
				if ev.Kind == Called {
					results = append(results, ev.Agent+" "+ev.Tool+" "+string(ev.Outcome.Status))
				}
			},
		})
		require.NoError(t, err)
		begun := time.Now()
		stop, err := s.Send(background, "go")
		require.NoError(t, err)
		require.Equal(t, Done, stop)
		require.Equal(t, time.Minute, time.Since(begun))
		slices.Sort(results)
		require.Equal(t, []string{
			" bash ok", " skill ok", " task ok",
			"child-1 bash refused", "child-1 read ok", "child-1 write unknown",
		}, results)
		for _, want := range []string{
			" background bg-1 started", " background bg-1 ended", " notice bg-1 ", " skill deploy ",
			" child child-1 started", " child child-1 ended", "child-1 rule lib/AGENTS.md nested",
		} {
			require.Contains(t, told, want)
		}
		all := answers(s.History())
		require.Equal(t, "child-1 (explore): completed\n\nseven", all[1])
		require.Contains(t, all[2], "Ship it.")
		require.Contains(t, c.seen["x"][1].Messages[3].Text, "<rules path=\"lib/AGENTS.md\">\nBe kind.\n</rules>")
		require.Contains(t, said(s.History())[1], "<notice>\nbg-1 ended with exit status 0\ncommand: make")
	})
}
