package behavior

import (
	"embed"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"sync"

	"github.com/deeds-evals/deeds/internal/suite"
	"github.com/deeds-evals/deeds/results"
)

// The sources of the judge are part of the judge's identity.
//
//go:embed *.go expect/*.go
var sources embed.FS

// graderDigest identifies this package and its vocabulary.
var graderDigest = sync.OnceValue(func() string {
	digest, err := suite.Grader(sources)
	if err != nil {
		panic("deeds: the embedded sources cannot be read: " + err.Error())
	}
	return digest
})

// tests reports whether a case of the source has the signal, as far as it names one of
// Deeds' own.
func tests(c suite.Case, s Signal) bool {
	return slices.ContainsFunc(c.Names, func(name string) bool { return signalNamed()[name] == s })
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
func manifest(cases []suite.Case) []results.SuiteCase {
	all := make([]results.SuiteCase, 0, len(cases))
	for _, c := range cases {
		all = append(all, results.SuiteCase{Case: c.ID, File: c.Folder + "/" + c.File, Digest: c.Digest})
	}
	return all
}
