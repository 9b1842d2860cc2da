package cli

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/results"
)

func TestReport(t *testing.T) {
	t.Parallel()
	m := withSample(t)
	for file, args := range map[string]string{
		"report-text":        "report",
		"report-md":          "report " + sampleID + " --format md",
		"report-junit":       "report 3f9c1a --format junit",
		"report-json":        "report --json",
		"report-annotations": "report --format annotations",
		"report-history":     "report --history 3",
	} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			m.golden(t, file, strings.Fields(args)...)
		})
	}
	t.Run("the same by another name", func(t *testing.T) {
		t.Parallel()
		want, _, _ := m.deeds("report", "--json")
		got, _, status := m.deeds("report", "--format=json")
		require.Zero(t, status)
		require.Equal(t, want, got)
	})
}

func TestReportMisuse(t *testing.T) {
	t.Parallel()
	m := withSample(t)
	for file, args := range map[string]string{
		"misuse-report-format":   "report --format htlm",
		"misuse-report-formats":  "report --json --format md",
		"misuse-report-name":     "report --output report.pdf",
		"misuse-report-history":  "report --format junit --history 5",
		"misuse-report-negative": "report --history -1",
		"misuse-report-against":  "report --format md --against " + sampleID,
		"misuse-report-two":      "report a b",
		"misuse-report-run":      "report 3f9c1b",
		"misuse-report-no-run":   "report --format html --against nothing",
	} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			m.golden(t, file, strings.Fields(args)...)
			_, _, status := m.deeds(strings.Fields(args)...)
			require.Equal(t, 2, status)
		})
	}
}

