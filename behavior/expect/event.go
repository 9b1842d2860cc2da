package expect

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/behavior"
)

// An Event is a pattern of something that happens. It is a value: its methods
// return refined copies, so one pattern may serve several expectations. As an
// expectation it means that such a thing happened at least once.
type Event struct {
	where string
	// article, noun and the words of the clauses make the pattern's words:
	// "a read call on settings.txt".
	article, noun string
	label         string   // the noun in a marker: "read"
	tools         []string // that it needs
	mentions      []string // that it names, needed or not
	kind          behavior.Kind
	also          behavior.Kind            // another kind that counts, if any
	moment        string                   // the state that every such event has, if there is one
	what          func(*trace, int) answer // what it is, beside its kind
	near          func(*trace, int) bool   // whether it is worth telling as a near miss; nil: always
	besides       func(*trace) string      // to be said where nothing matched, with "; " before it; nil: nothing
	clauses       []clause
	status        status
	state         string // the status in words, before the noun
}

// A clause narrows a pattern.
type clause struct {
	words string // with a space before them
	label string // in a marker
	// test says whether event i satisfies the clause, and seen what is there
	// instead if it does not, in words that follow "event 4": "has path …".
	test func(t *trace, i int) answer
	seen func(t *trace, i int) string
}

// onCall is a test of the call that an event is; an event without one fails it.
func onCall(test func(*trace, *behavior.Call) answer) func(*trace, int) answer {
	return func(t *trace, i int) answer {
		if c := t.Timeline[i].Call; c != nil {
			return test(t, c)
		}
		return no
	}
}

// ofCall is the same for what is there instead.
func ofCall(seen func(*trace, *behavior.Call) string) func(*trace, int) string {
	return func(t *trace, i int) string {
		if c := t.Timeline[i].Call; c != nil {
			return seen(t, c)
		}
		return "is no call"
	}
}

// An answer is one of no, maybe and yes. Maybe is for what cannot be told
// without running a shell; it counts as no, except where a word must rule it out.
type answer int

const (
	no answer = iota
	maybe
	yes
)

func answers(ok bool) answer {
	if ok {
		return yes
	}
	return no
}

// A status says which ways of ending a pattern means.
type status func(*behavior.Call) bool

func succeeded(c *behavior.Call) bool { return c.Status == behavior.OK }
func anyStatus(*behavior.Call) bool   { return true }

// ran is a call that succeeded, or a shell command that ran to its end.
func ran(c *behavior.Call) bool {
	return succeeded(c) || c.Tool == "bash" && c.Status == behavior.Failed && c.Exit != nil
}

func (e Event) with(c clause) Event {
	e.clauses = append(slices.Clip(slices.Clone(e.clauses)), c)
	return e
}

// On narrows it to calls whose argument path names that file, however it is
// spelled, and to shell commands that have a word or a redirection which names
// it. A call of ls, glob or grep without a path is on ".".
func (e Event) On(file string) Event {
	return e.with(clause{
		words: " on " + plain(file), label: " " + short(file),
		test: onCall(func(t *trace, c *behavior.Call) answer { return t.on(c, t.expand(file)) }),
		seen: ofCall(func(t *trace, c *behavior.Call) string { return placeOf(c) }),
	})
}

// With narrows it to calls with that argument, by value: numbers are equal as
// numbers, lists and objects by their members, and path by the place it names.
// An argument left out equals its documented default (see [Default]), and nil
// means left out.
func (e Event) With(arg string, value any) Event {
	return e.with(clause{
		words: " with " + arg + " " + show(value), label: " " + arg + "=" + short(show(value)),
		test: onCall(func(t *trace, c *behavior.Call) answer { return answers(t.with(c, arg, value)) }),
		seen: ofCall(func(t *trace, c *behavior.Call) string { return argOf(c, arg) }),
	})
}

// Where narrows it to calls for which f holds. The words say what f holds for,
// and follow "where".
func (e Event) Where(words string, f func(behavior.Call) bool) Event {
	return e.with(clause{
		words: " where " + words, label: " where " + short(words),
		test: onCall(func(t *trace, c *behavior.Call) answer { return answers(f(copyCall(*c))) }),
		seen: ofCall(func(t *trace, c *behavior.Call) string { return "is not one where " + words }),
	})
}

// Matching narrows it to calls whose argument, as [behavior.Call.Arg] gives it,
// matches the regular expression somewhere. A pattern that does not compile
// matches nothing. Braces are the pattern's own: facts are not put in.
func (e Event) Matching(arg, pattern string) Event {
	re, err := regexp.Compile(pattern)
	return e.with(clause{
		words: " with " + arg + " matching " + pattern, label: " " + arg + "~" + short(pattern),
		test: onCall(func(t *trace, c *behavior.Call) answer {
			return answers(err == nil && c.Args[arg] != nil && re.MatchString(c.Arg(arg)))
		}),
		seen: ofCall(func(t *trace, c *behavior.Call) string {
			if err != nil {
				return "cannot be judged: the pattern does not compile"
			}
			return argOf(c, arg)
		}),
	})
}

// Returning narrows it to calls whose result shows the text: every line of it
// that is not blank, as whole words.
func (e Event) Returning(text string) Event {
	return e.with(clause{
		words: " returning " + show(text), label: " returning " + short(text),
		test: onCall(func(t *trace, c *behavior.Call) answer {
			return answers(shows(c.Result, solidLines(t.expand(text))))
		}),
		seen: ofCall(func(t *trace, c *behavior.Call) string { return "returned " + show(firstLine(c.Result)) }),
	})
}

