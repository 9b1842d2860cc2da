package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gotest.tools/v3/golden"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/internal/journal"
	"github.com/deeds-evals/deeds/results"
)

// The tests of whole processes start this binary again, as deeds.
func TestMain(m *testing.M) {
	if os.Getenv("BE_DEEDS") != "" {
		os.Exit(Main())
	}
	for _, e := range os.Environ() {
		if name, _, _ := strings.Cut(e, "="); strings.HasPrefix(name, "DEEDS_") {
			os.Unsetenv(name)
		}
	}
	os.Exit(m.Run())
}

const sampleID = "20261129T224301Z-3f9c1a"

// A module is a user's module to run commands in.
type module struct {
	dir     string
	environ []string
	colour  bool
}

func newModule(t *testing.T) *module {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module m\n\ngo 1.26\n"), 0o644))
	return &module{dir: dir}
}

// withSample is a module with the run that package results keeps as a sample.
func withSample(t *testing.T) *module {
	t.Helper()
	m := newModule(t)
	sample := os.DirFS(filepath.Join("..", "..", "results", "testdata", "v1"))
	require.NoError(t, os.CopyFS(filepath.Join(m.dir, "results", "runs"), sample))
	return m
}

// deeds runs a command, and returns what it printed and its exit status.
func (m *module) deeds(args ...string) (stdout, stderr string, status int) {
	var out, errs bytes.Buffer
	status = Run(context.Background(), Config{
		Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs,
		Environ: m.environ, Dir: m.dir, Colour: m.colour,
		Now: func() time.Time { return time.Date(2026, 11, 30, 1, 2, 3, 0, time.UTC) },
	})
	return out.String(), errs.String(), status
}

// golden compares everything that a command did with a file.
func (m *module) golden(t *testing.T, file string, args ...string) {
	t.Helper()
	out, errs, status := m.deeds(args...)
	text := out
	if errs != "" {
		text += "--- standard error\n" + errs
	}
	if status != 0 {
		text += "--- exit status " + string(rune('0'+status)) + "\n"
	}
	golden.Assert(t, strings.ReplaceAll(text, m.dir, "$DIR"), file+".golden")
}

func decode(t *testing.T, text string) map[string]any {
	t.Helper()
	var v map[string]any
	require.NoError(t, json.Unmarshal([]byte(text), &v), text)
	return v
}

// record adds a run of one attempt of core/hostile with this evidence.
func (m *module) record(t testing.TB, a results.Attempt, e behavior.Evidence) {
	t.Helper()
	dir := filepath.Join(m.dir, "results", "runs", "20261130T000000Z-000001")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	w, err := journal.Open(dir, "core", nil)
	require.NoError(t, err)
	defer w.Close()
	data, err := json.Marshal(e)
	require.NoError(t, err)
	require.NoError(t, w.WritePlan(results.Plan{Kind: "live", Slots: []results.Slot{a.Slot}, Claims: map[string]string{a.Case: "It holds."}}))
	_, err = w.Append(a, data)
	require.NoError(t, err)
}
