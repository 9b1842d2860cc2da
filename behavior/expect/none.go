package expect

import (
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
		Name: "no " + strings.Join(tools, "/"), Want: "no call of " + list(tools, "or"), Where: here(), Negative: true,
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

// No means that nothing matched the pattern, with the pattern's own idea of how
// a call ended: No(Call("bash")) allows a bash that was refused, and
// No(Call("bash").Attempted()) does not. What cannot be ruled out, such as a
// command whose program is a variable, fails it. An agent that does nothing
// satisfies it.
func No(e Event) behavior.Expectation {
	return expectation{
		spec: behavior.Spec{Name: "no " + e.name(), Want: e.none(), Where: here(), Negative: true},
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
