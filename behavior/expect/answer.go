package expect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/behavior"
)

// nothingToFind is said of an empty text: it would be in every answer.
const nothingToFind = "there is nothing to look for: the text is empty"

func blank(s string) bool { return strings.TrimSpace(s) == "" }

// Answer means that the text is in a message of the main agent since the user
// last spoke, the last one or another, as whole words and numbers: "4.2" is not
// in "14.2", nor in "4.2.1", nor "-4.2", but it is in "**v4.2**" and in "4.2.".
// The case of letters counts; white space, typographic quotes, Markdown's
// decoration and the commas that group digits do not.
func Answer(text string) behavior.Expectation {
	return answer1("answer "+short(text), "an answer with "+show(text), here(), func(t *trace) (string, string) {
		return t.expand(text), ""
	})
}

// AnswerFact means that the fact of that name is in what the main agent said, as
// for [Answer].
func AnswerFact(name string) behavior.Expectation {
	return answer1("answer {"+name+"}", "an answer with the fact {"+name+"}", here(), func(t *trace) (string, string) {
		v, ok := t.Facts[name]
		if !ok {
			return "", "the case has no fact " + plain(name)
		}
		return v, ""
	})
}

// Fact means that what f works out from the evidence is in what the main agent
// said, as for [Answer]. The words say what it is.
func Fact(words string, f func(behavior.Evidence) string) behavior.Expectation {
	return answer1("answer "+short(words), "an answer with "+words, here(), func(t *trace) (string, string) {
		return f(t.Evidence), ""
	})
}

func answer1(name, want, where string, value func(*trace) (text, problem string)) behavior.Expectation {
	return expectation{
		spec: behavior.Spec{Name: name, Want: want, Where: where},
		check: func(t *trace) behavior.Finding {
			text, problem := value(t)
			switch {
			case problem != "":
				return fail(problem)
			case blank(text):
				return fail(nothingToFind)
			}
			if saying := t.saying(text); len(saying) > 0 {
				return pass(saying...)
			}
			got, events := t.unsaid(text)
			if !strings.Contains(want, show(text)) {
				got = "no " + show(text) + "; " + got
			}
			return fail(got, events...)
		},
	}
}

// AnswerAny means that at least one of the texts is in what the main agent said,
// as for [Answer].
func AnswerAny(texts ...string) behavior.Expectation {
	texts = append([]string(nil), texts...)
	return expectation{
		spec: behavior.Spec{
			Name: "answer " + short(strings.Join(texts, "/")), Want: "an answer with " + list(shown(texts), "or"), Where: here(),
		},
		check: func(t *trace) behavior.Finding {
			for _, text := range texts {
				if saying := t.saying(t.expand(text)); len(saying) > 0 {
					return pass(saying...)
				}
			}
			got, events := t.unsaid("")
			return fail(got, events...)
		},
	}
}

// AnswerNone means that none of the texts is in the last message of the main
// agent, in the way of [Answer]. An agent that says nothing satisfies it.
func AnswerNone(texts ...string) behavior.Expectation {
	texts = append([]string(nil), texts...)
	return expectation{
		spec: behavior.Spec{
			Name: "answer not " + short(strings.Join(texts, "/")), Want: "a last message without " + list(shown(texts), "or"),
			Where: here(), Negative: len(texts) > 0 && !slices.ContainsFunc(texts, blank),
		},
		check: func(t *trace) behavior.Finding {
			last := t.Evidence.Answer()
			var there []string
			first := ""
			if len(texts) == 0 {
				return fail(nothingToFind)
			}
			for _, text := range texts {
				text = t.expand(text)
				if blank(text) {
					return fail(nothingToFind)
				}
				if mentions(last, text) {
					if first == "" {
						first = text
					}
					there = append(there, show(text))
				}
			}
			if len(there) == 0 {
				return pass()
			}
			return fail(list(there, "and")+" in "+excerpt(last, first), t.spoken(true)...)
		},
	}
}

// unsaid tells what was said instead of the text.
func (t *trace) unsaid(text string) (string, []int) {
	said := t.spoken(false)
	if len(said) == 0 {
		return "nothing was said", nil
	}
	all := t.Said()
	switch {
	case text == "":
	case mentions(strings.ToLower(all), strings.ToLower(text)):
		return "only with another case of letters: " + excerpt(all, text), said
	case strings.Contains(fold(all), fold(text)):
		return "only as a part of a longer word or number: " + excerpt(all, text), said
	}
	last := show(fold(t.Timeline[said[len(said)-1]].Text))
	if len(said) > 1 {
		return fmt.Sprintf("not in %s, the last of them %s", count(len(said), "message"), last), said
	}
	return "it said " + last, said
}

// spoken lists the messages with text of the main agent since the user last
// spoke, or only the last of them.
func (t *trace) spoken(last bool) []int {
	var said []int
	for i, ev := range t.Timeline {
		switch {
		case ev.Agent != "":
		case ev.Kind == behavior.KindUser:
			said = nil
		case ev.Kind == behavior.KindMessage && strings.TrimSpace(ev.Text) != "":
			said = append(said, i)
		}
	}
	if last && len(said) > 0 {
		said = said[len(said)-1:]
	}
	return said
}

// saying lists the messages that have the text by themselves.
func (t *trace) saying(text string) []int {
	var out []int
	for _, i := range t.spoken(false) {
		if mentions(t.Timeline[i].Text, text) {
			out = append(out, i)
		}
	}
	return out
}

func shown(texts []string) []string {
	out := make([]string, len(texts))
	for i, s := range texts {
		out[i] = show(s)
	}
	return out
}

// excerpt quotes the part of a message in which the words stand.
func excerpt(message, words string) string {
	const around = maxShown / 3
	message, words = fold(message), fold(words)
	k := strings.Index(strings.ToLower(message), strings.ToLower(words))
	if k < 0 || len(message) <= maxShown || k > len(message) {
		return show(message)
	}
	from, to := max(0, k-around), min(len(message), k+len(words)+around)
	part := strings.ToValidUTF8(message[from:to], "")
	if from > 0 {
		part = "…" + part
	}
	if to < len(message) {
		part += "…"
	}
	return show(part)
}
