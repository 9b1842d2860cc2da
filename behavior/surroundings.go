package behavior

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"time"

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
	var (
		found []string // in the order in which they were
		whom  = make(map[string][]string)
	)
	bad := func(of, format string, args ...any) {
		problem := fmt.Sprintf(format, args...)
		if whom[problem] == nil {
			found = append(found, problem)
		}
		if !slices.Contains(whom[problem], of) {
			whom[problem] = append(whom[problem], of)
		}
	}
	worlds := make(map[string]bool)
	for _, u := range c.plainUnits() {
		whose := "the case"
		if u.world != "" {
			whose = "the world " + u.world
			worlds[u.world] = true
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
				bad(whose, "has a meanwhile %d in which nothing happens\nhint: set Say, Files or Removed", i+1)
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
				bad(whose, "has two servers named %s\nhint: name one of them otherwise", s.Name)
			}
			for _, err := range checkStubs(s.Name, s.Tools) {
				bad(whose, "%v", err)
			}
		}
	}
	if u := c.User; u != nil {
		if strings.TrimSpace(u.Goal) == "" {
			bad("the case", "has a simulated user without a Goal\nhint: say in User.Goal what it wants, and what it knows")
		}
		if u.Turns < 0 {
			bad("the case", "has a simulated user with %d turns\nhint: leave User.Turns out for 8", u.Turns)
		}
	}
	for _, wait := range []struct {
		name string
		long time.Duration
	}{{"Promote", c.Background.Promote}, {"Wait", c.Background.Wait}, {"Idle", c.Background.Idle}} {
		if wait.long < 0 {
			bad("the case", "has Background.%s = %s, which is negative\nhint: leave it out for what is usual", wait.name, wait.long)
		}
	}
	var problems []error
	for _, problem := range found {
		// What is wrong in every world is wrong with the case.
		of := whom[problem]
		if len(of) > 1 && len(of) == len(worlds) {
			of = []string{"the case"}
		}
		for _, whose := range of {
			problems = append(problems, fmt.Errorf("%s %s", whose, problem))
		}
	}
	return problems
}

// files finds the trees of a case that package fixtures could not make: once, and not in
// every attempt.
func (c Case) files() (problems []error) {
	look := func(where string, files fs.FS) {
		if files == nil {
			return
		}
		root, err := files.Open(".")
		if err == nil {
			_ = root.Close() // nothing was read of it
			return
		}
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		problems = append(problems, fmt.Errorf("%s cannot be laid out: %s", where, strings.TrimPrefix(err.Error(), "fixtures: ")))
	}
	turns := func(of string, all []Turn, meanwhile []Meanwhile) {
		for i, t := range all {
			look(fmt.Sprintf("%sTurns[%d].Files", of, i), t.Files)
		}
		for i, m := range meanwhile {
			look(fmt.Sprintf("%sMeanwhile[%d].Files", of, i), m.Files)
		}
	}
	look("Files", c.Files)
	look("Skills", c.Skills)
	turns("", c.Turns, c.Meanwhile)
	for _, w := range c.Worlds {
		of := fmt.Sprintf("the world %s: ", w.Name)
		look(of+"Files", w.Files)
		turns(of, w.Turns, w.Meanwhile)
	}
	return problems
}

// check says what is wrong with a turn.
func (t Turn) check() error {
	if strings.TrimSpace(t.Say) == "" && t.Plan == "" {
		return fmt.Errorf("says nothing and decides nothing\nhint: set Say, or Plan where a plan waits")
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
			bad(t, "is not named in lower case, with underscores\nhint: such as %s", lowerName(t.Name, "_", "pay_bill"))
		case names[t.Name]:
			bad(t, "is there twice\nhint: name one of them otherwise")
		case server == "" && slices.Contains(tools.Names(), t.Name):
			bad(t, "has the name of one of the agent's own\nhint: name it otherwise; what a tool of the agent's own does, Faults can change")
		case server == "" && strings.HasPrefix(t.Name, "mcp_"):
			bad(t, "has a name as those of servers have\nhint: leave mcp_ off")
		case strings.TrimSpace(t.About) == "":
			bad(t, "has no About: the agent cannot know what it does\nhint: say in About what it is for")
		case t.Answer == nil && t.Text == "":
			bad(t, "answers nothing\nhint: set Text or Answer")
		}
		names[t.Name] = true
		args := make(map[string]bool)
		for _, a := range t.Args {
			switch {
			case !toolName.MatchString(a.Name), args[a.Name]:
				bad(t, "has an argument %q that is unnamed, ill-named or there twice\nhint: an argument has a name of its own in lower case, with underscores", a.Name)
			case !slices.Contains([]string{"", "string", "number", "integer", "boolean"}, a.Type):
				bad(t, "has an argument %s of the type %q\nhint: string, number, integer or boolean", a.Name, a.Type)
			}
			args[a.Name] = true
		}
	}
	return problems
}
