package behavior

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/internal/spelling"
	"github.com/deeds-evals/deeds/internal/tools"
)

// inBraces is what may be meant for a fact.
var inBraces = regexp.MustCompile(`\{([a-z][a-z0-9_-]*)\}`)

// misspelt finds names in braces that are no fact's but nearly one's, in what the user
// says and what stubs answer: the agent would read them as they stand. So does it find
// them in what is expected, which could never be. Other braces mean what they mean.
func (u unit) misspelt() (problems []string) {
	look := func(where, text string, more ...string) {
		names := append(sortedKeys(u.known), sortedKeys(u.draws)...)
		names = append(names, more...)
		for _, m := range inBraces.FindAllStringSubmatch(text, -1) {
			if near := nearly(m[1], names); near != "" {
				problems = append(problems, fmt.Sprintf("says {%s} in %s, which is neither a fact nor a draw\nhint: did you mean {%s}?", m[1], where, near))
			}
		}
	}
	look("Prompt", u.asks)
	for i, t := range u.turns {
		look(fmt.Sprintf("Turns[%d].Say", i), t.Say)
	}
	for i, m := range u.meanwhile {
		look(fmt.Sprintf("Meanwhile[%d].Say", i), m.Say)
	}
	for _, t := range u.tools {
		var args []string
		for _, a := range t.Args {
			args = append(args, a.Name)
		}
		look("the text of "+t.Name, t.Text, args...)
	}
	for _, spec := range u.specs() {
		look(strings.TrimSpace("what is expected at "+spec.Where), spec.Want)
	}
	return append(problems, u.misspeltTools()...)
}

// misspeltTools finds the names of tools that are no tool's but nearly one's. What an
// agent of the case's own has for tools, nobody knows.
func (u unit) misspeltTools() (problems []string) {
	if u.c.Agent != nil {
		return nil
	}
	there := u.toolNames()
	look := func(where, name string) {
		if near := nearly(name, there); near != "" {
			problems = append(problems, fmt.Sprintf("names the tool %q in %s, and there is none of that name\nhint: did you mean %q?", name, where, near))
		}
	}
	for i, f := range u.faults {
		look(fmt.Sprintf("Faults[%d].Tool", i), f.Tool)
	}
	for i, m := range u.meanwhile {
		look(fmt.Sprintf("Meanwhile[%d].After", i), m.After)
	}
	for _, spec := range u.specs() {
		for _, name := range mentioned(spec) {
			look(strings.TrimSpace("what is expected at "+spec.Where), name)
		}
	}
	return problems
}

// specs describes what is expected in the unit. That there is nothing where an
// expectation should be is told elsewhere.
func (u unit) specs() (all []Spec) {
	for _, g := range u.c.expectations(u.world) {
		if g.expectation != nil {
			all = append(all, g.expectation.Spec())
		}
	}
	return all
}

// mentioned lists the tools that an expectation names, its parts included.
func mentioned(spec Spec) []string {
	names := slices.Concat(spec.Tools, spec.Mentions)
	for _, part := range spec.Parts {
		if part != nil {
			names = append(names, mentioned(part.Spec())...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// toolNames lists the tools that the built-in agent has in the unit.
func (u unit) toolNames() []string {
	names := append(tools.Names(), "mcp_resources")
	for _, t := range u.tools {
		names = append(names, t.Name)
	}
	for _, s := range u.servers {
		for _, t := range s.Tools {
			names = append(names, "mcp_"+s.Name+"_"+t.Name)
		}
	}
	return names
}

// nearly is the name that was meant, "" where what was written is one, or like none.
func nearly(written string, names []string) string {
	const slips = 2
	best, distance := "", slips+1
	for _, name := range names {
		if d := spelling.Distance(written, name); d < distance && d < len(name) {
			best, distance = name, d
		}
	}
	if distance == 0 {
		return ""
	}
	return best
}
