package viewer

import (
	"fmt"
	"sort"
	"strings"

	"github.com/deeds-evals/deeds/internal/trace"
)

// mostHits is how many hits are counted.
const mostHits = 100_000

// A match is where the searched text stands: in a line of a side, or in its status.
type match struct {
	node, line, side int
	from, to         int
	over             int // how far it reaches into the next piece of a long line
	status           bool
}

// search finds a text everywhere, in what is folded too, as it is shown.
func (m *model) search(what string) {
	m.query, m.hits, m.hit = clean(what), nil, -1
	if m.query == "" {
		return
	}
	for i := range m.doc.nodes {
		n := &m.doc.nodes[i]
		var in [2]*text
		lines := 0
		for k, s := range n.sides {
			if s != nil && m.mayHold(s.text.s) {
				in[k] = s.text
				lines = max(lines, s.text.count())
			}
		}
		for line := range max(lines, 1) {
			for k, t := range in {
				if t != nil && line < t.count() && m.mayHold(t.rawSpliced(line, len(m.query))) {
					m.add(match{node: i, line: line, side: k}, t.spliced(line, len(m.query)), len(t.safe(line)))
				}
			}
			if len(m.hits) >= mostHits {
				return
			}
			if line == 0 {
				m.addStatus(i)
			}
		}
	}
}

// addStatus looks at how an event ended.
func (m *model) addStatus(node int) {
	n := &m.doc.nodes[node]
	for k, s := range n.sides {
		if s != nil && s.status != "" && n.kind == event {
			status := clean(s.status)
			m.add(match{node: node, side: k, status: true}, status, len(status))
		}
	}
}

// mayHold reports whether a text can hold what is searched for once it is made safe to
// show, which takes longer than to look. What is shown instead of a character that is
// not is found by its backslash alone.
func (m *model) mayHold(raw string) bool {
	return strings.Contains(m.query, `\`) || strings.Contains(m.query, "  ") || trace.Find(raw, m.query) >= 0
}

// add takes the matches of a line that begin before its end.
func (m *model) add(at match, line string, end int) {
	for from := 0; from < end && len(m.hits) < mostHits; {
		i := trace.Find(line[from:], m.query)
		if i < 0 || from+i >= end {
			return
		}
		at.from = from + i
		at.to = at.from + len(m.query)
		at.over = max(0, at.to-end)
		m.hits = append(m.hits, at)
		from = at.to
	}
}

// toHit goes to the next hit after the cursor, or the one before it.
func (m *model) toHit(step int) {
	if len(m.hits) == 0 {
		m.say(fmt.Sprintf("%q is nowhere in it", m.query))
		return
	}
	switch i := m.hit + step; {
	case m.hit >= 0 && m.cursor == m.placeOf(m.hits[m.hit]):
		m.hit = i
	case step > 0:
		m.hit = sort.Search(len(m.hits), func(i int) bool { return !m.at(m.hits[i]).before(m.lineOfCursor()) })
	default:
		m.hit = sort.Search(len(m.hits), func(i int) bool { return !m.at(m.hits[i]).before(m.lineOfCursor()) }) - 1
	}
	m.said = ""
	switch {
	case m.hit >= len(m.hits):
		m.hit = 0
		m.say("again from the top")
	case m.hit < 0:
		m.hit = len(m.hits) - 1
		m.say("again from the bottom")
	}
	h := m.hits[m.hit]
	m.open(h.node)
	m.doc.nodes[h.node].open = true
	m.reveal()
	m.goTo(m.placeOf(h))
}

func (m *model) at(h match) place { return place{node: h.node, line: h.line} }

func (m *model) lineOfCursor() place { return place{node: m.cursor.node, line: m.cursor.line} }

// placeOf is the row in which a hit begins.
func (m *model) placeOf(h match) place {
	p := place{node: h.node, line: h.line}
	for i, r := range m.laid(h.node, h.line)[h.side] {
		for _, s := range r {
			if s.from >= 0 && s.status == h.status && s.from <= h.from {
				p.row = i
			}
		}
	}
	return p
}

// highlight takes a segment apart so that what is looked for stands out.
func (m *model) highlight(s segment, node, line, side int) []segment {
	if m.query == "" || s.from < 0 {
		return []segment{s}
	}
	var all []segment
	n := &m.doc.nodes[node]
	t := n.sides[side].text
	if n.shown(n.sides[side]) != t && !s.status { // a title that only sums up
		return m.mark(s)
	}
	first := sort.Search(len(m.hits), func(i int) bool {
		h := m.hits[i]
		return h.node > node || h.node == node && h.line >= line-1
	})
	at := s.from
	for i := first; i < len(m.hits) && m.hits[i].node == node && m.hits[i].line <= line; i++ {
		h := m.hits[i]
		if h.side != side || h.status != s.status {
			continue
		}
		from, to := h.from, h.to
		if h.line < line {
			from, to = 0, h.over
		}
		from, to = max(from, at), min(to, s.from+len(s.text))
		if from >= to {
			continue
		}
		st := hit
		if i == m.hit {
			st = found
		}
		all = append(all, segment{s.text[at-s.from : from-s.from], s.style, -1, false}, segment{s.text[from-s.from : to-s.from], st, -1, false})
		at = to
	}
	return append(all, segment{s.text[at-s.from:], s.style, -1, false})
}

// mark highlights what is looked for in a text that is not searched itself.
func (m *model) mark(s segment) (all []segment) {
	for {
		i := trace.Find(s.text, m.query)
		if i < 0 || i+len(m.query) > len(s.text) {
			return append(all, s)
		}
		all = append(all, segment{s.text[:i], s.style, -1, false}, segment{s.text[i : i+len(m.query)], hit, -1, false})
		s.text = s.text[i+len(m.query):]
	}
}
