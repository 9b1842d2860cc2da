package expect

import (
	"strings"

	"github.com/deeds-evals/deeds/behavior"
)

// childNouns are the states of a child agent as a moment each.
var childNouns = map[string]string{
	"started":   "start of a child",
	"continued": "continuation of a child",
	"ended":     "end of a child",
	"failed":    "failure of a child",
}

// Child is the moment at which a child agent came into a state: "started",
// "continued" (with another assignment), "ended" (with a report) or "failed".
func Child(state string) Event {
	noun, ok := childNouns[state]
	if !ok {
		noun = "child in state " + plain(state)
	}
	e := moment(behavior.KindChild, article(noun), noun, func(ev behavior.Event) bool { return ev.State == state })
	e.label, e.tools = "child "+short(state), []string{"task"}
	return e
}

// ChildStarted is the start of a child agent.
func ChildStarted() Event { return Child("started") }

// ChildEnded is the moment at which a child agent handed in its report.
func ChildEnded() Event { return Child("ended") }

// Role narrows it to children of that role, "worker", "explore" or "review": to
// what becomes of them, and to what they do.
func (e Event) Role(role string) Event {
	return e.with(clause{
		words: " in the role of " + plain(role), label: " as " + short(role),
		test: func(t *trace, i int) answer { return answers(t.roleOf(i) == t.expand(role) && t.roleOf(i) != "") },
		seen: func(t *trace, i int) string {
			switch is := t.roleOf(i); {
			case is != "":
				return "is in the role of " + plain(is)
			case t.Timeline[i].Agent == "" && t.Timeline[i].Kind != behavior.KindChild:
				return "is by the main agent"
			}
			return "is of a child whose start is not on record"
		},
	})
}

// roleOf is the role of the child that event i is about, or by; "" where it is not
// on record. A start says it before a colon.
func (t *trace) roleOf(i int) string {
	id := t.Timeline[i].Agent
	if t.Timeline[i].Kind == behavior.KindChild {
		id = t.Timeline[i].ID
	}
	if id == "" {
		return ""
	}
	if t.roles == nil {
		t.roles = make(map[string]string)
		for _, ev := range t.started() {
			if role, _, ok := strings.Cut(ev.Text, ":"); ok && t.roles[ev.ID] == "" {
				t.roles[ev.ID] = strings.TrimSpace(role)
			}
		}
	}
	return t.roles[id]
}

// started lists the starts of children, those that came before a part of the
// evidence included.
func (t *trace) started() []behavior.Event {
	whole := t
	for whole.whole != nil {
		whole = whole.whole
	}
	var out []behavior.Event
	for _, ev := range whole.Timeline {
		if ev.Kind == behavior.KindChild && ev.State == "started" {
			out = append(out, ev)
		}
	}
	return out
}
