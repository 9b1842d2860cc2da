package page_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gotest.tools/v3/golden"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/internal/overview"
	"github.com/deeds-evals/deeds/internal/page"
	"github.com/deeds-evals/deeds/internal/page/sample"
	"github.com/deeds-evals/deeds/results"
)

type maker func(root string) (results.RunInfo, *results.Run, error)

func write(t *testing.T, make maker, most int) string {
	t.Helper()
	info, run, err := make(t.TempDir())
	require.NoError(t, err)
	return render(t, page.Config{Info: info, Run: run, Most: most})
}

func render(t *testing.T, c page.Config) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, page.Write(&b, c))
	return b.String()
}

var (
	traceBlock = regexp.MustCompile(`(?s)<script type="text/plain" id="t(\d+)">([A-Za-z0-9_-]*)</script>`)
	style      = regexp.MustCompile(`(?s)<style>(.*?)</style>`)
	script     = regexp.MustCompile(`(?s)<script>(.*?)</script>`)
)

// unpack returns the traces of a page by the place of their attempt.
func unpack(t *testing.T, html string) map[string]map[string]any {
	t.Helper()
	all := make(map[string]map[string]any)
	for _, m := range traceBlock.FindAllStringSubmatch(html, -1) {
		packed, err := base64.RawURLEncoding.DecodeString(m[2])
		require.NoError(t, err)
		z, err := gzip.NewReader(bytes.NewReader(packed))
		require.NoError(t, err)
		data, err := io.ReadAll(z)
		require.NoError(t, err)
		var trace map[string]any
		require.NoError(t, json.Unmarshal(data, &trace))
		all[m[1]] = trace
	}
	return all
}

// body is the page without its own style and script, the index and the traces.
func body(html string) string {
	html = style.ReplaceAllString(traceBlock.ReplaceAllString(html, ""), "")
	html = regexp.MustCompile(`(?s)<script type="application/json" id="index">.*?</script>`).ReplaceAllString(html, "")
	return script.ReplaceAllString(html, "")
}

