package behavior

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/fixtures"
	"github.com/deeds-evals/deeds/internal/tools"
)

var (
	word     = regexp.MustCompile(`^[a-z][a-z0-9]*$`)
	toolName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
)

// surroundings finds what is wrong with what a case sets beside its files: the
// user's turns, stubs, faults and draws, in each of its worlds.
func (c Case) surroundings() []error {
	var problems []error
	seen := make(map[string]bool)
	bad := func(of, format string, args ...any) {
		problem := of + " " + fmt.Sprintf(format, args...)
		if !seen[problem] {
			seen[problem] = true
			problems = append(problems, fmt.Errorf("%s", problem))
		}
	}
	for _, u := range c.plainUnits() {
		whose := "the case"
		if u.world != "" {
			whose = "the world " + u.world
		}
		for _, name := range sortedKeys(u.draws) {
			if err := u.draws[name].check(); err != nil {
				bad(whose, "has a draw %s that %v", name, err)
			}
			if _, both := u.known[name]; both {
				bad(whose, "has %s both as a fact and as a draw\nhint: name one of them otherwise", name)
			}
		}
		for _, miss := range u.misspelt() {
			bad(whose, "%s", miss)
		}
		for i, turn := range u.turns {
			if err := turn.check(); err != nil {
				bad(whose, "has a turn %d that %v", i+1, err)
			}
		}
		for i, m := range u.meanwhile {
			switch {
			case m.Say == "" && m.Files == nil && len(m.Removed) == 0:
				bad(whose, "has a meanwhile %d in which nothing happens", i+1)
			case m.Stop && m.Say == "":
				bad(whose, "has a meanwhile %d that stops the agent without a word\nhint: set Say", i+1)
			}
		}
		for _, f := range u.faults {
			if err := f.check(); err != nil {
				bad(whose, "has a fault that %v", err)
			}
		}
		for _, err := range checkStubs("", u.tools) {
			bad(whose, "%v", err)
		}
		for i, s := range u.servers {
			if !word.MatchString(s.Name) {
				bad(whose, "has a server %q\nhint: its name is one word in lower case", s.Name)
			}
			if slices.ContainsFunc(u.servers[:i], func(o fixtures.Server) bool { return o.Name == s.Name }) {
				bad(whose, "has two servers named %s", s.Name)
			}
			for _, err := range checkStubs(s.Name, s.Tools) {
				bad(whose, "%v", err)
			}
		}
	}
	if u := c.User; u != nil {
		if strings.TrimSpace(u.Goal) == "" {
			bad("the case", "has a simulated user without a Goal")
		}
		if u.Turns < 0 {
			bad("the case", "has a simulated user with %d turns", u.Turns)
		}
	}
	if b := c.Background; b.Promote < 0 || b.Wait < 0 || b.Idle < 0 {
		bad("the case", "has a wait in the background that is negative")
	}
	return problems
}

// check says what is wrong with a turn.
func (t Turn) check() error {
	if strings.TrimSpace(t.Say) == "" && t.Plan == "" {
		return fmt.Errorf("says nothing and decides nothing")
	}
	if t.Plan != "" && t.Plan != Approved && t.Plan != Declined {
		return fmt.Errorf("makes %q of a plan\nhint: it is behavior.Approved or behavior.Declined", t.Plan)
	}
	for _, r := range t.Only {
		if !(End{Reason: r}).Orderly() {
			return fmt.Errorf("comes after the end %q\nhint: an agent's turn ends by stop, question or plan", r)
		}
	}
	return nil
}

// checkStubs says what is wrong with the tools of a server, or with those that stand
// by themselves.
func checkStubs(server string, all []fixtures.Tool) (problems []error) {
	bad := func(t fixtures.Tool, format string, args ...any) {
		problems = append(problems, fmt.Errorf("has a tool %q that %s", strings.TrimPrefix(server+"/"+t.Name, "/"), fmt.Sprintf(format, args...)))
	}
	names := make(map[string]bool)
	for _, t := range all {
		switch {
		case !toolName.MatchString(t.Name):
			bad(t, "is not named in lower case, with underscores")
		case names[t.Name]:
			bad(t, "is there twice")
		case server == "" && slices.Contains(tools.Names(), t.Name):
			bad(t, "has the name of one of the agent's own")
		case server == "" && strings.HasPrefix(t.Name, "mcp_"):
			bad(t, "has a name as those of servers have\nhint: leave mcp_ off")
		case strings.TrimSpace(t.About) == "":
			bad(t, "has no About: the agent cannot know what it does")
		case t.Answer == nil && t.Text == "":
			bad(t, "answers nothing\nhint: set Text or Answer")
		}
		names[t.Name] = true
		args := make(map[string]bool)
		for _, a := range t.Args {
			switch {
			case !toolName.MatchString(a.Name), args[a.Name]:
				bad(t, "has an argument %q that is unnamed, ill-named or there twice", a.Name)
			case !slices.Contains([]string{"", "string", "number", "integer", "boolean"}, a.Type):
				bad(t, "has an argument %s of the type %q\nhint: string, number, integer or boolean", a.Name, a.Type)
			}
			args[a.Name] = true
		}
	}
	return problems
}
