package shell

import (
	"maps"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A walker goes through a script in the order in which it runs, and notes what
// it runs.
type walker struct {
	commands []Command
	err      error
	steps    int

	vars       vars
	functions  map[string]*syntax.Stmt
	inFunction []string        // the functions being called, outermost first
	defined    map[string]bool // functions that are defined for sure
	frozen     map[string]bool // variables that can no longer be set
	loose      int             // how much stands around that may not run here, or not at all
	unsteady   []string        // what the loops and functions of the script assign
	by         string
	background bool
	inner      int // how many scripts enclose this one
}

func newWalker(file *syntax.File) *walker {
	w := &walker{vars: vars{}, functions: map[string]*syntax.Stmt{}, defined: map[string]bool{}, frozen: map[string]bool{}}
	w.declare(file)
	return w
}

// declare notes the functions of a script, and what it assigns at places that may
// run more than once.
func (w *walker) declare(file *syntax.File) {
	var repeats []bool // whether the nodes from the file down to this one do
	syntax.Walk(file, func(n syntax.Node) bool {
		if n == nil {
			repeats = repeats[:len(repeats)-1]
			return true
		}
		again := len(repeats) > 0 && repeats[len(repeats)-1]
		switch n := n.(type) {
		case *syntax.FuncDecl:
			again = true
			if n.Name != nil {
				body := n.Body
				if old := w.functions[n.Name.Value]; old != nil {
					body = both(old, body) // either may be in force at a call
				}
				w.functions[n.Name.Value] = body
			}
		case *syntax.WhileClause, *syntax.ForClause:
			again = true
		}
		repeats = append(repeats, again)
		if again {
			w.unsteady = append(w.unsteady, assigns(n)...)
		}
		return true
	})
}

func both(a, b *syntax.Stmt) *syntax.Stmt {
	return &syntax.Stmt{Cmd: &syntax.Block{Stmts: []*syntax.Stmt{a, b}}}
}

func (w *walker) emit(c Command) {
	if len(w.commands) >= maxCommands {
		w.err = errTooLarge
		return
	}
	c.By, c.Background = w.by, w.background
	w.commands = append(w.commands, c)
}

func (w *walker) stmts(list []*syntax.Stmt) {
	for _, s := range list {
		w.stmt(s)
	}
}

func (w *walker) stmt(s *syntax.Stmt) {
	if w.steps++; w.steps > maxSteps {
		w.err = errTooLarge
	}
	if w.err != nil || s == nil {
		return
	}
	if s.Background || s.Coprocess {
		w.isolated(func() {
			defer func(was bool) { w.background = was }(w.background)
			w.background = true
			w.plain(s)
		})
		return
	}
	w.plain(s)
}

// plain walks a statement where it stands.
func (w *walker) plain(s *syntax.Stmt) {
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		w.call(c, s.Redirs)
		return
	case *syntax.DeclClause:
		w.decl(c, s.Redirs)
		return
	}
	if redirects := w.redirects(s.Redirs); len(redirects) > 0 {
		w.emit(Command{Redirects: redirects})
	}
	switch c := s.Cmd.(type) {
	case *syntax.Subshell:
		w.isolated(func() { w.stmts(c.Stmts) })
	case *syntax.Block:
		w.stmts(c.Stmts)
	case *syntax.BinaryCmd:
		w.binary(c)
	case *syntax.IfClause:
		w.condition(c)
	case *syntax.WhileClause:
		w.loop(func() {
			w.stmts(c.Cond)
			w.stmts(c.Do)
		})
	case *syntax.ForClause:
		w.substitutions(c.Loop)
		w.loop(func() { w.stmts(c.Do) })
	case *syntax.CaseClause:
		w.substitutions(c.Word)
		var branches []func()
		for _, item := range c.Items {
			for _, p := range item.Patterns {
				w.substitutions(p)
			}
			branches = append(branches, func() { w.stmts(item.Stmts) })
		}
		w.either(branches...)
	case *syntax.TimeClause:
		w.stmt(c.Stmt)
	case *syntax.CoprocClause:
		w.isolated(func() {
			defer func(was bool) { w.background = was }(w.background)
			w.background = true
			w.stmt(c.Stmt)
		})
	case *syntax.FuncDecl:
		// A pipe behind the body is not part of it, but defines it elsewhere.
		if _, piped := c.Body.Cmd.(*syntax.BinaryCmd); c.Name != nil && w.loose == 0 && !piped {
			w.defined[c.Name.Value] = true
		}
	case *syntax.TestClause, *syntax.ArithmCmd, *syntax.LetClause:
		w.substitutions(c)
	}
}

