package behavior

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/suite"
)

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
	require.NotEmpty(t, selectsNothing([]string{"-test.run=TestX", "-resume=last"}, "", dir), "a run that is gone on with is played as well")
	require.Empty(t, selectsNothing([]string{"-model=m"}, "", dir))
	require.Equal(t, "deeds: -count=0 plays nothing\nhint: leave it out: a run against a model is never cached", selectsNothing([]string{"-test.count=0"}, "m", dir))
	require.Empty(t, selectsNothing([]string{"-test.count=0"}, "", dir))
}

func TestWhatMatchesNothingIsRefused(t *testing.T) {
	t.Parallel()
	const head = "package p\nimport (\"testing\"; \"github.com/deeds-evals/deeds/behavior\")\n"
	cases := append(
		suite.CasesIn([]byte(head+`func TestA(t *testing.T) { behavior.Run(t, behavior.Case{
			Worlds: []behavior.World{{Name: "big", Facts: map[string]string{"Name": "small"}}, behavior.World{Name: "wide"}},
			Draft: &behavior.Draft{Name: "summer"},
			Expect: behavior.BySignal{behavior.ToolChain: {x}}}) }`)),
		suite.CasesIn([]byte(head+`func TestB(t *testing.T) { behavior.Run(t, behavior.Case{Expect: behavior.BySignal{behavior.PlanSafety: {x}}}) }`))...)
	require.Len(t, cases, 2)
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
		p := &process{suite: cases, settings: settings{signals: test.signals, worlds: test.worlds}}
		err := p.matchesNothing()
		if test.want == "" {
			require.NoError(t, err, "%v %v", test.signals, test.worlds)
		} else {
			require.EqualError(t, err, test.want)
		}
	}
	p := &process{suite: suite.CasesIn([]byte(head + `func TestC(t *testing.T) { behavior.Run(t, behavior.Case{Worlds: []behavior.World{{Name: name}}}) }`))}
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
