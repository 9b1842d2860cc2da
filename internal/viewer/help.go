package viewer

// keys are what there is to press, as the help tells it.
var keys = [][2]string{
	{"↑ ↓  j k", "a row up or down; page keys, ^U ^D by half a page"},
	{"g G", "the top, the bottom; a number and enter: that event"},
	{"J K", "the next event, the one before; } { by turns"},
	{"enter space", "open or close; enter on a verdict: its event"},
	{"→ ←  l h", "open, close"},
	{"e E", "open or close all events; everything"},
	{"n N", "the next guilty event, the one before; of a search: hits"},
	{"/", "search, also in what is folded; esc ends it"},
	{"v f", "the verdicts, the files; again: back to where you were"},
	{"[ ]", "the attempt before, the next one"},
	{"c", "another beside it, one that ended otherwise if any; again: away"},
	{"d", "the first difference of two attempts"},
	{"tab", "of two attempts: both, the left, the right"},
	{"q esc ^C", "leave"},
}

func (m *model) helpRows() []string {
	rows := []string{""}
	for _, k := range keys {
		first := true
		for _, sp := range wrap(m.how, k[1], m.columns-16) {
			name := ""
			if first {
				name, first = k[0], false
			}
			rows = append(rows, "  "+bold.paint(m.c.Colour, pad(m.how, name, 13))+k[1][sp.from:sp.to])
		}
	}
	return rows
}

// moreHelp reports whether there is help below the screen.
func (m *model) moreHelp() bool { return len(m.helpRows())-m.helpTop > m.bodyRows() }

// readHelp scrolls the help, and leaves it for any key that does not.
func (m *model) readHelp(key string) {
	switch {
	case m.moreHelp() && (key == "down" || key == "j"):
		m.helpTop++
	case m.moreHelp() && (key == "space" || key == "pgdown"):
		m.helpTop += m.bodyRows() - 1
	case m.helpTop > 0 && (key == "up" || key == "k"):
		m.helpTop--
	case key == "down", key == "up", key == "j", key == "k": // also the wheel, at either end
	default:
		m.help, m.helpTop = false, 0
	}
}
