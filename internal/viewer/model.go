package viewer

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/deeds-evals/deeds/internal/trace"
)

// A model is what the reader has in front of them.
type model struct {
	c    Config
	doc  *document
	seen []int // the nodes that are not hidden, in order
	rank []int // of every node: where in seen it is, or the one that hides it

	top, cursor place
	back        *place // where the reader was before looking at the verdicts or files
	side        int    // of two attempts the one that is shown alone, -1 for both

	query  string
	hits   []match
	hit    int  // the one at hand, -1 for none
	asking bool // for what to search
	typed  string
	number int // that is being typed

	help    bool
	helpTop int // the first row of it
	loading int // the attempt that is asked for
	said    string

	kept    map[place][2][]row
	keptFor layout

	columns, lines int
	how            ansi.Method // of counting columns, as the terminal does
}

func newModel(c Config) *model {
	m := &model{c: c, side: -1, hit: -1, columns: 80, lines: 24}
	m.show(c.Trace, c.Against)
	if c.Find != "" {
		m.top, m.cursor = place{}, place{}
		m.search(c.Find)
		m.toHit(1)
	}
	if c.Event > 0 {
		m.toEvent(c.Event)
	}
	return m
}

// show lays a trace open, or two, at what matters most in it.
func (m *model) show(t trace.Trace, against *trace.Trace) {
	m.doc = newDocument(&t, against)
	m.top, m.cursor, m.back, m.side = place{}, place{}, nil, -1
	at := m.doc.first
	for i := range m.doc.nodes {
		n := &m.doc.nodes[i]
		if n.folds && (m.c.Full || n.kind == event && n.guilty()) {
			n.open = true
		}
		if at < 0 && n.kind == event && n.guilty() {
			at = i
		}
	}
	m.reveal()
	if at >= 0 {
		m.goTo(place{node: at})
	}
	if m.query != "" {
		m.search(m.query)
	}
}

func (n *node) guilty() bool {
	return slices.ContainsFunc(n.sides[:], func(s *side) bool { return s != nil && s.guilty })
}

// Init has nothing to begin with.
func (m *model) Init() tea.Cmd { return nil }

// A loaded attempt has arrived, or has not.
type loaded struct {
	attempt int
	trace   trace.Trace
	beside  bool // it is to be shown beside the first
	err     error
}

// Update takes what happened.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		if msg.Width > 0 && msg.Height > 0 {
			m.columns, m.lines = msg.Width, msg.Height
			m.top, m.cursor = m.settle(m.top), m.settle(m.cursor)
		}
	case tea.ModeReportMsg:
		// Bubble Tea draws by clusters as soon as the terminal says that it does, too.
		if msg.Mode == ansi.ModeUnicodeCore && (msg.Value == ansi.ModeReset || msg.Value == ansi.ModeSet || msg.Value == ansi.ModePermanentlySet) {
			m.how = ansi.GraphemeWidth
			m.top, m.cursor = m.settle(m.top), m.settle(m.cursor)
		}
	case tea.PasteMsg:
		if m.asking {
			m.typed += clean(msg.Content)
		}
	case tea.KeyPressMsg:
		cmd = m.press(msg)
	case loaded:
		m.arrived(msg)
	}
	m.follow()
	return m, cmd
}

// load asks for the attempt that is so many further on among its siblings.
func (m *model) load(of trace.Head, step int, beside bool) tea.Cmd {
	return m.loadAt(of, position(of)+step, beside)
}

// position is where an attempt is among its siblings.
func position(h trace.Head) int {
	return slices.IndexFunc(h.Siblings, func(s trace.Sibling) bool { return s.Attempt == h.Attempt })
}

// loadAt asks for the sibling at that place.
func (m *model) loadAt(of trace.Head, at int, beside bool) tea.Cmd {
	switch {
	case m.c.Load == nil || len(of.Siblings) < 2:
		m.say("there is no other attempt")
		return nil
	case at < 0:
		m.say("this is the first attempt")
		return nil
	case at >= len(of.Siblings):
		m.say("this is the last attempt")
		return nil
	}
	get, attempt := m.c.Load, of.Siblings[at].Attempt
	m.loading = attempt
	m.say(fmt.Sprintf("reading attempt %d …", attempt))
	return func() tea.Msg {
		t, err := get(of, attempt)
		return loaded{attempt: attempt, trace: t, beside: beside, err: err}
	}
}

func (m *model) arrived(l loaded) {
	if l.attempt != m.loading {
		return // something else has been asked for since
	}
	m.loading, m.said = 0, ""
	switch {
	case l.err != nil:
		m.say(l.err.Error())
	case l.beside:
		m.show(*m.doc.of[0], &l.trace)
	default:
		m.show(l.trace, nil)
	}
}

func (m *model) say(words string) { m.said = words }

// toEvent opens an event by its number.
func (m *model) toEvent(n int) {
	for i := range m.doc.nodes {
		for _, s := range m.doc.nodes[i].sides {
			if m.doc.nodes[i].kind == event && s != nil && s.n == n {
				m.doc.nodes[i].open = true
				m.reveal()
				m.goTo(place{node: i})
				return
			}
		}
	}
	m.say(fmt.Sprintf("there is no event %d", n))
}
