package behavior

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

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

	suite, err := readSuite(filepath.Join(root, "core"))
	require.NoError(t, err)
	var ids []string
	for _, c := range suite {
		ids = append(ids, c.id())
	}
	require.ElementsMatch(t, []string{"core/a", "chain/b"}, ids)

	before := suite
	write("core/testdata/a.txtar", "-- pass --\nsay y\n")
	after, err := readSuite(filepath.Join(root, "core"))
	require.NoError(t, err)
	for i := range after {
		if after[i].test == "TestA" {
			require.NotEqual(t, before[i].digest, after[i].digest, "an edited script is another case")
		} else {
			require.Equal(t, before[i].digest, after[i].digest)
		}
	}
}

func TestGraderDigestIsStable(t *testing.T) {
	t.Parallel()
	require.Len(t, graderDigest(), 16)
	require.Equal(t, graderDigest(), graderDigest())
}

func TestSelectsNothing(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	dir := filepath.Join(root, "core")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a_test.go"), []byte("package p\nimport (\"testing\"; \"github.com/deeds-evals/deeds/behavior\")\nfunc TestA(t *testing.T) { behavior.Run(t, behavior.Case{}) }\n"), 0o644))

	require.Equal(t, "deeds: -run and -skip select none of the suite's 1 test: TestX\nhint: go test lists them with -list .",
		selectsNothing([]string{"-test.run=TestX", "-model=m"}, "", dir))
	require.NotEmpty(t, selectsNothing([]string{"-test.run", "TestX"}, "m", dir))
	require.Empty(t, selectsNothing([]string{"-test.run=TestX"}, "", dir), "a rehearsal is left to go test")
	require.Empty(t, selectsNothing([]string{"-test.run=TestA", "-model=m"}, "", dir))
	require.Empty(t, selectsNothing([]string{"-model=m"}, "", dir))
}

func TestUnknownWorldIsRefused(t *testing.T) {
	t.Parallel()
	p := &process{suite: []sourceCase{{strings: stringsIn([]byte("package p\nvar w = \"big\"\nvar x = `small`\n"))}}}
	for world, want := range map[string]string{"big": "", "small": "", "bog": "deeds: -worlds=bog: no case of the suite has a world of that name\nhint: go run . cases --json lists the worlds of each case"} {
		p.settings.worlds = []string{world}
		err := p.unknownWorld()
		if want == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, want)
		}
	}
}

func TestSecretsAreKnownByName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"OPENAI_API_KEY": true, "GH_TOKEN": true, "AWS_SECRET_ACCESS_KEY": true, "DB_PASSWORD": true, "APIKEY": true,
		"X_CREDENTIALS": true, "TOKENS": true, "KEYBOARD": false, "MONKEY": false, "TOKENIZER_PATH": false, "HOME": false,
	} {
		require.Equal(t, want, secretName.MatchString(name), name)
	}
}
