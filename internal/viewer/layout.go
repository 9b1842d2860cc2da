package viewer

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// A segment is text of one style. What can be found in it begins at that byte of the
// line, or of the status; nothing can where from is -1.
type segment struct {
	text   string
	style  style
	from   int
	status bool
}

// A row is what a column shows in one row of the screen.
type row []segment

const (
	labelColumns = 10
	gap          = 2  // between a text and the status to its right
	narrow       = 24 // columns of text in which there is no room for anything beside it
)

// A frame is what a column is laid out in.
type frame struct {
	columns int
	digits  int
	how     ansi.Method
}

// lead is the room for the mark of guilt, the number and the fold of an event.
func (f frame) lead() int { return 1 + f.digits + 3 }

// pad is text on so many columns.
func pad(how ansi.Method, s string, columns int) string {
	return s + strings.Repeat(" ", max(0, columns-width(how, s)))
}

func fold(n *node) string {
	switch {
	case !n.folds:
		return " "
	case n.open:
		return "▾"
	}
	return "▸"
}

// lines is how many lines the text of a node has: those of the side that has more.
func (n *node) lines() int {
	if n.folds && !n.open {
		return 1
	}
	most := 1
	for _, s := range n.sides {
		if s != nil {
			most = max(most, s.text.count())
		}
	}
	return most
}

// shown is the text that a side shows.
func (n *node) shown(s *side) *text {
	if n.folds && !n.open && s.shut != nil {
		return s.shut
	}
	return s.text
}

// lay lays out one line of a side.
func (f frame) lay(n *node, s *side, line int) []row {
	if s == nil || line >= n.shown(s).count() {
		return nil
	}
	words, goesOn := n.shown(s).line(line)
	first, next := f.margins(n, s, line, goesOn)
	room := max(f.columns-widthOf(f.how, first), 4)
	st := s.style
	if s.diff {
		st = ofDiff(words)
	}
	status := clean(s.status)
	if line > 0 {
		status = ""
	}
	if n.folds && !n.open {
		return []row{f.closed(first, words, st, room, status, s)}
	}
	if n.kind == part && n.open {
		status = "" // its text is there to be seen
	}
	var rows []row
	for i, sp := range wrap(f.how, words, room) {
		margin := next
		if i == 0 {
			margin = first
		}
		rows = append(rows, append(margin[:len(margin):len(margin)], segment{strings.TrimRight(words[sp.from:sp.to], " "), st, sp.from, false}))
	}
	switch last := len(rows) - 1; {
	case status == "":
	case last == 0 && width(f.how, words)+gap+width(f.how, status) <= room:
		rows[0] = f.aside(rows[0], room-width(f.how, words), status, s)
	case n.kind == event:
		rows = append(rows, append(next[:len(next):len(next)], f.cut(segment{status, ofStatus(s), 0, true}, room)...))
	}
	return rows
}

// closed is a node of which only one row is shown.
func (f frame) closed(first row, words string, st style, room int, status string, s *side) row {
	left := room
	if room < narrow && !s.bad { // the title needs it all
		status = ""
	}
	if status != "" {
		left = max(room-gap-width(f.how, status), room/2)
	}
	cut := f.cut(segment{words, st, 0, false}, left)
	all := append(first, cut...)
	if status == "" || room-left <= gap {
		return all
	}
	return f.aside(all, room-widthOf(f.how, cut), status, s)
}

// aside puts the status at the right edge of the room that is left.
func (f frame) aside(r row, room int, status string, s *side) row {
	cut := f.cut(segment{status, ofStatus(s), 0, true}, room-gap)
	blank := strings.Repeat(" ", max(0, room-widthOf(f.how, cut)))
	return append(append(r, segment{blank, normal, -1, false}), cut...)
}

// cut is what of a segment fits so many columns.
func (f frame) cut(s segment, columns int) row {
	text, cut := clip(f.how, s.text, columns)
	s.text = text
	if !cut {
		return row{s}
	}
	return row{s, {"…", s.style, -1, false}}
}

func ofStatus(s *side) style {
	switch {
	case s.bad:
		return red
	case s.n > 0:
		return green
	}
	return faint
}

// margins are what stands before the first row of a line, and before its others.
func (f frame) margins(n *node, s *side, line int, goesOn bool) (first, next row) {
	indent := min(s.indent, f.columns/8)
	space := func(columns int) segment { return segment{strings.Repeat(" ", max(columns, 0)), normal, -1, false} }
	name := fit(f.how, clean(s.label), f.columns/3)
	named := max(labelColumns, width(f.how, name)+1)
	if f.columns < 36 { // too narrow for a column of names
		named = width(f.how, name) + 1
	}
	label := segment{pad(f.how, name, named), s.accent, -1, false}
	at := 1
	if n.deep {
		at = f.lead()
	}
	at += indent
	switch n.kind {
	case event:
		mark, number := segment{" ", normal, -1, false}, segment{fmt.Sprintf("%*d ", f.digits, s.n), faint, -1, false}
		if s.guilty {
			mark, number.style = segment{">", alarm, -1, false}, alarm
		}
		next = row{space(at + f.lead() - 1 + named)}
		if line > 0 {
			return next, next
		}
		return row{mark, number, segment{fold(n) + " ", faint, -1, false}, space(indent), label}, next
	case body:
		if n.bare { // an event's own words stand under its title
			next = row{space(at + named)}
			return next, next
		}
		first, next = row{space(at + 2), segment{"│ ", faint, -1, false}}, row{space(at + 2), segment{"┊ ", faint, -1, false}}
		if goesOn {
			return next, next
		}
		return first, next
	case part, field, verdict, file:
		if name == "" {
			named, label.text = 0, ""
		}
		first, next = row{space(at), segment{fold(n) + " ", faint, -1, false}, label}, row{space(at + 2 + named)}
		if line > 0 {
			return next, next
		}
		return first, next
	}
	return row{space(at)}, row{space(at)}
}

func widthOf(how ansi.Method, r row) int {
	wide := 0
	for _, s := range r {
		wide += width(how, s.text)
	}
	return wide
}

// mostKept is how many lines are kept laid out.
const mostKept = 1 << 10

// laid lays out a line of a node, for each side. Moving asks for the same few lines
// again and again, so they are kept until they would be laid out otherwise.
func (m *model) laid(node, line int) [2][]row {
	now := layout{m.frame(), m.columns, m.side}
	if m.kept == nil || now != m.keptFor || len(m.kept) >= mostKept {
		m.kept, m.keptFor = make(map[place][2][]row), now
	}
	at := place{node: node, line: line}
	sides, known := m.kept[at]
	if !known {
		sides = m.lay(&m.doc.nodes[node], line, now.frame)
		m.kept[at] = sides
	}
	return sides
}

// A layout is all that decides how an open line is laid out.
type layout struct {
	frame   frame
	columns int
	side    int
}

// lay lays out a line of a node as it is now.
func (m *model) lay(n *node, line int, f frame) (sides [2][]row) {
	if n.kind == across {
		words := clean(n.sides[0].text.s)
		if words == "" {
			return sides
		}
		words = fit(m.how, "── "+words+" ", m.columns-1)
		rule := strings.Repeat("─", max(0, m.columns-1-width(m.how, words)))
		sides[0] = []row{{{words + rule, n.sides[0].style, -1, false}}}
		return sides
	}
	for _, i := range m.visible() {
		if s := n.sides[i]; s != nil {
			sides[i] = f.lay(n, s, line)
		}
	}
	return sides
}
