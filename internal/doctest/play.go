package doctest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// Play runs the commands of a block in dir, with the environment given and the
// block's own, and says what was different from the page.
func (b Block) Play(ctx context.Context, dir string, env []string) error {
	for i, c := range b.Commands {
		cmd := exec.CommandContext(ctx, "bash", "-c", c.Text)
		cmd.Dir = dir
		cmd.Env = append(append([]string(nil), env...), b.Env...)
		cmd.WaitDelay = time.Second
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out

		err := cmd.Run()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
			return fmt.Errorf("%s:%d: %s: %w", b.File, c.Line, c.Text, errors.Join(err, ctx.Err()))
		}
		want := 0
		if i == len(b.Commands)-1 {
			want = b.Exit
		}
		got := lines(out.String())
		if status := cmd.ProcessState.ExitCode(); status != want {
			return fmt.Errorf("%s:%d: %s\nwant   exit status %d\ngot    exit status %d\n%s", b.File, c.Line, c.Text, want, status, indent(got))
		}
		if !Match(lines(strings.Join(c.Want, "\n")), got) {
			return fmt.Errorf("%s:%d: %s\nwant\n%s\ngot\n%s", b.File, c.Line, c.Text, indent(c.Want), indent(got))
		}
	}
	return nil
}

// lines splits text, without the empty lines at its end.
func lines(text string) []string {
	text = strings.TrimRight(text, "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

func indent(all []string) string {
	return "       " + strings.Join(all, "\n       ")
}
