package shell

import (
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// evaluates says what in a script makes bash run text that it does not look like
// running, or changes what runs without being a command; "" if nothing does.
func evaluates(file *syntax.File) (why string) {
	arithmetic, inert := false, false
	note := func(format string, a ...any) {
		if why == "" {
			why = fmt.Sprintf(format, a...)
		}
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.FuncDecl:
			if n.Name != nil && (n.Name.Value == "command_not_found_handle" || strings.Contains(n.Name.Value, "/")) {
				note("a function named %s may run in place of other commands", n.Name.Value)
			}
		case *syntax.ParamExp:
			switch {
			case n.Excl && n.Names == 0 && !all(n.Index):
				note("%s may stand for anything; name the variable", spelled(n))
			case n.Exp != nil && n.Exp.Op == syntax.OtherParamOps && n.Exp.Word != nil && n.Exp.Word.Lit() == "P":
				note("%s runs what is in the variable", spelled(n))
			}
			arithmetic = arithmetic || n.Slice != nil || n.Index != nil && !all(n.Index)
		case *syntax.UnaryTest:
			if n.Op == syntax.TsVarSet || n.Op == syntax.TsRefVar {
				word, _ := n.X.(*syntax.Word)
				if word == nil || askedName(literally(word)) != "" {
					note("the name after %s is not plain", n.Op)
				}
			}
		case *syntax.BinaryTest:
			switch n.Op {
			case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
				arithmetic = true
			}
		case *syntax.ArithmExp, *syntax.ArithmCmd, *syntax.LetClause, *syntax.CStyleLoop:
			arithmetic = true
		case *syntax.Assign:
			arithmetic = arithmetic || n.Index != nil
			return true // its name is looked at where it is assigned
		case *syntax.SglQuoted:
			inert = inert || runs(literally(&syntax.Word{Parts: []syntax.WordPart{n}}).Text)
		case *syntax.Lit:
			inert = inert || strings.Contains(n.Value, `\$`) || strings.Contains(n.Value, "\\`")
		case *syntax.Redirect:
			if n.Hdoc != nil && quoted(n.Word) {
				inert = inert || runs(n.Hdoc.Lit())
			}
		}
		for _, name := range assigns(n) {
			if telling(name) {
				note("setting %s may change what runs", name)
			}
		}
		return true
	})
	if arithmetic && inert {
		note("arithmetic could run the commands that are quoted in the script")
	}
	return why
}

// all reports whether a subscript stands for all elements.
func all(index syntax.ArithmExpr) bool {
	word, ok := index.(*syntax.Word)
	return ok && (word.Lit() == "@" || word.Lit() == "*")
}

// runs reports whether text would run something if it were expanded.
func runs(s string) bool { return strings.Contains(s, "$(") || strings.Contains(s, "`") }

// literally is a word as far as it can be told without any variables.
func literally(word *syntax.Word) Word {
	return (&walker{vars: vars{}}).single(word)
}
