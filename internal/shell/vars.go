package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

const (
	maxVars  = 256     // variables that are followed
	maxValue = 1 << 16 // bytes of one
)

// vars are the variables that the script has assigned so far. One that is not
// there was never assigned: its value comes from outside, and is not known.
type vars map[string]Word

func (v vars) set(name string, value Word) {
	if _, known := v[name]; !known && len(v) >= maxVars || len(value.Text) > maxValue {
		value = Word{}
	}
	if !value.Known || name == "_" { // which every command sets anew
		delete(v, name)
		return
	}
	v[name] = value
}

// forget makes variables unknown. The name "*" stands for all of them.
func (v vars) forget(names ...string) {
	for _, n := range names {
		if n == "*" {
			clear(v)
			return
		}
		delete(v, n)
	}
}

// differ lists the variables whose values are not the same in both.
func (v vars) differ(w vars) []string {
	var names []string
	for n, x := range v {
		if y, ok := w[n]; !ok || x != y {
			names = append(names, n)
		}
	}
	for n := range w {
		if _, ok := v[n]; !ok {
			names = append(names, n)
		}
	}
	return names
}

// assign reads an assignment of a name and, if it is to last, makes it.
func (w *walker) assign(a *syntax.Assign, lasts bool) Assign {
	if a.Value != nil {
		w.substitutions(a.Value)
	}
	if a.Array != nil {
		w.substitutions(a.Array)
	}
	if a.Index != nil {
		w.substitutions(a.Index)
	}
	value := Word{Known: true}
	switch {
	case a.Array != nil, a.Index != nil:
		value = Word{}
	case a.Value != nil:
		value = w.single(a.Value)
	}
	if a.Append {
		if before, ok := w.vars[a.Name.Value]; ok && value.Known {
			value.Text = before.Text + value.Text
		} else {
			value.Known = false
		}
	}
	if lasts && w.frozen[a.Name.Value] {
		value = Word{} // it may be what it was before
	}
	if lasts {
		w.vars.set(a.Name.Value, value)
	}
	return Assign{Name: a.Name.Value, Value: value}
}

// assignedIn lists the variables that a node may assign when it runs.
func assignedIn(n syntax.Node) []string {
	var names []string
	syntax.Walk(n, func(n syntax.Node) bool {
		names = append(names, assigns(n)...)
		return true
	})
	return names
}

// assigns lists the variables that a node itself may assign, its children apart.
func assigns(n syntax.Node) []string {
	switch n := n.(type) {
	case *syntax.Assign:
		switch {
		case n.Name != nil:
			return []string{n.Name.Value}
		case n.Value != nil && !strings.HasPrefix(n.Value.Lit(), "-"):
			return []string{"*"} // export $NAMES
		}
	case *syntax.WordIter:
		return []string{n.Name.Value}
	case *syntax.ParamExp: // ${x:=default}
		if n.Exp != nil && n.Param != nil && (n.Exp.Op == syntax.AssignUnset || n.Exp.Op == syntax.AssignUnsetOrNull) {
			return []string{n.Param.Value}
		}
	case *syntax.BinaryArithm:
		if n.Op != syntax.Eql && n.Op != syntax.Neq && n.Op != syntax.Leq && n.Op != syntax.Geq && strings.HasSuffix(n.Op.String(), "=") {
			return target(n.X)
		}
	case *syntax.UnaryArithm:
		if n.Op == syntax.Inc || n.Op == syntax.Dec {
			return target(n.X)
		}
	case *syntax.CallExpr:
		var words []Word
		for _, a := range n.Args {
			words = append(words, literally(a))
		}
		return assignedBy(words)
	}
	return nil
}

// target names the variable that an arithmetic assignment changes.
func target(x syntax.ArithmExpr) []string {
	if word, ok := x.(*syntax.Word); ok && word.Lit() != "" {
		return []string{word.Lit()}
	}
	return []string{"*"}
}

// assignedBy lists the variables that a command may assign by being run.
func assignedBy(words []Word) []string {
	if len(words) == 0 {
		return nil
	}
	switch words[0].Text {
	case "eval", "source", ".":
		return []string{"*"}
	case "command", "builtin":
		return assignedBy(words[1:])
	case "printf":
		for i, w := range words[1:] {
			if w.Text == "-v" && i+2 < len(words) && words[i+2].Known {
				return []string{words[i+2].Text}
			}
			if strings.HasPrefix(w.Text, "-v") {
				return []string{"*"}
			}
		}
	case "read", "mapfile", "readarray", "getopts", "unset", "let":
		names := []string{"REPLY", "MAPFILE", "OPTARG", "OPTIND"}
		for _, w := range words[1:] {
			if !w.Known {
				return []string{"*"}
			}
			name, _, _ := strings.Cut(w.Text, "=")
			names = append(names, name)
		}
		return names
	}
	return nil
}
