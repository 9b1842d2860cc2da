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

	strings map[string]bool // the strings that stand in the file
}

func (s sourceCase) id() string { return caseID(s.folder, s.test) }

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
			script, err := os.ReadFile(filepath.Join(dir, scriptFile(test)))
			if err != nil && !os.IsNotExist(err) {
				return nil, err
			}
			all = append(all, sourceCase{
				folder: filepath.Base(dir), test: test, file: filepath.Base(file),
				digest: digest(src, script), strings: stringsIn(src),
			})
		}
	}
	return all, nil
}

// casesIn names the Test functions of a file that call Run of this package.
func casesIn(src []byte) []string {
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
	var tests []string
	for _, decl := range f.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || fn.Body == nil || !strings.HasPrefix(fn.Name.Name, "Test") {
			continue
		}
		found := false
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || sel.Sel.Name != "Run" {
				return true
			}
			if pkg, ok := sel.X.(*ast.Ident); ok && pkg.Name == local {
				found = true
			}
			return !found
		})
		if found {
			tests = append(tests, fn.Name.Name)
		}
	}
	return tests
}

// stringsIn collects the string literals of a file.
func stringsIn(src []byte) map[string]bool {
	all := make(map[string]bool)
	f, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	if err != nil {
		return all
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if s, err := strconv.Unquote(lit.Value); err == nil {
				all[s] = true
			}
		}
		return true
	})
	return all
}

// manifest is the suite as the record keeps it.
func manifest(suite []sourceCase) []results.SuiteCase {
	all := make([]results.SuiteCase, 0, len(suite))
	for _, s := range suite {
		all = append(all, results.SuiteCase{Case: s.id(), File: s.folder + "/" + s.file, Digest: s.digest})
	}
	return all
}
