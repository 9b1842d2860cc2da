package board

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gotest.tools/v3/golden"

	"github.com/deeds-evals/deeds/results"
)

var epoch = time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC)

func play(attempt int, outcome string) results.BoardPlay {
	return results.BoardPlay{
		Attempt: attempt, Play: 1, Run: "20261130T080000Z-3f9c1a", Outcome: outcome, Signals: map[string]string{"tool-chain": outcome},
		Usage: results.Usage{Prompt: 1000, Completion: 50 * attempt}, DurationMS: 2500 * float64(attempt), Turns: 2 + attempt,
		Served: "m-2026", Containment: "namespaces", Digests: results.Digests{Case: "d", Grader: "g"}, Commit: "0123456789abcdef0123", Dirty: true,
		Started: epoch.Add(time.Duration(attempt) * time.Minute), Published: epoch.Add(time.Hour),
	}
}

// entry has six cases, the first failed of which fail.
func entry(model string, failed int) *results.Entry {
	e := &results.Entry{
		Schema: 1, Key: results.BoardKey("builtin", model, results.BoardSettings{}), Agent: "builtin", Model: model,
		Grader: "g", Rows: []results.BoardRow{},
	}
	for i, id := range []string{"chain/a", "chain/b", "core/c", "core/d", "core/e", "core/f"} {
		e.Suite = append(e.Suite, results.BoardCase{Case: id, Dir: "evals", Digest: "d", Planned: "d", Units: []results.BoardUnit{{Signals: []string{"tool-chain"}}}})
		outcome := results.Pass
		if i < failed {
			outcome = results.Fail
		}
		e.Rows = append(e.Rows, results.BoardRow{Case: id, Digest: "d", Grader: "g", Signals: []string{"tool-chain"}, Plays: []results.BoardPlay{play(1, results.Pass), play(2, results.Pass), play(3, outcome)}})
	}
	e.Aggregates = results.Aggregate(e)
	return e
}

func sample() []*results.Entry {
	warm := 0.7
	fair := entry("fair/model:free", 2)
	fair.Settings = results.BoardSettings{Temperature: &warm, BaseURL: "http://models.example/v1"}
	fair.Retired = []results.Retirement{{At: epoch, Because: "the endpoint | was *quantised*", Units: 6, Credited: 6, Certified: true, RowsSum: "0123456789abcdef0123", Runs: []string{"x"}}}
	fair.Pruned = 1
	new := entry("new", 0)
	new.Rows = new.Rows[:2]
	new.Aggregates = results.Aggregate(new)
	return []*results.Entry{fair, entry("good", 0), new}
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	golden.Assert(t, string(New(sample()).Markdown()), "board.md.golden")
}

func TestHTML(t *testing.T) {
	t.Parallel()
	data, err := New(sample()).HTML()
	require.NoError(t, err)
	golden.Assert(t, string(data), "board.html.golden")
	text := string(data)
	require.NotContains(t, text, "ZgotmplZ")
	for _, asks := range []string{"<script", "<link", "<img", "url(", "@import", " style=", "onload", "src="} {
		require.NotContains(t, text, asks)
	}
	require.Empty(t, regexp.MustCompile(`href="[^#]`).FindAllString(text, -1), "it links to itself alone")
}

func TestSameEntriesSameBytes(t *testing.T) {
	t.Parallel()
	want, err := New(sample()).HTML()
	require.NoError(t, err)
	for range 20 {
		html, err := New(sample()).HTML()
		require.NoError(t, err)
		require.Equal(t, want, html)
		require.Equal(t, New(sample()).Markdown(), New(sample()).Markdown())
	}
}

