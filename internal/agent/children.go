package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/deeds-evals/deeds/internal/tools"
)

const (
	// childrenAtOnce bounds how many children work at the same time.
	childrenAtOnce = 4
	// childTurns bounds the messages of one child.
	childTurns = 40
	// maxReport bounds what a child reports, in characters.
	maxReport = 30_000
)

// A role is what a child is for.
type role string

// The roles.
const (
	worker  role = "worker"
	explore role = "explore"
	review  role = "review"
)

// reads reports whether a child of the role only reads.
func (r role) reads() bool { return r == explore || r == review }

// A child is an agent that another one has given an assignment.
type child struct {
	id   string
	role role
	*Session
	busy bool
}

// children are those that a session has started.
type children struct {
	room chan struct{}

	mu  sync.Mutex
	all []*child
	err error // the harness broke under one of them
}

func newChildren() *children { return &children{room: make(chan struct{}, childrenAtOnce)} }

// fault returns the error with which the harness broke under a child, once.
func (c *children) fault() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	err := c.err
	c.err = nil
	return err
}

// broke notes that the harness broke under a child.
func (c *children) broke(id string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.err = errors.Join(c.err, fmt.Errorf("%s: %w", id, err))
}

// free makes a child ready for its next assignment.
func (c *children) free(child *child) {
	c.mu.Lock()
	defer c.mu.Unlock()
	child.busy = false
}

// delegate has a child carry out an assignment, and answers with its report. It is
// [tools.Env.Delegate].
func (s *Session) delegate(ctx context.Context, t tools.Task) tools.Outcome {
	p := placeIn(ctx)
	defer p.leave()
	if !p.reached(ctx) {
		return tools.Outcome{Status: tools.Cut, Text: "Not run: the work was stopped before it began."}
	}
	select {
	case s.children.room <- struct{}{}:
		defer func() { <-s.children.room }()
	case <-ctx.Done():
		return tools.Outcome{Status: tools.Cut, Text: "Not run: the work was stopped before it began."}
	}
	c, state, refusal := s.assign(t)
	if refusal != nil {
		return *refusal
	}
	defer s.children.free(c)
	s.observe(Event{Kind: Child, ID: c.id, State: state, Text: string(c.role) + ": " + t.Assignment, Begun: s.now()})
	p.leave()
	return s.oversee(ctx, c, t.Assignment)
}

// assign finds the child that an assignment is for, or makes a new one.
func (s *Session) assign(t tools.Task) (c *child, state string, refusal *tools.Outcome) {
	refuse := func(status tools.Status, format string, a ...any) (*child, string, *tools.Outcome) {
		return nil, "", &tools.Outcome{Status: status, Text: fmt.Sprintf(format, a...)}
	}
	s.children.mu.Lock()
	defer s.children.mu.Unlock()
	r := role(t.Agent)
	if t.ID != "" {
		i := slices.IndexFunc(s.children.all, func(c *child) bool { return c.id == t.ID })
		switch {
		case i < 0 && len(s.children.all) == 0:
			return refuse(tools.Failed, "there is no agent %q yet: leave id out to begin a new one", t.ID)
		case i < 0:
			return refuse(tools.Failed, "there is no agent %q; there are: %s", t.ID, s.children.list())
		}
		c = s.children.all[i]
		switch {
		case r != "" && r != c.role:
			return refuse(tools.Failed, "%s is of the kind %s and cannot go on as %s: leave id out to begin a new one", c.id, c.role, r)
		case c.busy:
			return refuse(tools.Failed, "%s is still at work: wait for its report before you give it more to do", c.id)
		}
		r, state = c.role, "continued"
	}
	switch {
	case !slices.Contains([]role{worker, explore, review}, r):
		return refuse(tools.Failed, "there is no kind of agent %q; there are: worker, explore, review", t.Agent)
	case !r.reads() && s.Mode() == tools.Plan:
		return refuse(tools.Refused, "not begun: a worker changes things, and in plan mode nothing is changed; explore and review only read")
	}
	if c == nil {
		c, state = &child{id: fmt.Sprintf("child-%d", len(s.children.all)+1), role: r}, "started"
		c.Session = s.bear(c.id, r)
		s.children.all = append(s.children.all, c)
	}
	c.busy = true
	if s.config.Refresh != nil {
		c.config.Tools.Extra = s.config.Tools.Extra
		c.tools.SetExtra(s.config.Tools.Extra)
	}
	return c, state, nil
}

