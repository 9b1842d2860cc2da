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

func TestWhatMatchesNothingIsRefused(t *testing.T) {
	t.Parallel()
	const head = "package p\nimport (\"testing\"; \"github.com/deeds-evals/deeds/behavior\")\n"
	suite := append(
		casesIn([]byte(head+`func TestA(t *testing.T) { behavior.Run(t, behavior.Case{
			Worlds: []behavior.World{{Name: "big", Facts: map[string]string{"Name": "small"}}, behavior.World{Name: "wide"}},
			Draft: &behavior.Draft{Name: "summer"},
			Expect: behavior.BySignal{behavior.ToolChain: {x}}}) }`)),
		casesIn([]byte(head+`func TestB(t *testing.T) { behavior.Run(t, behavior.Case{Expect: behavior.BySignal{behavior.PlanSafety: {x}}}) }`))...)
	require.Len(t, suite, 2)
	const listed = "\nhint: deeds cases lists the signals of each case"
	for _, test := range []struct {
		signals []Signal
		worlds  []string
		want    string
	}{
		{nil, nil, ""},
		{[]Signal{ToolChain}, nil, ""},
		{[]Signal{Delegation, PlanSafety}, nil, ""},
		{nil, []string{"big"}, ""},
		{nil, []string{"wide"}, ""},
		{[]Signal{ToolChain}, []string{"big"}, ""},
		{[]Signal{"their-own"}, nil, ""},
		{[]Signal{MCPDiscovery}, nil, "deeds: -signal=mcp-discovery: none of the suite's 2 cases has that" + listed},
		{[]Signal{PlanSafety}, []string{"big"}, "deeds: -signal=plan-safety -worlds=big: none of the suite's 2 cases has that" + listed},
		{nil, []string{"summer"}, "deeds: -worlds=summer: no case of the suite has a world of that name\nhint: deeds cases --json lists the worlds of each case"},
		{nil, []string{"small"}, "deeds: -worlds=small: no case of the suite has a world of that name\nhint: deeds cases --json lists the worlds of each case"},
	} {
		p := &process{suite: suite, settings: settings{signals: test.signals, worlds: test.worlds}}
		err := p.matchesNothing()
		if test.want == "" {
			require.NoError(t, err, "%v %v", test.signals, test.worlds)
		} else {
			require.EqualError(t, err, test.want)
		}
	}
	p := &process{suite: casesIn([]byte(head + `func TestC(t *testing.T) { behavior.Run(t, behavior.Case{Worlds: []behavior.World{{Name: name}}}) }`))}
	p.settings.worlds = []string{"computed"}
	require.NoError(t, p.matchesNothing(), "nobody can tell")
}

func TestSignalsAreKnownByTheirConstants(t *testing.T) {
	t.Parallel()
	require.Len(t, signalNamed(), len(builtinSignals))
	require.Equal(t, MCPToolChain, signalNamed()["MCPToolChain"])
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
