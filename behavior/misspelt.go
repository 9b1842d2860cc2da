package behavior

import (
	"fmt"
	"regexp"

	"github.com/deeds-evals/deeds/internal/spelling"
)

// inBraces is what may be meant for a fact.
var inBraces = regexp.MustCompile(`\{([a-z][a-z0-9_-]*)\}`)

// misspelt finds names in braces that are no fact's but nearly one's, in what the user
// says and what stubs answer: the agent would read them as they stand. Other braces
// mean what they mean.
func (u unit) misspelt() (problems []string) {
	look := func(where, text string, more ...string) {
		names := append(sortedKeys(u.known), sortedKeys(u.draws)...)
		names = append(names, more...)
		for _, m := range inBraces.FindAllStringSubmatch(text, -1) {
			best, distance := "", 3
			for _, name := range names {
				if d := spelling.Distance(m[1], name); d < distance && d < len(name) {
					best, distance = name, d
				}
			}
			if best != "" && distance > 0 {
				problems = append(problems, fmt.Sprintf("says {%s} in %s, which is neither a fact nor a draw\nhint: did you mean {%s}?", m[1], where, best))
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
	return problems
}
