package viewer

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/deeds-evals/deeds/internal/trace"
)

// press does what a key stands for.
func (m *model) press(k tea.KeyPressMsg) tea.Cmd {
	key := k.String()
	switch {
	case key == "ctrl+c":
		return tea.Quit
	case key == "ctrl+z":
		return tea.Suspend
	case m.asking:
		m.ask(k)
		return nil
	case m.help:
		m.readHelp(key)
		return nil
	}
	m.said = ""
	if len(key) == 1 && key[0] >= '0' && key[0] <= '9' && m.number < 1e6 && (m.number > 0 || key != "0") {
		m.number = 10*m.number + int(key[0]-'0')
		return nil
	}
	if n := m.number; n > 0 {
		m.number = 0
		if key == "enter" || key == "g" || key == "G" {
			m.toEvent(n)
			return nil
		}
		if key == "esc" {
			return nil
		}
	}
	return m.do(key)
}

func (m *model) do(key string) tea.Cmd {
	page := m.bodyRows()
	switch key {
	case "q":
		return tea.Quit
	case "esc":
		if m.query == "" {
			return tea.Quit
		}
		m.search("")
	case "?":
		m.help = true
	case "down", "j":
		m.cursor = m.by(m.cursor, 1)
	case "up", "k":
		m.cursor = m.by(m.cursor, -1)
	case "pgdown", "ctrl+f":
		m.turnPage(page - 1)
	case "pgup", "ctrl+b", "b":
		m.turnPage(1 - page)
	case "ctrl+d":
		m.turnPage(page / 2)
	case "ctrl+u":
		m.turnPage(-page / 2)
	case "g", "home":
		m.cursor = place{}
	case "G", "end":
		m.cursor = m.last()
	case "enter":
		m.enter()
	case "space":
		m.toggle()
	case "right", "l":
		m.unfold(m.cursor.node, true)
	case "left", "h":
		m.closeHere()
	case "e":
		m.foldAll(func(n *node) bool { return n.kind == event })
	case "E":
		m.foldAll(func(n *node) bool { return n.folds })
	case "J":
		m.toNode(1, func(n *node) bool { return n.kind == event }, "there is no event further down")
	case "K":
		m.toNode(-1, func(n *node) bool { return n.kind == event }, "there is no event further up")
	case "}":
		m.toNode(1, func(n *node) bool { return n.kind == heading }, "there is no turn further down")
	case "{":
		m.toNode(-1, func(n *node) bool { return n.kind == heading }, "there is no turn further up")
	case "n", "N":
		m.toNext(key == "n")
	case "/":
		m.asking, m.typed = true, ""
	case "v":
		m.visit(m.doc.verdicts, "there are no verdicts")
	case "f":
		m.visit(m.doc.files, "there are no files")
	case "d":
		m.toDifference()
	default:
		return m.turnTo(key)
	}
	return nil
}

// turnTo goes from one attempt to another.
func (m *model) turnTo(key string) tea.Cmd {
	head, beside := m.doc.of[0].Head, false
	if m.doc.pairs() {
		head, beside = m.doc.of[1].Head, true
	}
	switch key {
	case "]":
		return m.load(head, 1, beside)
	case "[":
		return m.load(head, -1, beside)
	case "c":
		if beside {
			m.show(*m.doc.of[0], nil)
			return nil
		}
		return m.loadAt(head, telling(head), true)
	case "tab":
		if m.doc.pairs() {
			m.side = (m.side+2)%3 - 1 // both, the left, the right
			m.top, m.cursor = m.settle(m.top), m.settle(m.cursor)
		}
	}
	return nil
}

// telling is where among its siblings the attempt is that tells most beside this one:
// beside one that failed the first that passed, beside one that passed the first that
// failed, else the next one, or the one before the last.
func telling(h trace.Head) int {
	contrary := map[string]string{"fail": "pass", "pass": "fail"}[h.Outcome]
	if i := slices.IndexFunc(h.Siblings, func(s trace.Sibling) bool { return s.Outcome == contrary }); i >= 0 {
		return i
	}
	at := position(h)
	if at == len(h.Siblings)-1 {
		return at - 1
	}
	return at + 1
}