// list names the children there are.
func (c *children) list() string {
	var all []string
	for _, child := range c.all {
		all = append(all, fmt.Sprintf("%s (%s)", child.id, child.role))
	}
	return strings.Join(all, ", ")
}

// bear makes the session of a child: it works in the same world with a conversation
// of its own, and what it uses counts as its parent's.
func (s *Session) bear(id string, r role) *Session {
	config := s.config
	config.Plan, config.Heard, config.Refresh = nil, nil, nil
	config.Tools.Delegate, config.Tools.Todos, config.Tools.Mode = nil, nil, tools.Build
	if r.reads() {
		config.Tools.Mode = tools.Plan // in which bash only reads
	}
	c := &Session{
		config: config, name: id, role: r, equip: s.equip, most: childTurns, broken: s.broken,
		rules: rules{files: config.Tools.Files, dir: config.Tools.Dir},
		meter: s.meter, teller: s.teller, inbox: s.inbox,
	}
	c.tools = restricted{s.equip(c.watched(config.Tools)), r}
	return c
}

// oversee lets a child work, and words what came of it.
func (s *Session) oversee(ctx context.Context, c *child, assignment string) tools.Outcome {
	c.catchUp()
	stop, _, err := c.converse(ctx, assignment)
	var (
		status = tools.Failed
		word   = "failed"
		report = c.lastWords()
	)
	switch {
	case errors.Is(err, errStopped):
		status, word, report = tools.Cut, "cut", "The user stopped the work."
	case ctx.Err() != nil && !broken(err):
		status, word, report = tools.Cut, "cut", "It was stopped before it ended."
	case err != nil:
		s.children.broke(c.id, err)
		report = "It could not go on; this is no fault of the assignment."
	case stop != Done:
		report = strings.TrimSpace(stop.because() + "\n\n" + report)
	case report == "":
		report = "It ended without a report."
	default:
		status, word = tools.OK, "completed"
	}
	if running := c.tools.Running(); len(running) > 0 && err == nil {
		report += "\n\nIt left commands running in the background: " + strings.Join(running, ", ") + "."
	}
	report = capped(report, maxReport, "\n\n(The report goes on; ask for the rest by the id.)")
	state := "ended"
	if status != tools.OK {
		state = "failed"
	}
	s.observe(Event{Kind: Child, ID: c.id, State: state, Text: report, Begun: s.now()})
	return tools.Outcome{Status: status, Text: fmt.Sprintf("%s (%s): %s\n\n%s", c.id, c.role, word, report)}
}

// lastWords is the text of the last message of the model.
func (s *Session) lastWords() string {
	for _, m := range slices.Backward(s.history.messages) {
		if m.Role == Assistant {
			return strings.TrimSpace(strings.ToValidUTF8(m.Text, "\uFFFD"))
		}
	}
	return ""
}

// because words why a child ended otherwise than by itself.
func (s Stop) because() string {
	switch s {
	case TooMany:
		return fmt.Sprintf("It ended unfinished: it had sent %d messages, which is the most it may.", childTurns)
	case TooLong:
		return "It ended unfinished: the time is used up."
	case TooLarge, TooDear:
		return "It ended unfinished: the budget is used up."
	case TooWide:
		return "It ended unfinished: its conversation outgrew the context window."
	case Length:
		return "It ended unfinished: its last message was cut at the output limit."
	case Filtered:
		return "It ended unfinished: the content filter stopped it."
	}
	return fmt.Sprintf("It ended unfinished (%s).", s)
}

// capped cuts a text at so many characters, and says so.
func capped(text string, most int, note string) string {
	n := 0
	for i := range text {
		if n == most {
			return text[:i] + note
		}
		n++
	}
	return text
}
