package tools

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/deeds-evals/deeds/internal/shell"
)

const (
	bashTimeout = 120  // seconds, unless told
	bashLongest = 3600 // seconds
)

func bashTool() *tool {
	return &tool{
		name: "bash",
		text: "Run a command with bash in the workspace. Answers with its output, standard error included, and its exit status; " +
			"of long output the last 2000 lines or 128 KiB. " +
			"Each call is a new shell: a cd or a variable does not outlive it.",
		say: func(env *Env) string {
			if promote := env.Background.promote(); promote < bashTimeout*time.Second {
				return "A command that still runs after " + seconds(promote) + " is moved to the background; " +
					"one with a shorter timeout is killed at that."
			}
			return "It is killed at its timeout, 120 s unless told."
		},
		needs: hasShell,
		plan:  "In plan mode it only inspects: " + shell.Allowed,
		args: []field{
			{name: "command", kind: text, required: true, about: "the command line or script"},
			{name: "timeout", kind: number, above: true, max: bashLongest, about: "seconds until it is killed; none given, it has no limit in the background"},
			{name: "background", kind: boolean, about: "answer at once and let it run, as a server or long work; you are told when it ends"},
		},
		check: func(a args) error {
			if strings.TrimSpace(a.text("command")) == "" {
				return errors.New("command is empty")
			}
			if strings.ContainsRune(a.text("command"), 0) {
				return errors.New("command holds a NUL byte")
			}
			return nil
		},
		forbid: func(s *Set, mode Mode, a args) string {
			if mode != Plan {
				return ""
			}
			if ok, why := shell.ReadOnly(a.text("command")); !ok {
				return "the command was not run, since bash only inspects in plan mode: " + why
			}
			return ""
		},
		mutates: func(a args) bool {
			readOnly, _ := shell.ReadOnly(a.text("command"))
			return !readOnly || a.flag("background") // those are numbered in the order of the calls
		},
		run: func(ctx context.Context, s *Set, a args) Outcome {
			limit := time.Duration(a.float("timeout", 0) * float64(time.Second))
			if a.flag("background") {
				return s.bashBackground(ctx, a.text("command"), limit)
			}
			return s.bash(ctx, a.text("command"), limit)
		},
	}
}

// bashBackground starts a command and does not wait for it. A limit of zero is none.
func (s *Set) bashBackground(ctx context.Context, command string, limit time.Duration) Outcome {
	j, err := s.begin(ctx, command)
	if err != nil {
		return failed("the command could not be started: %v", err)
	}
	if limit > 0 {
		j.killAfter(limit)
	}
	return ok("%s was started in the background. You are told when it ends; do not wait for it unless the answer depends on it.", j.id)
}

// bash runs a command, and lets go of it where it takes too long. A limit of zero is
// the usual one.
func (s *Set) bash(ctx context.Context, command string, limit time.Duration) Outcome {
	j, err := s.startJob(ctx, command)
	if err != nil {
		return failed("the command could not be started: %v", err)
	}
	promote := s.env.Background.promote()
	given := limit > 0
	if !given {
		limit = bashTimeout * time.Second
	}
	if given || promote >= limit {
		j.killAfter(limit)
	}
	var moves <-chan time.Time
	if promote < limit {
		timer := time.NewTimer(promote)
		defer timer.Stop()
		moves = timer.C
	}
	select {
	case <-j.done:
	case <-ctx.Done():
		j.stop(errCut)
		<-j.done
	case <-moves:
		if s.promote(j) {
			out := moved(j, promote, given, limit)
			out.Changed = j.changed()
			return out
		}
		<-j.done
	}
	out := j.outcome()
	out.Changed = j.changed()
	return out
}

// watch says which files of the workspace change while a command runs. One that only
// reads runs beside others: what changes meanwhile is not its doing.
func (s *Set) watch(command string) (changed func() []string) {
	if readOnly, _ := shell.ReadOnly(command); readOnly || s.env.Watch == nil {
		return func() []string { return nil }
	}
	return s.env.Watch()
}

// moved is the outcome of a command that went to the background.
func moved(j *job, after time.Duration, given bool, limit time.Duration) Outcome {
	still := ""
	if given {
		still = fmt.Sprintf(" It is killed at its timeout of %s.", seconds(limit))
	}
	return ok("%s: the command still runs after %s and was moved to the background; wait with bash_output if the result matters.%s\noutput so far:\n%s",
		j.id, seconds(after), still, j.output.text())
}

// outcome is that of a job that has ended in the foreground.
func (j *job) outcome() Outcome {
	out := Outcome{Status: OK, Exit: j.end.status()}
	if j.end.failed() {
		out.Status = Failed
	}
	var how string
	switch {
	case j.end.why == nil:
		how = fmt.Sprintf("exit status %d", j.end.exit)
	case errors.Is(j.end.why, errCut):
		out.Status = Cut
		how = "the command was cut before its end"
	case errors.As(j.end.why, new(timedOut)):
		how = fmt.Sprintf("%v: the command and all it had started were killed; set timeout to give it longer", j.end.why)
	default:
		how = fmt.Sprintf("the command was lost: %v", j.end.why)
	}
	out.Text = j.output.close() + "\n" + how
	return out
}
