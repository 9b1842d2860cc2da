package results

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var boardEpoch = time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC)

// boardSuite has six units in two packages: core/a has two worlds.
func boardSuite() Suite {
	return Suite{Dir: "evals", Grader: "g1", Cases: []SuiteCase{
		{Case: "chain/d", Digest: "d1"}, {Case: "chain/e", Digest: "e1"},
		{Case: "core/a", Digest: "a1"}, {Case: "core/b", Digest: "b1"}, {Case: "core/c", Digest: "c1"},
	}}
}

// A boardRun is a run that is written to disk: everything passes unless play says
// otherwise.
type boardRun struct {
	id       string
	hour     int // after boardEpoch, when it began
	packages []string
	suite    Suite
	plan     func(*Plan)
	play     func(*Attempt) // may change it, or leave it out by an empty outcome
	again    func(a Attempt) []Attempt
}

// whole is the run with what it does not say.
func (b boardRun) whole() boardRun {
	if b.suite.Dir == "" {
		b.suite = boardSuite()
	}
	if b.packages == nil {
		b.packages = []string{"core", "chain"}
	}
	return b
}

func (b boardRun) write(t *testing.T, root string) *Run {
	t.Helper()
	b = b.whole()
	began := boardEpoch.Add(time.Duration(b.hour) * time.Hour)
	id := RunID(began, b.id)
	dir := filepath.Join(root, "runs", id)
	require.NoError(t, os.MkdirAll(dir, 0o755))
	for _, pkg := range b.packages {
		p := Plan{
			Schema: Schema, Run: id, Package: pkg, Dir: "evals/" + pkg, Created: began, Kind: "live", Suite: b.suite.Cases,
			Settings: Settings{Models: []string{"m"}, Agent: "builtin", Repeat: 3, Jobs: 8, Containment: "strict", Scoreboard: true},
			Signals:  make(map[string][]string),
		}
		if b.plan != nil {
			b.plan(&p)
		}
		var lines bytes.Buffer
		minute := 0
		for _, c := range b.suite.Cases {
			if packageOf(c.Case) != pkg {
				continue
			}
			p.Signals[c.Case] = []string{"tool-chain", "plan-safety"}
			worlds := []string{""}
			if c.Case == "core/a" {
				worlds = []string{"big", "small"}
			}
			for _, w := range worlds {
				for n := 1; n <= p.Settings.Repeat; n++ {
					for _, model := range p.Settings.Models {
						minute++
						s := Slot{Case: c.Case, World: w, Model: model, Agent: "builtin", Attempt: n}
						p.Slots = append(p.Slots, s)
						a := Attempt{
							Schema: Schema, Run: id, Slot: s, Play: 1, Outcome: Pass, End: "stop",
							Signals: map[string]string{"tool-chain": Pass, "plan-safety": Pass},
							Usage:   Usage{Prompt: 100 * n, Completion: 10}, DurationMS: float64(1000 * n), AgentMS: 5, ProviderMS: 900, Turns: n,
							Containment: strictLevel, Digests: Digests{Case: c.Digest, Fixture: "f", Prompt: "p", Tools: "t", Grader: b.suite.Grader},
							Commit: "0123456789abcdef", Started: began.Add(time.Duration(minute) * time.Second), Served: "m-2026", Fingerprint: "fp",
						}
						evidence := filepath.Join("evidence", strings.ReplaceAll(c.Case, "/", "-")+w+model+fmt.Sprint(n)+".zst")
						require.NoError(t, os.MkdirAll(filepath.Join(dir, "evidence"), 0o755))
						require.NoError(t, os.WriteFile(filepath.Join(dir, evidence), []byte(evidence), 0o644))
						a.Evidence, a.EvidenceSum = filepath.ToSlash(evidence), sumOf(evidence)
						if b.play != nil {
							b.play(&a)
						}
						if a.Outcome == "" {
							continue
						}
						all := []Attempt{a}
						if b.again != nil {
							all = append(all, b.again(a)...)
						}
						for _, a := range all {
							line, err := json.Marshal(a)
							require.NoError(t, err)
							lines.Write(append(line, '\n'))
						}
					}
				}
			}
		}
		data, err := json.Marshal(p)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "plan-"+pkg+".json"), data, 0o644))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "attempts-"+pkg+".jsonl"), lines.Bytes(), 0o644))
	}
	run, err := Load(dir)
	require.NoError(t, err)
	return run
}

func sumOf(text string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))
}

// publish publishes every package of the run.
func (b boardRun) publish(t *testing.T, root string) *Entry {
	t.Helper()
	b = b.whole()
	run := b.write(t, root)
	for _, pkg := range b.packages {
		_, err := Publish(root, Publication{Run: run, Package: pkg, Suite: b.suite, Now: boardEpoch.Add(time.Duration(b.hour)*time.Hour + 30*time.Minute)})
		require.NoError(t, err)
	}
	return theEntry(t, root)
}

func theEntry(t *testing.T, root string) *Entry {
	t.Helper()
	entries, err := Entries(root)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	return entries[0]
}

func disagreements(t *testing.T, root string, today Suite) []string {
	t.Helper()
	entries, err := Entries(root)
	require.NoError(t, err)
	wrong, err := VerifyBoard(root, entries, []Suite{today})
	require.NoError(t, err)
	return wrong
}

// attempt matches an attempt of a case; world "" is any.
func attempt(a *Attempt, id string, n int) bool { return a.Case == id && (n == 0 || a.Attempt == n) }

// trim keeps what contains the text.
func trim(all []string, part string) []string {
	var kept []string
	for _, s := range all {
		if strings.Contains(s, part) {
			kept = append(kept, part)
		} else {
			kept = append(kept, s)
		}
	}
	return kept
}

// other is a value of the same type that differs.
func other(v any) any {
	switch v := v.(type) {
	case float64:
		return v + 1
	case bool:
		return !v
	case string:
		if _, err := time.Parse(time.RFC3339, v); err == nil {
			return "2001-01-01T00:00:00Z"
		}
		return v + "x"
	case []any:
		if len(v) == 0 {
			return []any{"x"}
		}
		return append([]any{other(v[0])}, v[1:]...)
	case map[string]any:
		for name := range v {
			v[name] = other(v[name])
		}
		return v
	}
	return "x"
}
