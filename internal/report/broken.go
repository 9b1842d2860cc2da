package report

import (
	"fmt"
	"strings"
)

// A Problem is one thing that the rehearsal found wrong with a case. The
// functions that return one have the words.
type Problem struct {
	Where string // "testdata/read-before-edit.txtar:12", or empty
	What  string
	Hint  string
}

// Broken is the message for a case that its own rehearsal refutes: a broken
// judge, whatever the model.
func Broken(problems []Problem, c Closing) string {
	var b strings.Builder
	for _, p := range problems {
		writeLine(&b, "this case is broken: "+shorten(oneLine(p.What), maxLine))
		field(&b, "", "at", oneLine(p.Where))
		field(&b, "", "hint", p.Hint)
	}
	closing(&b, c)
	return b.String()
}

// Survived says that something which does not do the deed passes: "silence",
// "prose without action", "the pass script without its last action".
func Survived(what, where string) Problem {
	return Problem{
		Where: where,
		What:  fmt.Sprintf("%s passes it; no expectation bites", what),
		Hint:  "expect a deed that only an agent which did the work leaves behind; a case about holding back needs a later turn whose deed shows it",
	}
}

// PassFails says that a pass script fails. Failed are the signals.
func PassFails(section, where string, failed []string) Problem {
	return Problem{
		Where: where,
		What:  fmt.Sprintf("section %q must pass, and fails %s", section, list(failed)),
		Hint:  "either the script does not do what the case asks, or an expectation refuses an honest way",
	}
}

// WrongSignals says that a fail script does not fail the signals it names.
func WrongSignals(section, where string, want, got []string) Problem {
	return Problem{
		Where: where,
		What:  fmt.Sprintf("section %q must fail exactly %s, and fails %s", section, list(want), list(got)),
		Hint:  "name the set of signals that this behaviour violates, or change the script until it violates just that one",
	}
}

// NeverBites says that no script of the case makes an expectation fail.
func NeverBites(signal, want, where string) Problem {
	return Problem{
		Where: where,
		What:  fmt.Sprintf("nothing ever fails this expectation of %s: %s", signal, strings.Join(strings.Fields(want), " ")),
		Hint:  fmt.Sprintf("add a section \"fail %s\" in which an agent violates it, or remove it", signal),
	}
}

// RanOut says that a script had no more messages when the agent asked for one.
func RanOut(section, where string) Problem {
	return Problem{
		Where: where,
		What:  fmt.Sprintf("section %q ran out of messages before the agent had ended its turn", section),
		Hint:  "a blank line separates messages; end the section with one that makes no call",
	}
}

// MutantSurvived says that an altered pass script still passes. The mutant's name
// is what the script file would have to call harmless.
func MutantSurvived(mutant, where string) Problem {
	return Problem{
		Where: where,
		What:  fmt.Sprintf("mutant %q of the pass script passes too", mutant),
		Hint:  fmt.Sprintf("tighten an expectation, or write above the sections: harmless %s: why it makes no difference", mutant),
	}
}

// NoScript says that a case has no script, or none that must pass.
func NoScript(path string) Problem {
	return Problem{
		What: fmt.Sprintf("there is no pass script in %s", path),
		Hint: "write the messages of an agent that passes under \"-- pass --\", and of one that does not under \"-- fail SIGNAL --\"",
	}
}

// Unplayable says that the rehearsal itself came to grief on a section.
func Unplayable(section, where, detail string) Problem {
	return Problem{
		Where: where,
		What:  fmt.Sprintf("section %q could not be played: %s", section, detail),
		Hint:  "a rehearsal needs no network and no model; what broke is the script, the fixture, the sandbox, or an agent of your own that does not ask the model at Task.BaseURL",
	}
}

// list names signals in a sentence.
func list(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, ", ")
}
