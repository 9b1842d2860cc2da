package behavior

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/deeds-evals/deeds/results"
)

// The sources of the judge are part of the judge's identity: an edited
// expectation makes a grader that old verdicts did not have.
//
//go:embed *.go expect/*.go
var sources embed.FS

// graderDigest identifies this package and its vocabulary, tests left out.
var graderDigest = sync.OnceValue(func() string {
	h := sha256.New()
	_ = fs.WalkDir(sources, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(p, "_test.go") {
			return err
		}
		data, err := sources.ReadFile(p)
		h.Write([]byte(p + "\x00"))
		h.Write(data)
		h.Write([]byte{0})
		return err
	})
	return short(h.Sum(nil))
})

// short keeps the first 64 bits of a digest, in hex.
func short(sum []byte) string { return hex.EncodeToString(sum[:8]) }

// digest identifies some bytes.
func digest(parts ...[]byte) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write(p)
		h.Write([]byte{0})
	}
	return short(h.Sum(nil))
}

// A sourceCase is a case as the source has it.
type sourceCase struct {
	folder string // of its package, "core"
	test   string // name of the Test function
	file   string // base name of the file
	digest string // of the file and of its script

	signals map[Signal]bool // of Deeds' own: those that the test names
	worlds  map[string]bool // the names of its worlds
	dynamic bool            // the name of some world is computed
}

func (c sourceCase) id() string { return caseID(c.folder, c.test) }

// scriptFile is the path of a case's script below its package's folder.
func scriptFile(test string) string {
	return filepath.Join("testdata", toKebab(strings.TrimPrefix(test, "Test"))+".txtar")
}

// readSuite finds every case in the folder of one package and of its siblings:
// each Test function that calls behavior.Run. The source is read because a
// package that never runs cannot say what it would have played.
func readSuite(dir string) ([]sourceCase, error) {
	parent := filepath.Dir(dir)
	entries, err := os.ReadDir(parent)
	if err != nil {
		return nil, err
	}
	var all []sourceCase
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
func readPackage(dir string) ([]sourceCase, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return nil, err
	}
	sort.Strings(files)
	var all []sourceCase
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for _, test := range casesIn(src) {
			script, err := os.ReadFile(filepath.Join(dir, scriptFile(test.test)))
			if err != nil && !os.IsNotExist(err) {
				return nil, err
			}
			all = append(all, sourceCase{
				folder: filepath.Base(dir), test: test.test, file: filepath.Base(file),
				digest:  digest(src, script),
				signals: test.signals, worlds: test.worlds, dynamic: test.dynamic,
			})
		}
	}
	return all, nil
}

// casesIn finds the Test functions of a file that call Run of this package, and
// what their source says of them.
func casesIn(src []byte) []sourceCase {
	f, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	local := ""
	for _, imp := range f.Imports {
		if strings.Trim(imp.Path.Value, `"`) == "github.com/deeds-evals/deeds/behavior" {
			local = "behavior"
			if imp.Name != nil {
				local = imp.Name.Name
			}
		}
	}
	if local == "" {
		return nil
	}
	var cases []sourceCase
	for _, decl := range f.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || fn.Body == nil || !strings.HasPrefix(fn.Name.Name, "Test") {
			continue
		}
		c := sourceCase{test: fn.Name.Name, signals: make(map[Signal]bool), worlds: make(map[string]bool)}
		runs := false
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				runs = runs || selected(n.Fun, local) == "Run"
			case *ast.SelectorExpr:
				if s, ok := signalNamed()[selected(n, local)]; ok {
					c.signals[s] = true
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
func (c *sourceCase) readWorlds(lit *ast.CompositeLit, pkg string) {
	worlds := []ast.Expr{lit}
	if list, ok := lit.Type.(*ast.ArrayType); ok && selected(list.Elt, pkg) == "World" {
		worlds = lit.Elts
	} else if selected(lit.Type, pkg) != "World" {
		return
	}
	for _, w := range worlds {
		fields, ok := w.(*ast.CompositeLit)
		if !ok {
			c.dynamic = true
			continue
		}
		for _, f := range fields.Elts {
			kv, ok := f.(*ast.KeyValueExpr)
			if !ok {
				c.dynamic = true
				continue
			}
			if key, ok := kv.Key.(*ast.Ident); !ok || key.Name != "Name" {
				continue
			}
			name, ok := kv.Value.(*ast.BasicLit)
			if !ok {
				c.dynamic = true
				continue
			}
			if s, err := strconv.Unquote(name.Value); err == nil {
				c.worlds[s] = true
			}
		}
	}
}

// signalNamed gives the signals of Deeds by the names of their constants, as the
// source of this package has them.
var signalNamed = sync.OnceValue(func() map[string]Signal {
	byName := make(map[string]Signal)
	src, err := sources.ReadFile("signal.go")
	if err != nil {
		return byName
	}
	f, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	if err != nil {
		return byName
	}
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Names) != 1 || len(spec.Values) != 1 {
			return true
		}
		if lit, ok := spec.Values[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if s, err := strconv.Unquote(lit.Value); err == nil && Signal(s).known() {
				byName[spec.Names[0].Name] = Signal(s)
			}
		}
		return true
	})
	return byName
})

// manifest is the suite as the record keeps it.
func manifest(suite []sourceCase) []results.SuiteCase {
	all := make([]results.SuiteCase, 0, len(suite))
	for _, s := range suite {
		all = append(all, results.SuiteCase{Case: s.id(), File: s.folder + "/" + s.file, Digest: s.digest})
	}
	return all
}
