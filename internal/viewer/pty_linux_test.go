package viewer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/deeds-evals/deeds/internal/pty"
	"github.com/deeds-evals/deeds/internal/trace"
)

// onPTY says how the child that runs this test again is to behave.
const onPTY = "VIEWER_ON_PTY"

// TestLeavesTheTerminalAsItWas runs this test binary again on a terminal of its own, and
// ends it in every way there is.
func TestLeavesTheTerminalAsItWas(t *testing.T) {
	if how := os.Getenv(onPTY); how != "" {
		shows(how)
		return
	}
	for _, c := range []struct {
		name, how, keys string
		signal          syscall.Signal
		says            string
		code            int
	}{
		{name: "q", keys: "jjq"},
		{name: "esc", keys: "\x1b"},
		{name: "ctrl-c", keys: "\x03"},
		{name: "terminated", signal: syscall.SIGTERM, says: "reading was interrupted: terminated signal received", code: 1},
		{name: "interrupted", signal: syscall.SIGINT, says: "reading was interrupted: interrupt signal received", code: 1},
		{name: "cancelled", how: "cancel", says: "reading was interrupted: enough", code: 1},
		{name: "panic", how: "panic", keys: "]", says: "the viewer broke down; --plain prints the same without it", code: 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			master, slave := pty.Open(t, 80, 24)
			before, err := unix.IoctlGetTermios(int(slave.Fd()), unix.TCGETS)
			require.NoError(t, err)

			self, err := os.Executable()
			require.NoError(t, err)
			var seen output
			go func() { _, _ = io.Copy(&seen, master) }()
			cmd := exec.Command(self, "-test.run=^TestLeavesTheTerminalAsItWas$")
			cmd.Env = []string{onPTY + "=" + c.name + c.how, "TERM=xterm"}
			cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
			cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
			require.NoError(t, cmd.Start())
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()

			if c.how != "cancel" {
				require.Eventually(t, func() bool { return strings.Contains(seen.text(), "? help") }, 20*time.Second, 10*time.Millisecond)
			}
			if c.signal != 0 {
				require.NoError(t, cmd.Process.Signal(c.signal))
			}
			_, err = master.WriteString(c.keys)
			require.NoError(t, err)
			select {
			case <-ended:
			case <-time.After(20 * time.Second):
				_ = cmd.Process.Kill()
				t.Fatalf("it did not end: %q", seen.text())
			}
			require.Equal(t, c.code, cmd.ProcessState.ExitCode(), "%s", seen.text())

			after, err := unix.IoctlGetTermios(int(slave.Fd()), unix.TCGETS)
			require.NoError(t, err)
			require.Equal(t, before, after)
			require.Eventually(t, func() bool { return strings.Contains(seen.text(), c.says+"THE END") }, 5*time.Second, 10*time.Millisecond, "%q", &seen)
			text := seen.text()
			for on, off := range map[string]string{"\x1b[?1049h": "\x1b[?1049l", "\x1b[?25l": "\x1b[?25h", "\x1b[?2004h": "\x1b[?2004l"} {
				require.GreaterOrEqual(t, strings.LastIndex(text, off), strings.LastIndex(text, on), "%q is undone", on)
			}
			require.NotContains(t, text, "\x1b[?1000h", "the mouse is the terminal's")
			require.NotContains(t, text, "\x1b[?1002h")
		})
	}
}

// shows is the child.
func shows(how string) {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	if strings.HasSuffix(how, "cancel") {
		time.AfterFunc(200*time.Millisecond, func() { cancel(errors.New("enough")) })
	}
	err := Show(ctx, Config{
		Trace: failed(), In: os.Stdin, Out: os.Stdout, Colour: true, Environ: os.Environ(),
		Load: func(trace.Head, int) (trace.Trace, error) { panic(how) },
	})
	if err == nil {
		fmt.Print("THE END")
		os.Exit(0)
	}
	fmt.Print(err, "THE END")
	os.Exit(1)
}

// An output is what the terminal was sent so far.
type output struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.all.Write(p)
}

func (o *output) text() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.all.String()
}
