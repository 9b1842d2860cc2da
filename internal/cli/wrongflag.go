package cli

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// namedFlag finds the flags in the list that the help of a verb shows.
var namedFlag = regexp.MustCompile(`(?m)^ +(?:-\w, |    )--([\w-]+)`)

// wrongFlag says what is wrong with a flag, and which one may be meant. args are
// those of the whole command.
func wrongFlag(cmd *cobra.Command, err error, args []string) error {
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
	return misuse(what, hint)
}
