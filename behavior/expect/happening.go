package expect

import (
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/behavior"
)

// SkillLoaded is the moment at which the skill of that name was loaded; any skill if
// none is named.
func SkillLoaded(names ...string) Event {
	e := about(behavior.KindSkill, "load of the skill", "load of a skill", "skill", names)
	e.tools = []string{"skill"}
	return e
}

// RuleInForce is the moment at which the rules in that file came into force, always
// or because of a file that was touched. To be listed is not to be in force.
func RuleInForce(file string) Event {
	e := moment(behavior.KindRule, "an", "entry into force of "+plain(file), nil)
	e.what = func(t *trace, i int) answer {
		ev := t.Timeline[i]
		return answers(ev.State != "listed" && t.same(ev.ID, t.expand(file)))
	}
	e.label = "rule " + short(file)
	return e
}

// Compacted is the moment at which the conversation was replaced by a summary.
func Compacted() Event {
	e := moment(behavior.KindCompaction, "a", "compaction of the conversation", nil)
	e.label = "compacted"
	return e
}

// SessionBegun is the moment at which a new conversation began in the same world.
func SessionBegun() Event {
	e := moment(behavior.KindSession, "a", "new conversation", nil)
	e.label = "session begun"
	return e
}

// Fault is something that went wrong on purpose, in a call of any of the tools; of
// any at all if none is named.
func Fault(tools ...string) Event {
	return about(behavior.KindFault, "fault of", "fault", "fault", tools)
}

// Outside is a change of the workspace by somebody other than the agent.
func Outside() Event {
	e := moment(behavior.KindOutside, "a", "change from outside", nil)
	e.label = "outside"
	return e
}

// Spoken is the user's n-th word, counted from 1; the first is the request. What
// the user says while the agent works counts.
func Spoken(n int) Event {
	e := moment(behavior.KindUser, "a", ordinal(n)+" word of the user", nil)
	e.article = article(ordinal(n))
	if strings.HasPrefix(ordinal(n), "8") || n == 11 || n == 18 {
		e.article = "an"
	}
	e.what = func(t *trace, i int) answer {
		words := t.userWords()
		return answers(n >= 1 && n <= len(words) && words[n-1] == i)
	}
	e.label = "word " + ordinal(n)
	return e
}

// about is a pattern of events about something with a name.
func about(kind behavior.Kind, some, a, label string, names []string) Event {
	names = slices.Clone(names)
	e := moment(kind, "a", a, nil)
	e.label = label
	if len(names) > 0 {
		e.noun, e.label = some+" "+list(plains(names), "or"), label+" "+short(strings.Join(names, "/"))
		e.what = func(t *trace, i int) answer {
			return answers(slices.ContainsFunc(names, func(n string) bool { return t.expand(n) == t.Timeline[i].ID }))
		}
	}
	return e
}

// ID narrows it to events about what has that name: a background command, a child, a
// skill.
func (e Event) ID(id string) Event {
	return e.with(clause{
		words: " about " + plain(id), label: " " + short(id),
		test: func(t *trace, i int) answer {
			return answers(t.Timeline[i].ID == t.expand(id) && t.Timeline[i].ID != "")
		},
		seen: func(t *trace, i int) string {
			if t.Timeline[i].ID == "" {
				return "is about nothing with a name"
			}
			return "is about " + plain(t.Timeline[i].ID)
		},
	})
}

// Saying narrows it to events in whose text the words stand, in the way of
// [Answer]: a notice, a report, a summary, a word of the user.
func (e Event) Saying(words string) Event {
	return e.with(clause{
		words: " saying " + show(words), label: " saying " + short(words),
		test: func(t *trace, i int) answer { return answers(mentions(t.Timeline[i].Text, t.expand(words))) },
		seen: func(t *trace, i int) string { return "says " + show(fold(t.Timeline[i].Text)) },
	})
}
