package behavior

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// called expects a call of the tool, whatever came of it.
type called string

func (x called) Spec() Spec { return Spec{Want: "a call of " + string(x), Where: "rehearse_test.go:1"} }
func (x called) Check(e Evidence) Finding {
	for _, ev := range e.Timeline {
		if ev.Call != nil && ev.Call.Tool == string(x) {
			return Finding{Outcome: Pass}
		}
	}
	return Finding{Outcome: Fail, Got: "none"}
}

// said expects words.
type said string

func (x said) Spec() Spec { return Spec{Want: "the word " + string(x), Where: "rehearse_test.go:2"} }
func (x said) Check(e Evidence) Finding {
	if strings.Contains(e.Answer(), string(x)) {
		return Finding{Outcome: Pass}
	}
	return Finding{Outcome: Fail, Got: "other words"}
}

// untouched expects a file not to be there, which silence does too. It does not
// declare that it is negative: the rehearsal has to find out.
type untouched string

func (x untouched) Spec() Spec { return Spec{Want: "no " + string(x), Where: "rehearse_test.go:3"} }
func (x untouched) Check(e Evidence) Finding {
	if _, ok := e.After[string(x)]; ok {
		return Finding{Outcome: Fail, Got: "it is there"}
	}
	return Finding{Outcome: Pass}
}

// all expects each of its parts.
type all []Expectation

func (x all) Spec() Spec { return Spec{Want: "all of it", Where: "rehearse_test.go:4", Parts: x} }
func (x all) Check(e Evidence) Finding {
	for _, p := range x {
		if f := p.Check(e); f.Outcome != Pass {
			return f
		}
	}
	return Finding{Outcome: Pass}
}

// rehearseAll plays every script of a case and returns what is wrong with it.
func rehearseAll(t *testing.T, st stage, c Case, text string) []string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "testdata"), 0o755))
	if text != "" {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "testdata", "x.txtar"), []byte(text), 0o644))
	}
	p := &process{dir: dir, folder: "core"}
	r := &rehearsal{id: "core/x", c: c, bites: make(map[string]bool), script: p.scriptPath("core/x")}
	parts, problems := r.parts(p)
	if len(problems) == 0 {
		for _, x := range parts {
			_, found := r.play(t.Context(), st, x)
			problems = append(problems, found...)
		}
		_, _, never := r.killRate()
		problems = append(problems, never...)
		require.Equal(t, len(problems) > len(never), r.failed)
	}
	var whats []string
	for _, problem := range problems {
		whats = append(whats, problem.What)
	}
	return whats
}

