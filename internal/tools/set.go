package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
)

// A Set is the tools of one conversation, with what they remember of it: the
// mode, the todo list and the plan that is being written. Its methods may be
// called from any goroutine; which calls may run at the same time is for the
// caller to say, see [Prepared.Mutates].
type Set struct {
	env   Env
	tools []*tool

	background background

	mu    sync.Mutex
	mode  Mode
	todos []Todo
	plan  string  // the plan file that was written last, as slash path
	extra []*tool // those that are not built in
}

// A Prepared call is one whose name and arguments were understood, or were not.
type Prepared struct {
	Tool string // the tool; the name as called if there is none
	// Args are the arguments as understood: what JSON decodes to, with harmless
	// slips such as "21" for 21 put right. Nil if they were no JSON object.
	Args map[string]any
	// Mutates says that the call may change what its siblings see, and must not
	// run at the same time as any of them.
	Mutates bool
	// Early is the outcome of a call that is not to run.
	Early *Outcome
}

// A tool is one entry of the set.
type tool struct {
	name string
	text string // what it does, for the model
	plan string // what is different in plan mode, for the model
	// say adds to text what depends on the environment. Nil: nothing does.
	say func(env *Env) string
	// needs says whether there is such a tool in the environment. Nil: in any.
	needs func(env *Env) bool
	args  []field
	open  bool // there may be others than args
	// parameters is the JSON Schema of args.
	parameters json.RawMessage

	only Mode // the one mode it is for; "" is any
	// elsewhere tells a model in the other mode what to do instead.
	elsewhere string

	// check says what is wrong with arguments that have the right types.
	check func(a args) error
	// forbid says why the call is refused in the mode at hand; "" lets it pass.
	forbid func(s *Set, mode Mode, a args) string
	// mutates says whether the call needs the workspace for itself. Nil: never.
	mutates func(a args) bool
	run     func(ctx context.Context, s *Set, a args) Outcome
}

// New returns the tools that act on the environment.
func New(env Env) *Set {
	env.Dir = path.Clean("/" + env.Dir)
	s := &Set{env: env, mode: env.Mode, todos: slices.Clone(env.Todos)}
	if s.mode == "" {
		s.mode = Build
	}
	for _, t := range builtins() {
		if t.needs == nil || t.needs(&env) {
			s.tools = append(s.tools, t)
		}
	}
	s.SetExtra(env.Extra)
	return s
}

// SetExtra replaces the tools that are not built in. One that has the name of a tool
// before it is left out.
func (s *Set) SetExtra(extra []Extra) {
	var all []*tool
	for _, e := range extra {
		same := func(t *tool) bool { return t.name == e.Name }
		if !slices.ContainsFunc(s.tools, same) && !slices.ContainsFunc(all, same) {
			all = append(all, extraTool(e))
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.extra = all
}

// builtins are all tools, in the order in which they are advertised. They hold no
// state, so that every set shares them.
var builtins = sync.OnceValue(func() []*tool {
	all := []*tool{
		readTool(), writeTool(), editTool(), lsTool(), globTool(), grepTool(),
		bashTool(), bashOutputTool(), bashKillTool(),
		todoTool(), taskTool(), skillTool(), questionTool(), planEnterTool(), planDoneTool(), memoryTool(),
	}
	for _, t := range all {
		t.parameters = schema(t.args)
	}
	return all
})

// Specs lists the tools of the current mode, in a fixed order: exactly those
// that a call can reach.
func (s *Set) Specs() []Spec {
	mode := s.Mode()
	var specs []Spec
	for _, t := range s.all() {
		if !t.in(mode) {
			continue
		}
		text := t.text
		if t.say != nil {
			text += " " + t.say(&s.env)
		}
		if mode == Plan && t.plan != "" {
			text += " " + t.plan
		}
		specs = append(specs, Spec{Name: t.name, Description: text, Parameters: t.parameters})
	}
	return specs
}

// Mode returns the current mode.
func (s *Set) Mode() Mode {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mode
}

// SetMode changes the mode for the calls that are prepared from now on.
func (s *Set) SetMode(m Mode) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mode = m
}

// Todos returns the todo list as it stands.
func (s *Set) Todos() []Todo {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.todos)
}