// isolated walks what runs in a shell of its own: its variables end with it.
func (w *walker) isolated(f func()) {
	defer func(was vars) { w.vars = was; w.loose-- }(w.vars)
	w.vars = maps.Clone(w.vars)
	w.loose++
	f()
}

// either walks branches of which any one may run, or none: a variable that one
// of them changes is not known after them.
func (w *walker) either(branches ...func()) {
	before := w.vars
	var changed []string
	for _, f := range branches {
		w.vars = maps.Clone(before)
		w.loose++
		f()
		w.loose--
		changed = append(changed, w.vars.differ(before)...)
	}
	w.vars = before
	w.vars.forget(changed...)
}

func (w *walker) condition(c *syntax.IfClause) {
	w.stmts(c.Cond)
	branches := []func(){func() { w.stmts(c.Then) }}
	if c.Else != nil {
		branches = append(branches, func() { w.condition(c.Else) })
	}
	w.either(branches...)
}

// loop walks a body that runs any number of times: what it assigns is not known
// at its start.
func (w *walker) loop(body func()) {
	w.vars.forget(w.unsteady...)
	w.either(body)
}

func (w *walker) binary(c *syntax.BinaryCmd) {
	switch c.Op {
	case syntax.AndStmt:
		// In a && b && c each may rely on what those before it have assigned;
		// what comes after the list only on the first.
		list := []*syntax.Stmt{c.Y}
		first := c.X
		for {
			b, ok := first.Cmd.(*syntax.BinaryCmd)
			if !ok || b.Op != syntax.AndStmt || first.Negated || len(first.Redirs) > 0 {
				break
			}
			list = append(list, b.Y)
			first = b.X
		}
		slices.Reverse(list)
		w.stmt(first)
		w.either(func() { w.stmts(list) })
	case syntax.OrStmt:
		w.stmt(c.X)
		w.either(func() { w.stmt(c.Y) })
	default: // a pipe
		w.isolated(func() { w.stmt(c.X) })
		w.isolated(func() { w.stmt(c.Y) })
	}
}

// substitutions walks the command and process substitutions within a node that
// is otherwise data, and forgets the variables that its expansion assigns.
func (w *walker) substitutions(n syntax.Node) {
	if n == nil {
		return
	}
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			w.isolated(func() { w.stmts(n.Stmts) })
			return false
		case *syntax.ProcSubst:
			w.isolated(func() { w.stmts(n.Stmts) })
			return false
		}
		w.vars.forget(assigns(n)...)
		return true
	})
}

func (w *walker) redirects(list []*syntax.Redirect) []Redirect {
	var out []Redirect
	for _, r := range list {
		w.substitutions(r.Word)
		if r.Hdoc != nil {
			w.substitutions(r.Hdoc)
		}
		access := Write
		switch r.Op {
		case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc, syntax.DplIn:
			continue
		case syntax.DplOut:
			if descriptor(r.Word.Lit()) {
				continue // 2>&1, >&-
			}
		case syntax.RdrIn:
			access = Read
		case syntax.AppOut, syntax.AppAll:
			access = Append
		}
		out = append(out, Redirect{Target: w.single(r.Word), Access: access})
	}
	return out
}

// descriptor reports whether the target of >& is a file descriptor: a number,
// possibly moved, or the dash that closes.
func descriptor(s string) bool {
	if s == "" {
		return false
	}
	for i, c := range s {
		if (c < '0' || c > '9') && !(c == '-' && i == len(s)-1) {
			return false
		}
	}
	return true
}

// call walks a simple command.
func (w *walker) call(c *syntax.CallExpr, redirs []*syntax.Redirect) {
	var words []Word
	for _, a := range c.Args {
		w.substitutions(a)
		words = append(words, w.fields(a)...)
	}
	redirects := w.redirects(redirs)
	var assigned []Assign
	for _, a := range c.Assigns {
		assigned = append(assigned, w.assign(a, len(c.Args) == 0))
	}
	cmd := Command{Words: words, Redirects: redirects, Assigns: assigned}
	name := cmd.Name()
	body := w.functions[name]
	cmd.Function = body != nil && words[0].Text == name
	cmd.surely = cmd.Function && w.defined[name]
	w.emit(cmd)
	if cmd.Function {
		w.enter(name, body)
		return
	}
	if name == "unset" {
		for _, x := range words[1:] {
			if !x.Known {
				clear(w.defined)
			}
			delete(w.defined, x.Text)
		}
	}
	w.vars.forget(assignedBy(words)...)
	w.nested(words, func() (Word, bool) { return w.hereDocument(redirs) })
}

