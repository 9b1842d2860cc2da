package viewer

import (
	"github.com/deeds-evals/deeds/internal/trace"
)

// A kind is what a node is, which decides how it is laid out.
type kind int

const (
	heading kind = iota // of a turn or a section
	across              // one line over both columns
	field               // a name and a text
	event
	part
	body // the text of a part or of a file
	verdict
	file
)

// A node is one thing that can be looked at, and folded if something hangs under it.
// With two attempts it has a side for each, nil where that one has no such thing.
type node struct {
	kind  kind
	up    int // the node it hangs under, -1 for none
	end   int // the first node behind it that does not hang under it
	folds bool
	open  bool
	// differs says that two attempts are not at one here.
	differs bool
	deep    bool // it hangs under an event
	bare    bool // it is an event's own words
	sides   [2]*side
}

// A side is what one attempt has at a node.
type side struct {
	n      int // of an event
	guilty bool
	indent int
	label  string
	accent style // of the label
	shut   *text // what the node says when it is closed
	text   *text // when it is open, or cannot be
	style  style
	diff   bool // the lines of the text are those of a difference
	status string
	bad    bool
	see    []int // the events that a verdict points to
}

// A document is a trace, or two side by side, as a list of nodes.
type document struct {
	nodes  []node
	of     [2]*trace.Trace
	digits int // of the largest number of an event
	// first is the node of the first difference between the two, -1 for none.
	first int
	// verdicts and files are the headings of those sections.
	verdicts, files int
}

func newDocument(a, b *trace.Trace) *document {
	d := &document{of: [2]*trace.Trace{a, b}, first: -1}
	d.head()
	d.timeline()
	d.ending()
	d.judged()
	d.changed()
	for i := len(d.nodes) - 1; i >= 0; i-- {
		n := &d.nodes[i]
		n.end = max(n.end, i+1)
		if n.up >= 0 {
			d.nodes[n.up].end = max(d.nodes[n.up].end, n.end)
		}
	}
	return d
}

// pairs reports whether there are two attempts.
func (d *document) pairs() bool { return d.of[1] != nil }

func (d *document) add(n node) int {
	d.nodes = append(d.nodes, n)
	return len(d.nodes) - 1
}

// each makes the sides of a node, of the attempts that there are.
func (d *document) each(make func(t *trace.Trace) *side) (sides [2]*side) {
	for i, t := range d.of {
		if t != nil {
			sides[i] = make(t)
		}
	}
	return sides
}

// section adds a heading of the same words for both.
func (d *document) section(words string) int {
	if len(d.nodes) > 0 {
		d.add(node{kind: across, up: -1, sides: [2]*side{{text: newText("")}}})
	}
	return d.add(node{kind: heading, up: -1, sides: d.each(func(*trace.Trace) *side {
		return &side{text: newText(words), style: faint}
	})})
}

// fact adds a name with its text, unless no attempt has one.
func (d *document) fact(name string, s style, of func(t *trace.Trace) string) {
	some := false
	sides := d.each(func(t *trace.Trace) *side {
		words := of(t)
		if words == "" {
			return nil
		}
		some = true
		return &side{label: name, accent: faint, text: newText(words), style: s}
	})
	if some {
		d.add(node{kind: field, up: -1, sides: sides})
	}
}
