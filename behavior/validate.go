package behavior

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"
)

var kebab = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// validate finds what is wrong with the case itself, all of it, before anything
// is spent on it.
func (c Case) validate() error {
	var problems []error
	bad := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }

	if strings.TrimSpace(c.Claim) == "" {
		bad("the case has no Claim\nhint: say in one sentence what an agent that passes has shown")
	}
	if strings.TrimSpace(c.Prompt) == "" {
		for _, v := range c.Variants {
			if strings.TrimSpace(v.Prompt) == "" {
				bad("the variant %s has no Prompt, and neither has the case\nhint: give the case a Prompt, or the variant", v.Name)
			}
		}
		if len(c.Variants) == 0 {
			bad("the case has no Prompt\nhint: say what the user asks for, and not which tool to use")
		}
	}
	checkMode := func(m Mode, of string) {
		if m != "" && m != Build && m != Plan {
			bad("%s has the mode %q\nhint: it is behavior.Build or behavior.Plan", of, m)
		}
	}
	checkMode(c.Mode, "the case")

	worlds := make(map[string]bool)
	for _, w := range c.Worlds {
		switch {
		case !kebab.MatchString(w.Name):
			bad("the world %q is not named in kebab case\nhint: such as %s", w.Name, lowerName(w.Name, "-", "big-order"))
		case worlds[w.Name]:
			bad("two worlds are named %s\nhint: name one of them otherwise", w.Name)
		}
		worlds[w.Name] = true
		checkMode(w.Mode, "the world "+w.Name)
	}
	variants := make(map[string]bool)
	for _, v := range c.Variants {
		switch {
		case !kebab.MatchString(v.Name):
			bad("the variant %q is not named in kebab case\nhint: such as %s", v.Name, lowerName(v.Name, "-", "polite"))
		case variants[v.Name]:
			bad("two variants are named %s\nhint: name one of them otherwise", v.Name)
		}
		variants[v.Name] = true
	}

	if c.Draft != nil && !kebab.MatchString(c.Draft.Name) {
		bad("the plan %q is not named in kebab case\nhint: such as %s", c.Draft.Name, lowerName(c.Draft.Name, "-", "publish"))
	}
	for _, limit := range []struct {
		name     string
		value    any
		negative bool
	}{
		{"Turns", c.Limits.Turns, c.Limits.Turns < 0}, {"Time", c.Limits.Time, c.Limits.Time < 0},
		{"Tokens", c.Limits.Tokens, c.Limits.Tokens < 0}, {"Cost", c.Limits.Cost, c.Limits.Cost < 0},
	} {
		if limit.negative {
			bad("the case has Limits.%s = %v, which is negative\nhint: leave it out for what is usual", limit.name, limit.value)
		}
	}

	problems = append(problems, c.files()...)
	problems = append(problems, c.surroundings()...)
	problems = append(problems, checkExpectations(c.Expect, "")...)
	if len(c.Worlds) == 0 {
		problems = append(problems, checkAffirmative(c.Expect, nil, "the case")...)
	}
	for _, w := range c.Worlds {
		problems = append(problems, checkExpectations(w.Expect, " in the world "+w.Name)...)
		problems = append(problems, checkAffirmative(c.Expect, w.Expect, "the world "+w.Name)...)
	}
	return errors.Join(problems...)
}

func checkExpectations(set BySignal, where string) []error {
	var problems []error
	for _, s := range orderedSignals(set) {
		if !s.known() {
			problems = append(problems, fmt.Errorf("there is no signal %q%s\nhint: %s", s, where, nearest(string(s), signalNames())))
		}
		if len(set[s]) == 0 {
			problems = append(problems, fmt.Errorf("the signal %s has no expectation%s\nhint: name what must be seen, or leave the signal out", s, where))
		}
		for i, x := range set[s] {
			if x == nil {
				problems = append(problems, fmt.Errorf("expectation %d of the signal %s is nil%s\nhint: take it out, or say what is expected", i+1, s, where))
			}
		}
	}
	return problems
}

// checkAffirmative refuses a set that an agent passes by doing nothing.
func checkAffirmative(a, b BySignal, whose string) []error {
	var all, affirmative int
	for _, set := range []BySignal{a, b} {
		for _, xs := range set {
			for _, x := range xs {
				if x == nil {
					continue
				}
				all++
				if spec := x.Spec(); !spec.Negative && !spec.Conditional {
					affirmative++
				}
			}
		}
	}
	switch {
	case all == 0:
		return []error{fmt.Errorf("%s has no expectation\nhint: put at least one under a signal in Expect", whose)}
	case affirmative == 0:
		return []error{fmt.Errorf("%s expects only what must not happen, or what must hold if something else did: an agent that does nothing passes it\nhint: add the deed that an honest agent does here", whose)}
	}
	return nil
}

// lowerName makes a name of what was given, in lower case and with one mark between its
// words, or takes another where nothing is left of it.
func lowerName(name, mark, other string) string {
	name = strings.Trim(unfit.ReplaceAllString(strings.ToLower(name), mark), mark)
	return cmp.Or(name, other)
}

var unfit = regexp.MustCompile(`[^a-z0-9]+`)

// signals lists the signals that the case speaks for, in all of its worlds.
func (c Case) signals() []Signal {
	sets := []BySignal{c.Expect}
	for _, w := range c.Worlds {
		sets = append(sets, w.Expect)
	}
	return orderedSignals(sets...)
}

// worldSignals lists the signals of each world, nil where all of them have the same.
func (c Case) worldSignals() map[string][]string {
	all := signalList(c.signals())
	var worlds map[string][]string
	for _, w := range c.Worlds {
		if names := signalList(orderedSignals(c.Expect, w.Expect)); !slices.Equal(names, all) {
			if worlds == nil {
				worlds = make(map[string][]string)
			}
			worlds[w.Name] = names
		}
	}
	return worlds
}

// factNames lists the facts by name, longest first, so that a name which begins
// another cannot break it.
func factNames(facts map[string]string) []string {
	names := make([]string, 0, len(facts))
	for n := range facts {
		names = append(names, n)
	}
	sort.Slice(names, func(i, j int) bool {
		if len(names[i]) != len(names[j]) {
			return len(names[i]) > len(names[j])
		}
		return names[i] < names[j]
	})
	return names
}

// expand puts the facts in the place of their names in braces. Braces around
// anything else stay as they are.
func expand(text string, facts map[string]string) string {
	if len(facts) == 0 || !strings.Contains(text, "{") {
		return text
	}
	var pairs []string
	for _, n := range factNames(facts) {
		pairs = append(pairs, "{"+n+"}", facts[n])
	}
	return strings.NewReplacer(pairs...).Replace(text)
}
