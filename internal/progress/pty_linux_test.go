package progress

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/deeds-evals/deeds/internal/pty"
)

// TestOnARealTerminal runs this test binary again on a terminal of its own.
func TestOnARealTerminal(t *testing.T) {
	if os.Getenv("PROGRESS_ON_PTY") != "" {
		m := Start(Config{Dir: os.Getenv("PROGRESS_ON_PTY"), Total: 2})
		m.Begin("core/a", Attempt{Name: "core/a"})
		m.Update("core/a", 1, "asks the model")
		time.Sleep(1500 * time.Millisecond)
		m.Done("core/a", Result{Outcome: "pass", Tokens: 5})
		m.Stop("")
		return
	}
	master, slave := pty.Open(t, 32, 24)

	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, "-test.run=^TestOnARealTerminal$")
	cmd.Env = []string{"PROGRESS_ON_PTY=" + t.TempDir(), "TERM=xterm"}
	cmd.Stdin = slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	require.NoError(t, cmd.Start())
	require.NoError(t, slave.Close())
	var seen []byte
	read := make(chan error, 1)
	go func() {
		var err error
		seen, err = io.ReadAll(master)
		read <- err
	}()
	require.NoError(t, cmd.Wait())
	select {
	case err := <-read: // EIO says that the other side has been closed
		require.True(t, err == nil || errors.Is(err, unix.EIO), "%v", err)
	case <-time.After(10 * time.Second):
		t.Fatal("the terminal was not let go")
	}

	text := string(seen)
	require.Regexp(t, `\r\x1b\[K\r\n0/2 done  1 running  \ds\x1b\[K\r\n     \x1b\[2m\ds\x1b\[0m  core/a  turn 1  asks t\x1b\[K\x1b\[J\x1b\[2A\r`, text, "cut before the 32nd column")
	require.True(t, strings.HasSuffix(text, strings.ReplaceAll(erase, "\n", "\r\n")), "%q", text)
}
