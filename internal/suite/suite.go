// Package suite reads what a suite is from its source: which cases there are, and
// what identifies each of them and their judge. A package that never ran cannot say
// what it would have played, and a score is only current while its case and its judge
// are what they were.
package suite

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// behavior is the import path of the package whose Run plays a case.
const behavior = "github.com/deeds-evals/deeds/behavior"

// A Case is a case as the source has it.
type Case struct {
	ID     string // folder and test name in kebab case
	Folder string // of its package, "core"
	Test   string // name of the Test function
	File   string // base name of the file
	Digest string // of the file, of its script and of what the package's cases share

	Names   []string // what the test names of package behavior: Case, ToolChain …
	Worlds  []string // the names of its worlds
	Dynamic bool     // the name of some world is computed
}

// Read finds every case in the folders beside each other in parent: each Test
// function that calls behavior.Run.
func Read(parent string) ([]Case, error) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return nil, err
	}
	var all []Case
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") || strings.HasPrefix(e.Name(), "_") || e.Name() == "testdata" {
			continue
		}
		cases, err := readPackage(filepath.Join(parent, e.Name()))
		if err != nil {
			return nil, err
		}
		all = append(all, cases...)
	}
	return all, nil
}

// readPackage finds the cases in one folder. A file that does not parse has
// none: the compiler says more about it than we could.
func readPackage(dir string) ([]Case, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	common, err := shared(dir)
	if err != nil {
		return nil, err
	}
	var all []Case
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for _, c := range CasesIn(src) {
			script, err := os.ReadFile(filepath.Join(dir, ScriptFile(c.Test)))
			if err != nil && !os.IsNotExist(err) {
				return nil, err
			}
			c.Folder, c.File, c.Digest = filepath.Base(dir), filepath.Base(file), Digest(append([][]byte{src, script}, common...)...)
			c.ID = ID(c.Folder, c.Test)
			all = append(all, c)
		}
	}
	return all, nil
}

// CasesIn finds the Test functions of a file that call behavior.Run, and what their
// source says of them.
func CasesIn(src []byte) []Case {
	f, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	local := ""
	for _, imp := range f.Imports {
		if strings.Trim(imp.Path.Value, `"`) == behavior {
			local = "behavior"
			if imp.Name != nil {
				local = imp.Name.Name
			}
		}
	}
	if local == "" {
		return nil
	}
	var cases []Case
	for _, decl := range f.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || fn.Body == nil || !strings.HasPrefix(fn.Name.Name, "Test") {
			continue
		}
		c := Case{Test: fn.Name.Name}
		runs := false
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				runs = runs || selected(n.Fun, local) == "Run"
			case *ast.SelectorExpr:
				if name := selected(n, local); name != "" && !slices.Contains(c.Names, name) {
					c.Names = append(c.Names, name)
				}
			case *ast.CompositeLit:
				c.readWorlds(n, local)
			}
			return true
		})
		if runs {
			cases = append(cases, c)
		}
	}
	return cases
}

// selected is the name that an expression selects from the package, or "".
func selected(x ast.Expr, pkg string) string {
	if sel, ok := x.(*ast.SelectorExpr); ok {
		if id, ok := sel.X.(*ast.Ident); ok && id.Name == pkg {
			return sel.Sel.Name
		}
	}
	return ""
}

// readWorlds notes the names of the worlds that a literal holds: one World, or a
// list of them.
func (c *Case) readWorlds(lit *ast.CompositeLit, pkg string) {
	worlds := []ast.Expr{lit}
	if list, ok := lit.Type.(*ast.ArrayType); ok && selected(list.Elt, pkg) == "World" {
		worlds = lit.Elts
	} else if selected(lit.Type, pkg) != "World" {
		return
	}
	for _, w := range worlds {
		fields, ok := w.(*ast.CompositeLit)
		if !ok {
			c.Dynamic = true
			continue
		}
		for _, f := range fields.Elts {
			kv, ok := f.(*ast.KeyValueExpr)
			if !ok {
				c.Dynamic = true
				continue
			}
			if key, ok := kv.Key.(*ast.Ident); !ok || key.Name != "Name" {
				continue
			}
			name, ok := kv.Value.(*ast.BasicLit)
			if !ok {
				c.Dynamic = true
				continue
			}
			if s, err := strconv.Unquote(name.Value); err == nil && !slices.Contains(c.Worlds, s) {
				c.Worlds = append(c.Worlds, s)
			}
		}
	}
}
