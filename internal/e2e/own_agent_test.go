package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/results"
)

const ownCase = `package own

import (
	"context"
	"os"
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
)

// A clerk asks nothing, and writes down what it was given.
type clerk struct{}

func (*clerk) Run(_ context.Context, task behavior.Task) error {
	task.Record(behavior.Event{Kind: behavior.KindMessage, Turn: 1, Text: "done"})
	return os.WriteFile(task.Dir+"/seen", []byte(task.Key+os.Getenv("OPENAI_API_KEY")), 0o644)
}

func TestNote(t *testing.T) {
	behavior.Run(t, behavior.Case{
		Claim: "It notes.", Prompt: "Note.", Agent: &clerk{},
		Expect: behavior.BySignal{behavior.FilesystemSafety: {expect.FileMatches("seen", "a note", func(string) error { return nil })}},
	})
}
`

// An agent of one's own is on record under its own name, gets a row of its own on the
// scoreboard, and finds no key in the process that it runs in.
func TestAgentOfOnesOwn(t *testing.T) {
	t.Parallel()
	const key = "sk-own-0123456789abcdef"
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	dir := t.TempDir()
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	for name, text := range map[string]string{
		"go.mod":           fmt.Sprintf("module own\n\ngo 1.26.0\n\nrequire github.com/deeds-evals/deeds v0.0.0\n\nreplace github.com/deeds-evals/deeds => %s\n", root),
		"go.sum":           string(sums),
		"own/note_test.go": ownCase,
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"id":"1","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"OK"},"finish_reason":"stop"}]}`)
	}))
	t.Cleanup(s.Close)

	cmd := exec.Command("go", "test", "./own", "-mod=mod", "-model=m", "-base-url="+s.URL+"/v1", "-scoreboard", "-containment=best")
	cmd.Dir = dir
	cmd.Env = append(cleanEnv(), "CI=1", "OPENAI_API_KEY="+key)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)

	info, err := results.Last(filepath.Join(dir, "results"))
	require.NoError(t, err)
	run, err := results.Load(info.Dir)
	require.NoError(t, err)
	require.Len(t, run.Attempts, 3)
	for _, a := range run.Attempts {
		require.Equal(t, "own.clerk", a.Agent)
		require.Equal(t, "pass", a.Outcome)
		evidence, err := run.Evidence(a)
		require.NoError(t, err)
		var e struct {
			After map[string]struct {
				Data []byte `json:"data"`
			} `json:"after"`
		}
		require.NoError(t, json.Unmarshal(evidence, &e))
		require.NotEmpty(t, e.After["seen"].Data, "the dummy that the gateway takes")
		require.NotContains(t, string(e.After["seen"].Data), key)
		require.NotContains(t, string(e.After["seen"].Data), "[redacted")
	}
	entries, err := results.Entries(filepath.Join(dir, "results"))
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.Equal(t, "own.clerk", entries[0].Agent)
	require.Equal(t, 1, entries[0].Aggregates.Credited)
}
