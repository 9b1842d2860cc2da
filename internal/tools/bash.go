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
			"of long output the last 2000 lines or 128 KiB. The command is killed at its timeout. " +
			"Each call is a new shell: a cd or a variable does not outlive it.",
		plan: "In plan mode it only inspects: " + shell.Allowed,
		args: []field{
			{name: "command", kind: text, required: true, about: "the command line or script"},
			{name: "timeout", kind: number, max: bashLongest, about: "seconds until it is killed (120)"},
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
			return !readOnly
		},
		run: func(ctx context.Context, s *Set, a args) Outcome {
			return s.bash(ctx, a.text("command"), a.float("timeout", bashTimeout))
		},
	}
}

func (s *Set) bash(ctx context.Context, command string, seconds float64) Outcome {
	changed := func() []string { return nil }
	// A command that only reads runs beside others: what changes meanwhile is
	// not its doing.
	if readOnly, _ := shell.ReadOnly(command); !readOnly && s.env.Watch != nil {
		changed = s.env.Watch()
	}
	var output tail
	process, err := s.env.Shell.Start(ctx, command, &output)
	if err != nil {
		return failed("the command could not be started: %v", err)
	}
	timed, cancel := context.WithTimeout(ctx, time.Duration(seconds*float64(time.Second)))
	defer cancel()
	exit, err := process.Wait(timed)
	out := Outcome{Status: OK}
	var end string
	switch {
	case err == nil:
		out.Exit = &exit
		end = fmt.Sprintf("exit status %d", exit)
		if exit != 0 {
			out.Status = Failed
		}
	case ctx.Err() != nil:
		out.Status = Cut
		end = "the command was cut before its end"
	case timed.Err() != nil:
		out.Status = Failed
		end = fmt.Sprintf("timed out after %v s: the command and all it had started were killed; set timeout to give it longer", seconds)
	default:
		out.Status = Failed
		end = fmt.Sprintf("the command was lost: %v", err)
	}
	if err != nil {
		_ = process.Kill() // it has ended already; this is for a shell that broke its word
	}
	out.Text = output.close() + "\n" + end
	out.Changed = changed()
	return out
}
