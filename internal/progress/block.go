package progress

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A look is how a status is drawn.
type look struct {
	columns, rows int // of the terminal
	colour        bool
	rehearsal     bool
	now           time.Time
}

// block renders what there is to say, line by line. It has at most half of the
// terminal's rows: the other half is for what was printed, and a terminal that gets
// half as wide still has room for the lines that it wraps.
func block(s status, l look) []string {
	most := max(l.rows/2, 1)
	if l.columns < 2 || l.rows < 2 {
		return nil // no room
	}
	lines := []string{l.head(s)}
	if line := l.waiting(s); line != "" && len(lines) < most {
		lines = append(lines, line)
	}
	lines = append(lines, l.signals(s, min((most-len(lines))/2, 3))...)
	return append(lines, l.attempts(s, most-len(lines))...)
}

func (l look) row() *row { return &row{left: l.columns - 1, colour: l.colour} }

// head is the line of totals. What does not fit is left out, the least important
// first.
func (l look) head(s status) string {
	r := l.row()
	done := "done"
	if l.rehearsal {
		done = "cases rehearsed"
	}
	r.put(plain, fmt.Sprintf("%d/%d %s", s.done(), max(s.Total, s.done()+len(s.Running)), done))
	part := func(style, text string) {
		if r.room(2, text) {
			r.space(2)
			r.put(style, text)
		}
	}
	counted := func(n int, style, word string) {
		if n > 0 {
			part(style, fmt.Sprintf("%d %s", n, word))
		}
	}
	if l.rehearsal {
		counted(s.Fail+s.Void, red, "broken")
	} else {
		counted(s.Pass, green, "pass")
		counted(s.Fail, red, "fail")
		counted(s.Void, yellow, "void")
		counted(len(s.Running), plain, "running")
	}
	elapsed := l.now.Sub(s.Start)
	clock := duration(elapsed)
	if left, ok := remaining(s, elapsed); ok {
		clock += ", about " + duration(left) + " left"
	}
	part(plain, clock)
	if s.Tokens > 0 {
		part(plain, short(s.Tokens)+" tokens")
	}
	if s.Priced > 0 {
		part(plain, dollars(s.Cost, s.Free == 0))
	}
	return r.String()
}

// remaining guesses how long the rest takes at the pace so far. It does not before as
// many are done as are running: what has ended until then is the quickest of them, and
// the time that the others have had already would count for nothing.
func remaining(s status, elapsed time.Duration) (time.Duration, bool) {
	done := s.done()
	if done == 0 || done < len(s.Running) || s.Total <= done || elapsed <= 0 {
		return 0, false
	}
	return time.Duration(float64(elapsed) * float64(s.Total-done) / float64(done)), true
}

// waiting says what holds requests back, if anything does: of several reasons the one
// that most attempts wait for.
func (l look) waiting(s status) string {
	type wait struct {
		n     int
		until time.Time
	}
	waits := make(map[string]wait)
	for _, a := range s.Running {
		if a.waits(l.now) {
			w := waits[a.Wait]
			if w.n++; a.Until.After(w.until) {
				w.until = a.Until
			}
			waits[a.Wait] = w
		}
	}
	why, most := "", wait{}
	for name, w := range waits {
		if w.n > most.n || w.n == most.n && name < why {
			why, most = name, w
		}
	}
	if most.n == 0 {
		return ""
	}
	r := l.row()
	text := fmt.Sprintf("waiting for the endpoint: %s, %s more", why, duration(most.until.Sub(l.now)))
	if len(s.Running) > 1 {
		text += fmt.Sprintf(", %d of %d running", most.n, len(s.Running))
	}
	r.put(yellow, text)
	return r.String()
}