// text is what a reader without scripts and styles has of a page.
func text(html string) string {
	html = regexp.MustCompile(`(?s)<dialog.*?</dialog>|<select.*?</select>|<svg.*?</svg>|<head>.*?</head>`).ReplaceAllString(body(html), "")
	html = regexp.MustCompile(`<a class="slot \w+" href="[^"]*" aria-label="([^"]*)"[^>]*>`).ReplaceAllString(html, " [$1]")
	html = regexp.MustCompile(`</t[hd]>`).ReplaceAllString(html, " | ")
	html = regexp.MustCompile(`<[^>]*>`).ReplaceAllString(html, "")
	var lines []string
	for l := range strings.SplitSeq(html, "\n") {
		if l = strings.Join(strings.Fields(l), " "); strings.Trim(l, " |") != "" {
			lines = append(lines, strings.TrimRight(l, " |"))
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

func TestTablesNeedNoScript(t *testing.T) {
	t.Parallel()
	golden.Assert(t, text(write(t, sample.Small, 0)), "small.golden")
}

// The policy knows the style and the script by what they are, and there is nothing else
// that it would have to allow.
func TestPolicy(t *testing.T) {
	t.Parallel()
	html := write(t, sample.Small, 0)
	policy := regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(html)
	require.NotNil(t, policy)
	allowed := strings.NewReplacer("&#39;", "'", "&#43;", "+").Replace(policy[1])
	hash := func(re *regexp.Regexp) string {
		found := re.FindAllStringSubmatch(html, -1)
		require.Len(t, found, 1)
		sum := sha256.Sum256([]byte(found[0][1]))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	require.Equal(t, "default-src 'none'; script-src "+hash(script)+"; style-src "+hash(style)+"; base-uri 'none'; form-action 'none'", allowed)
	require.NotRegexp(t, `(?i)\s(style|on\w+|src|srcset|action)=`, body(html))
	require.NotRegexp(t, `(?i)<(img|iframe|object|embed|link|base|form|audio|video)\b`, body(html))
}

// What an agent wrote makes no element and no attribute.
func TestHostile(t *testing.T) {
	t.Parallel()
	html := write(t, sample.Hostile, 0)
	rest := body(html)
	require.NotContains(t, rest, "<script")
	require.NotRegexp(t, `(?i)<(img|iframe|object|embed|link|base|form|svg onload|style)\b`, rest)
	require.NotRegexp(t, "[\x00-\x08\x0b-\x1f\x7f\u202e\u2066\u2069\u2028\u2029\ufeff]", html)
	require.Less(t, len(html), 1<<20, "ten megabytes are not embedded")
	traces := unpack(t, html)
	require.Len(t, traces, 3)
	cut(t, traces)
	for _, trace := range traces {
		require.Empty(t, trace["error"])
		for _, text := range texts(trace) {
			require.False(t, strings.ContainsAny(text, "\x00\x07\b\r\x1b\u202e\u2066\u2069\u2028\u2029\ufeff\u200b"), "%.100q", text)
		}
	}
}

// texts are all the strings in a value of JSON, names included.
func texts(v any) (all []string) {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		for _, e := range v {
			all = append(all, texts(e)...)
		}
	case map[string]any:
		for k, e := range v {
			all = append(append(all, k), texts(e)...)
		}
	}
	return all
}

// cut checks that a long text is cut, and that it says by how much.
func cut(t *testing.T, traces map[string]map[string]any) {
	more := 0.0
	for _, trace := range traces {
		for _, e := range trace["events"].([]any) {
			parts, _ := e.(map[string]any)["parts"].([]any)
			for _, p := range parts {
				p := p.(map[string]any)
				if n, ok := p["more"].(float64); ok {
					more = max(more, n)
					require.LessOrEqual(t, len(p["text"].(string)), 4*32<<10)
				}
			}
		}
	}
	require.Greater(t, more, float64(9<<20), "it says how much is left out")
}

// Failures come first where not all fit, and the page says so.
func TestMost(t *testing.T) {
	t.Parallel()
	html := write(t, sample.Small, 8)
	traces := unpack(t, html)
	require.Len(t, traces, 8)
	outcomes := make(map[string]int)
	for _, trace := range traces {
		outcomes[trace["head"].(map[string]any)["outcome"].(string)]++
	}
	require.Equal(t, map[string]int{"fail": 7, "void": 1}, outcomes)
	require.Contains(t, html, "holds the traces of 8 of 24 attempts, failures first")
	require.NotContains(t, write(t, sample.Small, 0), "failures first")
}

// An attempt whose evidence is gone does not keep the others from being shown.
func TestEvidenceThatIsGone(t *testing.T) {
	t.Parallel()
	info, run, err := sample.Small(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, os.Remove(filepath.Join(info.Dir, filepath.FromSlash(run.Attempts[0].Evidence))))
	lost := 0
	for _, trace := range unpack(t, render(t, page.Config{Info: info, Run: run})) {
		if text, ok := trace["error"].(string); ok {
			lost++
			require.Contains(t, text, "read the evidence")
		}
	}
	require.Equal(t, 1, lost)
}

// The same run makes the same page.
func TestSameBytes(t *testing.T) {
	t.Parallel()
	info, run, err := sample.Small(t.TempDir())
	require.NoError(t, err)
	c := page.Config{Info: info, Run: run}
	require.Equal(t, render(t, c), render(t, c))
}

func TestNothingPlayed(t *testing.T) {
	t.Parallel()
	html := write(t, func(root string) (results.RunInfo, *results.Run, error) {
		return sample.Write(root, "0", results.Plan{Kind: results.Live, Slots: []results.Slot{{Case: "chain/x", Model: "opal", Agent: "builtin", Attempt: 1}}}, nil)
	}, 0)
	require.Contains(t, html, `aria-label="attempt 1: not run"`)
	require.Contains(t, html, "Nothing was measured.")
}

func TestComparisonIsGiven(t *testing.T) {
	t.Parallel()
	info, run, err := sample.Small(t.TempDir())
	require.NoError(t, err)
	_, before, err := sample.Small(t.TempDir())
	require.NoError(t, err)
	before.ID = "20261128T000000Z-before"
	base, err := results.NewArm("yesterday", []*results.Run{before}, "opal")
	require.NoError(t, err)
	now, err := results.NewArm("today", []*results.Run{run}, "opal")
	require.NoError(t, err)
	c, err := results.Compare(base, now, results.CompareOptions{})
	require.NoError(t, err)
	html := render(t, page.Config{Info: info, Run: run, Comparisons: []*results.Comparison{c}})
	require.Contains(t, html, `today <span class="soft">against yesterday</span>`)
	require.Contains(t, html, `org/quartz 2 <span class="soft">against opal</span>`)
}

type failing struct{ left int }

func (f *failing) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

// A full disk is said, wherever it fills.
func TestWriteFails(t *testing.T) {
	t.Parallel()
	info, run, err := sample.Small(t.TempDir())
	require.NoError(t, err)
	c := page.Config{Info: info, Run: run}
	size := len(render(t, c))
	for _, left := range []int{0, size / 2, size - 1} {
		require.ErrorIs(t, page.Write(&failing{left}, c), io.ErrShortWrite)
	}
}

func BenchmarkWrite(b *testing.B) {
	info, run, err := sample.Many(b.TempDir(), 1000)
	require.NoError(b, err)
	for b.Loop() {
		require.NoError(b, page.Write(io.Discard, page.Config{Info: info, Run: run}))
	}
}

// Without its evidence an attempt still says what is on record of it.
func TestRecordAlone(t *testing.T) {
	t.Parallel()
	html := write(t, sample.Bare, 0)
	traces := unpack(t, html)
	require.Len(t, traces, 4)
	for _, trace := range traces {
		head := trace["head"].(map[string]any)
		require.Equal(t, fmt.Sprintf("There is no trace of this attempt: no evidence of attempt %v of chain/x was kept.", head["attempt"]), trace["error"])
		require.NotEmpty(t, trace["ending"].(map[string]any)["reason"])
		switch head["outcome"] {
		case results.Void:
			require.Equal(t, "429 Too Many Requests: come back later", head["detail"])
		case results.Fail:
			if head["attempt"] == 4.0 {
				require.Empty(t, trace["verdicts"])
				continue
			}
			require.Equal(t, "limit-turns", head["reason"])
			v := trace["verdicts"].([]any)[0].(map[string]any)
			require.Equal(t, []any{"a read", "no read", "refund_test.go:31"}, []any{v["want"], v["got"], v["where"]})
		}
	}
	require.NotContains(t, html, "<code>deeds show</code> has all")
	require.Contains(t, html, "No evidence was kept of 4 attempts")
	require.Contains(t, html, `aria-label="attempt 2: fail, limit-turns; 1 reroll, not counted"`)
	require.Contains(t, html, `aria-label="attempt 3: pass; in no plan" title="attempt 3: pass; in no plan" data-unplanned>`)
	require.Contains(t, html, "1 reroll of opal is not counted.")
	require.Contains(t, html, "1 attempt is in no plan")
	require.NotContains(t, write(t, sample.Small, 0), "data-unplanned>")
}

// What did not pass says why, also where there is no room for its trace.
func TestMoreThanMost(t *testing.T) {
	t.Parallel()
	traces := unpack(t, write(t, sample.Small, 3))
	require.Len(t, traces, 8, "seven fails and a void")
	records := 0
	for _, trace := range traces {
		if text, ok := trace["error"].(string); ok {
			records++
			require.Equal(t, "The report does not hold the trace of this attempt: there are too many.", text)
			require.Empty(t, trace["events"])
		}
	}
	require.Equal(t, 5, records)
}

// A model in two agents is named with its agent, wherever it is named.
func TestOneModelInTwoAgents(t *testing.T) {
	t.Parallel()
	html := write(t, sample.Agents, 0)
	for _, want := range []string{
		`<td class="model">opal in builtin</td>`, `<td class="model">opal in mine</td>`,
		`<span class="model">opal in builtin</span>`, `<span class="model">opal in mine</span>`,
		`<h3>Slowest <span class="soft">opal in mine</span></h3>`, `"m":"opal","a":"opal in mine"`,
	} {
		require.Contains(t, html, want)
	}
	require.NotContains(t, write(t, sample.Small, 0), `<td class="model">opal in builtin</td>`)
}

// The page and the other reports show a figure alike.
func TestFiguresAreThoseOfTheOverview(t *testing.T) {
	t.Parallel()
	info, run, err := sample.Small(t.TempDir())
	require.NoError(t, err)
	html := render(t, page.Config{Info: info, Run: run})
	o := overview.Of(info, run)
	require.Contains(t, html, " · took "+overview.Duration(o.TookMS))
	for _, s := range o.Arms[0].Signals {
		require.Contains(t, html, `data-name="95 %">`+overview.Percents(s.Lo, s.Hi)+`</td>`)
	}
	for _, trace := range unpack(t, html) {
		require.Equal(t, overview.Duration(trace["ending"].(map[string]any)["duration_ms"].(float64)), trace["took"])
	}
}

// Whatever is one line has an end, however long it was.
func TestLongLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("finish_reason_", 1<<16)
	html := write(t, func(root string) (results.RunInfo, *results.Run, error) {
		p := sample.Attempt("chain/x", "", "opal", 1, results.Fail)
		p.Verdicts[0].Name, p.Verdicts[0].Signal = long, long
		p.Evidence.Timeline[1].Stop = long
		p.Evidence.Timeline[2].Kind = behavior.Kind(long)
		p.Evidence.Timeline[4].Call.Status = behavior.Status(long)
		p.Evidence.After[long] = behavior.File{Mode: 0o644, Data: []byte("x"), Size: 1}
		return sample.Write(root, "10", results.Plan{Kind: results.Live}, []sample.Play{p})
	}, 0)
	for _, trace := range unpack(t, html) {
		v := trace["verdicts"].([]any)[0].(map[string]any)
		all := []any{v["name"], v["signal"]}
		for _, e := range trace["events"].([]any) {
			e := e.(map[string]any)
			all = append(all, e["kind"], e["status"], e["turn_title"])
		}
		for _, f := range trace["files"].([]any) {
			all = append(all, f.(map[string]any)["path"])
		}
		for _, text := range all {
			if text, ok := text.(string); ok {
				require.Less(t, len(text), 3<<10)
			}
		}
	}
}
