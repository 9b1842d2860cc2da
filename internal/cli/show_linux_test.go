package cli

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/pty"
)

// A screen is a terminal with a command on it.
type screen struct {
	master *os.File
	ended  chan error
	read   chan struct{} // closed when all that it wrote was read

	mu   sync.Mutex
	seen bytes.Buffer
}

// onTerminal starts this test binary as deeds, on a terminal of its own.
func (m *module) onTerminal(t *testing.T, environ []string, args ...string) *screen {
	t.Helper()
	master, slave := pty.Open(t, 80, 24)
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, args...)
	cmd.Dir = m.dir
	cmd.Env = append([]string{"BE_DEEDS=1", "PATH=" + os.Getenv("PATH"), "HOME=" + m.dir}, environ...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	require.NoError(t, cmd.Start())
	require.NoError(t, slave.Close())
	p := &screen{master: master, ended: make(chan error, 1), read: make(chan struct{})}
	go func() {
		defer close(p.read)
		buf := make([]byte, 4096)
		for {
			n, err := master.Read(buf)
			p.mu.Lock()
			p.seen.Write(buf[:n])
			p.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	go func() { p.ended <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = master.Close()
		<-p.read
	})
	return p
}

func (p *screen) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.seen.String()
}

func (p *screen) wait(t *testing.T) {
	t.Helper()
	select {
	case err := <-p.ended:
		require.NoError(t, err, p.text())
		<-p.read // which fails once nobody has the terminal open
	case <-time.After(30 * time.Second):
		t.Fatalf("it has not ended: %q", p.text())
	}
}

const alternate = "\x1b[?1049" // the other screen of a terminal: h enters it, l leaves it

// At a terminal an attempt is read, and the terminal is left as it was.
func TestShowAtATerminal(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"one":  {"show", "pair", "--model", "m"},
		"two":  {"show", "pair", "--model", "m", "--vs", "1"},
		"find": {"show", "pair", "--model", "m", "--find", "NEEDLE"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newModule(t)
			two(t, m)
			p := m.onTerminal(t, []string{"TERM=xterm-256color"}, args...)
			require.Eventually(t, func() bool { return strings.Contains(p.text(), "core/pair") }, 30*time.Second, 10*time.Millisecond)
			_, err := p.master.WriteString("q")
			require.NoError(t, err)
			p.wait(t)
			require.Contains(t, p.text(), alternate+"h")
			require.Contains(t, p.text(), alternate+"l")
		})
	}
}

// It is text where it was asked for, and where the terminal can do no more.
func TestShowPlainAtATerminal(t *testing.T) {
	t.Parallel()
	m := newModule(t)
	two(t, m)
	show := []string{"show", "pair", "--model", "m"}
	for name, tt := range map[string]struct {
		term string
		args []string
		want string
	}{
		"plain":    {"TERM=xterm-256color", append(show[:len(show):len(show)], "--plain"), "\x1b[1mcore/pair\x1b[0m\r\n"},
		"json":     {"TERM=xterm-256color", append(show[:len(show):len(show)], "--json"), `"run": "20261130T000000Z-000002"`},
		"run":      {"TERM=xterm-256color", show[:1], "core/pair"},
		"not held": {"TERM=xterm-256color", append(show[:len(show):len(show)], "--vs", "1", "--plain"), "first difference: event 8"},
		"dumb":     {"TERM=dumb", show, "\ncore/pair\r\nclaim"},
		"no TERM":  {"COLORTERM=", show, "core/pair"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := m.onTerminal(t, []string{tt.term}, tt.args...)
			p.wait(t)
			require.Contains(t, "\n"+p.text(), tt.want)
			require.NotContains(t, p.text(), alternate)
		})
	}
}
