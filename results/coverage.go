package results

import (
	"cmp"
	"slices"
	"strings"
)

// Coverage says how often a conditional expectation had something to judge. Its rate
// is one of the attempts that did what it asks about, and of no others.
type Coverage struct {
	Model string `json:"model"`
	Agent string `json:"agent"`
	Case  string `json:"case"`
	Name  string `json:"name"` // of the expectation

	Passed int `json:"passed"`
	Judged int `json:"judged"` // attempts in which its condition was met
	Of     int `json:"of"`     // attempts that passed or failed
}

// Conditional lists the coverage of every conditional expectation, ordered by model,
// agent, case and name. Only the attempt that decides a slot counts.
func (r *Run) Conditional() []Coverage {
	type key struct{ model, agent, id, name string }
	at := make(map[key]*Coverage)
	for _, s := range r.Slots() {
		if s.Outcome != Pass && s.Outcome != Fail {
			continue
		}
		for _, v := range s.Decided.Verdicts {
			if !v.Conditional {
				continue
			}
			k := key{s.Model, s.Agent, s.Case, v.Name}
			c := at[k]
			if c == nil {
				c = &Coverage{Model: s.Model, Agent: s.Agent, Case: s.Case, Name: v.Name}
				at[k] = c
			}
			c.Of++
			switch v.Outcome {
			case Pass:
				c.Passed++
				c.Judged++
			case Fail:
				c.Judged++
			}
		}
	}
	all := make([]Coverage, 0, len(at))
	for _, c := range at {
		all = append(all, *c)
	}
	slices.SortFunc(all, func(a, b Coverage) int {
		return cmp.Or(strings.Compare(a.Model, b.Model), strings.Compare(a.Agent, b.Agent), strings.Compare(a.Case, b.Case), strings.Compare(a.Name, b.Name))
	})
	return all
}
