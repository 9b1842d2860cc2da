package results

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// covered says which tests elsewhere show the same: "dir/file_test.go TestName", with
// "/subtest" behind it where it is one of a table. They are looked for in the source, so
// that none of them can go unnoticed.
func covered(t *testing.T, tests ...string) {
	t.Helper()
	for _, test := range tests {
		file, name, _ := strings.Cut(test, " ")
		name, sub, _ := strings.Cut(name, "/")
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", filepath.FromSlash(file)), nil, 0)
		require.NoError(t, err)
		body := bodyOf(parsed, name)
		require.NotNilf(t, body, "%s has no %s", file, name)
		require.Falsef(t, skips(body), "%s in %s is skipped", name, file)
		require.Truef(t, sub == "" || says(body, sub), "%s in %s has no %q", name, file, sub)
	}
}

func bodyOf(f *ast.File, name string) *ast.BlockStmt {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == name {
			return fn.Body
		}
	}
	return nil
}

// skips reports whether a test is skipped whatever happens: one of its own statements
// does it.
func skips(body *ast.BlockStmt) bool {
	for _, s := range body.List {
		if e, ok := s.(*ast.ExprStmt); ok {
			if call, ok := e.X.(*ast.CallExpr); ok {
				if f, ok := call.Fun.(*ast.SelectorExpr); ok && strings.HasPrefix(f.Sel.Name, "Skip") {
					return true
				}
			}
		}
	}
	return false
}

// says reports whether the text stands in the function as a string.
func says(body *ast.BlockStmt, text string) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			if s, err := strconv.Unquote(l.Value); err == nil && s == text {
				found = true
			}
		}
		return !found
	})
	return found
}

func TestCoveredLooksForWhatItNames(t *testing.T) {
	t.Parallel()
	covered(t, "results/slots_test.go TestSlots/a fail cannot be rolled again")
	f, err := parser.ParseFile(token.NewFileSet(), "x_test.go", `package x
func TestA(t *testing.T) { t.Parallel(); t.Skip("later") }
func TestB(t *testing.T) { if short { t.Skip() }; run("a row") }
`, 0)
	require.NoError(t, err)
	require.True(t, skips(bodyOf(f, "TestA")))
	require.False(t, skips(bodyOf(f, "TestB")))
	require.True(t, says(bodyOf(f, "TestB"), "a row"))
	require.False(t, says(bodyOf(f, "TestB"), "row"))
	require.Nil(t, bodyOf(f, "TestC"))
}