// A model is named by whoever serves it.
func TestHostileNamesAreInert(t *testing.T) {
	t.Parallel()
	const evil = "a|b`c``d\n# h\r<script>alert(1)</script><img src=x onerror=alert(1)>[x](javascript:alert(1))\x1b[2J\u202e\u2028\xff\"'&www.evil.example https://evil.example"
	e := entry(evil, 1)
	e.Agent, e.Settings.Reasoning, e.Settings.UserModel, e.Settings.BaseURL = evil, evil, evil, evil
	for i := range e.Rows {
		for j := range e.Rows[i].Plays {
			p := &e.Rows[i].Plays[j]
			p.Served, p.Containment, p.Commit, p.Run = evil, evil, evil, evil
			p.Signals = map[string]string{evil: results.Pass}
		}
	}
	e.Retired = []results.Retirement{{Because: evil, RowsSum: evil}}
	e.Aggregates = results.Aggregate(e)
	page := New([]*results.Entry{e})
	html, err := page.HTML()
	require.NoError(t, err)
	require.NotContains(t, string(html), "<script")
	require.NotContains(t, string(html), "<img")
	require.Equal(t, 1, strings.Count(string(html), "<h1>"))
	md := string(page.Markdown())
	for _, text := range []string{string(html), md} {
		for _, r := range []string{"\x1b", "\u202e", "\u2028", "\r", "\xff"} {
			require.NotContains(t, text, r)
		}
	}
	// Outside of code spans, and of what is escaped, nothing means anything.
	spans := regexp.MustCompile("``` .* ```|`[^`\n]*`")
	escaped := regexp.MustCompile(`\\.`)
	for _, line := range strings.Split(md, "\n") {
		rest := spans.ReplaceAllString(line, "")
		if strings.HasPrefix(strings.TrimSpace(line), "- ") {
			rest = escaped.ReplaceAllString(line, "")
			require.NotContains(t, rest, "`")
		}
		for _, bad := range []string{"<", "[", "://", "www."} {
			require.NotContains(t, rest, bad)
		}
		require.False(t, strings.HasPrefix(line, "# h"), "no line is broken")
	}
	for _, line := range strings.Split(md, "\n") {
		if strings.HasPrefix(line, "| 1 |") {
			require.Equal(t, 10, strings.Count(strings.ReplaceAll(line, `\|`, ""), "|"), "the cells stay: %s", line)
		}
	}
}

func TestNothingUnknownIsZero(t *testing.T) {
	t.Parallel()
	page := New([]*results.Entry{{Schema: 1, Key: "k", Aggregates: results.Aggregate(&results.Entry{})}})
	data, err := json.Marshal(page)
	require.NoError(t, err)
	require.Contains(t, string(data), `"lo":null`)
	require.Contains(t, string(data), `"score":null`)
	require.Contains(t, string(page.Markdown()), "none")
}

// A module with a suite of one case and a judge of its own.
func newModule(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":               "module github.com/deeds-evals/deeds\n\ngo 1.26\n",
		"behavior/behavior.go": "package behavior\n",
		"evals/core/a_test.go": "package core\n\nimport (\n\t\"testing\"\n\n\t\"github.com/deeds-evals/deeds/behavior\"\n)\n\nfunc TestA(t *testing.T) { behavior.Run(t, behavior.Case{}) }\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	return dir
}

func TestToday(t *testing.T) {
	t.Parallel()
	dir := newModule(t)
	entries := []*results.Entry{{Suite: []results.BoardCase{{Case: "core/a", Dir: "evals"}}}}
	one, err := Today(dir, entries)
	require.NoError(t, err)
	require.Len(t, one, 1)
	require.Equal(t, "evals", one[0].Dir)
	require.Regexp(t, "^[0-9a-f]{16}$", one[0].Grader)
	require.Equal(t, "core/a", one[0].Cases[0].Case)

	lenient := filepath.Join(dir, "behavior", "behavior.go")
	require.NoError(t, os.WriteFile(lenient, []byte("package behavior\n\n// lenient\n"), 0o644))
	two, err := Today(dir, entries)
	require.NoError(t, err)
	require.NotEqual(t, one[0].Grader, two[0].Grader)

	broken := filepath.Join(dir, "evals", "core", "b_test.go")
	require.NoError(t, os.WriteFile(broken, []byte("package core\nfunc {"), 0o644))
	_, err = Today(dir, entries)
	require.ErrorContains(t, err, "b_test.go")
	_, err = Today(dir, []*results.Entry{{Suite: []results.BoardCase{{Case: "core/a", Dir: "elsewhere"}}}})
	require.Error(t, err)
	_, err = Today(t.TempDir(), entries)
	require.ErrorContains(t, err, "read the grader of today")
	none, err := Today(t.TempDir(), nil)
	require.NoError(t, err)
	require.Empty(t, none)
}

func TestRender(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	rendered, err := Rendered(root, nil)
	require.NoError(t, err)
	require.False(t, rendered)
	require.NoError(t, Render(root))
	rendered, err = Rendered(root, nil)
	require.NoError(t, err)
	require.True(t, rendered)
	rendered, err = Rendered(root, sample())
	require.NoError(t, err)
	require.False(t, rendered)
}

func TestPublishSaysWhyNot(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	lines, err := Publish(root, results.Publication{Run: &results.Run{}, Package: "core"})
	require.ErrorContains(t, err, "not published: ")
	require.Empty(t, lines)
	require.NoFileExists(t, filepath.Join(root, File))
}
