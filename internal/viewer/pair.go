package viewer

import "github.com/deeds-evals/deeds/internal/trace"

// A pair is two events that belong side by side, by their index, -1 for none.
type pair struct {
	left, right int
	differs     bool
	first       bool // here the attempts part
}

// pairUp puts two timelines side by side. Without a second one nothing differs.
func pairUp(a, b *trace.Trace) []pair {
	var all []pair
	if b == nil {
		for i := range a.Events {
			all = append(all, pair{left: i, right: -1})
		}
		return all
	}
	left, right := byNumber(a), byNumber(b)
	aligned := trace.Align(*a, *b)
	for i, p := range aligned.Pairs {
		all = append(all, pair{
			left: left(p.A), right: right(p.B), first: i == aligned.First,
			differs: p.Same != trace.Equal && p.Same != trace.Reworded,
		})
	}
	return all
}

// byNumber finds the index of an event by its N, -1 where there is none.
func byNumber(t *trace.Trace) func(n int) int {
	at := make(map[int]int, len(t.Events))
	for i, e := range t.Events {
		at[e.N] = i
	}
	return func(n int) int {
		if i, ok := at[n]; ok {
			return i
		}
		return -1
	}
}
