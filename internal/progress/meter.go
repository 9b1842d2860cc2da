// Package progress draws one line on the terminal while a run is going on:
//
//	12/90 done  9 pass  2 fail  1 void  8 running  34.5k tokens  1m02s, about 5m left  chain/read-before-edit 12s
//
// The output of a test that passes is swallowed by the go command, so the line
// goes to the terminal itself, and only if there is a person to see it: the
// terminal opens and this process is in its foreground, CI is not set, TERM is
// not dumb, and nobody parses the output.
//
// A run is several processes, one a package, and a terminal has room for one
// writer. Whoever holds the lock in [Config.Dir] draws; the others leave their
// counts in a small file each, and one of them takes over when it is gone.
//
// The line stands below the cursor, which rests on an empty row: what the go
// command prints meanwhile ("ok …/evals/core 12s") goes there, and the next line
// is drawn below it. Nothing hides the cursor, fills the last column or changes a
// mode, so that a process which is killed leaves nothing to repair.
package progress

import (
	"io"
	"os"
	"sync"
	"time"
)

const (
	tick  = 100 * time.Millisecond // at most ten lines a second
	calm  = 300 * time.Millisecond // a run shorter than this shows nothing
	share = 500 * time.Millisecond // between two looks at the other processes
	idle  = time.Second            // a line is drawn anew though nothing happened

	// erase removes what stands at the cursor and below.
	erase = "\r\x1b[J"
)

// draw puts a line below the cursor, and the cursor back.
func draw(text string) string { return erase + "\n" + text + "\x1b[A\r" }

// Config says what a meter counts, and where.
type Config struct {
	// Dir is a directory that the processes of the run share. Small files are
	// left in it; it goes when the run's own files go. With "" this process
	// draws alone.
	Dir string
	// Total is how many attempts this process plans.
	Total int
	// RunTotal is how many the whole run plans, if that is known. Otherwise the
	// processes that have started are added up.
	RunTotal int

	// Terminal opens the terminal. Nil means the real one, under the conditions
	// of the package comment.
	Terminal func() (Terminal, error)
}

// A Terminal is something to draw on.
type Terminal interface {
	io.WriteCloser
	// Width is how many columns it has now.
	Width() int
}

// A Meter counts the attempts of this process. Its methods may be called from
// any goroutine; those of a nil Meter, and of one without a terminal, do nothing.
type Meter struct {
	terminal Terminal
	shared   *shared
	runTotal int

	mu    sync.Mutex
	own   status
	dirty bool

	stop sync.Once
	last string // what is left on the terminal; set before quit is closed
	quit chan struct{}
	done chan struct{}
}

// Start begins to count, and to draw if there is a terminal to draw on.
func Start(c Config) *Meter {
	open := c.Terminal
	if open == nil {
		if !wanted(os.Getenv, os.Args, stdoutIsTerminal()) {
			return nil
		}
		open = openTerminal
	}
	terminal, err := open()
	if err != nil {
		return nil
	}
	m := &Meter{
		terminal: terminal,
		runTotal: c.RunTotal,
		own:      status{Total: c.Total, Start: time.Now(), Running: make(map[string]attempt)},
		quit:     make(chan struct{}),
		done:     make(chan struct{}),
	}
	if c.Dir != "" {
		if m.shared, err = join(c.Dir); err != nil {
			// Two writers on one terminal are worse than none.
			_ = terminal.Close()
			return nil
		}
	}
	go m.loop()
	return m
}

// Say leaves a text on the terminal, under the conditions on which a meter draws.
// It is for what is over too soon to be watched.
func Say(text string) {
	if !wanted(os.Getenv, os.Args, stdoutIsTerminal()) {
		return
	}
	terminal, err := openTerminal()
	if err != nil {
		return
	}
	_, _ = io.WriteString(terminal, erase+text)
	_ = terminal.Close()
}

// Begin notes that an attempt has begun. The text says what it is doing.
func (m *Meter) Begin(id, text string) {
	m.change(func(s *status) { s.Running[id] = attempt{Text: text, Since: time.Now()} })
}

// Update says what a running attempt is doing now.
func (m *Meter) Update(id, text string) {
	m.change(func(s *status) {
		if a, ok := s.Running[id]; ok {
			a.Text = text
			s.Running[id] = a
		}
	})
}

// Forget ends what was begun and does not count, such as the first request to a
// model.
func (m *Meter) Forget(id string) {
	m.change(func(s *status) { delete(s.Running, id) })
}

// Done notes how an attempt ended: "pass", "fail" or "void".
func (m *Meter) Done(id, outcome string, tokens int) {
	m.change(func(s *status) {
		delete(s.Running, id)
		switch outcome {
		case "pass":
			s.Pass++
		case "fail":
			s.Fail++
		default:
			s.Void++
		}
		s.Tokens += max(tokens, 0)
	})
}

func (m *Meter) change(f func(*status)) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	f(&m.own)
	m.dirty = true
}

// Stop erases the line, leaves the text of the first call in its place, and hands
// the terminal on. It may be called more than once.
func (m *Meter) Stop(text string) {
	if m == nil {
		return
	}
	m.stop.Do(func() {
		m.last = text
		close(m.quit)
	})
	select {
	case <-m.done:
	case <-time.After(time.Second):
		// The terminal is held (Ctrl-S). A run does not wait for that.
	}
}

// loop is the only place that touches the terminal and the files.
func (m *Meter) loop() {
	defer close(m.done)
	defer m.terminal.Close()

	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	var (
		owner  = m.shared == nil
		others []status
		looked time.Time
		drawn  time.Time
		text   string
	)
	start := time.Now()
	for {
		select {
		case <-m.quit:
			own, _ := m.snapshot()
			// What this process never came to is no longer planned.
			own.Ended, own.Running = true, nil
			if text != "" || m.last != "" {
				_, _ = io.WriteString(m.terminal, erase+m.last)
			}
			m.shared.leave(own)
			return
		case <-ticker.C:
		}
		now := time.Now()
		own, dirty := m.snapshot()
		if m.shared != nil && now.Sub(looked) >= share {
			looked = now
			m.shared.publish(own)
			owner = m.shared.own()
			if owner {
				others = m.shared.others(now)
			}
		}
		if !owner || now.Sub(start) < calm || !dirty && now.Sub(drawn) < idle {
			continue
		}
		next := line(sum(own, others, m.runTotal), m.terminal.Width(), now)
		m.clean()
		drawn = now
		if next == "" {
			continue // a terminal without room
		}
		text = next
		_, _ = io.WriteString(m.terminal, draw(text))
	}
}

// snapshot copies the counts, and says whether they changed since they were drawn.
func (m *Meter) snapshot() (status, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.own.clone(), m.dirty
}

func (m *Meter) clean() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.dirty = false
}
