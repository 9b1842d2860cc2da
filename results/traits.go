package results

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// traits are what else two arms may differ in than in their model: sets of values,
// by the name of the trait.
type traits struct {
	sets map[string]map[string]bool
	last *Attempt // whose traits were added last: most attempts have the same
}

func (t *traits) add(name, value string) {
	if t.sets == nil {
		t.sets = make(map[string]map[string]bool)
	}
	if t.sets[name] == nil {
		t.sets[name] = make(map[string]bool)
	}
	t.sets[name][value] = true
}

func (t *traits) addRun(r *Run) {
	for i := range r.Plans {
		p := &r.Plans[i]
		s := &p.Settings
		t.add("kind", p.Kind)
		t.add("user model", s.UserModel)
		t.add("base URL", s.BaseURL)
		t.add("reasoning", s.Reasoning)
		t.add("temperature", optional(s.Temperature, func(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }))
		t.add("seed", optional(s.Seed, func(n int64) string { return strconv.FormatInt(n, 10) }))
		t.add("commit", p.Commit)
		t.add("uncommitted changes", strconv.FormatBool(p.Dirty))
	}
}

func (t *traits) addAttempt(a *Attempt) {
	if l := t.last; l != nil && l.Containment == a.Containment && l.Served == a.Served && l.Fingerprint == a.Fingerprint {
		return
	}
	t.last = a
	t.add("containment", a.Containment)
	t.add("served model", a.Served)
	t.add("fingerprint", a.Fingerprint)
}

func optional[T any](v *T, text func(T) string) string {
	if v == nil {
		return ""
	}
	return text(*v)
}

// values lists what the arm has of a trait, for people.
func (t *traits) values(name string) string {
	const shown = 3
	all := slices.Sorted(maps.Keys(t.sets[name]))
	if len(all) == 0 {
		return "not on record"
	}
	for i, v := range all {
		if v == "" {
			all[i] = "not set"
		}
	}
	if len(all) > shown {
		return fmt.Sprintf("%s and %d more", strings.Join(all[:shown], ", "), len(all)-shown)
	}
	return strings.Join(all, ", ")
}

// sameSeed is the seed that both arms were sampled with, "" if each had its own or none
// was set. Replicates should each have a seed of their own: with one seed a model may
// repeat itself, and what it repeats is no measure of how much it varies.
func sameSeed(base, candidate *Arm) string {
	a, b := base.traits.sets["seed"], candidate.traits.sets["seed"]
	if len(a) != 1 || !maps.Equal(a, b) {
		return ""
	}
	if a[""] {
		return ""
	}
	return base.traits.values("seed")
}

// differences says in sentences what the arms differ in. Their seeds should differ.
func differences(base, candidate *Arm) []string {
	var said []string
	for _, name := range []string{"kind", "user model", "base URL", "reasoning", "temperature", "containment", "commit", "uncommitted changes"} {
		if !maps.Equal(base.traits.sets[name], candidate.traits.sets[name]) {
			said = append(said, fmt.Sprintf("the arms differ in %s: %s in %s, %s in %s",
				name, base.traits.values(name), base.Name, candidate.traits.values(name), candidate.Name))
		}
	}
	if base.Agent != candidate.Agent {
		said = append(said, fmt.Sprintf("the arms differ in agent: %s in %s, %s in %s", base.Agent, base.Name, candidate.Agent, candidate.Name))
	}
	var prompts, tools int
	for i := range base.units {
		if o := candidate.find(base.units[i].key); o != nil && len(o.asked) > 0 && len(base.units[i].asked) > 0 {
			prompts += unlike(base.units[i].asked, o.asked, func(a asked) string { return a.prompt })
			tools += unlike(base.units[i].asked, o.asked, func(a asked) string { return a.tools })
		}
	}
	if prompts > 0 {
		said = append(said, fmt.Sprintf("the arms differ in the prompt of %s", count(prompts, "unit", "units")))
	}
	if tools > 0 {
		said = append(said, fmt.Sprintf("the arms differ in the tools of %s", count(tools, "unit", "units")))
	}
	// Two models are served as two; one model served as two is news.
	for _, name := range []string{"served model", "fingerprint"} {
		if base.Model == candidate.Model && !maps.Equal(base.traits.sets[name], candidate.traits.sets[name]) {
			said = append(said, fmt.Sprintf("one model was served as two, by its %s: %s in %s, %s in %s",
				name, base.traits.values(name), base.Name, candidate.traits.values(name), candidate.Name))
		}
	}
	return said
}

// unlike returns 1 where two units were asked with different values, else 0.
func unlike(a, b []asked, value func(asked) string) int {
	set := func(all []asked) map[string]bool {
		m := make(map[string]bool, len(all))
		for _, v := range all {
			m[value(v)] = true
		}
		return m
	}
	if maps.Equal(set(a), set(b)) {
		return 0
	}
	return 1
}
