package sim

import (
	"path"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/results"
)

// Prefix begins the name of every simulated model.
const Prefix = "sim:"

// A Model passes attempts at rates that are known. [Parse] makes one of its name.
type Model struct {
	name      string
	rates     span
	overrides []override
}

// A span is where the rates of units lie: at one point, or anywhere between two.
type span struct{ lo, hi float64 }

// An override gives the units that match a pattern rates of their own.
type override struct {
	pattern []string // by level
	rates   span
}

// Name is the name that the model was parsed from.
func (m Model) Name() string { return m.name }

// Rate is the probability with which an attempt of the unit passes. Whose attempt it
// is says the model itself: of the unit only case, world and variant count.
func (m Model) Rate(u results.Unit) float64 {
	rates := m.rates
	var best override
	for _, o := range m.overrides {
		if o.matches(levels(u)) && !best.narrower(o) {
			best, rates = o, o.rates
		}
	}
	if rates.lo == rates.hi {
		return rates.lo
	}
	return rates.lo + (rates.hi-rates.lo)*uniform("rate", u.Case, u.World, u.Variant)
}

// matches reports whether the pattern matches the first levels of a unit.
func (o override) matches(unit []string) bool {
	if len(o.pattern) > len(unit) {
		return false
	}
	for i, p := range o.pattern {
		if ok, err := path.Match(p, unit[i]); err != nil || !ok {
			return false
		}
	}
	return true
}

// narrower reports whether the pattern says more than that of another.
func (o override) narrower(than override) bool {
	if len(o.pattern) != len(than.pattern) {
		return len(o.pattern) > len(than.pattern)
	}
	return o.literals() > than.literals()
}

// literals counts the characters that stand for themselves.
func (o override) literals() int {
	n := 0
	for _, p := range o.pattern {
		n += len(p) - strings.Count(p, "*") - strings.Count(p, "?")
	}
	return n
}

// levels are the names that lead to a unit, those that it does not have left out.
func levels(u results.Unit) []string {
	all := strings.Split(u.Case, "/")
	for _, name := range []string{u.World, u.Variant} {
		if name != "" {
			all = append(all, name)
		}
	}
	return all
}

// Idle lists the patterns of the model that match none of the units, as they were
// given: most often one of them is misspelt. Of the cases in others the units are not
// known, so that a pattern that leads into one of them may match.
func (m Model) Idle(units []results.Unit, others []string) []string {
	var idle []string
	for _, o := range m.overrides {
		used := slices.ContainsFunc(units, func(u results.Unit) bool { return o.matches(levels(u)) }) ||
			slices.ContainsFunc(others, func(id string) bool {
				unit := strings.Split(id, "/")
				return override{pattern: o.pattern[:min(len(o.pattern), len(unit))]}.matches(unit)
			})
		if !used {
			idle = append(idle, strings.Join(o.pattern, "/"))
		}
	}
	return idle
}
