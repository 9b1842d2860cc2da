package viewer

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/deeds-evals/deeds/internal/trace"
)

// View draws the screen: which attempt it is and how it ended, the document as far as
// it fits, and a line below for what is being asked.
//
// The mouse is left to the terminal, which turns its wheel into arrow keys on a screen
// like this one, and with which text can be marked and copied.
func (m *model) View() tea.View {
	rows := make([]string, 0, m.lines)
	rows = append(rows, m.title(), m.subtitle())
	v := tea.View{AltScreen: true}
	if m.help {
		help := m.helpRows()
		rows = append(rows, help[min(m.helpTop, len(help)-1):]...)
		for len(rows) < m.lines-1 {
			rows = append(rows, "")
		}
	} else {
		body, at := m.body()
		v.Cursor = tea.NewCursor(0, len(rows)+at)
		v.Cursor.Blink = false
		rows = append(rows, body...)
	}
	if m.lines > 2 {
		rows = append(rows[:min(len(rows), m.lines-1)], m.footer())
	}
	if m.asking {
		v.Cursor = tea.NewCursor(min(1+width(m.how, m.typed), m.columns-1), m.lines-1)
	}
	v.SetContent(strings.Join(rows[:min(len(rows), m.lines)], "\n"))
	return v
}

// bodyRows is how many rows the document has: all but the title's two and the footer.
func (m *model) bodyRows() int { return max(m.lines-3, 1) }

// visible lists the sides that can be seen.
func (m *model) visible() []int {
	switch {
	case !m.doc.pairs():
		return []int{0}
	case m.side >= 0:
		return []int{m.side}
	}
	return []int{0, 1}
}

// frame is what a column is laid out in. The first one of the screen is the cursor's.
func (m *model) frame() frame {
	columns := m.columns - 1
	if len(m.visible()) == 2 {
		columns = (columns - 3) / 2
	}
	return frame{columns: max(columns, 8), digits: m.doc.digits, how: m.how}
}

// body draws the document from the top on, and says in which row the cursor is.
func (m *model) body() (drawn []string, cursor int) {
	height := m.bodyRows()
	p, ok := m.top, true
	for ok && len(drawn) < height {
		n := &m.doc.nodes[p.node]
		sides := m.laid(p.node, p.line)
		count := max(len(sides[0]), len(sides[1]), 1)
		for ; p.row < count && len(drawn) < height; p.row++ {
			bar := " "
			if p == m.cursor {
				bar, cursor = bold.paint(m.c.Colour, "▌"), len(drawn)
			}
			drawn = append(drawn, bar+m.compose(n, p, sides))
		}
		p.row = count - 1
		p, ok = m.next(p)
	}
	for len(drawn) < height {
		drawn = append(drawn, "")
	}
	return drawn, cursor
}

// compose draws one row over all columns.
func (m *model) compose(n *node, p place, sides [2][]row) string {
	if n.kind == across {
		return m.draw(n, p, 0, sides, 0)
	}
	alone, f := m.visible(), m.frame()
	if len(alone) == 1 {
		return m.draw(n, p, alone[0], sides, 0)
	}
	divider := faint.paint(m.c.Colour, " │ ")
	if n.differs && p.line == 0 && p.row == 0 {
		divider = yellow.paint(m.c.Colour, " ≠ ")
	}
	return m.draw(n, p, 0, sides, f.columns) + divider + m.draw(n, p, 1, sides, 0)
}

// draw paints a row of a side, filled up to so many columns.
func (m *model) draw(n *node, p place, side int, sides [2][]row, columns int) string {
	var b strings.Builder
	wide := 0
	if p.row < len(sides[side]) {
		room := m.columns - 1
		if n.kind != across {
			room = m.frame().columns
		}
		for _, s := range sides[side][p.row] {
			w := width(m.how, s.text)
			if wide+w > room { // margins alone can be too wide for a narrow column
				s.text, _ = clip(m.how, s.text, room-wide)
				w = width(m.how, s.text)
			}
			wide += w
			for _, part := range m.highlight(s, p.node, p.line, side) {
				b.WriteString(part.style.paint(m.c.Colour, part.text))
			}
		}
	}
	if wide < columns {
		b.WriteString(strings.Repeat(" ", columns-wide))
	}
	return b.String()
}

