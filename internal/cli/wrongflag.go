package cli

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/deeds-evals/deeds/internal/spelling"
)

// namedFlag finds the flags in the list that the help of a verb shows.
var namedFlag = regexp.MustCompile(`(?m)^ +(?:-\w, |    )--([\w-]+)`)

// wrongFlag says what is wrong with a flag, and which one may be meant. args are
// those of the whole command.
func wrongFlag(cmd *cobra.Command, err error, args []string) error {
	var value *pflag.InvalidValueError
	if errors.As(err, &value) {
		return wrongValue(value)
	}
	what, _, _ := strings.Cut(err.Error(), ": strconv.")
	hint := fmt.Sprintf("`%s --help` lists the flags", cmd.CommandPath())
	name, unknown := strings.CutPrefix(what, "unknown flag: --")
	if _, word, ok := strings.Cut(what, "unknown shorthand flag: "); ok {
		// Flags with one hyphen are those of go test, behind `deeds run`.
		_, word, _ = strings.Cut(word, " in -")
		what, name, unknown = "unknown flag: -"+word, word, true
	}
	if !unknown {
		return misuse(what, hint)
	}
	name, _, _ = strings.Cut(name, "=")
	if !cmd.HasParent() {
		return wrongRootFlag(cmd, what, hint, args)
	}
	var known []string
	for _, m := range namedFlag.FindAllStringSubmatch(cmd.Flags().FlagUsages(), -1) {
		known = append(known, m[1])
	}
	if slices.Contains(known, name) {
		return misuse(what, fmt.Sprintf("it is written with two hyphens: --%s", name))
	}
	flags := make([]string, len(known))
	for i, k := range known {
		flags[i] = "--" + k
	}
	return misuse(what, didYouMean("--"+name, flags, hint))
}

// wrongValue is about a value that a flag cannot have.
func wrongValue(e *pflag.InvalidValueError) error {
	flag := "--" + e.GetFlag().Name
	what := fmt.Sprintf("%s is %q", flag, e.GetValue())
	switch kind := e.GetFlag().Value.Type(); {
	case kind == "int" && errors.Is(e, strconv.ErrRange):
		return misuse(what+", which is too large", fmt.Sprintf("it takes a whole number, from 1 to %d", math.MaxInt))
	case kind == "int":
		return misuse(what+", which is no whole number", fmt.Sprintf("%s 3, say", flag))
	case kind == "float64":
		return misuse(what+", which is no number", fmt.Sprintf("%s 0.5, say", flag))
	case kind == "duration":
		return misuse(what+", which is no time", fmt.Sprintf("%s 30s, or 5m", flag))
	case kind == "bool":
		return misuse(what+", and it is on or off", fmt.Sprintf("%s, or %s=false", flag, flag))
	}
	return misuse(what+", which it cannot be: "+e.Unwrap().Error(), "")
}

// wrongRootFlag is about a flag that stands before the verb, or that no verb takes for
// its own because there is none of that name.
func wrongRootFlag(root *cobra.Command, what, hint string, args []string) error {
	for _, word := range args {
		switch {
		case word == "" || word[0] == '-':
		case slices.Contains(verbs(root), word):
			return misuse(what, fmt.Sprintf("the verb comes first: deeds %s, and its flags behind it", word))
		default:
			return noVerb(root, word)
		}
	}
	if _, flag, ok := strings.Cut(what, "unknown flag: "); ok {
		// What is a flag of other commands is a verb here.
		if near := spelling.Nearest(strings.TrimLeft(flag, "-"), verbs(root)); len(near) > 0 {
			return misuse(what, "did you mean the verb? deeds "+near[0])
		}
	}
	return misuse(what, hint)
}
