package suite

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// shared returns what all cases of a package may rest on, names and contents in turn: Go
// files that hold no case but declare something, and what lies in testdata beside the
// scripts. An edit of it makes other cases of them all. It is nothing where every file
// is a case of its own, or a comment.
func shared(dir string) ([][]byte, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	files = slices.DeleteFunc(files, func(file string) bool { return !declares(file) })
	testdata := filepath.Join(dir, "testdata")
	err = filepath.WalkDir(testdata, func(path string, d fs.DirEntry, err error) error {
		switch {
		case os.IsNotExist(err):
			return nil
		case err != nil:
			return err
		case d.Type().IsRegular() && (filepath.Dir(path) != testdata || filepath.Ext(path) != ".txtar"):
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	var parts [][]byte
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		name, err := filepath.Rel(dir, file)
		if err != nil {
			return nil, err
		}
		parts = append(parts, []byte(filepath.ToSlash(name)), data)
	}
	return parts, nil
}

// declares reports whether a Go file declares anything besides cases: imports are no
// declaration. A file with a case belongs to that case.
func declares(file string) bool {
	src, err := os.ReadFile(file)
	if err != nil || strings.HasSuffix(file, "_test.go") && len(CasesIn(src)) > 0 {
		return false
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, src, parser.SkipObjectResolution)
	if err != nil {
		return false // the compiler says more about it
	}
	return slices.ContainsFunc(f.Decls, func(d ast.Decl) bool {
		g, ok := d.(*ast.GenDecl)
		return !ok || g.Tok != token.IMPORT
	})
}
