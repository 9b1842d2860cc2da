package shell

import (
	"fmt"
	"strings"
)

// Bash evaluates more than it looks like: a subscript in the name of a variable is
// arithmetic, and arithmetic runs the commands in it, be they quoted or come from
// another variable. So names have to be plain, and not ones that change what runs.

// plainName says why a word is not the name of a variable that may be set.
func plainName(w Word) string {
	switch {
	case !w.Known:
		return unclear(w)
	case !identifier(w.Text):
		return fmt.Sprintf("%s is not the plain name of a variable", w.Text)
	case telling(w.Text):
		return fmt.Sprintf("setting %s may change what runs", w.Text)
	}
	return ""
}

// identifier reports whether a string is a name as variables have it.
func identifier(s string) bool { return assignment(s + "=") }

// readRule looks at the names that read sets.
func readRule(args []Word) string {
	_, names := skipOptions(args, wrapper{values: "adinNptu"})
	for i, a := range args[:len(args)-len(names)] {
		if mayBeOption(a) {
			return unclear(a)
		}
		if array, ok := strings.CutPrefix(a.Text, "-a"); ok && array == "" && i+1 < len(args) {
			names = append([]Word{args[i+1]}, names...)
		} else if ok {
			names = append([]Word{{Text: array, Known: a.Known}}, names...)
		}
	}
	for _, n := range names {
		if why := plainName(n); why != "" {
			return why
		}
	}
	return ""
}

// printfRule looks at the name that printf -v sets.
func printfRule(args []Word) string {
	if len(args) == 0 {
		return ""
	}
	if !args[0].Known {
		// A format that is not known is common; an odd name behind it is not.
		if mayBeOption(args[0]) && len(args) > 1 && args[1].Known && (strings.Contains(args[1].Text, "[") || telling(args[1].Text)) {
			return unclear(args[0])
		}
		return ""
	}
	name, ok := strings.CutPrefix(args[0].Text, "-v")
	switch {
	case !ok:
		return ""
	case name != "":
		return plainName(Word{Text: name, Known: args[0].Known})
	case len(args) > 1:
		return plainName(args[1])
	}
	return ""
}

// unsetRule looks at the names that unset removes.
func unsetRule(args []Word) string {
	for _, a := range args {
		if a.Known && (a.Text == "-v" || a.Text == "-f") {
			continue
		}
		if why := plainName(a); why != "" {
			return why
		}
	}
	return ""
}

// declareRule looks at the names that declare and its kin set, and refuses the
// attributes that make a value be evaluated, or a function be handed on.
func declareRule(export bool) rule {
	return func(args []Word) string {
		letters := ""
		for _, a := range args {
			if len(a.Text) > 1 && (a.Text[0] == '-' || a.Text[0] == '+') {
				if !a.Known {
					return unclear(a)
				}
				letters += a.Text[1:]
				continue
			}
			name, _, assigns := strings.Cut(a.Text, "=")
			name = strings.TrimSuffix(name, "+")
			made := Assign{Name: name, Value: Word{Text: strings.TrimPrefix(a.Text, name+"="), Known: a.Known}}
			if assigns && harmless(made) {
				continue
			}
			if why := plainName(Word{Text: name, Known: a.Known || assigns}); why != "" {
				return why
			}
		}
		functions := strings.Contains(letters, "f")
		switch {
		case strings.ContainsAny(letters, "ni"):
			return "with -n or -i what is assigned is evaluated"
		case functions && (export || strings.Contains(letters, "x")):
			return "a function would be handed on to other shells"
		}
		return ""
	}
}

// testRule looks at the names that -v and -R of test ask for.
func testRule(args []Word) string {
	for i, a := range args {
		if a.Known && (a.Text == "-v" || a.Text == "-R") && i+1 < len(args) && args[i+1].Text != "]" {
			if why := askedName(args[i+1]); why != "" {
				return why
			}
		}
	}
	return ""
}

// askedName says why a word is not the name of a variable, or of an element of one.
func askedName(w Word) string {
	if !w.Known {
		return unclear(w)
	}
	name, index, ok := strings.Cut(w.Text, "[")
	index = strings.TrimSuffix(index, "]")
	if !identifier(name) && strings.Trim(name, "0123456789") != "" || ok && index != "@" && index != "*" && strings.Trim(index, "0123456789") != "" {
		return fmt.Sprintf("%s is not the plain name of a variable", w.Text)
	}
	return ""
}

// setRule allows options that make a script stricter or more talkative.
func setRule(args []Word) string {
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case mayBeOption(a):
			return unclear(a)
		case a.Text == "--" || a.Text == "-" || len(a.Text) < 2 || a.Text[0] != '-' && a.Text[0] != '+':
			return "" // the rest are parameters
		case strings.Trim(a.Text[1:], "euxvfCnEBho") != "" || strings.Count(a.Text, "o") > 1:
			return fmt.Sprintf("%s may change what runs", a.Text)
		case strings.Contains(a.Text, "o"):
			if i++; i < len(args) && !safeOption(args[i]) {
				return fmt.Sprintf("-o %s may change what runs", args[i].Text)
			}
		}
	}
	return ""
}

// safeOption reports whether a word is an option of bash that changes nothing but
// how strict and how talkative it is.
func safeOption(w Word) bool {
	switch w.Text {
	case "pipefail", "errexit", "nounset", "xtrace", "verbose", "noglob", "noclobber", "noexec", "errtrace", "braceexpand":
		return w.Known
	}
	return false
}
