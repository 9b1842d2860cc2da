package expect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/behavior"
)

// Served is a call that reached a stub, by the stub's own record: a tool by its
// name, or by "server/tool" where servers share names; of any stub at all if none is
// named. Unless refined by a method that says how it ended, it is a call that was
// carried out, whether its answer reached the agent or not.
//
// It is an event of its own, beside the agent's: [Call] does not mean it.
func Served(tools ...string) Event {
	tools = slices.Clone(tools)
	noun, label := "call that reached "+list(plains(tools), "or"), "served "+short(strings.Join(tools, "/"))
	if len(tools) == 0 {
		noun, label = "call that reached a stub", "any served call"
	}
	return Event{
		where: here(), article: "a", noun: noun, label: label,
		kind: behavior.KindServed,
		what: func(t *trace, i int) answer {
			ev := t.Timeline[i]
			return answers(len(tools) == 0 || slices.ContainsFunc(tools, func(tool string) bool {
				return tool == ev.Call.Tool || tool == ev.ID+"/"+ev.Call.Tool
			}))
		},
	}
}

// servedName is a stub as "server/tool", or as "tool" where it stands by itself.
func servedName(ev behavior.Event) string {
	if ev.ID == "" {
		return ev.Call.Tool
	}
	return ev.ID + "/" + ev.Call.Tool
}

// servedSeen sums up what reached the stubs, for want of anything nearer.
func servedSeen(t *trace) (string, []int) {
	names, events := summed(t, func(ev behavior.Event) (string, bool) {
		if ev.Kind != behavior.KindServed || ev.Call == nil {
			return "", false
		}
		return servedName(ev), true
	})
	if names == "" {
		return "nothing reached a stub", nil
	}
	return fmt.Sprintf("only %s did", names), events
}
