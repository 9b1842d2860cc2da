package tools

import (
	"context"
	"fmt"
	"path"
	"strings"
)

// A Skill is a folder with instructions for a kind of work.
type Skill struct {
	Name        string
	Description string
	Dir         string   // slash path in the workspace
	Arguments   []string // what its arguments are called, in order
}

func skillTool() *tool {
	return &tool{
		name:  "skill",
		text:  "Load the instructions of a skill, before work that its description fits. They hold for this conversation.",
		needs: func(env *Env) bool { return len(env.Skills) > 0 },
		args: []field{
			{name: "name", kind: text, required: true, about: "of the skill"},
			{name: "arguments", kind: text, about: "what it is to work on, as words with blanks between; quote a word that has blanks in it"},
		},
		check: notBlank("name"),
		run: func(ctx context.Context, s *Set, a args) Outcome {
			return s.skill(a.text("name"), a.text("arguments"))
		},
	}
}

func (s *Set) skill(name, arguments string) Outcome {
	var names []string
	for _, k := range s.env.Skills {
		if k.Name != name {
			names = append(names, k.Name)
			continue
		}
		// It is read when it is used: it may have changed since it was found.
		now, body, broken := readSkill(s.env.Files, k.Dir)
		if broken != nil {
			return failed("the skill %s cannot be used: %v", name, broken)
		}
		s.observe(Event{Kind: "skill", ID: name, Text: arguments})
		return ok("%s", fillSkill(body, now.Arguments, path.Join(s.env.Dir, k.Dir), arguments))
	}
	return failed("there is no skill %q%s", shorten(name, 80), others(name, names, "skills"))
}

// others says which names there are for one that there is not, the likely one first.
func others(name string, names []string, what string) string {
	if len(names) == 0 {
		return "; there are no " + what
	}
	text := fmt.Sprintf("\nThe %s are: %s.", what, strings.Join(names, ", "))
	if near := nearest(name, names); near != "" {
		text = "; did you mean " + near + "?" + text
	}
	return text
}

// nearest picks the name that was probably meant, or "".
func nearest(name string, names []string) string {
	plain := func(s string) string { return strings.ReplaceAll(snake(s), "_", "-") }
	name = plain(shorten(name, 80))
	best, least := "", max(2, len(name)/3)
	for _, n := range names {
		if d := distance(name, plain(n)); d <= least && d < len(n) {
			best, least = n, d-1
		}
	}
	for _, n := range names {
		if best == "" && len(name) > 2 && (strings.Contains(n, name) || strings.Contains(name, n)) {
			best = n
		}
	}
	return best
}
