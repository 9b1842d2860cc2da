package script

import (
	"fmt"
	"slices"
)

// A Mutant is a script with one fault in it. Its name says which: messages and
// calls are counted from 1, the agent's and those of each child by themselves, and
// the faults of a child are called "drop child 1 2.1", "swap child 1 2 3", "alter
// child 1 2.1 path" and "split child 1 2".
type Mutant struct {
	Name     string
	Messages []Message
}

// Mutants makes every script that differs from m in one of these: an action is
// dropped, two neighbouring messages with calls of one conversation are swapped, one
// argument is altered, the calls of a parallel turn come one after the other. Calls
// that may be left out are neither dropped nor altered. Where the call that starts a
// child is dropped, nothing of the child is left; where two are swapped, each child
// keeps its own messages. The order is always the same.
func Mutants(m []Message) []Mutant {
	var (
		all  []Mutant
		d    = sketch(m)
		list = speakers(m)
	)
	add := func(d draft, verb string, s speaker, format string, args ...any) {
		all = append(all, Mutant{Name: verb + s.name() + fmt.Sprintf(format, args...), Messages: d.messages()})
	}
	for _, s := range list {
		for n, i := range s.at {
			for j, c := range m[i].Calls {
				if !c.spare() {
					add(d.drop(i, j), "drop", s, " %d.%d", n+1, j+1)
				}
			}
		}
	}
	for _, s := range list {
		for n := 0; n+1 < len(s.at); n++ {
			a, b := s.at[n], s.at[n+1]
			if len(m[a].Calls) > 0 && len(m[b].Calls) > 0 && !m[b].Fresh && !sameCalls(m[a], m[b]) {
				add(d.swap(a, b), "swap", s, " %d %d", n+1, n+2)
			}
		}
	}
	for _, s := range list {
		for n, i := range s.at {
			for j, c := range m[i].Calls {
				if c.spare() || c.IsRaw {
					continue
				}
				for k, a := range c.Args {
					if value, ok := alter(a.Value); ok {
						add(d.alter(i, j, k, value), "alter", s, " %d.%d %s", n+1, j+1, a.Name)
					}
				}
			}
		}
	}
	for _, s := range list {
		for n, i := range s.at {
			if len(m[i].Calls) > 1 {
				add(d.split(i), "split", s, " %d", n+1)
			}
		}
	}
	return all
}

// A speaker is the agent or one of its children, with where its messages are.
type speaker struct {
	child int
	at    []int
}

func (s speaker) name() string {
	if s.child == 0 {
		return ""
	}
	return fmt.Sprintf(" child %d", s.child)
}

// speakers lists who speaks in a script, the agent first.
func speakers(m []Message) []speaker {
	var all []speaker
	for i, msg := range m {
		n := slices.IndexFunc(all, func(s speaker) bool { return s.child == msg.Child })
		if n < 0 {
			n = len(all)
			all = append(all, speaker{child: msg.Child})
		}
		all[n].at = append(all[n].at, i)
	}
	slices.SortFunc(all, func(a, b speaker) int { return a.child - b.child })
	return all
}

func sameCalls(a, b Message) bool {
	return slices.EqualFunc(a.Calls, b.Calls, func(x, y Call) bool {
		x.Optional, y.Optional, x.Fails, y.Fails = "", "", "", ""
		return x.String() == y.String()
	})
}
