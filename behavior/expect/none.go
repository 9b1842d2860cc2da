package expect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/behavior"
)

// NoCall means that none of the tools was called, by the main agent or a child,
// however the call ended: an attempt that was refused is an attempt. Without a
// name it means no call at all. An agent that does nothing satisfies it.
func NoCall(tools ...string) behavior.Expectation {
	tools = slices.Clone(tools)
	spec := behavior.Spec{
		Name: "no " + strings.Join(tools, "/"), Want: "no call of " + list(tools, "or"), Where: here(), Negative: true, Mentions: tools,
	}
	if len(tools) == 0 {
		spec.Name, spec.Want = "no call", "no call of any tool"
	}
	return expectation{spec, func(t *trace) behavior.Finding {
		var found []int
		for i, ev := range t.Timeline {
			if ev.Kind == behavior.KindCall && ev.Call != nil && (len(tools) == 0 || slices.Contains(tools, ev.Call.Tool)) {
				found = append(found, i)
			}
		}
		if len(found) > 0 {
			return fail(ats(t, found), found...)
		}
		return pass()
	}}
}

// NoneBefore means that y happened, and that nothing that matches x came before it,
// nor in the same turn: what must wait for y waited. Where y is no deed of the agent,
// such as the user's approval, an agent that does nothing satisfies it.
func NoneBefore(x, y Event) behavior.Expectation {
	return expectation{
		spec: behavior.Spec{
			Name: "no " + x.name() + " before " + y.name(), Want: fmt.Sprintf("%s\nand before it, or in the same turn, %s", y.words(), x.none()),
			Where: here(), Negative: comesByItself(&behavior.Event{Kind: y.kind, State: y.moment}), Tools: slices.Clone(y.tools), Mentions: union(x.mentions, y.mentions),
		},
		check: func(t *trace) behavior.Finding {
			ys := y.all(t, yes)
			if len(ys) == 0 {
				got, near := y.missing(t)
				return fail(got, near...)
			}
			var early []int
			for _, i := range x.all(t, maybe) {
				if !slices.ContainsFunc(ys, func(j int) bool { return t.earlier(j, i) }) {
					early = append(early, i)
				}
			}
			if len(early) == 0 {
				return pass(ys[0])
			}
			sure := slices.DeleteFunc(slices.Clone(early), func(i int) bool { return x.match(t, i) != yes })
			if len(sure) == 0 {
				return fail(unruled(t, early), append(early, ys[0])...)
			}
			return fail(fmt.Sprintf("%s, and the first %s is %s", ats(t, sure), y.phrase(), at(t, ys[0])), append(sure, ys[0])...)
		},
	}
}

// No means that nothing matched the pattern, with the pattern's own idea of how
// a call ended: No(Call("bash")) allows a bash that was refused, and
// No(Call("bash").Attempted()) does not. What cannot be ruled out, such as a
// command whose program is a variable, fails it. An agent that does nothing
// satisfies it.
func No(e Event) behavior.Expectation {
	return expectation{
		spec: behavior.Spec{Name: "no " + e.name(), Want: e.none(), Where: here(), Negative: true, Mentions: e.mentions},
		check: func(t *trace) behavior.Finding {
			if found := e.all(t, yes); len(found) > 0 {
				return fail(ats(t, found), found...)
			}
			if found := e.all(t, maybe); len(found) > 0 {
				return fail(unruled(t, found), found...)
			}
			return pass()
		},
	}
}
