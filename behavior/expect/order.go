package expect

import (
	"fmt"

	"github.com/deeds-evals/deeds/behavior"
)

// Before means that later happened at least once, and that each time it did, e
// had happened in an earlier turn. It says nothing of what happens to e
// afterwards. (The turns of two agents cannot be compared; between them the
// place in the timeline decides, and it decides whether something came before what
// is no deed of the agent, such as a word of the user. The same holds for the other
// words of order.)
func (e Event) Before(later Event) behavior.Expectation {
	return expectation{
		spec: behavior.Spec{
			Name:  e.name() + " before " + later.name(),
			Want:  fmt.Sprintf("%s\nin an earlier turn than every %s", e.words(), later.phrase()),
			Where: here(), Tools: union(e.tools, later.tools), Mentions: union(e.mentions, later.mentions),
		},
		check: func(t *trace) behavior.Finding {
			bs := later.all(t, yes)
			if len(bs) == 0 {
				got, near := later.missing(t)
				return fail(got, near...)
			}
			as := e.all(t, yes)
			for _, b := range bs {
				if f, ok := preceded(t, e, as, b); !ok {
					return f
				}
			}
			return pass(append(as[:1:1], bs...)...)
		},
	}
}

// preceded fails unless one of the events as came earlier than b.
func preceded(t *trace, e Event, as []int, b int) (behavior.Finding, bool) {
	for _, a := range as {
		if t.earlier(a, b) {
			return behavior.Finding{}, true
		}
	}
	got := fmt.Sprintf("%s, and %s before it", at(t, b), e.none())
	switch {
	case len(as) == 0:
		if why, events, near := e.nearest(t); near {
			return fail(fmt.Sprintf("%s, and %s", at(t, b), why), append(events, b)...), false
		}
		return fail(got, b), false
	case t.Timeline[as[0]].Agent == t.Timeline[b].Agent && t.Timeline[as[0]].Turn == t.Timeline[b].Turn && as[0] != b && !comesByItself(&t.Timeline[b]):
		got += fmt.Sprintf("; %s is of the same turn", at(t, as[0]))
	case as[0] != b:
		got += fmt.Sprintf("; the first is %s", at(t, as[0]))
	}
	return fail(got, as[0], b), false
}

// After means that e happened at least once in a later turn than some earlier.
// It may have happened before as well.
func (e Event) After(earlier Event) behavior.Expectation {
	return expectation{
		spec: behavior.Spec{
			Name:  e.name() + " after " + earlier.name(),
			Want:  fmt.Sprintf("%s\nin a later turn than %s", e.words(), earlier.words()),
			Where: here(), Tools: union(earlier.tools, e.tools), Mentions: union(earlier.mentions, e.mentions),
		},
		check: func(t *trace) behavior.Finding {
			as, bs, lacks := bothHappened(t, earlier, e)
			if lacks != nil {
				return *lacks
			}
			for _, b := range bs {
				for _, a := range as {
					if t.earlier(a, b) {
						return pass(a, b)
					}
				}
			}
			last := bs[len(bs)-1]
			return fail(fmt.Sprintf("%s, and %s after it; the last is %s", at(t, as[0]), e.none(), at(t, last)), as[0], last)
		},
	}
}

// AfterEvery means that earlier happened at least once, and e in a later turn
// than all of it: nothing of earlier came afterwards, or at the same time.
func (e Event) AfterEvery(earlier Event) behavior.Expectation {
	return expectation{
		spec: behavior.Spec{
			Name:  e.name() + " after every " + earlier.name(),
			Want:  fmt.Sprintf("%s\nin a later turn than every %s", e.words(), earlier.phrase()),
			Where: here(), Tools: union(earlier.tools, e.tools), Mentions: union(earlier.mentions, e.mentions),
		},
		check: func(t *trace) behavior.Finding {
			as, bs, lacks := bothHappened(t, earlier, e)
			if lacks != nil {
				return *lacks
			}
			last := bs[len(bs)-1]
			for _, a := range as {
				if !t.earlier(a, last) {
					return fail(fmt.Sprintf("%s, and %s after it; the last is %s", at(t, a), e.none(), at(t, last)), a, last)
				}
			}
			return pass(append(as, last)...)
		},
	}
}

// bothHappened lists the events of both patterns, or says which has none.
func bothHappened(t *trace, earlier, later Event) (as, bs []int, lacks *behavior.Finding) {
	as, bs = earlier.all(t, yes), later.all(t, yes)
	missing := later
	switch {
	case len(as) == 0:
		missing = earlier
	case len(bs) > 0:
		return as, bs, nil
	}
	got, near := missing.missing(t)
	f := fail(got, near...)
	return nil, nil, &f
}

// InOrder means that the events happened one after the other, each in a later
// turn than the one before. Anything may happen between them.
func InOrder(events ...Event) behavior.Expectation {
	events = append([]Event(nil), events...)
	spec := behavior.Spec{Where: here()}
	for i, e := range events {
		if i > 0 {
			spec.Name += ", then "
			spec.Want += "\nthen, in a later turn, "
		}
		spec.Name += e.name()
		spec.Want += e.words()
		spec.Tools, spec.Mentions = union(spec.Tools, e.tools), union(spec.Mentions, e.mentions)
	}
	if len(events) == 0 {
		spec.Name, spec.Want = "nothing in order", "something in order, but the case names no event"
	}
	return expectation{spec, func(t *trace) behavior.Finding {
		if len(events) == 0 {
			return fail("no event was named")
		}
		return inOrder(t, events)
	}}
}

// inOrder looks for the longest chain. reached holds, for the events so far, all
// the places at which such a chain can end: with several agents in play the
// first of them is not always the best.
func inOrder(t *trace, events []Event) behavior.Finding {
	type link struct{ at, from int }
	var chain [][]link
	for k, e := range events {
		var links []link
		for _, i := range e.all(t, yes) {
			if k == 0 {
				links = append(links, link{i, -1})
				continue
			}
			for n, before := range chain[k-1] {
				if t.earlier(before.at, i) {
					links = append(links, link{i, n})
					break
				}
			}
		}
		if len(links) > 0 {
			chain = append(chain, links)
			continue
		}
		if k == 0 {
			got, near := e.missing(t)
			return fail(got, near...)
		}
		before := chain[k-1][0].at
		if all := e.all(t, yes); len(all) > 0 {
			last := all[len(all)-1]
			return fail(fmt.Sprintf("%s, and %s after it; the last is %s", at(t, before), e.none(), at(t, last)), before, last)
		}
		got, near := e.missing(t)
		return fail(fmt.Sprintf("%s, and then %s", at(t, before), got), append(near, before)...)
	}
	var found []int
	for k, n := len(chain)-1, 0; k >= 0; k-- {
		found = append(found, chain[k][n].at)
		n = chain[k][n].from
	}
	return pass(found...)
}

func union(a, b []string) []string {
	out := append([]string(nil), a...)
	for _, s := range b {
		seen := false
		for _, o := range out {
			seen = seen || o == s
		}
		if !seen {
			out = append(out, s)
		}
	}
	return out
}
