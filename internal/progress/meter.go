// Package progress draws a block of lines on the terminal while a run is going on:
//
//	12/90 done  9 pass  2 fail  1 void  8 running  1m02s, about 5m01s left  34.5k tokens
//	waiting for the endpoint: 429, 12s more, 3 of 8 running
//	signals  tool-chain 7/9  filesystem-safety 9/10  15 without a failure
//	  1m02s  chain/read-before-edit #2  turn 3  bash go test ./...
//	    12s  chain/refund/big #1        turn 1  asks the model
//	         and 6 more
//
// The totals; what the endpoint makes the run wait for; each signal with the attempts
// that passed it of those that measured it, the worst first; and what each attempt is
// at, the one that has been running for longest first. It takes at most half of the
// terminal's rows.
//
// The output of a test that passes is swallowed by the go command, so the block goes to
// the terminal itself, and only if there is a person to see it: the terminal opens and
// this process is in its foreground, CI is not set, TERM is not dumb, and nobody parses
// the output. NO_COLOR takes the colours away.
//
// A run is several processes, one a package, and a terminal has room for one writer.
// Whoever holds the lock in [Config.Dir] draws; the others leave their counts in a
// small file each, and one of them takes over when it is gone.
//
// The block stands below the cursor, which rests on an empty row: what the go command
// prints meanwhile ("ok …/evals/core 12s") goes there, and the next block is drawn
// below it. Nothing hides the cursor, fills the last column or changes a mode, so that
// of a process which is killed, or stopped, no more is left than the lines themselves. A terminal that is made narrower
// may wrap what stands there; it all lies below the cursor still, and the next block
// replaces it, though not in the history, where a terminal puts the upper part of it if
// the screen has not the rows.
//
// What is printed in many lines would be written over the block: a process that ends
// takes the block away, and keeps the others from drawing until the go command has said
// what there is to say of it. See also [Meter.Hush].
package progress

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

const (
	tick  = 100 * time.Millisecond // at most ten blocks a second
	calm  = 300 * time.Millisecond // a run shorter than this shows nothing
	share = 500 * time.Millisecond // between two looks at the other processes
	idle  = time.Second            // a block is drawn anew though nothing happened

	// erase removes what stands at the cursor and below. It does so in two steps: some
	// terminals keep what is erased in their history if it is the whole screen at once.
	erase = "\r\x1b[K\n\x1b[J\x1b[A\r"
)

// draw puts lines below the cursor, and the cursor back. What stood there is written
// over and not erased first, which would flicker.
func draw(lines []string) string {
	var b strings.Builder
	b.WriteString("\r\x1b[K")
	for _, line := range lines {
		b.WriteString("\n" + line + "\x1b[K")
	}
	fmt.Fprintf(&b, "\x1b[J\x1b[%dA\r", len(lines))
	return b.String()
}

// Config says what a meter counts, and where.
type Config struct {
	// Dir is a directory that the processes of one go test invocation share, and no
	// other invocation does: see [BuildDir]. Small files are left in it. With "" this
	// process draws alone.
	Dir string
	// Total is how many attempts this process plans.
	Total int
	// Rehearsal says that it is cases that are counted, and whether they are broken.
	Rehearsal bool

	// Terminal opens the terminal. Nil means the real one, under the conditions
	// of the package comment.
	Terminal func() (Terminal, error)
}

// A Terminal is something to draw on.
type Terminal interface {
	io.WriteCloser
	// Size is how many columns and rows it has now.
	Size() (columns, rows int)
	// Colour reports whether it is to be used.
	Colour() bool
}

// An Attempt is what is known of one when it begins.
type Attempt struct {
	Name   string `json:"name"`             // of its unit
	Model  string `json:"model,omitempty"`  // if there are several
	Number int    `json:"number,omitempty"` // if there are several
}

// A Result is what came of a play of an attempt.
type Result struct {
	Outcome string          // "pass", "fail" or "void"
	Tokens  int             // negative: not known
	Cost    *float64        // in US dollars; nil: not known
	Signals map[string]bool // those that were measured: whether they passed
}

// A Meter counts the attempts of this process. Its methods may be called from
// any goroutine; those of a nil Meter, and of one without a terminal, do nothing.
type Meter struct {
	terminal  Terminal
	shared    *shared
	rehearsal bool
	// verbose says that the go command may pass on what tests print as they print it.
	// It holds that back where packages run side by side, and only then.
	verbose bool

	mu    sync.Mutex
	own   status
	dirty bool
	quiet time.Time // nothing is drawn until then
	drawn bool      // there may be something on the terminal
	left  bool      // Last was called

	stop sync.Once
	last string // what is left on the terminal; set before quit is closed
	quit chan struct{}
	done chan struct{}
}

// Start begins to count, and to draw if there is a terminal to draw on.
func Start(c Config) *Meter {
	open, verbose := c.Terminal, false
	if open == nil {
		var yes bool
		if yes, verbose = wanted(os.Getenv, os.Args, Shown()); !yes || verbose && c.Dir == "" {
			return nil
		}
		open = openTerminal
	}
	return start(c, open, verbose)
}

func start(c Config, open func() (Terminal, error), verbose bool) *Meter {
	terminal, err := open()
	if err != nil {
		return nil
	}
	m := &Meter{
		terminal:  terminal,
		rehearsal: c.Rehearsal,
		verbose:   verbose,
		own: status{
			Total: c.Total, Start: time.Now(),
			Running: make(map[string]running), Signals: make(map[string]tally),
		},
		quit: make(chan struct{}),
		done: make(chan struct{}),
	}
	if m.shared, err = join(c.Dir); err != nil {
		// Two writers on one terminal are worse than none.
		_ = terminal.Close()
		return nil
	}
	m.shared.publish(m.own)
	go m.loop()
	return m
}

