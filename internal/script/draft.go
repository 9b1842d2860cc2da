package script

import (
	"encoding/json"
	"slices"
)

// A draft is a script that is being changed. Which child a call starts is kept with
// the call, so that the children can be numbered anew when all is done.
type draft []draftMessage

type draftMessage struct {
	Message
	starts []int // by call: the child that it starts, or 0
}

// mute is a child that has nothing to say in the script.
const mute = -1

// sketch begins a change of a script. The changes leave what they are made of as it
// is.
func sketch(m []Message) draft {
	d := make(draft, len(m))
	n := 0
	for i, msg := range m {
		d[i] = draftMessage{msg, make([]int, len(msg.Calls))}
		for j, c := range msg.Calls {
			if msg.Child == 0 && c.starts() {
				n++
				d[i].starts[j] = n
			}
		}
	}
	return d
}

// messages is the script that the draft has become. Children that nothing starts any
// more are left out.
func (d draft) messages() []Message {
	number := make(map[int]int)
	for _, msg := range d {
		for _, child := range msg.starts {
			if child != 0 {
				number[child] = len(number) + 1
			}
		}
	}
	all := make([]Message, 0, len(d))
	for _, msg := range d {
		m := msg.Message
		if m.Child > 0 {
			if m.Child = number[m.Child]; m.Child == 0 {
				continue
			}
		}
		all = append(all, m)
	}
	return all
}

// drop takes one call out, and its message too if it is the only one: without
// calls the message would end the turn.
func (d draft) drop(i, j int) draft {
	if len(d[i].Calls) == 1 {
		return d.replace(i)
	}
	msg := d[i]
	msg.Calls = slices.Delete(slices.Clone(msg.Calls), j, j+1)
	msg.starts = slices.Delete(slices.Clone(msg.starts), j, j+1)
	return d.replace(i, msg)
}

// swap puts two messages of one conversation in each other's place.
func (d draft) swap(a, b int) draft {
	d = slices.Clone(d)
	d[a], d[b] = d[b], d[a]
	d[a].Fresh, d[b].Fresh = d[b].Fresh, d[a].Fresh
	return d
}

// alter gives one argument another value. The call starts the child that it started
// before, if it still starts one, and one that says nothing if it did not.
func (d draft) alter(i, j, k int, value json.RawMessage) draft {
	msg := d[i]
	c := msg.Calls[j]
	c.Args = slices.Clone(c.Args)
	c.Args[k].Value = value
	msg.Calls = slices.Clone(msg.Calls)
	msg.Calls[j] = c
	msg.starts = slices.Clone(msg.starts)
	switch {
	case msg.Child > 0 || !c.starts():
		msg.starts[j] = 0
	case msg.starts[j] == 0:
		msg.starts[j] = mute
	}
	return d.replace(i, msg)
}

// split gives each call a message of its own. The words stay with the first.
func (d draft) split(i int) draft {
	msg := d[i]
	parts := make(draft, len(msg.Calls))
	for j, c := range msg.Calls {
		parts[j] = draftMessage{Message{Child: msg.Child, Calls: []Call{c}}, msg.starts[j : j+1]}
	}
	first := &parts[0]
	first.Think, first.Say, first.Comments, first.Fresh = msg.Think, msg.Say, msg.Comments, msg.Fresh
	return d.replace(i, parts...)
}

// replace puts other messages in the place of number i. A conversation of the agent
// that loses its first message begins with the next one, and is silent if there is
// none: those that follow keep their number.
func (d draft) replace(i int, with ...draftMessage) draft {
	rest := slices.Clone(d[i+1:])
	own := func(m draftMessage) bool { return m.Child == 0 }
	begins := own(d[i]) && (d[i].Fresh || !slices.ContainsFunc(d[:i], own))
	if begins && len(with) == 0 {
		next := slices.IndexFunc(rest, own)
		switch {
		case next >= 0 && !rest[next].Fresh:
			rest[next].Fresh = d[i].Fresh
		case next >= 0 || d[i].Fresh:
			with = draft{{Message: Message{Fresh: d[i].Fresh}}}
		}
	}
	return slices.Concat(d[:i], with, rest)
}
