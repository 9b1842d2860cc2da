package arch

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// outside is what a case must not reach: a case is judged by evidence, and an
// expectation that looks at the machine is not a function of it.
var outside = []string{"C", "os", "net", "syscall", "plugin", "unsafe", "io/ioutil", "log/syslog", "crypto/tls", "expvar"}

// CaseImports says which cases import more than behavior, behavior/expect,
// fixtures and the harmless part of the standard library.
func CaseImports(m Module) (violations []string) {
	m.each(func(rel string, p Package) {
		if !under(rel, "evals") {
			return
		}
		for _, f := range p.Files {
			for _, imported := range f.Imports() {
				r, ours := m.rel(imported)
				switch {
				case ours && slices.Contains([]string{"behavior", "behavior/expect", "fixtures"}, r):
				case !ours && standard(imported) && !under(imported, outside...):
				default:
					violations = append(violations, fmt.Sprintf("%s imports %s; a case imports behavior, behavior/expect, fixtures and the standard library without %s",
						in(rel, f.Name), imported, strings.Join(outside[1:6], ", ")))
				}
			}
			for _, spec := range f.Tree.Imports {
				if spec.Name != nil && (spec.Name.Name == "." || spec.Name.Name == "_") {
					violations = append(violations, fmt.Sprintf("%s imports %s under the name %s", in(rel, f.Name), spec.Path.Value, spec.Name.Name))
				}
			}
		}
	})
	return violations
}

// unaware are the packages that must not know of the evaluation around them.
var unaware = map[string][]string{
	"internal/agent":    {"behavior", "evals", "results", "internal/report", "internal/script"},
	"internal/tools":    {"behavior", "evals", "results", "internal/report", "internal/script"},
	"internal/provider": {"behavior", "evals", "results", "internal/report", "internal/script"},
	"internal/report":   {"behavior", "evals", "results"},
	"internal/progress": {"behavior", "evals", "results"},
	"results":           {"behavior", "evals"},
}

// Unaware says which packages know, by whatever way round, of what they must not
// know: the agent that it is watched, the record who wrote it.
func Unaware(m Module) (violations []string) {
	imports := make(map[string][]string)
	m.each(func(rel string, p Package) {
		for _, f := range p.Files {
			if f.Test {
				continue
			}
			for _, imported := range f.Imports() {
				if r, ours := m.rel(imported); ours && !slices.Contains(imports[rel], r) {
					imports[rel] = append(imports[rel], r)
				}
			}
		}
	})
	m.each(func(rel string, p Package) {
		for who, whom := range unaware {
			if !under(rel, who) {
				continue
			}
			if way := wayTo(imports, rel, whom); way != nil {
				violations = append(violations, strings.Join(way, " imports ")+fmt.Sprintf("; %s must not know of it", who))
			}
		}
	})
	slices.Sort(violations)
	return violations
}

// wayTo finds the shortest chain of imports from a package into one of the folders.
func wayTo(imports map[string][]string, from string, folders []string) []string {
	seen := map[string]bool{from: true}
	for ways := [][]string{{from}}; len(ways) > 0; ways = ways[1:] {
		way := ways[0]
		for _, next := range imports[way[len(way)-1]] {
			if seen[next] {
				continue
			}
			seen[next] = true
			longer := append(slices.Clone(way), next)
			if under(next, folders...) {
				return longer
			}
			ways = append(ways, longer)
		}
	}
	return nil
}

// EvalsAreLeaves says who imports cases.
func EvalsAreLeaves(m Module) (violations []string) {
	m.each(func(rel string, p Package) {
		for _, f := range p.Files {
			for _, imported := range f.Imports() {
				if r, ours := m.rel(imported); ours && under(r, "evals") {
					violations = append(violations, fmt.Sprintf("%s imports %s; nothing imports cases", in(rel, f.Name), r))
				}
			}
		}
	})
	return violations
}

// anywhere stands for every package outside evals.
const anywhere = "*"