// Prepare reads a call as the model made it, without running it. It never fails:
// a call that cannot run has its outcome already.
func (s *Set) Prepare(name, arguments string) Prepared {
	given, err := parseArguments(arguments)
	p := Prepared{Tool: name, Args: given}
	t := s.find(name)
	if t == nil {
		return p.ends(Unknown, s.unknown(name))
	}
	mode := s.Mode()
	if !t.in(mode) {
		return p.ends(Refused, fmt.Sprintf("%s is not available in %s mode: %s", name, mode, t.elsewhere))
	}
	if err != nil {
		return p.ends(Malformed, fmt.Sprintf("%s was not run: %v", name, err))
	}
	understood, wrong := conform(field{kind: object, fields: t.args, open: t.open}, given)
	if len(wrong) == 0 && t.check != nil {
		if err := t.check(understood); err != nil {
			wrong = []string{err.Error()}
		}
	}
	if len(wrong) > 0 {
		return p.ends(Malformed, fmt.Sprintf("%s was not run: %s\n%s", name, strings.Join(wrong, "; "), usage(t.name, t.args)))
	}
	p.Args = understood
	if why := t.forbidden(s, mode, understood); why != "" {
		return p.ends(Refused, why)
	}
	p.Mutates = t.mutates != nil && t.mutates(understood)
	return p
}

// Run carries out a prepared call. The text of its outcome is never empty.
func (s *Set) Run(ctx context.Context, p Prepared) Outcome {
	if p.Early != nil {
		return *p.Early
	}
	t := s.find(p.Tool)
	if t == nil {
		return Outcome{Status: Unknown, Text: s.unknown(p.Tool)}
	}
	// The mode may have changed since the call was prepared.
	mode := s.Mode()
	if !t.in(mode) {
		return Outcome{Status: Refused, Text: fmt.Sprintf("%s is not available in %s mode: %s", t.name, mode, t.elsewhere)}
	}
	if why := t.forbidden(s, mode, p.Args); why != "" {
		return Outcome{Status: Refused, Text: why}
	}
	if ctx.Err() != nil {
		return Outcome{Status: Cut, Text: "the call was cut before it began"}
	}
	run := func(ctx context.Context) Outcome { return t.run(ctx, s, p.Args) }
	if s.env.Around != nil {
		return s.env.Around(ctx, t.name, p.Args, run).whole()
	}
	return run(ctx).whole()
}

// whole makes sure of what every outcome has: a text that says something, in UTF-8.
func (o Outcome) whole() Outcome {
	o.Text = strings.ToValidUTF8(o.Text, "\uFFFD")
	if o.Text == "" {
		o.Text = "(no output)"
	}
	return o
}

func (p Prepared) ends(status Status, text string) Prepared {
	p.Early = &Outcome{Status: status, Text: strings.ToValidUTF8(text, "\uFFFD")}
	return p
}

func (t *tool) in(m Mode) bool { return t.only == "" || t.only == m }

func (t *tool) forbidden(s *Set, mode Mode, a args) string {
	if t.forbid == nil {
		return ""
	}
	return t.forbid(s, mode, a)
}

func (s *Set) find(name string) *tool {
	for _, t := range s.all() {
		if t.name == name {
			return t
		}
	}
	return nil
}

// all are the tools of every mode, in the order in which they are advertised.
func (s *Set) all() []*tool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Concat(s.tools, s.extra)
}

// always is the mutates of a tool that always does.
func always(args) bool { return true }

func ok(format string, a ...any) Outcome { return outcome(OK, format, a...) }

func failed(format string, a ...any) Outcome { return outcome(Failed, format, a...) }

func outcome(status Status, format string, a ...any) Outcome {
	return Outcome{Status: status, Text: strings.ToValidUTF8(fmt.Sprintf(format, a...), "\uFFFD")}
}
