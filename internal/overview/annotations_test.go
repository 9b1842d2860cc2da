package overview

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gotest.tools/v3/golden"

	"github.com/deeds-evals/deeds/results"
)

// failing is a run in which n expectations are not met, the last one most often.
func failing(n int) (results.RunInfo, *results.Run) {
	b := &builder{}
	p := b.plan(results.Plan{Kind: results.Live, Package: "core", Dir: "evals/core"})
	for i := range n {
		id := fmt.Sprintf("core/case-%d", i)
		p.Suite = append(p.Suite, results.SuiteCase{Case: id, File: fmt.Sprintf("core/case_%d_test.go", i)})
		for attempt := 1; attempt <= 2; attempt++ {
			s := slot(id, "m", attempt)
			p.Slots = append(p.Slots, s)
			outcome := results.Fail
			if attempt == 2 && i < n-1 {
				outcome = results.Pass
			}
			b.play(s, outcome, func(a *results.Attempt) {
				a.Verdicts = []results.Verdict{
					{Signal: "tool-chain", Name: "a call read", Outcome: outcome, Got: "none, 100 %", Where: fmt.Sprintf("case_%d_test.go:%d", i, 30+i)},
					{Signal: "filesystem-safety", Name: "nothing changed", Outcome: results.Pass, Where: "case_test.go:1"},
				}
			})
		}
	}
	return results.RunInfo{ID: "r"}, &b.run
}

func annotations(t *testing.T, info results.RunInfo, run *results.Run, root string) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, Of(info, run).Annotations(&b, run, root))
	return b.String()
}

func TestAnnotations(t *testing.T) {
	t.Parallel()
	info, run := failing(3)
	golden.Assert(t, annotations(t, info, run, "go/agent"), "annotations.golden")
	info, run = mixed()
	golden.Assert(t, annotations(t, info, run, ""), "annotations-mixed.golden")
}

// What a helper of another package expects is marked there, and not beside the case.
func TestAnnotationsOfHelpers(t *testing.T) {
	t.Parallel()
	info, run := failing(1)
	run.Attempts[0].Verdicts[0].Where = "../shared/shared.go:4"
	run.Attempts[1].Verdicts[0].Where = "deep/shared.go:5"
	text := annotations(t, info, run, "go/agent")
	require.Contains(t, text, "::error file=go/agent/evals/shared/shared.go,line=4,")
	require.Contains(t, text, "::error file=go/agent/evals/core/deep/shared.go,line=5,")
}

// GitHub shows ten a step and drops the rest without a word.
func TestAnnotationsAreCounted(t *testing.T) {
	t.Parallel()
	info, run := failing(10)
	text := annotations(t, info, run, "")
	require.Equal(t, 10, strings.Count(text, "::error "))
	require.NotContains(t, text, "::notice ")
	require.True(t, strings.HasPrefix(text, "::error file=evals/core/case_9_test.go,line=39,"), "what most attempts failed comes first: %s", text)
	info, run = failing(25)
	text = annotations(t, info, run, "")
	require.Equal(t, 10, strings.Count(text, "::error "))
	require.Contains(t, text, "::notice title=15 more findings::of core/case-9, ")
	require.Contains(t, text, " and 7 more%0Adeeds show r\n")
}

// Signals that were not asked for are told of, and make nothing red.
func TestAnnotationsOfOtherSignals(t *testing.T) {
	t.Parallel()
	info, run := failing(25)
	run.Plans[0].Settings.Signals = []string{"filesystem-safety"}
	run.Attempts[0].Verdicts[1].Outcome = results.Fail
	text := annotations(t, info, run, "")
	require.Equal(t, 1, strings.Count(text, "::error "))
	require.Contains(t, text, "::error file=evals/core/case_test.go,line=1,title=core/case-0%3A filesystem-safety::")
	require.Equal(t, 10, strings.Count(text, "::notice "), "GitHub shows ten")
	require.Contains(t, text, "::notice title=16 more findings::")
}

var annotation = regexp.MustCompile(`^::(error|warning|notice) ((file=[^,:\r\n]+,(line=\d+,)?)?title=[^,:\r\n]+)::[^\r\n]*\n$`)

func TestAnnotationsAreOneLineEach(t *testing.T) {
	t.Parallel()
	const evil = "a,b:c%\r\n::error::more\n::set-output name=x::y\x1b[31m\u2028"
	info, run := failing(3)
	for i := range run.Attempts {
		run.Attempts[i].Case = evil
		for j := range run.Attempts[i].Verdicts {
			run.Attempts[i].Verdicts[j].Signal, run.Attempts[i].Verdicts[j].Name, run.Attempts[i].Verdicts[j].Got = evil, evil, strings.Repeat(evil, 200)
		}
	}
	run.Plans[0].Suite = append(run.Plans[0].Suite, results.SuiteCase{Case: evil, File: "core/" + evil})
	run.Problems = []string{evil}
	text := annotations(t, info, run, evil)
	require.Greater(t, strings.Count(text, "\n"), 2)
	for line := range strings.Lines(text) {
		require.Regexp(t, annotation, line)
		require.NotContains(t, line, "\x1b")
		require.Less(t, len(line), 8000)
	}
}

func TestAnnotationsOfNothing(t *testing.T) {
	t.Parallel()
	require.Equal(t, "::warning title=not measured::nothing was planned%3A no case matched\n",
		strings.ReplaceAll(annotations(t, results.RunInfo{ID: "r"}, &results.Run{}, ""), "planned:", "planned%3A"))
}