// importers lists every module outside that may be imported, and by whom. One
// that matters has one importer, so that it can be replaced; a new one is an
// entry here, and thereby a decision.
var importers = []struct {
	module string
	by     []string
}{
	{"charm.land/bubbletea", []string{"internal/viewer"}},
	{"github.com/aymanbagabas/go-udiff", []string{"internal/diff"}},
	{"github.com/bmatcuk/doublestar", []string{"internal/tools"}},
	{"github.com/cenkalti/backoff", []string{"internal/gateway"}},
	{"github.com/charmbracelet/x/ansi", []string{"internal/viewer"}}, // columns, as Bubble Tea counts them
	{"github.com/klauspost/compress", []string{"internal/zstd"}},
	{"github.com/modelcontextprotocol/go-sdk", []string{"internal/mcp"}},
	{"github.com/sashabaranov/go-openai", []string{"internal/provider"}},
	{"github.com/spf13/afero", []string{anywhere}}, // an interface; its file systems are another rule
	{"github.com/spf13/cobra", []string{"internal/cli"}},
	{"github.com/spf13/pflag", []string{"internal/cli"}},          // cobra's flags, as it hands them out
	{"github.com/yosida95/uritemplate", []string{"internal/mcp"}}, // as the SDK reads templates
	{"go.yaml.in/yaml", []string{"internal/frontmatter"}},
	{"golang.org/x/sys", []string{anywhere}}, // system calls, as the standard library has
	{"golang.org/x/term", []string{"internal/cli", "internal/progress"}},
	{"golang.org/x/time", []string{"internal/gateway"}},
	{"golang.org/x/tools/txtar", []string{"fixtures", "internal/script"}},
	{"gonum.org/v1/gonum", []string{"internal/stats"}},
	{"mvdan.cc/sh", []string{"internal/shell"}},
}

// testers may be imported by tests, and only by tests.
var testers = []string{
	"github.com/stretchr/testify",
	"gotest.tools",
	"github.com/google/go-cmp",
}

// Importers says who imports a module that is another package's to import.
func Importers(m Module) (violations []string) {
	m.each(func(rel string, p Package) {
		if under(rel, "evals") {
			return // CaseImports is stricter
		}
		for _, f := range p.Files {
			for _, imported := range f.Imports() {
				_, ours := m.rel(imported)
				if ours || standard(imported) || f.Test && under(imported, testers...) {
					continue
				}
				if why := mayImport(rel, imported, f.Test); why != "" {
					violations = append(violations, fmt.Sprintf("%s imports %s; %s", in(rel, f.Name), imported, why))
				}
			}
		}
	})
	return violations
}

func mayImport(rel, imported string, test bool) string {
	if under(imported, testers...) {
		return "that is for tests"
	}
	for _, i := range importers {
		if !under(imported, i.module) {
			continue
		}
		// txtar holds the inputs of tests in many places.
		if test && i.module == "golang.org/x/tools/txtar" {
			return ""
		}
		for _, by := range i.by {
			if by == anywhere || under(rel, by) {
				return ""
			}
		}
		return "only " + strings.Join(i.by, ", ") + " may"
	}
	return "no package may: internal/arch lists who may import what"
}

// FileSystems says who makes a file system of afero's. Only internal/sandbox
// may: none of them is one that an agent can be trusted in, or a disk.
func FileSystems(m Module) (violations []string) {
	m.each(func(rel string, p Package) {
		if under(rel, "internal/sandbox") {
			return
		}
		for _, f := range p.Files {
			name, ok := importedAs(f.Tree, "github.com/spf13/afero")
			if !ok || f.Test {
				continue
			}
			ast.Inspect(f.Tree, func(n ast.Node) bool {
				sel, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				if x, ok := sel.X.(*ast.Ident); ok && x.Name == name && backend(sel.Sel.Name) {
					violations = append(violations, fmt.Sprintf("%s uses afero.%s; only internal/sandbox makes file systems", in(rel, f.Name), sel.Sel.Name))
				}
				return true
			})
		}
	})
	return violations
}

// backend reports whether a name of afero's is a file system, or makes one. A
// view for reading (NewIOFS) is none.
func backend(name string) bool {
	name = strings.TrimPrefix(name, "New")
	return name != "Fs" && strings.HasSuffix(name, "Fs") || name == "FromIOFS"
}

// importedAs returns the name under which a file imports a package.
func importedAs(f *ast.File, importPath string) (name string, ok bool) {
	for _, spec := range f.Imports {
		if spec.Path.Value != `"`+importPath+`"` {
			continue
		}
		if spec.Name != nil {
			return spec.Name.Name, true
		}
		return importPath[strings.LastIndexByte(importPath, '/')+1:], true
	}
	return "", false
}