// title says which case it is, and how the attempt ended.
func (m *model) title() string {
	t := m.doc.of[0]
	if m.doc.pairs() {
		words := fit(m.how, m.name(t.Head), m.columns-1)
		return " " + bold.paint(m.c.Colour, words)
	}
	outcome := fit(m.how, clean(join(": ", t.Head.Outcome, t.Head.Reason)), m.columns/2)
	room := max(m.columns-3-width(m.how, outcome), 0)
	words := fit(m.how, clean(join("  ", m.name(t.Head), which(t.Head, t.Head.Model))), room)
	return " " + ofOutcome(t.Head.Outcome).paint(m.c.Colour, outcome) + "  " + bold.paint(m.c.Colour, words)
}

// name is the unit, less its model.
func (m *model) name(h trace.Head) string { return clean(join("/", h.Case, h.World, h.Variant)) }

// which tells an attempt from the others.
func which(h trace.Head, model string) string {
	words := fmt.Sprintf("attempt %d", h.Attempt)
	if len(h.Siblings) > 1 {
		words += fmt.Sprintf(" of %d", len(h.Siblings))
	}
	if h.Kind != "" && h.Kind != "live" {
		words += " (" + h.Kind + ")"
	}
	return join("  ", words, model)
}

// subtitle is a rule, or the names of two attempts.
func (m *model) subtitle() string {
	if !m.doc.pairs() {
		return faint.paint(m.c.Colour, strings.Repeat("─", m.columns))
	}
	a, b := m.doc.of[0].Head, m.doc.of[1].Head
	f := m.frame()
	var all []string
	for _, i := range m.visible() {
		h := m.doc.of[i].Head
		words := which(h, "")
		if a.Model != b.Model {
			words = which(h, h.Model)
		}
		if a.Run != b.Run {
			words = join("  ", words, h.Run)
		}
		outcome := fit(m.how, clean(h.Outcome), f.columns/2)
		words = fit(m.how, clean(words), f.columns-width(m.how, outcome)-1)
		cell := ofOutcome(h.Outcome).paint(m.c.Colour, outcome) + " " + words
		if i == 0 {
			cell += strings.Repeat(" ", max(0, f.columns-width(m.how, outcome)-1-width(m.how, words)))
		}
		all = append(all, cell)
	}
	return " " + strings.Join(all, faint.paint(m.c.Colour, " │ "))
}

// footer says what is asked or found, and where the reader is.
func (m *model) footer() string {
	left, right := "", m.where()+"  ? help"
	switch {
	case m.asking:
		left, right = "/"+m.typed, ""
	case m.help:
		left, right = "any key goes back", ""
		if m.moreHelp() {
			left = "↓ for more, any other key goes back"
		}
	case m.number > 0:
		left = fmt.Sprintf("event %d, then enter", m.number)
	case m.said != "":
		left = clean(m.said)
	case m.query != "" && m.hit >= 0:
		left = fmt.Sprintf("/%s  %d of %s", m.query, m.hit+1, hitsOf(len(m.hits)))
	case m.query != "":
		left = "/" + m.query
	}
	room := m.columns - 2
	if width(m.how, left)+gap+width(m.how, right) > room {
		if left != "" {
			right = ""
		}
		left, right = fit(m.how, left, room), fit(m.how, right, room)
	}
	blank := strings.Repeat(" ", max(0, room-width(m.how, left)-width(m.how, right)))
	if m.asking {
		return left
	}
	return " " + left + blank + faint.paint(m.c.Colour, right)
}

func hitsOf(n int) string {
	if n >= mostHits {
		return fmt.Sprintf("%d or more", n)
	}
	return fmt.Sprint(n)
}

// where is the event that the cursor is in, and the line of a long text.
func (m *model) where() string {
	at := m.cursor.node
	words := ""
	if n := m.doc.nodes[at]; n.lines() > 1 {
		words = fmt.Sprintf("line %d of %d", m.cursor.line+1, n.lines())
	}
	for m.doc.nodes[at].up >= 0 {
		at = m.doc.nodes[at].up
	}
	if n := m.doc.nodes[at]; n.kind == event {
		for i, s := range n.sides {
			if s != nil {
				return join(", ", fmt.Sprintf("event %d of %d", s.n, len(m.doc.of[i].Events)), words)
			}
		}
	}
	return words
}