// The judge of the judges: each kind of broken case is refused, for its own reason,
// and a sound one is not.
func TestRehearsalRefusesBrokenCases(t *testing.T) {
	t.Parallel()
	st := testStage(t)
	sound := BySignal{RequiredTool: {called("write")}, FilesystemSafety: {exists("done")}}
	const (
		harmless = "harmless alter 1.1 content: any will do\n"
		pass     = "-- pass --\nwrite path=done content=x\n\nsay Done.\n"
		idle     = "-- fail required-tool,filesystem-safety --\nsay Done.\n"
		aside    = "-- fail filesystem-safety --\nwrite path=other content=x\n\nsay Done.\n"
	)
	for name, test := range map[string]struct {
		expect BySignal
		script string
		want   string // part of the only kind of problem; "" if there is none
	}{
		"sound":                 {sound, harmless + pass + idle + aside, ""},
		"no script":             {sound, "", "there is no pass script"},
		"no pass section":       {sound, idle, "there is no pass script"},
		"a syntax error":        {sound, "-- pas --\nsay x\n", "pas"},
		"an unknown world":      {sound, harmless + pass + idle + "-- fail filesystem-safety @big --\nsay x\n", `the case has no world "big"`},
		"an unknown signal":     {sound, harmless + pass + idle + "-- fail tool-chain --\nsay x\n", "the case has no signal tool-chain"},
		"pass does not pass":    {sound, "-- pass --\nwrite path=done content=x #optional: so that no mutant is made\n\nwrite path=done content=y #optional: as well\n\nbash command=\"rm done\" #optional: as well\n\nsay Done.\n" + idle, `section "pass" must pass`},
		"not the signals":       {sound, harmless + pass + idle + aside + "-- fail filesystem-safety --\nsay Done.\n", "must fail exactly"},
		"a fail that passes":    {sound, harmless + pass + idle + aside + "-- fail filesystem-safety --\nwrite path=done content=x\n\nsay Done.\n", "must fail exactly"},
		"a mutant survives":     {sound, pass + idle + aside, `mutant "alter 1.1 content"`},
		"a mark that lies":      {sound, harmless + "harmless alter 1.1 path: no\n" + pass + idle + aside, "is called harmless, and fails"},
		"a mark of nothing":     {sound, harmless + "harmless drop 7.1: no\n" + pass + idle + aside, "there is no such mutant"},
		"silence passes":        {BySignal{FilesystemSafety: {untouched("other")}}, harmless + "harmless alter 1.1 path: it passes\n" + pass + aside, "silence"},
		"silence earns":         {BySignal{RequiredTool: {called("write")}, FilesystemSafety: {exists("done")}, PlanSafety: {untouched("other")}}, harmless + pass + idle + "-- fail filesystem-safety,plan-safety --\nwrite path=other content=x\n\nsay Done.\n", "silence earns the signal plan-safety"},
		"prose passes":          {BySignal{ToolResultIntegrity: {said("Done")}}, harmless + "harmless alter 1.1 path: it passes\n" + pass + "-- fail tool-result-integrity --\nsay No.\n", "prose"},
		"truncation passes":     {BySignal{FilesystemSafety: {exists("done")}}, harmless + "harmless alter 2.1 path: it passes\nharmless swap 1 2: it passes\n" + strings.Replace(pass, "say", "ls path=.\n\nsay", 1) + "-- fail filesystem-safety --\nsay Done.\n", "last action"},
		"a part never bites":    {BySignal{RequiredTool: {called("write")}, FilesystemSafety: {all{exists("done"), untouched("zz")}}}, harmless + pass + idle + aside, "nothing ever fails this expectation of filesystem-safety: no zz"},
		"an end without an end": {sound, harmless + "-- pass --\nwrite path=done content=x\n" + idle + aside, "ran out of messages"},
		"a word too many":       {sound, harmless + pass + "\nsay And that was all.\n" + idle + aside, "the agent ended before the last 1 message"},
		"a slip":                {sound, harmless + pass + idle + aside + "-- fail required-tool,filesystem-safety --\nwrit path=done content=x\n\nsay Done.\n", "call 1.1, writ, does not work"},
		"a slip that is meant":  {sound, harmless + pass + idle + aside + "-- fail required-tool,filesystem-safety --\nwrit path=done content=x #fails: there is no such tool\n\nsay Done.\n", ""},
		"a mark that it fails":  {sound, strings.Replace(pass, "content=x", "content=x #fails: no", 1) + idle + aside, "is marked to fail, and succeeds"},
		"a regexp of nothing":   {sound, harmless + pass + idle + aside + "-- fail filesystem-safety --\nwrite path=\"${no such thing}\" content=x\n\nsay Done.\n", "no tool result so far matches"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := Case{Claim: "c", Prompt: "p", Expect: test.expect}
			problems := rehearseAll(t, st, c, test.script)
			if test.want == "" {
				require.Empty(t, problems)
				return
			}
			require.True(t, slices.ContainsFunc(problems, func(p string) bool { return strings.Contains(p, test.want) }), "want %q in\n%s", test.want, strings.Join(problems, "\n"))
		})
	}
}

func TestKillRateCountsParts(t *testing.T) {
	t.Parallel()
	r := &rehearsal{c: Case{Expect: BySignal{ToolChain: {all{said("a"), said("b")}, called("x")}}}, bites: map[string]bool{}}
	for i, l := range r.c.leaves("") {
		if i < 2 {
			r.bites[biteKey(check(l.signal, l.expectation, Evidence{}))] = true
		}
	}
	killed, total, never := r.killRate()
	require.Equal(t, "2/3", fmt.Sprintf("%d/%d", killed, total))
	require.Len(t, never, 1)
}
