package expect

import (
	"fmt"

	"github.com/deeds-evals/deeds/behavior"
)

// backgroundNouns are the states of a background command as a moment each.
var backgroundNouns = map[string]string{
	"started":   "start of a background command",
	"promoted":  "move of a command to the background",
	"ended":     "end of a background command",
	"timed-out": "timeout of a background command",
	"killed":    "kill of a background command",
	"withdrawn": "withdrawal of a background command's notice",
}

// Background is the moment at which a background command came into a state:
// "started", "promoted" (moved there because it took long), "ended" (by itself),
// "timed-out", "killed" or "withdrawn" (its notice, for the agent had seen the end
// meanwhile).
func Background(state string) Event {
	noun, ok := backgroundNouns[state]
	if !ok {
		noun = "background command in state " + plain(state)
	}
	e := moment(behavior.KindBackground, article(noun), noun, func(ev behavior.Event) bool { return ev.State == state })
	e.label, e.moment = "background "+short(state), state
	return e
}

// Notice is a word of the harness to the agent, about any of these ids; about
// anything if none is named.
func Notice(ids ...string) Event {
	return about(behavior.KindNotice, "notice about", "notice", "notice", ids)
}

// Overlap means that two different background commands were running at one time,
// one that began as a and one that began as b: each began before the other was
// over. Both are patterns of a start or a promotion.
func Overlap(a, b Event) behavior.Expectation {
	return expectation{
		behavior.Spec{
			Name: a.name() + " overlaps " + b.name(),
			Want: fmt.Sprintf("at one time, what began with %s\nand what began with %s", a.words(), b.words()), Where: here(),
			Tools: union(a.tools, b.tools), Mentions: union(a.mentions, b.mentions),
		},
		func(t *trace) behavior.Finding {
			as, bs := a.all(t, yes), b.all(t, yes)
			for _, one := range []struct {
				e     Event
				found []int
			}{{a, as}, {b, bs}} {
				if len(one.found) == 0 {
					got, near := one.e.missing(t)
					return fail(got, near...)
				}
			}
			var near []int
			for _, i := range as {
				for _, j := range bs {
					if !t.began(i) || !t.began(j) || t.Timeline[i].ID == t.Timeline[j].ID {
						continue
					}
					if i < t.overAt(j) && j < t.overAt(i) {
						return pass(i, j)
					}
					if near == nil {
						near = []int{i, j}
					}
				}
			}
			if near == nil {
				return fail(fmt.Sprintf("no two commands: %s and %s", ats(t, as), ats(t, bs)), append(as, bs...)...)
			}
			first, second := min(near[0], near[1]), max(near[0], near[1])
			over := t.overAt(first)
			return fail(fmt.Sprintf("%s came after %s", at(t, second), at(t, over)), first, over, second)
		},
	}
}

// began reports whether event i is one with which a background command begins.
func (t *trace) began(i int) bool {
	ev := &t.Timeline[i]
	return ev.Kind == behavior.KindBackground && (ev.State == "started" || ev.State == "promoted")
}

// overAt is the event at which the background command that began at i was over;
// past the last event if it never was.
func (t *trace) overAt(i int) int {
	for k := i + 1; k < len(t.Timeline); k++ {
		ev := &t.Timeline[k]
		if ev.Kind != behavior.KindBackground || ev.ID != t.Timeline[i].ID {
			continue
		}
		switch ev.State {
		case "ended", "timed-out", "killed":
			return k
		}
	}
	return len(t.Timeline)
}
