package suite

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

func TestCaseID(t *testing.T) {
	t.Parallel()
	for test, want := range map[string]string{
		"TestReadBeforeEdit":       "chain/read-before-edit",
		"TestMCPLookup":            "chain/mcp-lookup",
		"TestReadsJSONFile":        "chain/reads-json-file",
		"TestStep2Waits":           "chain/step2-waits",
		"Test_Snake_case":          "chain/snake-case",
		"TestA/Sub Name":           "chain/a/sub-name",
		"TestÄndern":               "chain/ändern",
		"TestUsesTheLongWayRound2": "chain/uses-the-long-way-round2",
	} {
		require.Equal(t, want, ID("chain", test), test)
	}
}

func TestSuiteIsReadFromSource(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write := func(name, text string) {
		file := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	write("core/a_test.go", "package p\nimport (\"testing\"; \"github.com/deeds-evals/deeds/behavior\")\nfunc TestA(t *testing.T) { behavior.Run(t, behavior.Case{}) }\n")
	write("core/testdata/a.txtar", "-- pass --\nsay x\n")
	write("core/helper_test.go", "package p\nimport \"testing\"\nfunc TestNoCase(t *testing.T) { run() }\n")
	write("chain/b_test.go", "package p\nimport (\"testing\"; b \"github.com/deeds-evals/deeds/behavior\")\nfunc TestB(t *testing.T) { b.Run(t, b.Case{}) }\n// behavior.Run in a comment is none\nfunc TestC(t *testing.T) { t.Run(\"x\", nil) }\n")
	write("chain/broken_test.go", "package p\nfunc {")
	write("testdata/z_test.go", "package p\n")

	before, err := Read(root)
	require.NoError(t, err)
	var ids []string
	for _, c := range before {
		ids = append(ids, c.ID)
	}
	require.ElementsMatch(t, []string{"core/a", "chain/b"}, ids)

	write("core/testdata/a.txtar", "-- pass --\nsay y\n")
	after, err := Read(root)
	require.NoError(t, err)
	for i := range after {
		if after[i].Test == "TestA" {
			require.NotEqual(t, before[i].Digest, after[i].Digest, "an edited script is another case")
		} else {
			require.Equal(t, before[i].Digest, after[i].Digest)
		}
	}
}

// What the cases of a package share is a part of each of them.
func TestDigestHoldsWhatCasesShare(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write := func(name, text string) {
		file := filepath.Join(root, "core", name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	digest := func() string {
		cases, err := Read(root)
		require.NoError(t, err)
		for _, c := range cases {
			if c.Test == "TestA" {
				return c.Digest
			}
		}
		return ""
	}
	write("a_test.go", "package p\nimport (\"testing\"; \"github.com/deeds-evals/deeds/behavior\")\nfunc TestA(t *testing.T) { behavior.Run(t, behavior.Case{}) }\n")
	was := digest()
	require.NotEmpty(t, was)

	write("doc.go", "// Package p has cases.\npackage p\n")
	write("b_test.go", "package p\nimport (\"testing\"; \"github.com/deeds-evals/deeds/behavior\")\nfunc TestB(t *testing.T) { behavior.Run(t, behavior.Case{}) }\n")
	write("testdata/b.txtar", "-- pass --\nsay x\n")
	require.Equal(t, was, digest(), "other cases and comments are nothing to it")

	for _, name := range []string{"helpers_test.go", "helpers.go", "testdata/world/a.txt", "testdata/world/b.txtar", "testdata/prices.csv"} {
		write(name, "package p\nvar X = 1\n")
		with := digest()
		require.NotEqual(t, was, with, name)
		write(name, "package p\nvar X = 2\n")
		was = digest()
		require.NotEqual(t, with, was, name)
	}
}

// What judges is the judge's identity; what tests it is not.
func TestGraderIsItsSources(t *testing.T) {
	t.Parallel()
	sources := fstest.MapFS{"a.go": {Data: []byte("a")}, "expect/b.go": {Data: []byte("b")}, "a_test.go": {Data: []byte("t")}}
	was, err := Grader(sources)
	require.NoError(t, err)
	require.Len(t, was, 16)
	sources["a_test.go"].Data = []byte("another test")
	same, err := Grader(sources)
	require.NoError(t, err)
	require.Equal(t, was, same)
	sources["expect/b.go"].Data = []byte("lenient")
	other, err := Grader(sources)
	require.NoError(t, err)
	require.NotEqual(t, was, other)
}
