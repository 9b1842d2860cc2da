package viewer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/internal/trace"
)

// timeline adds the turns and their events.
func (d *document) timeline() {
	var last [2]*trace.Event
	pairs := pairUp(d.of[0], d.of[1])
	for _, p := range pairs {
		var events, fresh [2]*trace.Event
		for i, at := range []int{p.left, p.right} {
			if at < 0 {
				continue
			}
			e := &d.of[i].Events[at]
			d.digits = max(d.digits, len(fmt.Sprint(e.N)))
			if last[i] == nil || last[i].Turn != e.Turn || last[i].Agent != e.Agent {
				fresh[i] = e
			}
			events[i], last[i] = e, e
		}
		if p.first {
			d.first = d.add(node{kind: across, up: -1, sides: [2]*side{{text: newText(firstWords(events)), style: yellow}}})
		}
		if fresh[0] != nil || fresh[1] != nil {
			d.turn(fresh)
		}
		d.happened(events, p.differs)
	}
	if len(pairs) == 0 {
		d.section("nothing happened")
	}
	d.digits = max(d.digits, 2)
}

// firstWords say where two attempts part.
func firstWords(events [2]*trace.Event) string {
	switch {
	case events[1] == nil:
		return fmt.Sprintf("first difference: event %d, on the left alone", events[0].N)
	case events[0] == nil:
		return fmt.Sprintf("first difference: event %d, on the right alone", events[1].N)
	case events[0].N != events[1].N:
		return fmt.Sprintf("first difference: event %d, on the right %d", events[0].N, events[1].N)
	}
	return fmt.Sprintf("first difference: event %d", events[0].N)
}

func (d *document) turn(of [2]*trace.Event) {
	d.add(node{kind: across, up: -1, sides: [2]*side{{text: newText("")}}})
	n := node{kind: heading, up: -1}
	for i, e := range of {
		if e != nil {
			n.sides[i] = &side{text: newText(e.TurnTitle()), style: faint, indent: 2 * e.Depth}
		}
	}
	d.add(n)
}

// happened adds an event with its parts.
func (d *document) happened(of [2]*trace.Event, differs bool) {
	n := node{kind: event, up: -1, folds: true, differs: differs}
	for i, e := range of {
		if e == nil {
			continue
		}
		s := &side{
			n: e.N, guilty: len(e.Blames) > 0, indent: 2 * e.Depth, label: e.Kind,
			shut: newText(e.Title), text: newText(e.Lead), status: e.Status, bad: e.Bad,
		}
		s.accent, s.style = ofKind(e.Kind)
		if e.Lead == "" && len(e.Parts) == 0 { // there is no more to it than its title
			s.text, s.style = s.shut, faint
		}
		n.sides[i] = s
	}
	at := d.add(n)
	d.blames(at, of)
	var names []string
	for _, e := range of {
		if e != nil {
			for _, p := range e.Parts {
				if !slices.Contains(names, p.Name) {
					names = append(names, p.Name)
				}
			}
		}
	}
	for _, name := range names {
		d.part(at, name, of)
	}
}

// ofKind is how an event of that kind looks: its label, and its text.
func ofKind(kind string) (accent, words style) {
	switch kind {
	case "user":
		return blue, blue
	case "says":
		return normal, bold
	case "thinks", "notice":
		return faint, faint
	case "mode", "plan", "question", "todo":
		return yellow, yellow
	}
	return normal, normal
}

// blames adds what failed for an event.
func (d *document) blames(at int, of [2]*trace.Event) {
	most := 0
	for _, e := range of {
		if e != nil {
			most = max(most, len(e.Blames))
		}
	}
	for k := range most {
		more := node{kind: field, up: at, deep: true}
		name, want, got := more, more, more
		for i, e := range of {
			if e == nil || k >= len(e.Blames) || e.Blames[k] >= len(d.of[i].Verdicts) {
				continue
			}
			v := d.of[i].Verdicts[e.Blames[k]]
			name.sides[i] = &side{label: "fails", accent: alarm, indent: 2 * e.Depth, text: newText(v.Signal + ": " + v.Name), style: red}
			if v.Want != "" {
				want.sides[i] = &side{label: "want", accent: faint, indent: 2 * e.Depth, text: newText(v.Want)}
			}
			if v.Got != "" {
				got.sides[i] = &side{label: "got", accent: faint, indent: 2 * e.Depth, text: newText(v.Got), diff: isDiff(v.Got)}
			}
		}
		for _, n := range []node{name, want, got} {
			if n.sides != [2]*side{} {
				d.add(n)
			}
		}
	}
}

// isDiff reports whether what was got is told as a difference.
func isDiff(got string) bool { return strings.Contains(got, "(-want +got)") }

// part adds the texts of one name. A short one stands behind its name.
func (d *document) part(at int, name string, of [2]*trace.Event) {
	var parts [2]*trace.Part
	short, folded := true, false
	for i, e := range of {
		if e == nil {
			continue
		}
		if k := slices.IndexFunc(e.Parts, func(p trace.Part) bool { return p.Name == name }); k >= 0 {
			p := &e.Parts[k]
			parts[i] = p
			folded = folded || p.Folded
			if len(p.Text) > 400 || strings.Contains(strings.TrimRight(p.Text, "\n"), "\n") {
				short = false
			}
		}
	}
	n := node{kind: part, up: at, folds: true, open: !folded, deep: true}
	inner := node{kind: body, deep: true}
	for i, p := range parts {
		if p == nil {
			continue
		}
		t := newText(p.Text)
		s := side{label: name, accent: faint, indent: 2 * of[i].Depth, text: t}
		if name == "thinking" || name == "sent as" {
			s.style = faint
		}
		outer, in := s, s
		if !short || folded {
			outer.text, outer.shut = newText(""), newText(firstLine(p.Text))
			outer.style, outer.status = faint, t.size()
		}
		n.sides[i], inner.sides[i] = &outer, &in
	}
	switch {
	case folded:
	case short:
		n.kind, n.folds, n.open = field, false, false
		d.add(n)
		return
	case name == "text": // an event's own words need no name
		inner.up, inner.bare = at, true
		for _, s := range inner.sides {
			if s != nil {
				_, s.style = ofKind(kindOf(of))
			}
		}
		d.add(inner)
		return
	}
	inner.up = d.add(n)
	d.add(inner)
}

// firstLine is what a folded text shows of itself.
func firstLine(s string) string {
	s = strings.TrimLeft(s[:min(len(s), pieceBytes)], "\n ")
	first, _, _ := strings.Cut(s, "\n")
	return first
}

func kindOf(of [2]*trace.Event) string {
	if of[0] != nil {
		return of[0].Kind
	}
	return of[1].Kind
}