// Failing means calls that did not succeed, whatever kept them from it, in
// place of those that did.
func (e Event) Failing() Event {
	e.status, e.state = func(c *behavior.Call) bool { return c.Status != behavior.OK }, "failing"
	return e
}

// Refused means calls that the harness would not run, in place of those that
// succeeded.
func (e Event) Refused() Event {
	e.status, e.state = func(c *behavior.Call) bool { return c.Status == behavior.Refused }, "refused"
	return e
}

// Attempted means calls however they ended, in place of those that succeeded.
func (e Event) Attempted() Event {
	e.status, e.state = anyStatus, "attempted"
	return e
}

// By narrows it to one agent: "" is the main agent, anything else the id of a
// child. Without it a pattern means the main agent and its children alike.
func (e Event) By(agent string) Event {
	who := "the main agent"
	if agent != "" {
		who = "the child " + agent
	}
	return e.with(clause{
		words: " by " + who, label: " by " + strings.TrimPrefix(who, "the "),
		test: func(t *trace, i int) answer { return answers(t.Timeline[i].Agent == agent) },
		seen: func(t *trace, i int) string {
			if t.Timeline[i].Agent == "" {
				return "is by the main agent"
			}
			return "is not by " + who
		},
	})
}

// ByChild narrows it to children, whichever.
func (e Event) ByChild() Event {
	return e.with(clause{
		words: " by a child", label: " by a child",
		test: func(t *trace, i int) answer { return answers(t.Timeline[i].Agent != "") },
		seen: func(t *trace, i int) string { return "is by the main agent" },
	})
}

// Exiting narrows it to shell commands that ended with that exit status,
// and means them whether that counts as success or not.
func (e Event) Exiting(code int) Event {
	if e.state == "" {
		e.status = anyStatus
	}
	return e.with(clause{
		words: fmt.Sprintf(" exiting with %d", code), label: fmt.Sprintf(" exit %d", code),
		test: onCall(func(t *trace, c *behavior.Call) answer { return answers(c.Exit != nil && *c.Exit == code) }),
		seen: ofCall(func(t *trace, c *behavior.Call) string {
			if c.Exit == nil {
				return "has no exit status"
			}
			return fmt.Sprintf("exited with %d", *c.Exit)
		}),
	})
}

// Spec implements [behavior.Expectation].
func (e Event) Spec() behavior.Spec {
	return behavior.Spec{Name: e.name(), Want: e.words(), Where: e.where, Tools: slices.Clone(e.tools), Mentions: slices.Clone(e.mentions)}
}

// Check implements [behavior.Expectation].
func (e Event) Check(ev behavior.Evidence) behavior.Finding { return e.judge(newTrace(ev)) }

func (e Event) judge(t *trace) behavior.Finding {
	if all := e.all(t, yes); len(all) > 0 {
		return pass(all...)
	}
	got, near := e.missing(t)
	return fail(got, near...)
}

// words is the pattern in words, "a read call on settings.txt".
func (e Event) words() string {
	if e.state != "" {
		return article(e.state) + " " + e.phrase()
	}
	return e.article + " " + e.phrase()
}

// phrase is the pattern in words without the article.
func (e Event) phrase() string {
	var b strings.Builder
	if e.state != "" {
		b.WriteString(e.state + " ")
	}
	b.WriteString(e.noun)
	for n, c := range e.clauses {
		if rest, ok := strings.CutPrefix(c.words, " with "); ok && n > 0 && strings.HasPrefix(e.clauses[n-1].words, " with ") {
			b.WriteString(" and " + rest)
			continue
		}
		b.WriteString(c.words)
	}
	return b.String()
}

// none is "no read call on settings.txt".
func (e Event) none() string {
	return "no " + e.phrase()
}

// name is the pattern as a marker.
func (e Event) name() string {
	var b strings.Builder
	if e.state != "" {
		b.WriteString(e.state + " ")
	}
	b.WriteString(e.label)
	for _, c := range e.clauses {
		b.WriteString(c.label)
	}
	return b.String()
}

// is reports whether event i is of the pattern's own sort, before its clauses.
func (e Event) is(t *trace, i int) answer {
	ev := &t.Timeline[i]
	if ev.Kind != e.kind && (e.also == "" || ev.Kind != e.also) || (ev.Kind == behavior.KindCall || ev.Kind == behavior.KindServed) && ev.Call == nil {
		return no
	}
	if e.what == nil {
		return yes
	}
	return e.what(t, i)
}

func (e Event) ended(ev behavior.Event) bool {
	if ev.Call == nil {
		return e.state == "" || e.state == "attempted"
	}
	return e.status == nil && succeeded(ev.Call) || e.status != nil && e.status(ev.Call)
}

// match says whether event i matches.
func (e Event) match(t *trace, i int) answer {
	a := e.is(t, i)
	if a == no || !e.ended(t.Timeline[i]) {
		return no
	}
	for _, c := range e.clauses {
		if a = min(a, c.test(t, i)); a == no {
			return no
		}
	}
	return a
}

// all lists the events that match, at least as surely as that.
func (e Event) all(t *trace, least answer) []int {
	var found []int
	for i := range t.Timeline {
		if e.match(t, i) >= least {
			found = append(found, i)
		}
	}
	return found
}
