package tools

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var tree = files{
	"main.go": "package main\n\nfunc main() {\n\tRun(1)\n}\n", "go.mod": "module m\n", "src/run.go": "package src\n\n// Run runs.\nfunc Run(n int) {}\n",
	"src/run_test.go": "package src\n\nfunc TestRun() { Run(2) }\n", "src/a-b/c.go": "package c\n", "src/a/d.go": "package d\n", "docs/readme.md": "# Run\r\nrun me\r\n",
	".git/config": "Run\n", "bin": "Run\x00\n", "latin.txt": "Run caf\xe9\n", "empty/": "",
}

func TestLs(t *testing.T) {
	w := newWorld(t, Build, tree)
	for _, tt := range []struct {
		args   is
		status Status
		want   string
	}{
		{is{}, OK, ".git/\nbin (5 bytes)\ndocs/\nempty/\ngo.mod (9 bytes)\nlatin.txt (9 bytes)\nmain.go (38 bytes)\nsrc/"},
		{is{"path": w.dir}, OK, ".git/\nbin (5 bytes)\ndocs/\nempty/\ngo.mod (9 bytes)\nlatin.txt (9 bytes)\nmain.go (38 bytes)\nsrc/"},
		{is{"path": "./docs/"}, OK, "readme.md (15 bytes)"},
		{is{"limit": 2}, OK, ".git/\nbin (5 bytes)\n(entries 1 to 2 of 8; a larger limit shows more)"},
		{is{"path": "empty"}, OK, "(empty is an empty directory)"},
		{is{"path": "go.mod"}, Failed, "go.mod is a file, not a directory (9 bytes); read shows it"},
		{is{"path": "scr"}, Failed, "scr: no such file or directory"},
		{is{"path": "doc"}, Failed, "doc: no such file or directory. Perhaps one of these was meant:\ndocs"},
		{is{"path": "/"}, Failed, "/ is outside the workspace " + w.dir + "; give a path inside it"},
	} {
		out := w.call("ls", tt.args)
		require.Equal(t, Outcome{Status: tt.status, Text: tt.want}, out, "%v", tt.args)
	}
}

func TestGlob(t *testing.T) {
	w := newWorld(t, Build, tree)
	for _, tt := range []struct {
		args   is
		status Status
		want   string
	}{
		{is{"pattern": "*.go"}, OK, "main.go\nsrc/a-b/c.go\nsrc/a/d.go\nsrc/run.go\nsrc/run_test.go"},
		{is{"pattern": "**/*.go"}, OK, "main.go\nsrc/a-b/c.go\nsrc/a/d.go\nsrc/run.go\nsrc/run_test.go"},
		{is{"pattern": "./src/*.go"}, OK, "src/run.go\nsrc/run_test.go"},
		{is{"pattern": w.dir + "/src/*.go"}, OK, "src/run.go\nsrc/run_test.go"},
		{is{"pattern": w.dir + "/src/*.go", "path": "src"}, OK, "src/run.go\nsrc/run_test.go"},
		{is{"pattern": "*_test.go", "path": "src"}, OK, "src/run_test.go"},
		{is{"pattern": "*/c.go", "path": "src/"}, OK, "src/a-b/c.go"},
		{is{"pattern": "src/*/c.go", "path": "src"}, OK, "(no file under src matches src/*/c.go)"},
		{is{"pattern": "*.{md,mod}"}, OK, "docs/readme.md\ngo.mod"},
		{is{"pattern": "**/a*/**"}, OK, "src/a-b/c.go\nsrc/a/d.go"},
		{is{"pattern": "[lm]*.*"}, OK, "latin.txt\nmain.go"},
		{is{"pattern": "*.go", "limit": 2}, OK, "main.go\nsrc/a-b/c.go\n(2 of 5 paths; a larger limit or a narrower pattern shows the others)"},
		{is{"pattern": "*.rs"}, OK, "(no file matches *.rs)"},
		{is{"pattern": "config"}, OK, "(no file matches config)"},
		{is{"pattern": "src"}, OK, "(no file matches src)"},
		{is{"pattern": "[a"}, Failed, "the pattern [a is malformed: a bracket, a brace or a backslash is not completed"},
		{is{"pattern": "/etc/*"}, Failed, "the pattern /etc/* leads out of the workspace; give one below the folder searched"},
		{is{"pattern": "../*"}, Failed, "the pattern ../* leads out of the workspace; give one below the folder searched"},
		{is{"pattern": "*", "path": "go.mod"}, Failed, "go.mod is a file; glob searches a folder"},
		{is{"pattern": "*", "path": "lib"}, Failed, "lib: no such file or directory"},
		{is{"pattern": "*", "path": "/etc"}, Failed, "/etc is outside the workspace " + w.dir + "; give a path inside it"},
	} {
		out := w.call("glob", tt.args)
		require.Equal(t, Outcome{Status: tt.status, Text: tt.want}, out, "%v", tt.args)
	}
}

