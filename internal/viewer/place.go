package viewer

// A place is a row of the document: of a node, a line of its text, and a row of that.
type place struct{ node, line, row int }

// reveal finds out which nodes can be seen, after something was folded.
func (m *model) reveal() {
	m.kept, m.seen = nil, m.seen[:0]
	m.rank = make([]int, len(m.doc.nodes))
	for i := 0; i < len(m.doc.nodes); {
		n := &m.doc.nodes[i]
		m.rank[i] = len(m.seen)
		m.seen = append(m.seen, i)
		if n.folds && !n.open {
			for j := i + 1; j < n.end; j++ {
				m.rank[j] = m.rank[i]
			}
			i = n.end
			continue
		}
		i++
	}
	m.top, m.cursor = m.settle(m.top), m.settle(m.cursor)
}

// settle returns the nearest place that there is: a node that is hidden is replaced by
// the one that hides it.
func (m *model) settle(p place) place {
	if node := m.seen[m.rank[min(p.node, len(m.rank)-1)]]; node != p.node {
		return place{node: node}
	}
	p.line = min(p.line, m.doc.nodes[p.node].lines()-1)
	p.row = min(p.row, m.rows(p.node, p.line)-1)
	return p
}

// rows is how many rows a line of a node takes.
func (m *model) rows(node, line int) int {
	most := 1
	for _, s := range m.laid(node, line) {
		most = max(most, len(s))
	}
	return most
}

// next returns the place below, if there is one.
func (m *model) next(p place) (place, bool) {
	switch {
	case p.row+1 < m.rows(p.node, p.line):
		p.row++
	case p.line+1 < m.doc.nodes[p.node].lines():
		p.line, p.row = p.line+1, 0
	case m.rank[p.node]+1 < len(m.seen):
		p = place{node: m.seen[m.rank[p.node]+1]}
	default:
		return p, false
	}
	return p, true
}

// prev returns the place above, if there is one.
func (m *model) prev(p place) (place, bool) {
	switch {
	case p.row > 0:
		p.row--
		return p, true
	case p.line > 0:
		p.line--
	case m.rank[p.node] > 0:
		p.node = m.seen[m.rank[p.node]-1]
		p.line = m.doc.nodes[p.node].lines() - 1
	default:
		return p, false
	}
	p.row = m.rows(p.node, p.line) - 1
	return p, true
}

// by returns the place so many rows further down, or up.
func (m *model) by(p place, rows int) place {
	for ok := true; ok && rows > 0; rows-- {
		p, ok = m.next(p)
	}
	for ok := true; ok && rows < 0; rows++ {
		p, ok = m.prev(p)
	}
	return p
}

func (p place) before(q place) bool {
	switch {
	case p.node != q.node:
		return p.node < q.node
	case p.line != q.line:
		return p.line < q.line
	}
	return p.row < q.row
}

// last is the last place of all.
func (m *model) last() place {
	node := m.seen[len(m.seen)-1]
	line := m.doc.nodes[node].lines() - 1
	return place{node, line, m.rows(node, line) - 1}
}

// follow scrolls as little as shows the cursor.
func (m *model) follow() {
	height := m.bodyRows()
	if m.cursor.before(m.top) {
		m.top = m.cursor
		return
	}
	if highest := m.by(m.cursor, 1-height); m.top.before(highest) {
		m.top = highest
	}
}

// goTo moves the cursor to a node, with a few rows before it for what came of it.
func (m *model) goTo(p place) {
	m.cursor = m.settle(p)
	height := m.bodyRows()
	if lowest := m.by(m.top, height-1-height/4); m.cursor.before(m.top) || lowest.before(m.cursor) {
		m.top = m.by(m.cursor, -height/4)
	}
}

// open opens what hides a node.
func (m *model) open(node int) {
	for up := m.doc.nodes[node].up; up >= 0; up = m.doc.nodes[up].up {
		m.doc.nodes[up].open = true
	}
}
