package journal

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/results"
)

func TestAppend(t *testing.T) {
	t.Parallel()
	dir := runDir(t)
	w := mustOpen(t, dir, "core")
	path, err := w.Append(play("core", 1), []byte(`{"a":1}`))
	require.NoError(t, err)
	require.Equal(t, "evidence/core/case/big+v1/provider%2Fmodel%3Afree/1.json.zst", path)

	// The record can be read while it is being written.
	r := load(t, dir)
	require.Len(t, r.Attempts, 1)
	a := r.Attempts[0]
	require.Equal(t, results.Schema, a.Schema)
	require.Equal(t, "20261129T224301Z-3f9c1a", a.Run)
	require.Equal(t, path, a.Evidence)
	data, err := r.Evidence(a)
	require.NoError(t, err)
	require.Equal(t, `{"a":1}`, string(data))
	require.Empty(t, leftovers(t, dir))
}

// leftovers lists temporary files.
func leftovers(t *testing.T, dir string) []string {
	t.Helper()
	var found []string
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if strings.HasPrefix(d.Name(), ".tmp-") {
			found = append(found, path)
		}
		return err
	}))
	return found
}

func TestAppendWithoutEvidence(t *testing.T) {
	t.Parallel()
	dir := runDir(t)
	path, err := mustOpen(t, dir, "core").Append(play("core", 1), nil)
	require.NoError(t, err)
	require.Empty(t, path)
	_, err = load(t, dir).Evidence(load(t, dir).Attempts[0])
	require.ErrorContains(t, err, "no evidence")
}

func TestAppendNeverOverwritesEvidence(t *testing.T) {
	t.Parallel()
	dir := runDir(t)
	w := mustOpen(t, dir, "core")
	second := play("core", 1)
	second.Play = 2
	var paths []string
	for i, a := range []results.Attempt{play("core", 1), play("core", 1), second, second} {
		path, err := w.Append(a, fmt.Appendf(nil, "%d", i))
		require.NoError(t, err)
		paths = append(paths, filepath.Base(path))
	}
	require.Equal(t, []string{"1.json.zst", "1.1.2.json.zst", "1.2.json.zst", "1.2.2.json.zst"}, paths)
	r := load(t, dir)
	for i, a := range r.Attempts {
		data, err := r.Evidence(a)
		require.NoError(t, err)
		require.Equal(t, fmt.Sprint(i), string(data))
	}
}

func TestWritePlanKeepsTheFirst(t *testing.T) {
	t.Parallel()
	dir := runDir(t)
	w := mustOpen(t, dir, "core")
	for attempt := 1; attempt <= 3; attempt++ {
		require.NoError(t, w.WritePlan(results.Plan{Kind: "live", Slots: []results.Slot{play("core", attempt).Slot}}))
	}
	for _, name := range []string{"plan-core.json", "plan-core.2.json", "plan-core.3.json"} {
		require.FileExists(t, filepath.Join(dir, name))
	}
	r := load(t, dir)
	require.Empty(t, r.Problems)
	require.Len(t, r.Plans, 3)
	require.Equal(t, "core", r.Plans[0].Package)
	require.Len(t, r.Slots(), 3)
}

func TestEachWriterHasAFileOfItsOwn(t *testing.T) {
	t.Parallel()
	dir := runDir(t)
	first, second := mustOpen(t, dir, "core"), mustOpen(t, dir, "core")
	other := mustOpen(t, dir, "chain")
	for i, w := range []*Writer{first, second, other} {
		_, err := w.Append(play("core", i+1), nil)
		require.NoError(t, err)
	}
	for _, name := range []string{"attempts-core.jsonl", "attempts-core.2.jsonl", "attempts-chain.jsonl"} {
		require.FileExists(t, filepath.Join(dir, name))
	}
	require.NoError(t, first.Close())
	require.NoError(t, first.Close(), "twice")
	_, err := first.Append(play("core", 4), nil)
	require.ErrorContains(t, err, "closed")
	_, err = mustOpen(t, dir, "core").Append(play("core", 5), nil)
	require.NoError(t, err)
	require.NoFileExists(t, filepath.Join(dir, "attempts-core.3.jsonl"), "what is free is used again")
	require.Len(t, load(t, dir).Attempts, 4)
}