// signals says of each signal in how many of the attempts that measured it it
// passed, the worst first, in at most so many lines.
func (l look) signals(s status, most int) []string {
	type signal struct {
		name string
		tally
	}
	var failed []signal
	clean := 0
	for name, n := range s.Signals {
		switch {
		case n.Passed < n.Measured:
			failed = append(failed, signal{name, n})
		case n.Measured > 0:
			clean++
		}
	}
	if most < 1 || clean+len(failed) == 0 {
		return nil
	}
	slices.SortFunc(failed, func(a, b signal) int {
		return cmp.Or(
			cmp.Compare(a.Passed*b.Measured, b.Passed*a.Measured),
			cmp.Compare(b.Measured, a.Measured),
			cmp.Compare(a.name, b.name),
		)
	})
	for shown := len(failed); ; shown-- {
		const label = "signals  "
		rows := []*row{l.row()}
		rows[0].put(dim, strings.TrimSpace(label))
		last := rows[0]
		part := func(name, count string) {
			if text := name + count; !last.room(2, text) && last.left < l.columns-1-len(label)+2 && len(rows) <= most {
				last = l.row()
				last.space(len(label) - 2)
				rows = append(rows, last)
			}
			last.space(2)
			last.put(plain, name)
			last.put(red, count)
		}
		for _, f := range failed[:shown] {
			part(f.name, fmt.Sprintf(" %d/%d", f.Passed, f.Measured))
		}
		if more := len(failed) - shown; more > 0 {
			word := "more with failures"
			if shown == 0 {
				word = "with failures"
			}
			part(fmt.Sprintf("%d %s", more, word), "")
		}
		if clean > 0 {
			part(fmt.Sprintf("%d without a failure", clean), "")
		}
		if len(rows) <= most || shown == 0 {
			lines := make([]string, 0, most)
			for _, r := range rows[:min(len(rows), most)] {
				lines = append(lines, r.String())
			}
			return lines
		}
	}
}

// attempts has a line for each that is running, the one that has been running for
// longest first.
func (l look) attempts(s status, most int) []string {
	if most < 1 || len(s.Running) == 0 {
		return nil
	}
	type entry struct {
		id string
		running
	}
	all := make([]entry, 0, len(s.Running))
	for id, a := range s.Running {
		all = append(all, entry{id, a})
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.id, b.id)) })
	shown := all
	if len(all) > most {
		shown = all[:most-1]
	}
	name, model, turn := 0, 0, 0
	for _, a := range shown {
		name, model, turn = max(name, wide(a.title())), max(model, wide(a.Model)), max(turn, len(a.turn()))
	}
	name, model = min(name, l.columns*2/5), min(model, l.columns/5)

	lines := make([]string, 0, most)
	for _, a := range shown {
		r := l.row()
		cell := func(text string, width int) {
			if width > 0 {
				text = tail(text, width)
				r.put(plain, text)
				r.space(width - drawn(text) + 2)
			}
		}
		took := l.now.Sub(a.Since)
		style := dim
		if s.slow(took) {
			style = yellow
		}
		clock := duration(took)
		r.space(max(7-len(clock), 0))
		r.put(style, clock)
		r.space(2)
		cell(a.title(), name)
		cell(a.Model, model)
		cell(a.turn(), turn)
		if a.waits(l.now) {
			r.put(yellow, fmt.Sprintf("waits %s: %s", duration(a.Until.Sub(l.now)), a.Wait))
		} else {
			r.put(plain, a.Text)
		}
		lines = append(lines, r.String())
	}
	if more := len(all) - len(shown); more > 0 {
		r := l.row()
		r.space(9)
		text := fmt.Sprintf("and %d more", more)
		if len(shown) == 0 {
			text = fmt.Sprintf("%d running", more)
		}
		r.put(dim, text)
		lines = append(lines, r.String())
	}
	return lines
}

// slow reports whether an attempt takes much longer than those that are done.
func (s status) slow(took time.Duration) bool {
	done := s.done()
	return done >= 3 && took > 10*time.Second && took > 3*s.Took/time.Duration(done)
}

func (r running) title() string {
	if r.Number > 0 {
		return fmt.Sprintf("%s #%d", r.Name, r.Number)
	}
	return r.Name
}

func (r running) turn() string {
	if r.Turn > 0 {
		return fmt.Sprintf("turn %d", r.Turn)
	}
	return ""
}
