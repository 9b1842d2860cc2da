package tools

import (
	"context"
	"fmt"
	"time"
)

func bashOutputTool() *tool {
	return &tool{
		name: "bash_output",
		text: "Show a background command: whether it runs or how it ended, and its output so far; of long output the last 2000 lines or 128 KiB.",
		say: func(env *Env) string {
			return "With wait it answers as soon as the command has ended, or after that many seconds (at most " +
				seconds(env.Background.wait()) + ")."
		},
		needs: hasShell,
		args: []field{
			{name: "id", kind: text, required: true, about: "of the command, such as bg-1"},
			{name: "wait", kind: number, about: "seconds to wait for its end (0)"},
		},
		check: notBlank("id"),
		run: func(ctx context.Context, s *Set, a args) Outcome {
			j, err := s.background.find(a.text("id"))
			if err != nil {
				return failed("%v", err)
			}
			wait := min(a.float("wait", 0), s.env.Background.wait().Seconds())
			looked := s.await(ctx, j, time.Duration(wait*float64(time.Second)))
			defer looked()
			if ctx.Err() != nil {
				return Outcome{Status: Cut, Text: j.id + ": the wait was cut before its end"}
			}
			return s.show(j)
		},
	}
}

func bashKillTool() *tool {
	return &tool{
		name:    "bash_kill",
		text:    "Kill a background command and all that it has started. Answers with the end of its output.",
		needs:   hasShell,
		args:    []field{{name: "id", kind: text, required: true, about: "of the command, such as bg-1"}},
		check:   notBlank("id"),
		mutates: always,
		run: func(ctx context.Context, s *Set, a args) Outcome {
			j, err := s.background.find(a.text("id"))
			if err != nil {
				return failed("%v", err)
			}
			if e, ended := s.see(j); ended {
				return ok("%s is not running any more: %s; bash_output shows its output", j.id, e)
			}
			j.stop(errKilled)
			select {
			case <-j.done:
				return s.show(j)
			case <-ctx.Done():
				return Outcome{Status: Cut, Text: j.id + ": the call was cut before the command had ended"}
			}
		},
	}
}

// show says how a job stands, and notes that the model knows.
func (s *Set) show(j *job) Outcome {
	e, ended := s.see(j)
	if !ended {
		return ok("%s: running for %s\noutput:\n%s", j.id, seconds(time.Since(j.begun).Truncate(time.Second)), j.output.text())
	}
	out := ok("%s: %s\noutput:\n%s", j.id, e, j.output.text())
	if e.failed() {
		out.Status = Failed
	}
	out.Exit = e.status()
	return out
}

// seconds says a time, as "1.5 s".
func seconds(d time.Duration) string { return fmt.Sprintf("%v s", d.Seconds()) }

func hasShell(env *Env) bool { return env.Shell != nil }

// promote is how long a command may stay in the foreground.
func (b Background) promote() time.Duration {
	if b.Promote > 0 {
		return b.Promote
	}
	return promoteAfter
}

// wait is the longest single wait.
func (b Background) wait() time.Duration {
	if b.Wait > 0 {
		return b.Wait
	}
	return longestWait
}
