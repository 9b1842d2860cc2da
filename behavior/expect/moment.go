package expect

import (
	"fmt"

	"github.com/deeds-evals/deeds/behavior"
)

// EnterMode is the moment at which a mode was entered.
func EnterMode(m behavior.Mode) Event {
	e := moment(behavior.KindMode, "an", "entry into "+string(m)+" mode", func(ev behavior.Event) bool { return ev.Mode == m })
	e.label = "enter " + string(m)
	return e
}

// Asked is a question that was put to the user.
func Asked() Event {
	e := moment(behavior.KindQuestion, "a", "question to the user", nil)
	e.label, e.tools = "asked", []string{"question"}
	return e
}

// PlanAsked is a request to plan first.
func PlanAsked() Event {
	e := moment(behavior.KindPlan, "a", "request to plan first", func(ev behavior.Event) bool { return ev.State == "asked" })
	e.label, e.tools = "plan asked", []string{"plan_enter"}
	return e
}

// PlanReady is the moment at which a plan was handed over as ready.
func PlanReady() Event {
	e := moment(behavior.KindPlan, "a", "plan handed over as ready", func(ev behavior.Event) bool { return ev.State == "ready" })
	e.label, e.tools = "plan ready", []string{"plan_done"}
	return e
}

// PlanApproved is the moment at which the user approved a plan, or agreed to plan
// first.
func PlanApproved() Event {
	e := moment(behavior.KindPlan, "an", "approval of a plan", func(ev behavior.Event) bool { return ev.State == "approved" })
	e.label, e.moment = "plan approved", "approved"
	return e
}

// PlanDeclined is the moment at which the user would not have a plan, or would not
// have the agent plan first.
func PlanDeclined() Event {
	e := moment(behavior.KindPlan, "a", "refusal of a plan", func(ev behavior.Event) bool { return ev.State == "declined" })
	e.label, e.moment = "plan declined", "declined"
	return e
}

// moment is a pattern of events that are no calls. They cannot fail.
func moment(kind behavior.Kind, article, noun string, is func(behavior.Event) bool) Event {
	return Event{
		where: here(), article: article, noun: noun, kind: kind,
		what: func(t *trace, i int) answer { return answers(is == nil || is(t.Timeline[i])) },
	}
}

// StayIn means that the main agent never entered another mode. An agent that
// does nothing satisfies it.
func StayIn(m behavior.Mode) behavior.Expectation {
	return expectation{
		spec: behavior.Spec{
			Name: "stay in " + string(m), Want: "no other mode than " + string(m), Where: here(), Negative: true,
		},
		check: func(t *trace) behavior.Finding {
			var others []int
			for i, ev := range t.Timeline {
				if ev.Kind == behavior.KindMode && ev.Agent == "" && ev.Mode != m {
					others = append(others, i)
				}
			}
			if len(others) > 0 {
				return fail(ats(t, others), others...)
			}
			return pass()
		},
	}
}

// EndedWith means that the attempt ended for any of the reasons.
func EndedWith(reasons ...behavior.EndReason) behavior.Expectation {
	var words []string
	negative := false
	for _, r := range reasons {
		words = append(words, string(r))
		negative = negative || r == behavior.EndStop
	}
	return expectation{
		spec: behavior.Spec{
			Name: "ended with " + list(words, "or"), Want: "an end by " + list(words, "or"), Where: here(), Negative: negative,
		},
		check: func(t *trace) behavior.Finding {
			for _, r := range reasons {
				if t.End.Reason == r && r != "" {
					return pass()
				}
			}
			if t.End.Reason == "" {
				return fail("no end is on record")
			}
			got := "it ended by " + plain(string(t.End.Reason))
			if t.End.Detail != "" {
				got += fmt.Sprintf(" (%s)", plain(t.End.Detail))
			}
			return fail(got)
		},
	}
}
