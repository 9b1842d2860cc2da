// Package arch holds the rules about this repository that no compiler checks: who
// may import whom, what a folder of cases may hold, and that no file names the
// machine it was written on. Its test applies them.
//
// A rule is a function from a module, or from its files, to violations in words.
// Each is shown a module in testdata that breaks it and one that does not, since
// a rule that never finds anything looks just like one that is kept.
package arch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A Module is a Go module as its source has it.
type Module struct {
	Path     string
	Dir      string
	Packages []Package
}

// A Package is one package of a module.
type Package struct {
	ImportPath string
	Dir        string
	// Ignored are the Go files that this system does not compile.
	Ignored []string
	Files   []File
}

// A File is one Go file of a package, ignored ones included: an import does not
// become right by being meant for another system.
type File struct {
	Name string
	Test bool
	Tree *ast.File
}

// Imports lists what the file imports.
func (f File) Imports() []string {
	var all []string
	for _, spec := range f.Tree.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil {
			all = append(all, p)
		}
	}
	return all
}

// Load reads the module that contains dir.
func Load(dir string) (Module, error) {
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Dir,Module,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,IgnoredGoFiles", "./...")
	cmd.Dir = dir
	// The module in testdata is not to be found in a workspace of the user's.
	cmd.Env = append(os.Environ(), "GOWORK=off")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return Module{}, fmt.Errorf("go list in %s: %w: %s", dir, err, stderr.Bytes())
	}
	var m Module
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var l struct {
			ImportPath, Dir                                              string
			Module                                                       struct{ Path, Dir string }
			GoFiles, CgoFiles, TestGoFiles, XTestGoFiles, IgnoredGoFiles []string
		}
		if err := dec.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return Module{}, fmt.Errorf("go list in %s: %w", dir, err)
		}
		if l.Dir == "" {
			continue // a pattern that matched nothing
		}
		m.Path, m.Dir = l.Module.Path, l.Module.Dir
		p := Package{ImportPath: l.ImportPath, Dir: l.Dir, Ignored: l.IgnoredGoFiles}
		for _, name := range slices.Concat(l.GoFiles, l.CgoFiles, l.TestGoFiles, l.XTestGoFiles, l.IgnoredGoFiles) {
			tree, err := parser.ParseFile(token.NewFileSet(), filepath.Join(l.Dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return Module{}, err
			}
			p.Files = append(p.Files, File{Name: name, Test: strings.HasSuffix(name, "_test.go"), Tree: tree})
		}
		m.Packages = append(m.Packages, p)
	}
	if len(m.Packages) == 0 {
		return Module{}, fmt.Errorf("there is no package in %s", dir)
	}
	return m, watch(m.Dir)
}

// watch reads every directory of the module. The go command lists them too, but
// in a process of its own: the cache of test results would not notice that a file
// had come.
func watch(dir string) error {
	return filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if os.IsNotExist(err) {
			return nil // gone since it was listed: a neighbour's scratch file
		}
		if d != nil && d.IsDir() && p != dir && (strings.HasPrefix(d.Name(), ".") || d.Name() == "runs") {
			return filepath.SkipDir
		}
		return err
	})
}

// rel is the import path below the module: "behavior/expect", "." for the root.
// ok is false for a package of another module.
func (m Module) rel(importPath string) (rel string, ok bool) {
	if importPath == m.Path {
		return ".", true
	}
	return strings.CutPrefix(importPath, m.Path+"/")
}

// under reports whether rel is one of the folders or lies below one.
func under(rel string, folders ...string) bool {
	for _, f := range folders {
		if rel == f || strings.HasPrefix(rel, f+"/") {
			return true
		}
	}
	return false
}

// standard reports whether an import path belongs to the standard library.
func standard(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return !strings.Contains(first, ".")
}

// each calls f for every package with its path below the module.
func (m Module) each(f func(rel string, p Package)) {
	for _, p := range m.Packages {
		if rel, ok := m.rel(p.ImportPath); ok {
			f(rel, p)
		}
	}
}

// in names a file in a violation.
func in(rel, file string) string { return path.Join(rel, file) }
