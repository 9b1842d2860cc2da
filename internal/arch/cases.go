package arch

import (
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// CompiledCases says which files of evals this system would pass over: a name
// like fixes_js_test.go is a build constraint, and its case would never run.
func CompiledCases(m Module) (violations []string) {
	m.each(func(rel string, p Package) {
		if !under(rel, "evals") {
			return
		}
		for _, name := range p.Ignored {
			violations = append(violations, fmt.Sprintf("%s is not compiled here: its name or a build tag is a constraint", in(rel, name)))
		}
	})
	return violations
}

// CaseFolders says what stands in a folder of cases that is neither doc.go nor a
// case with its script.
func CaseFolders(m Module) (violations []string) {
	m.each(func(rel string, p Package) {
		// evals itself may hold the page that says how a case is added.
		if rel == "evals" {
			for _, f := range p.Files {
				if f.Name != "doc.go" {
					violations = append(violations, in(rel, f.Name)+" stands beside the folders of cases, not in one")
				}
			}
			return
		}
		if !under(rel, "evals") {
			return
		}
		if strings.Count(rel, "/") != 1 {
			violations = append(violations, rel+" lies deeper than the folders of cases do")
		}
		violations = append(violations, folder(rel, p)...)
	})
	return violations
}

func folder(rel string, p Package) (violations []string) {
	bad := func(file, format string, args ...any) {
		violations = append(violations, in(rel, file)+" "+fmt.Sprintf(format, args...))
	}
	hasDoc := false
	scripts := make(map[string]bool)
	for _, f := range p.Files {
		switch {
		case f.Name == "doc.go":
			hasDoc = true
			if f.Tree.Doc == nil {
				bad(f.Name, "has no package comment")
			}
			if len(f.Tree.Decls) > 0 {
				bad(f.Name, "declares something; it is there for the package comment")
			}
		case !f.Test:
			bad(f.Name, "is neither a case nor doc.go; a case reads alone")
		default:
			for _, what := range caseFile(f, filepath.Base(rel)) {
				bad(f.Name, "%s", what)
			}
			script := strings.ReplaceAll(strings.TrimSuffix(f.Name, "_test.go"), "_", "-") + ".txtar"
			scripts[script] = true
			if _, err := os.Stat(filepath.Join(p.Dir, "testdata", script)); err != nil {
				bad(f.Name, "has no script testdata/%s", script)
			}
		}
	}
	if !hasDoc {
		bad("doc.go", "is missing: a folder of tests alone has no documentation")
	}
	found, _ := filepath.Glob(filepath.Join(p.Dir, "testdata", "*.txtar"))
	for _, script := range found {
		if name := filepath.Base(script); !scripts[name] {
			bad("testdata/"+name, "is the script of no case")
		}
	}
	return violations
}

// caseFile says what is wrong with a file that should hold one case: one Test
// function named as the file is, in which behavior.Run is a statement of its own.
func caseFile(f File, pkg string) (wrong []string) {
	if f.Tree.Name.Name != pkg {
		wrong = append(wrong, fmt.Sprintf("is package %s, not %s", f.Tree.Name.Name, pkg))
	}
	tests := 0
	for _, decl := range f.Tree.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		switch {
		case !ok:
			if gen := decl.(*ast.GenDecl); gen.Tok != token.IMPORT {
				wrong = append(wrong, fmt.Sprintf("declares a %s beside its case; what a case needs stands in its function", gen.Tok))
			}
		case fn.Name.Name == "TestMain":
			wrong = append(wrong, "has a TestMain")
		case !strings.HasPrefix(fn.Name.Name, "Test") || fn.Recv != nil:
			wrong = append(wrong, fmt.Sprintf("declares %s beside its case; what a case needs stands in its function", fn.Name.Name))
		default:
			tests++
			if want := strings.ReplaceAll(strings.TrimSuffix(f.Name, "_test.go"), "_", ""); !strings.EqualFold(strings.TrimPrefix(fn.Name.Name, "Test"), want) {
				wrong = append(wrong, fmt.Sprintf("holds %s; file and test have the same name", fn.Name.Name))
			}
			if runs := runsOf(f.Tree, fn); runs != 1 {
				wrong = append(wrong, fmt.Sprintf("%s calls behavior.Run %d times as a statement of its own, not once", fn.Name.Name, runs))
			}
			if skips(fn) {
				wrong = append(wrong, fn.Name.Name+" skips itself; nothing passes by not happening")
			}
		}
	}
	if tests != 1 {
		wrong = append(wrong, fmt.Sprintf("has %d Test functions, not one", tests))
	}
	return wrong
}

// runsOf counts the calls of behavior.Run that every run of the test reaches.
func runsOf(file *ast.File, fn *ast.FuncDecl) (runs int) {
	name, ok := importedAs(file, "github.com/deeds-evals/deeds/behavior")
	if !ok || fn.Body == nil {
		return 0
	}
	for _, stmt := range fn.Body.List {
		x, ok := stmt.(*ast.ExprStmt)
		if !ok {
			continue
		}
		if call, ok := x.X.(*ast.CallExpr); ok && selects(call.Fun, name, "Run") {
			runs++
		}
	}
	return runs
}

// skips reports whether a test calls a method that ends it without a verdict.
func skips(fn *ast.FuncDecl) (found bool) {
	ast.Inspect(fn, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			for _, name := range []string{"Skip", "Skipf", "SkipNow"} {
				found = found || selects(call.Fun, "t", name)
			}
		}
		return true
	})
	return found
}

// selects reports whether an expression is x.name.
func selects(e ast.Expr, x, name string) bool {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != name {
		return false
	}
	id, ok := sel.X.(*ast.Ident)
	return ok && id.Name == x
}
