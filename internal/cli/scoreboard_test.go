package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/board"
	"github.com/deeds-evals/deeds/results"
)

var boardCases = []string{"core/a", "core/b", "core/c", "core/d", "core/e"}

// withBoard is a module with a suite of five cases, a judge of its own, and a run of two
// models that was published: one passes all, the other fails core/a once.
func withBoard(t *testing.T) *module {
	t.Helper()
	m := newModule(t)
	m.write(t, "go.mod", "module github.com/deeds-evals/deeds\n\ngo 1.26\n")
	m.write(t, "behavior/behavior.go", "package behavior\n")
	entry := &results.Entry{}
	for _, id := range boardCases {
		name := strings.ToUpper(strings.TrimPrefix(id, "core/"))
		m.write(t, "evals/"+id+"_test.go", "package core\n\nimport (\n\t\"testing\"\n\n\t\"github.com/deeds-evals/deeds/behavior\"\n)\n\nfunc Test"+name+"(t *testing.T) { behavior.Run(t, behavior.Case{}) }\n")
		entry.Suite = append(entry.Suite, results.BoardCase{Case: id, Dir: "evals"})
	}
	today, err := board.Today(m.dir, []*results.Entry{entry})
	require.NoError(t, err)

	const id = "20261129T224301Z-3f9c1a"
	began := time.Date(2026, 11, 29, 22, 43, 1, 0, time.UTC)
	plan := results.Plan{
		Schema: 1, Run: id, Package: "core", Dir: "evals/core", Created: began, Kind: "live", Suite: today[0].Cases,
		Settings: results.Settings{Models: []string{"good", "fair"}, Agent: "builtin", Repeat: 3, Containment: "strict", Scoreboard: true},
		Signals:  make(map[string][]string),
	}
	var lines strings.Builder
	for _, c := range today[0].Cases {
		plan.Signals[c.Case] = []string{"tool-chain"}
		for n := 1; n <= 3; n++ {
			for _, model := range plan.Settings.Models {
				s := results.Slot{Case: c.Case, Model: model, Agent: "builtin", Attempt: n}
				plan.Slots = append(plan.Slots, s)
				a := results.Attempt{
					Schema: 1, Run: id, Slot: s, Play: 1, Outcome: "pass", End: "stop", Signals: map[string]string{"tool-chain": "pass"},
					Usage: results.Usage{Prompt: 1000, Completion: 10}, DurationMS: 1500, Turns: n, Containment: "namespaces",
					Digests: results.Digests{Case: c.Digest, Grader: today[0].Grader}, Commit: "0123456789abcdef", Started: began.Add(time.Minute), Served: model,
				}
				if model == "fair" && n == 2 && c.Case == "core/a" {
					a.Outcome, a.Signals["tool-chain"], a.Containment = "fail", "fail", "landlock"
				}
				data, err := json.Marshal(a)
				require.NoError(t, err)
				fmt.Fprintf(&lines, "%s\n", data)
			}
		}
	}
	data, err := json.Marshal(plan)
	require.NoError(t, err)
	m.write(t, "results/runs/"+id+"/plan-core.json", string(data))
	m.write(t, "results/runs/"+id+"/attempts-core.jsonl", lines.String())
	run, err := results.Load(filepath.Join(m.dir, "results", "runs", id))
	require.NoError(t, err)
	said, err := board.Publish(filepath.Join(m.dir, "results"), results.Publication{Run: run, Package: "core", Suite: today[0], Now: began.Add(time.Hour)})
	require.NoError(t, err)
	require.Equal(t, []string{
		"published good: 5 of 5 units have credit, certified",
		"published fair: 4 of 5 units have credit, not certified: containment was not strict: landlock",
	}, said)
	return m
}

func (m *module) write(t *testing.T, name, text string) {
	t.Helper()
	file := filepath.Join(m.dir, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
}

func (m *module) read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(m.dir, filepath.FromSlash(name)))
	require.NoError(t, err)
	return string(data)
}

func fairKey() string { return results.BoardKey("builtin", "fair", results.BoardSettings{}) }

func TestScoreboard(t *testing.T) {
	t.Parallel()
	newModule(t).golden(t, "scoreboard-none", "scoreboard")
	m := withBoard(t)
	m.golden(t, "scoreboard", "scoreboard")
	before := m.read(t, "results/SCOREBOARD.md")
	_, _, status := m.deeds("scoreboard", "--render")
	require.Zero(t, status)
	require.Equal(t, before, m.read(t, "results/SCOREBOARD.md"))

	_, _, status = m.deeds("scoreboard", "--html", "page.html")
	require.Zero(t, status)
	require.Contains(t, m.read(t, "page.html"), "<title>Scoreboard</title>")

	out, _, status := m.deeds("scoreboard", "--json")
	require.Zero(t, status)
	v := decode(t, out)
	require.Equal(t, []any{}, v["disagreements"])
	first := v["entries"].([]any)[0].(map[string]any)
	require.Equal(t, "good", first["model"])
	require.EqualValues(t, 1, first["rank"])
	require.EqualValues(t, 5, first["aggregates"].(map[string]any)["credited"])

	require.NoError(t, os.RemoveAll(filepath.Join(m.dir, "results", "runs")))
	_, errs, status := m.deeds("scoreboard")
	require.Zero(t, status, "a clone has no runs: %s", errs)
}

func TestScoreboardDisagrees(t *testing.T) {
	t.Parallel()
	m := withBoard(t)
	entry := "results/scoreboard/" + fairKey() + ".json"
	text := m.read(t, entry)
	m.write(t, entry, strings.Replace(strings.Replace(text, `"credited": 4`, `"credited": 5`, 1), `"outcome": "fail"`, `"outcome": "pass"`, 1))
	m.write(t, "evals/core/b_test.go", m.read(t, "evals/core/b_test.go")+"// edited\n")
	m.write(t, "results/SCOREBOARD.md", "# We are the best\n")
	m.golden(t, "scoreboard-disagrees", "scoreboard", "--html", "page.html")
	require.NoFileExists(t, filepath.Join(m.dir, "page.html"), "what is wrong is not shown as right")
	out, _, status := m.deeds("scoreboard", "--json")
	require.Equal(t, 1, status)
	require.NotEmpty(t, decode(t, out)["disagreements"])
	_, errs, status := m.deeds("scoreboard", "--render")
	require.Equal(t, 1, status)
	require.Contains(t, errs, "were edited by hand")

	m.write(t, entry, text)
	m.golden(t, "scoreboard-stale", "scoreboard", "--render")
	m.write(t, entry, text[:100])
	m.golden(t, "scoreboard-damaged", "scoreboard")
	require.Equal(t, text[:100], m.read(t, entry))
}

func TestScoreboardRetire(t *testing.T) {
	t.Parallel()
	m := withBoard(t)
	m.golden(t, "scoreboard-retire-why", "scoreboard", "--retire", fairKey())
	m.golden(t, "scoreboard-retire-whom", "scoreboard", "--retire", fairKey()+"x", "--because", "x")
	m.golden(t, "scoreboard-retire", "scoreboard", "--retire", fairKey(), "--because", "the endpoint was quantised")
	require.Contains(t, m.read(t, "results/SCOREBOARD.md"), "2026-11-30: 4 of 5 units, rows ")
	_, _, status := m.deeds("scoreboard")
	require.Zero(t, status)
}