// ask takes what is typed to be searched for.
func (m *model) ask(k tea.KeyPressMsg) {
	switch k.String() {
	case "enter":
		m.asking = false
		m.search(m.typed)
		if m.typed != "" {
			m.toHit(1)
		}
	case "esc":
		m.asking = false
	case "ctrl+u":
		m.typed = ""
	case "backspace":
		if m.typed == "" {
			m.asking = false
			return
		}
		runes := []rune(m.typed)
		m.typed = string(runes[:len(runes)-1])
	default:
		m.typed += clean(k.Text)
	}
}

// turnPage moves the page, and the cursor with it.
func (m *model) turnPage(rows int) {
	m.cursor = m.by(m.cursor, rows)
	if lowest := m.by(m.last(), 1-m.bodyRows()); rows > 0 {
		m.top = m.by(m.top, rows)
		if lowest.before(m.top) {
			m.top = lowest
		}
		return
	}
	m.top = m.by(m.top, rows)
}

// enter follows what points somewhere, and folds or unfolds the rest.
func (m *model) enter() {
	for _, s := range m.doc.nodes[m.cursor.node].sides {
		if s != nil && len(s.see) > 0 {
			here := m.cursor
			m.toEvent(s.see[0])
			m.back = &here
			return
		}
	}
	m.toggle()
}

// toggle folds what the cursor is on or in, or unfolds it.
func (m *model) toggle() {
	if n := m.doc.nodes[m.cursor.node]; n.folds {
		m.unfold(m.cursor.node, !n.open)
		return
	}
	m.closeHere()
}

func (m *model) unfold(node int, open bool) {
	if n := &m.doc.nodes[node]; n.folds {
		n.open = open
		m.reveal()
	}
}

// closeHere closes what the cursor is on, or in.
func (m *model) closeHere() {
	n := m.doc.nodes[m.cursor.node]
	if n.folds && n.open {
		m.unfold(m.cursor.node, false)
		return
	}
	if n.up >= 0 {
		m.unfold(n.up, false)
		m.cursor = place{node: n.up}
	}
}

// foldAll opens all of them, or closes them if they are open.
func (m *model) foldAll(of func(n *node) bool) {
	open := false
	for i := range m.doc.nodes {
		n := &m.doc.nodes[i]
		open = open || n.folds && of(n) && !n.open
	}
	for i := range m.doc.nodes {
		if n := &m.doc.nodes[i]; n.folds && of(n) {
			n.open = open
		}
	}
	m.reveal()
	m.goTo(m.cursor)
}

// toNode goes to the next such node, or the one before.
func (m *model) toNode(step int, of func(n *node) bool, none string) {
	for i := m.cursor.node + step; i >= 0 && i < len(m.doc.nodes); i += step {
		if of(&m.doc.nodes[i]) {
			m.goTo(place{node: i})
			return
		}
	}
	if n := m.doc.nodes[m.cursor.node]; step < 0 && of(&n) {
		m.goTo(place{node: m.cursor.node})
	}
	m.say(none)
}

// toNext goes to the next hit, or without a search to the next guilty event.
func (m *model) toNext(down bool) {
	step := 1
	if !down {
		step = -1
	}
	if m.query != "" {
		m.toHit(step)
		return
	}
	if !m.anyGuilty() {
		m.say("no failed verdict points to an event")
		return
	}
	m.toNode(step, func(n *node) bool { return n.kind == event && n.guilty() }, "there is no guilty event further "+map[bool]string{true: "down", false: "up"}[down])
}

func (m *model) anyGuilty() bool {
	for i := range m.doc.nodes {
		if m.doc.nodes[i].kind == event && m.doc.nodes[i].guilty() {
			return true
		}
	}
	return false
}

// visit looks at a section, and comes back the second time.
func (m *model) visit(node int, none string) {
	switch {
	case node == 0:
		m.say(none)
	case m.cursor.node == node && m.back != nil:
		m.goTo(*m.back)
		m.back = nil
	default:
		here := m.cursor
		m.back = &here
		m.cursor, m.top = place{node: node}, place{node: node}
		if lowest := m.by(m.last(), 1-m.bodyRows()); lowest.before(m.top) {
			m.top = lowest
		}
	}
}

func (m *model) toDifference() {
	switch {
	case !m.doc.pairs():
		m.say("there is one attempt; c shows another beside it")
	case m.doc.first < 0:
		m.say("they did the same")
	default:
		m.goTo(place{node: m.doc.first})
	}
}