// The end of a file's name settles its format.
func TestReportToAFile(t *testing.T) {
	t.Parallel()
	m := withSample(t)
	for name, begins := range map[string]string{
		"a.md": "### Deeds: run `", "a.xml": "<?xml ", "a.json": "{\n", "a.txt": "run ", "a.HTML": "<!",
	} {
		out, errs, status := m.deeds("report", "--output", name)
		require.Zero(t, status, errs)
		require.Regexp(t, `^written    `+name+` \(\d+(\.\d)? (bytes|kB|MB)\)\n$`, out)
		data, err := os.ReadFile(filepath.Join(m.dir, name))
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(string(data), begins), "%s begins %.40q", name, data)
		require.NotContains(t, string(data), "\x1b")
	}
	out, errs, status := m.deeds("report", "-o", filepath.Join("no", "folder.md"))
	require.Equal(t, 1, status)
	require.Empty(t, out)
	require.Equal(t, "deeds: the report cannot be written to no/folder.md: no such file or directory\n", strings.ReplaceAll(errs, `\`, "/"))
}

// A file keeps no colours, whatever the terminal is.
func TestReportIsPlainInAFile(t *testing.T) {
	t.Parallel()
	m := withSample(t)
	m.colour = true
	coloured, _, _ := m.deeds("report")
	require.Contains(t, coloured, "\x1b[1mrun ")
	_, _, status := m.deeds("report", "-o", "a.txt")
	require.Zero(t, status)
	data, err := os.ReadFile(filepath.Join(m.dir, "a.txt"))
	require.NoError(t, err)
	require.NotContains(t, string(data), "\x1b")
}

// copied is a run of the sample under another id, played before or after it.
func (m *module) copied(t *testing.T, id string, change func(line string) string) {
	t.Helper()
	runs := filepath.Join(m.dir, "results", "runs")
	require.NoError(t, os.CopyFS(filepath.Join(runs, id), os.DirFS(filepath.Join(runs, sampleID))))
	files, err := filepath.Glob(filepath.Join(runs, id, "*.json*"))
	require.NoError(t, err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, []byte(change(string(data))), 0o644))
	}
}

func TestReportHistory(t *testing.T) {
	t.Parallel()
	m := withSample(t)
	same := func(line string) string { return line }
	m.copied(t, "20261127T224301Z-000001", func(line string) string { return strings.ReplaceAll(line, "provider/model:free", "other") })
	m.copied(t, "20261128T224301Z-000002", func(line string) string { return strings.ReplaceAll(line, `"live"`, `"simulated"`) })
	m.copied(t, "20261128T224302Z-000003", same)
	m.copied(t, "20261129T224300Z-000004", same)
	m.copied(t, "20261130T224301Z-000005", same)
	runs := func(args ...string) (ids []string) {
		out, errs, status := m.deeds(append([]string{"report", sampleID, "--json"}, args...)...)
		require.Zero(t, status, errs)
		history, _ := decode(t, out)["history"].(map[string]any)
		if history == nil {
			return nil
		}
		for _, run := range history["runs"].([]any) {
			ids = append(ids, results.ShortID(run.(map[string]any)["run"].(string)))
		}
		return ids
	}
	require.Nil(t, runs())
	require.Equal(t, []string{"000003", "000004", "3f9c1a"}, runs("--history", "10"), "the same models, the same kind, and none that came later")
	require.Equal(t, []string{"000004", "3f9c1a"}, runs("--history", "2"))
	require.Equal(t, []string{"3f9c1a"}, runs("--history", "1"))
	md, _, _ := m.deeds("report", sampleID, "--format", "md")
	require.Contains(t, md, "The last 3 runs of these models")
}

func TestReportAgainst(t *testing.T) {
	t.Parallel()
	m := withSample(t)
	m.copied(t, "20261127T224301Z-000001", func(line string) string { return strings.ReplaceAll(line, "provider/model:free", "other") })
	m.copied(t, "20261128T224302Z-000003", func(line string) string { return line })
	c := &Config{Dir: m.dir}
	info, err := c.find(sampleID)
	require.NoError(t, err)
	run, err := results.Load(info.Dir)
	require.NoError(t, err)
	all, err := c.comparisons(run, []string{"000003"})
	require.NoError(t, err)
	require.Len(t, all, 1)
	require.Equal(t, "000003", all[0].Base.Name)
	require.Equal(t, sampleID, all[0].Candidate.Name)
	out, errs, status := m.deeds("report", sampleID, "--format", "html", "--against", "000003")
	require.Zero(t, status, errs)
	require.NotEmpty(t, out)
	_, errs, status = m.deeds("report", sampleID, "--format", "html", "--against", "000001")
	require.Equal(t, 2, status)
	require.Contains(t, errs, "deeds: 000001 has no model of the run: it has other, and the run provider/model:free\nhint: ")
}

// Paths count from the root of the repository, where CI looks for them.
func TestReportOfANestedModule(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	dir := filepath.Join(root, "go", "agent")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "evals"), 0o755))
	c := &Config{Dir: filepath.Join(dir, "evals")}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module m\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(root, ".git"), []byte("gitdir: elsewhere\n"), 0o644), "of a worktree")
	require.Equal(t, "go/agent", c.module())
	c.Dir = dir
	require.Equal(t, "go/agent", c.module())
	require.NoError(t, os.Mkdir(filepath.Join(dir, ".git"), 0o755))
	require.Equal(t, "", c.module())
}

// What an agent wrote is text in every format, and nothing is lost where the evidence is.
func TestReportIsInert(t *testing.T) {
	t.Parallel()
	const evil = "\x1b]0;x\x07</script>]]>\r::error::x\u202e\xff"
	m := newModule(t)
	a := results.Attempt{
		Slot: results.Slot{Case: "core/hostile", Model: "m", Agent: "builtin", Attempt: 1}, Play: 1, Outcome: results.Fail,
		Signals: map[string]string{"tool-chain": results.Fail}, Reason: "limit-turns", Detail: evil,
		Verdicts: []results.Verdict{{Signal: "tool-chain", Name: evil, Outcome: results.Fail, Got: evil, Where: "hostile_test.go:7"}},
	}
	m.record(t, a, behavior.Evidence{Timeline: []behavior.Event{{Kind: "user", Text: evil}}})
	for _, format := range []string{"text", "md", "junit", "annotations", "json"} {
		out, errs, status := m.deeds("report", "--format", format)
		require.Zero(t, status, errs)
		for _, bad := range []string{"\x1b", "\x07", "\r", "\u202e"} {
			require.NotContains(t, out, bad, format)
		}
		for line := range strings.Lines(out) {
			require.False(t, format != "annotations" && strings.HasPrefix(line, "::error"), "%s: %q", format, line)
		}
		switch format {
		case "junit":
			d := xml.NewDecoder(strings.NewReader(out))
			for _, err := d.Token(); err != io.EOF; _, err = d.Token() {
				require.NoError(t, err)
			}
		case "json":
			require.True(t, json.Valid([]byte(out)))
		}
	}
	evidence, err := filepath.Glob(filepath.Join(m.dir, "results", "runs", "*", "evidence", "core", "hostile", "*", "*", "*"))
	require.NoError(t, err)
	require.Len(t, evidence, 1)
	require.NoError(t, os.Remove(evidence[0]))
	out, _, status := m.deeds("report", "--format", "junit")
	require.Zero(t, status)
	require.Contains(t, out, "the evidence cannot be read")
	require.Contains(t, out, "hostile_test.go:7:")
}

// A failure is told in the words that go test had for it, not by its name alone.
func TestReportSaysWhatWasWanted(t *testing.T) {
	t.Parallel()
	m := newModule(t)
	m.record(t, results.Attempt{
		Slot: results.Slot{Case: "core/hostile", Model: "m", Agent: "builtin", Attempt: 1}, Play: 1, Outcome: results.Fail,
		Signals:  map[string]string{"tool-chain": results.Fail},
		Verdicts: []results.Verdict{{Signal: "tool-chain", Name: "my_marker", Want: "a call read\nbefore a call edit", Outcome: results.Fail, Got: "neither"}},
	}, behavior.Evidence{})
	for format, want := range map[string]string{
		"junit": "  want   a call read\n         before a call edit\n", "md": "  want   a call read\n         before a call edit\n", "annotations": "::want a call read%0Abefore a call edit%0Agot neither%0A",
	} {
		out, errs, status := m.deeds("report", "--format", format)
		require.Zero(t, status, errs)
		require.Contains(t, out, want)
	}
}

func TestSize(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{1: "1 byte", 1023: "1023 bytes", 1536: "1.5 kB", 3 << 20: "3.0 MB"} {
		require.Equal(t, want, size(n))
	}
}

// The texts are bounded, however many attempts fail.
func TestReportOfManyFailures(t *testing.T) {
	t.Parallel()
	m := newModule(t)
	dir := filepath.Join(m.dir, "results", "runs", sampleID)
	require.NoError(t, os.MkdirAll(dir, 0o755))
	var slots []results.Slot
	var lines bytes.Buffer
	for i := range 120 {
		s := results.Slot{Case: fmt.Sprintf("core/c%d", i), Model: "m", Agent: "builtin", Attempt: 1}
		slots = append(slots, s)
		require.NoError(t, json.NewEncoder(&lines).Encode(results.Attempt{Schema: 1, Slot: s, Play: 1, Outcome: results.Fail, Signals: map[string]string{"tool-chain": results.Fail}}))
	}
	plan, err := json.Marshal(results.Plan{Schema: 1, Package: "core", Kind: results.Live, Slots: slots})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "plan-core.json"), plan, 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "attempts-core.jsonl"), lines.Bytes(), 0o644))
	out, errs, status := m.deeds("report", "--format", "md")
	require.Zero(t, status, errs)
	require.Equal(t, 50, strings.Count(out, "<details>"))
	require.Contains(t, out, "70 attempts more did not pass: `deeds show "+sampleID+"` lists them.\n")
	out, _, _ = m.deeds("report", "--format", "junit")
	require.Contains(t, out, `failures="120"`)
}