func TestAppendAfterATornTail(t *testing.T) {
	t.Parallel()
	for name, tail := range map[string]string{
		"half a line":          `{"schema":1,"case":"core/lost","att`,
		"a byte":               `{`,
		"zeros, after a crash": "\x00\x00\x00",
		"half a character":     "{\"case\":\"\xc3",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := runDir(t)
			w := mustOpen(t, dir, "core")
			_, err := w.Append(play("core", 1), nil)
			require.NoError(t, err)
			require.NoError(t, w.Close())
			f, err := os.OpenFile(filepath.Join(dir, "attempts-core.jsonl"), os.O_WRONLY|os.O_APPEND, 0)
			require.NoError(t, err)
			_, err = f.WriteString(tail)
			require.NoError(t, err)
			require.NoError(t, f.Close())

			r := load(t, dir)
			require.Len(t, r.Attempts, 1)
			require.Equal(t, 1, r.Torn)
			w = mustOpen(t, dir, "core")
			for n := 2; n <= 3; n++ {
				_, err = w.Append(play("core", n), nil)
				require.NoError(t, err)
			}
			r = load(t, dir)
			require.Len(t, r.Attempts, 3)
			require.Equal(t, 1, r.Torn)
		})
	}
}

func TestAWholeLineWithoutItsNewlineCounts(t *testing.T) {
	t.Parallel()
	dir := runDir(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "attempts-core.jsonl"), []byte(`{"schema":1,"case":"core/a","attempt":1,"outcome":"pass"}`), 0o644))
	_, err := mustOpen(t, dir, "core").Append(play("core", 1), nil)
	require.NoError(t, err)
	r := load(t, dir)
	require.Len(t, r.Attempts, 2)
	require.Zero(t, r.Torn)
}

func TestAppendFromManyGoroutines(t *testing.T) {
	t.Parallel()
	dir := runDir(t)
	w := mustOpen(t, dir, "core")
	var wg sync.WaitGroup
	errs := make([]error, 64)
	for i := range errs {
		wg.Go(func() { _, errs[i] = w.Append(play("core", i+1), []byte(`{}`)) })
	}
	wg.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	r := load(t, dir)
	require.Len(t, r.Attempts, len(errs))
	require.Len(t, r.Slots(), len(errs))
	require.Zero(t, r.Torn)
}

func TestAppendNoticesThatTheRecordIsGone(t *testing.T) {
	t.Parallel()
	dir := runDir(t)
	w := mustOpen(t, dir, "core")
	require.NoError(t, os.RemoveAll(dir))
	_, err := w.Append(play("core", 1), []byte(`{}`))
	require.ErrorContains(t, err, "removed while the run went on")
	require.NoDirExists(t, dir)
}

func TestEvidenceSurvivesWhatTextCannot(t *testing.T) {
	t.Parallel()
	for name, evidence := range map[string]string{
		"invalid UTF-8":     "{\"text\":\"\xff\xfe\xc3(\"}",
		"a lone surrogate":  `{"text":"\ud800 and \udc00"}`,
		"a zero byte":       `{"text":"\u0000"}`,
		"no JSON":           "not\x00json",
		"nothing":           "",
		"deep":              strings.Repeat("[", 5000) + strings.Repeat("]", 5000),
		"a line separator":  "{\"text\":\"\u2028\"}",
		"escapes for HTML":  `{"text":"<&>\u003c"}`,
		"a repeated member": `{"a":1,"a":2}`,
	} {
		for _, redact := range []func([]byte) []byte{nil, hide("s3cret")} {
			dir := runDir(t)
			w, err := Open(dir, "core", redact)
			require.NoError(t, err)
			_, err = w.Append(play("core", 1), []byte(evidence))
			require.NoError(t, err, name)
			require.NoError(t, w.Close())
			r := load(t, dir)
			data, err := r.Evidence(r.Attempts[0])
			require.NoError(t, err, name)
			require.Equal(t, evidence, string(data), name)
		}
	}
}

// hide replaces a secret.
func hide(secret string) func([]byte) []byte {
	return func(b []byte) []byte { return bytes.ReplaceAll(b, []byte(secret), []byte("[hidden]")) }
}

func TestNothingUnredactedIsWritten(t *testing.T) {
	t.Parallel()
	for _, secret := range []string{"s3cret", `s3"cr\et`, "s3\ncret", "s3<&>cret", "s3\x01cret", "séc®et"} {
		dir := runDir(t)
		w, err := Open(dir, "core", hide(secret))
		require.NoError(t, err)
		require.NoError(t, w.WritePlan(results.Plan{Claims: map[string]string{"core/case": "knows " + secret}}))
		a := play("core", 1)
		a.Detail = "said " + secret
		a.Verdicts = []results.Verdict{{Got: secret + secret}}
		evidence, err := json.Marshal(map[string]any{
			secret:  "as a name",
			"text":  "as a value: " + secret,
			"after": map[string]any{"key.txt": map[string]any{"data": []byte("in a file: " + secret + "!")}},
		})
		require.NoError(t, err)
		_, err = w.Append(a, evidence)
		require.NoError(t, err)
		require.NoError(t, w.Stop("because "+secret))
		require.NoError(t, w.Close())

		r := load(t, dir)
		require.Equal(t, "knows [hidden]", r.Claim("core/case"), secret)
		require.Equal(t, "said [hidden]", r.Attempts[0].Detail, secret)
		require.Equal(t, "[hidden][hidden]", r.Attempts[0].Verdicts[0].Got)
		require.Equal(t, "because [hidden]", r.Stopped.Reason)
		data, err := r.Evidence(r.Attempts[0])
		require.NoError(t, err)
		var e map[string]any
		require.NoError(t, json.Unmarshal(data, &e))
		file := base64.StdEncoding.EncodeToString([]byte("in a file: [hidden]!"))
		require.Equal(t, map[string]any{
			"[hidden]": "as a name",
			"text":     "as a value: [hidden]",
			"after":    map[string]any{"key.txt": map[string]any{"data": file}},
		}, e)
	}
}