// Say leaves a text on the terminal, under the conditions on which a meter draws.
// It is for what is over too soon to be watched, and would be swallowed.
func Say(text string) {
	if yes, verbose := wanted(os.Getenv, os.Args, Shown()); !yes || verbose {
		return
	}
	terminal, err := openTerminal()
	if err != nil {
		return
	}
	_, _ = io.WriteString(terminal, erase+text)
	_ = terminal.Close()
}

// Begin notes that an attempt has begun.
func (m *Meter) Begin(id string, a Attempt) {
	m.change(func(s *status) { s.Running[id] = running{Attempt: a, Since: time.Now()} })
}

// Update says what a running attempt is doing now, and in which turn; 0 is for what
// has none.
func (m *Meter) Update(id string, turn int, text string) {
	m.update(id, func(a *running) { a.Turn, a.Text = turn, text })
}

// Wait says why a request of a running attempt is held back, and until when. A zero
// time ends the wait.
func (m *Meter) Wait(id, why string, until time.Time) {
	m.update(id, func(a *running) { a.Wait, a.Until = why, until })
}

func (m *Meter) update(id string, f func(*running)) {
	m.change(func(s *status) {
		if a, ok := s.Running[id]; ok {
			f(&a)
			s.Running[id] = a
		}
	})
}

// Forget ends what was begun and does not count, such as the first request to a
// model.
func (m *Meter) Forget(id string) {
	m.change(func(s *status) { delete(s.Running, id) })
}

// Again notes what came of a play that does not settle its attempt: it is played again.
func (m *Meter) Again(id string, r Result) {
	m.change(func(s *status) {
		s.spend(r)
		if a, ok := s.Running[id]; ok {
			s.Running[id] = running{Attempt: a.Attempt, Since: a.Since, Text: r.Outcome + ", played again"}
		}
	})
}

// Done notes how an attempt ended.
func (m *Meter) Done(id string, r Result) {
	m.change(func(s *status) {
		if a, ok := s.Running[id]; ok {
			s.Took += time.Since(a.Since)
			delete(s.Running, id)
		}
		s.spend(r)
		s.settle(r)
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

// Hush takes the block away for a moment, in which this process prints.
func (m *Meter) Hush() {
	if m == nil {
		return
	}
	m.mu.Lock()
	m.quiet = time.Now().Add(quietAfter)
	drawn := m.drawn
	m.mu.Unlock()
	if drawn {
		m.shared.alone(func() { _, _ = io.WriteString(m.terminal, erase) })
	}
}

// Last ends the count of this process, and reports whether it was the last at work:
// of the processes that count at the same time, it is true for one. It is false when
// nobody looks.
func (m *Meter) Last() bool {
	if m == nil {
		return false
	}
	m.mu.Lock()
	again := m.left
	m.left, m.own.Ended = true, true
	own := m.own.clone()
	m.mu.Unlock()
	if again {
		return false
	}
	last := false
	m.shared.alone(func() {
		m.shared.publish(own)
		last = !atWork(m.shared.others(time.Now()))
	})
	return last
}

// Look says how wide the terminal is, and whether colour is to be used there.
func (m *Meter) Look() (columns int, colour bool) {
	if m == nil {
		return 0, false
	}
	columns, _ = m.terminal.Size()
	return columns, m.terminal.Colour()
}

// Stop erases the block, leaves the text of the first call in its place, and hands
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

// loop draws, and tells the other processes how this one stands.
func (m *Meter) loop() {
	defer close(m.done)
	defer m.terminal.Close()
	defer m.shared.close()

	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	var (
		owner         bool
		met           bool // another process was at work at the same time
		others        []status
		looked, drawn time.Time
		columns, rows int
	)
	start := time.Now()
	for {
		select {
		case <-m.quit:
			m.end(met)
			return
		case <-ticker.C:
		}
		now := time.Now()
		own, dirty := m.snapshot()
		if now.Sub(looked) >= share {
			looked = now
			m.shared.alone(func() {
				// Not the one from before: this process may just have ended its count.
				own, dirty = m.snapshot()
				m.shared.publish(own)
			})
			owner = m.shared.own()
			others = m.shared.others(now)
			met = met || atWork(others)
		}
		if !owner || now.Sub(start) < calm || m.verbose && !met {
			continue
		}
		c, r := m.terminal.Size()
		if !dirty && c == columns && r == rows && now.Sub(drawn) < idle {
			continue
		}
		lines := block(sum(own, others), look{c, r, m.terminal.Colour(), m.rehearsal, now})
		if len(lines) == 0 {
			continue
		}
		m.shared.alone(func() {
			if m.shared.silent(now) || !m.mark(now) {
				return
			}
			drawn, columns, rows = now, c, r
			_, _ = io.WriteString(m.terminal, draw(lines))
		})
	}
}

// mark notes that what there is now is drawn, unless quiet is kept.
func (m *Meter) mark(now time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if now.Before(m.quiet) {
		return false
	}
	m.dirty, m.drawn = false, true
	return true
}

// end leaves the terminal.
func (m *Meter) end(met bool) {
	own, _ := m.snapshot()
	// What this process never came to is no longer planned.
	own.Ended, own.Running = true, nil
	m.shared.alone(func() {
		m.shared.publish(own)
		m.shared.hush()
		m.mu.Lock()
		drawn := m.drawn
		m.mu.Unlock()
		// The block may be that of another process.
		if drawn || met || m.last != "" {
			_, _ = io.WriteString(m.terminal, erase+m.last)
		}
	})
}

// snapshot copies the counts, and says whether they changed since they were drawn.
func (m *Meter) snapshot() (status, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.own.clone(), m.dirty
}