func TestGrep(t *testing.T) {
	w := newWorld(t, Build, tree)
	for _, tt := range []struct {
		args   is
		status Status
		want   string
	}{
		{is{"pattern": "Run"}, OK, "docs/readme.md:1:# Run\nlatin.txt:1:Run caf\uFFFD\nmain.go:4:\tRun(1)\nsrc/run.go:3:// Run runs.\nsrc/run.go:4:func Run(n int) {}\nsrc/run_test.go:3:func TestRun() { Run(2) }"},
		{is{"pattern": "run", "ignore_case": true, "path": "docs"}, OK, "docs/readme.md:1:# Run\ndocs/readme.md:2:run me"},
		{is{"pattern": "me$", "path": "docs"}, OK, "docs/readme.md:2:run me"},
		{is{"pattern": `^func \w+\(`, "glob": "*.go", "path": "src"}, OK, "src/run.go:4:func Run(n int) {}\nsrc/run_test.go:3:func TestRun() { Run(2) }"},
		{is{"pattern": "Run(", "literal": true}, OK, "main.go:4:\tRun(1)\nsrc/run.go:4:func Run(n int) {}\nsrc/run_test.go:3:func TestRun() { Run(2) }"},
		{is{"pattern": "run(", "literal": true, "ignore_case": true, "glob": "src/**"}, OK, "src/run.go:4:func Run(n int) {}\nsrc/run_test.go:3:func TestRun() { Run(2) }"},
		{is{"pattern": "Run", "path": "src/run.go"}, OK, "src/run.go:3:// Run runs.\nsrc/run.go:4:func Run(n int) {}"},
		{is{"pattern": "Run", "path": w.dir + "/main.go"}, OK, "main.go:4:\tRun(1)"},
		{is{"pattern": "main\\(", "context": 1, "path": "main.go"}, OK, "main.go-2-\nmain.go:3:func main() {\nmain.go-4-\tRun(1)"},
		{is{"pattern": "package|Run", "context": 1, "glob": "{main,run}.go"}, OK,
			"main.go:1:package main\nmain.go-2-\nmain.go-3-func main() {\nmain.go:4:\tRun(1)\nmain.go-5-}\n--\n" +
				"src/run.go:1:package src\nsrc/run.go-2-\nsrc/run.go:3:// Run runs.\nsrc/run.go:4:func Run(n int) {}"},
		{is{"pattern": "package|}", "context": 1, "path": "main.go"}, OK, "main.go:1:package main\nmain.go-2-\n--\nmain.go-4-\tRun(1)\nmain.go:5:}"},
		{is{"pattern": "Run", "limit": 2}, OK, "docs/readme.md:1:# Run\nlatin.txt:1:Run caf\uFFFD\n(2 of 6 matching lines in 5 files; a larger limit, a narrower path or another pattern shows the others)"},
		{is{"pattern": "Run", "limit": 1, "path": "src/run.go"}, OK, "src/run.go:3:// Run runs.\n(1 of 2 matching lines in 1 file; a larger limit, a narrower path or another pattern shows the others)"},
		{is{"pattern": "nothing like it"}, OK, "(no matches)"},
		{is{"pattern": "main.*\\n", "path": "main.go"}, OK, "(no matches)"},
		{is{"pattern": "Run", "path": "bin"}, OK, "(no matches)"},
		{is{"pattern": "Run("}, Failed, `the pattern "Run(" is no RE2 regular expression: missing closing ): ` + "`Run(`" + `. Escape special characters with a backslash, or set literal to search for plain text`},
		{is{"pattern": "(?=a)"}, Failed, `the pattern "(?=a)" is no RE2 regular expression: invalid or unsupported Perl syntax: ` + "`(?=`" + `. Escape special characters with a backslash, or set literal to search for plain text`},
		{is{"pattern": "a", "glob": "{a"}, Failed, "the pattern {a is malformed: a bracket, a brace or a backslash is not completed"},
		{is{"pattern": "a", "path": "mian.go"}, Failed, "mian.go: no such file or directory. Perhaps one of these was meant:\nmain.go"},
		{is{"pattern": "a", "path": ".."}, Failed, ".. is outside the workspace " + w.dir + "; give a path inside it"},
	} {
		out := w.call("grep", tt.args)
		require.Equal(t, Outcome{Status: tt.status, Text: tt.want}, out, "%v", tt.args)
	}
	require.Contains(t, w.call("grep", is{"pattern": "a", "context": -1}).Text, "context must be at least 0, not -1")
}

func TestGrepLimits(t *testing.T) {
	w := newWorld(t, Build, files{
		"many": strings.Repeat("match\n", 238), "wide": "x" + strings.Repeat("é", 5000) + "\n", "huge": strings.Repeat(strings.Repeat("y", 900)+"\n", 1000),
	})
	out := w.call("grep", is{"pattern": "match", "path": "many"})
	require.Equal(t, 101, strings.Count(out.Text, "\n")+1)
	require.Contains(t, out.Text, "(100 of 238 matching lines in 1 file;")
	out = w.call("grep", is{"pattern": "match", "path": "many", "limit": 1000})
	require.NotContains(t, out.Text, "(")
	out = w.call("grep", is{"pattern": "x", "path": "wide"})
	require.True(t, strings.HasSuffix(out.Text, "é… (a line of 10001 bytes)"), out.Text)
	require.NotContains(t, out.Text, "\uFFFD")
	out = w.call("grep", is{"pattern": "y", "path": "huge", "limit": 1000})
	require.Less(t, len(out.Text), maxBytes+2000)
	require.Contains(t, out.Text, fmt.Sprintf("(%d of 1000 matching lines", strings.Count(out.Text, "yyy:")+strings.Count(out.Text, "huge:")))
}

func TestSearchEndsWithItsContext(t *testing.T) {
	w := newWorld(t, Build, tree)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, arguments := range map[string]string{"glob": `{"pattern":"*"}`, "grep": `{"pattern":"a"}`, "read": `{"path":"main.go"}`} {
		require.Equal(t, Cut, w.Run(ctx, w.Prepare(name, arguments)).Status, name)
	}
	require.Equal(t, Cut, w.workspace().glob(ctx, "*", 1).Status)
	require.Equal(t, Cut, w.workspace().grep(ctx, &grep{}, "").Status)
}