func TestStop(t *testing.T) {
	t.Parallel()
	dir := runDir(t)
	one, other := mustOpen(t, dir, "core"), mustOpen(t, dir, "chain")
	require.Empty(t, other.Stopped())
	require.NoError(t, one.Stop("the budget is spent"))
	require.NoError(t, other.Stop("too late to be the reason"))
	require.Equal(t, "the budget is spent", other.Stopped())
	require.Equal(t, "the budget is spent", load(t, dir).Stopped.Reason)
	require.NoError(t, one.Stop(""))
}

func TestAResumedRunIsNotStopped(t *testing.T) {
	t.Parallel()
	dir := runDir(t)
	at := func(pkg string, since, now time.Time) *Writer {
		w, err := open(dir, pkg, nil, since, func() time.Time { return now })
		require.NoError(t, err)
		t.Cleanup(func() { w.Close() })
		return w
	}
	require.NoError(t, at("core", epoch, epoch.Add(time.Minute)).Stop("the first time"))
	late := at("chain", epoch, epoch.Add(2*time.Minute))
	require.Equal(t, "the first time", late.Stopped(), "a package that starts after the stop")
	resumed := at("core", epoch.Add(time.Hour), epoch.Add(2*time.Hour))
	require.Empty(t, resumed.Stopped())
	require.NoError(t, resumed.Stop("the second time"))
	require.Equal(t, "the second time", resumed.Stopped())
}

func TestOpenKnowsWhenTheInvocationJoined(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	dir, _, err := Locate(LocateConfig{
		Getenv: environ(map[string]string{"DEEDS_RESULTS": root}),
		Now:    func() time.Time { return epoch },
	})
	require.NoError(t, err)
	require.Equal(t, epoch, mustOpen(t, dir, "core").since)
	require.True(t, mustOpen(t, runDir(t), "core").since.IsZero(), "a folder that Locate did not give")
}

func TestSafe(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 300)
	names := []string{
		"", "_", ".", "..", "...", "a", "A", "a.b", ".a", "a.", "a/b", `a\b`, "a:b", "a b", "a%2Fb", "a+b", "a\x00b", "a\nb",
		"../../etc/passwd", "openai/gpt:free", "ü", "\xff", "\xfe", long, long + "y", "_a", "-", "~", "$HOME", "*",
	}
	seen := make(map[string]string)
	for _, name := range names {
		s := safe(name)
		require.NotContains(t, seen, s, "%q and %q", name, seen[s])
		seen[s] = name
		require.Regexp(t, `^[A-Za-z0-9._%-]{1,120}$`, s, "%q", name)
		require.NotContains(t, []string{".", ".."}, s)
		require.False(t, strings.HasPrefix(s, ".") || strings.HasSuffix(s, "."), s)
	}
	require.Equal(t, "gpt-4.1_mini", safe("gpt-4.1_mini"), "an ordinary name stays as it is")
}

func TestAppendStaysInTheRun(t *testing.T) {
	t.Parallel()
	dir := runDir(t)
	w := mustOpen(t, dir, "../../escape")
	a := play("core", 1)
	a.Case, a.World, a.Variant, a.Model = "../../../x", "..", "/", "../../../../tmp/m"
	path, err := w.Append(a, []byte(`{}`))
	require.NoError(t, err)
	require.True(t, filepath.IsLocal(path))
	require.NotContains(t, path, "/../")
	require.FileExists(t, filepath.Join(dir, path))
	entries, err := os.ReadDir(filepath.Dir(dir))
	require.NoError(t, err)
	require.Len(t, entries, 1, "nothing beside the run")
}

func BenchmarkAppend(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "runs", "20261129T224301Z-3f9c1a")
	require.NoError(b, os.MkdirAll(dir, 0o755))
	w, err := Open(dir, "core", hide("s3cret"))
	require.NoError(b, err)
	defer w.Close()
	evidence, err := json.Marshal(map[string]string{"text": strings.Repeat("func main() { println(`some text of an ordinary kind`) }\n", 600)})
	require.NoError(b, err)
	var n atomic.Int64
	b.SetParallelism(32)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := w.Append(play("core", int(n.Add(1))), evidence); err != nil {
				b.Error(err)
			}
		}
	})
}