// enter walks the body of a function that is called.
func (w *walker) enter(name string, body *syntax.Stmt) {
	if slices.Contains(w.inFunction, name) {
		return
	}
	defer func(by string, in []string) { w.by, w.inFunction = by, in }(w.by, w.inFunction)
	w.by, w.inFunction = name, append(slices.Clone(w.inFunction), name)
	w.vars.forget(w.unsteady...)
	w.either(func() { w.stmt(body) })
}

// decl walks export, declare and their kin.
func (w *walker) decl(c *syntax.DeclClause, redirs []*syntax.Redirect) {
	words := []Word{{Text: c.Variant.Value, Known: true}}
	var assigned []Assign
	special := false // options change what an assignment means
	freezes := c.Variant.Value == "readonly"
	for _, a := range c.Args {
		switch {
		case a.Name == nil:
			w.substitutions(a.Value)
			for _, f := range w.fields(a.Value) {
				words = append(words, f)
				freezes = freezes || strings.HasPrefix(f.Text, "-") && strings.Contains(f.Text, "r")
				special = special || f.Text != "-r" && f.Text != "-x" && f.Text != "-g"
				if !f.Known {
					w.vars.forget("*")
				}
			}
		case a.Naked:
			words = append(words, Word{Text: a.Name.Value, Known: a.Index == nil})
		default:
			made := w.assign(a, true)
			assigned = append(assigned, made)
			words = append(words, Word{Text: made.Name + "=" + made.Value.Text, Known: made.Value.Known})
		}
	}
	if freezes {
		for _, a := range c.Args {
			if a.Name != nil {
				w.frozen[a.Name.Value] = true
			}
		}
	}
	if special {
		for _, a := range assigned {
			w.vars.forget(a.Name)
		}
	}
	w.emit(Command{Words: words, Redirects: w.redirects(redirs), Assigns: assigned})
}

// declares reports whether the command is one of those that decl walks.
func (c Command) declares() bool {
	switch c.Name() {
	case "export", "declare", "local", "readonly", "typeset":
		return true
	}
	return false
}

// hereDocument is what a command reads from its standard input, if the script
// itself holds it.
func (w *walker) hereDocument(redirs []*syntax.Redirect) (Word, bool) {
	for _, r := range slices.Backward(redirs) {
		switch r.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			if r.Hdoc == nil {
				return Word{Known: true}, true
			}
			if quoted(r.Word) {
				return Word{Text: r.Hdoc.Lit(), Known: true}, true
			}
			return w.joined(r.Hdoc.Parts), true
		case syntax.WordHdoc:
			return w.single(r.Word), true
		case syntax.RdrIn, syntax.DplIn, syntax.RdrInOut:
			return Word{}, false
		}
	}
	return Word{}, false
}

// quoted reports whether the delimiter of a here-document is, so that the
// document is taken as it stands.
func quoted(w *syntax.Word) bool { return w.Lit() == "" || slices.Contains([]byte(w.Lit()), '\\') }

// script walks a script within the script, such as the argument of bash -c. One
// whose text is not wholly known is walked as far as it is spelled out. In a
// shell of its own it knows none of our variables and functions.
func (w *walker) script(text, by string, own bool) {
	if w.inner >= maxInner {
		w.err = errTooLarge
		return
	}
	file, err := parse(text)
	if err != nil {
		return // it would fail to run too
	}
	in := newWalker(file)
	in.by, in.background, in.inner = by, w.background, w.inner+1
	in.commands, in.steps = w.commands, w.steps
	if !own {
		in.vars = maps.Clone(w.vars)
		in.inFunction = w.inFunction
		for name, body := range w.functions {
			if in.functions[name] == nil {
				in.functions[name] = body
			}
		}
		in.unsteady = append(in.unsteady, w.unsteady...)
	}
	in.stmts(file.Stmts)
	w.commands, w.steps, w.err = in.commands, in.steps, in.err
	if !own {
		w.vars.forget(assignedIn(file)...)
	}
}
