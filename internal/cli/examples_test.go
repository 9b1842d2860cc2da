package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

// honestReader plays the first case of `deeds init` as an honest model does, and makes the
// call that the doctor asks for.
func honestReader(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Messages []struct{ Role string }
	}
	body, _ := io.ReadAll(r.Body)
	if r.URL.Path == "/v1/models" {
		fmt.Fprint(w, `{"data":[{"id":"NAME"},{"id":"OTHER"}]}`)
		return
	}
	if json.Unmarshal(body, &request) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	const usage = `"usage":{"prompt_tokens":100,"completion_tokens":10,"cost":0.0001}`
	answer := `{"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"server.conf\"}"}}]},"finish_reason":"tool_calls"}],` + usage + `}`
	for _, m := range request.Messages {
		if m.Role == "tool" {
			answer = `{"choices":[{"message":{"role":"assistant","content":"It listens on port 8471."},"finish_reason":"stop"}],` + usage + `}`
		}
	}
	fmt.Fprint(w, answer)
}

// withSuite is a module that `deeds init` has begun, with the runs that the examples
// name: two that differ by chance, one that is better, and one of two models.
func withSuite(t *testing.T, endpoint string) *module {
	t.Helper()
	m := &module{dir: filepath.Join(t.TempDir(), "kiosk")}
	require.NoError(t, os.Mkdir(m.dir, 0o755))
	m.environ = append(goEnviron(t), "DEEDS_CONTAINMENT=best", "OPENAI_BASE_URL="+endpoint, "TMPDIR="+t.TempDir())
	_, errs, status := m.deeds("init", "--deeds", deedsFolder(t))
	require.Zero(t, status, errs)
	m.play(t, 1, middling)
	m.play(t, 2, middlingToo)
	m.play(t, 3, units(8, "ppp ppp"))
	m.play(t, 4, units(8, "pff ppp one")+units(8, "ppp ppp two"), "m/one", "m/two")
	for i, name := range []string{"before", "again", "after", "models"} {
		runs := filepath.Join(m.dir, "results", "runs")
		require.NoError(t, os.Rename(filepath.Join(runs, handmade(i+1)), filepath.Join(runs, fmt.Sprintf("20261101T00000%dZ-%s", i, name))))
	}
	return m
}

// Every example is run, verb by verb, where what it names is there, and ends with the
// status that its help says.
func TestExamples(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it compiles a module and plays it")
	}
	server := httptest.NewServer(http.HandlerFunc(honestReader))
	t.Cleanup(server.Close)
	m := withSuite(t, server.URL+"/v1")
	// One verb leads to the next; what `deeds init` adds would only be linked each time.
	clock := time.Date(2026, 11, 30, 1, 2, 3, 0, time.UTC)
	verbs := []string{"help", "version", "doctor", "cases", "run", "runs", "show", "report", "compare", "noise", "power", "baseline", "baseline list", "baseline show", "gate", "baseline save", "scoreboard", "init"}
	require.ElementsMatch(t, keys(examples), verbs)
	for _, verb := range verbs {
		for _, e := range examples[verb] {
			if verb == "baseline save" {
				require.NoError(t, os.RemoveAll(filepath.Join(m.dir, "results", "baselines", "main.json")))
				if strings.Contains(e.line, "--replace") {
					_, _, status := m.deeds("baseline", "save", "main", "before")
					require.Zero(t, status)
				}
			}
			line := strings.ReplaceAll(e.line, "http://localhost:8000/v1", server.URL+"/v1")
			words := strings.Fields(line)
			require.Equal(t, "deeds", words[0])
			args := words[1:]
			if verb == "init" {
				args = append(args, "--deeds", deedsFolder(t))
			}
			var out, errs bytes.Buffer
			clock = clock.Add(time.Minute) // the last run is the last one
			status := Run(context.Background(), Config{
				Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs,
				Environ: m.environ, Dir: m.dir, Now: func() time.Time { return clock },
			})
			require.Equal(t, e.status, status, "%s\n%s%s", e.line, out.String(), errs.String())
			require.NotEmpty(t, out.String(), e.line)
			if strings.Contains(e.line, "--json") {
				decode(t, out.String())
			}
		}
	}
}

func keys(m map[string][]example) (all []string) {
	for k := range m {
		all = append(all, k)
	}
	return all
}

// Every verb has examples, and its help shows them.
func TestEveryVerbHasExamples(t *testing.T) {
	t.Parallel()
	root := newRoot(&Config{})
	var look func(cmd *cobra.Command)
	look = func(cmd *cobra.Command) {
		name := strings.TrimPrefix(cmd.CommandPath(), "deeds ")
		if cmd != root && name != "completion" && !strings.HasPrefix(name, "completion ") {
			require.NotEmpty(t, examples[name], name)
			for _, e := range examples[name] {
				require.Contains(t, cmd.Example, "\n  $ "+e.line, name)
				require.NotRegexp(t, `[.!]$`, e.why, name)
				require.Less(t, len(e.line), 100, name)
			}
		}
		for _, sub := range cmd.Commands() {
			look(sub)
		}
	}
	look(root)
	m := newModule(t)
	out, _, status := m.deeds("help", "power")
	require.Zero(t, status)
	require.Contains(t, out, "Examples:\n  # how many units show a rise from 30 to 45 %, at three attempts each?\n  $ deeds power --base 0.3 --k 3 --effect 0.15\n")
	out, _, _ = m.deeds("help", "help")
	require.Contains(t, out, "$ deeds help show")
}

// A flag that is not there is answered with the one that may be meant.
func TestWrongFlags(t *testing.T) {
	t.Parallel()
	m := newModule(t)
	for line, want := range map[string]string{
		"report --fromat md":           "deeds: unknown flag: --fromat\nhint: did you mean \"--format\"?\n",
		"report --fromat=md":           "deeds: unknown flag: --fromat\nhint: did you mean \"--format\"?\n",
		"gate --needs tool-chain=1":    "deeds: unknown flag: --needs\nhint: did you mean \"--need\"?\n",
		"show -json":                   "deeds: unknown flag: -json\nhint: it is written with two hyphens: --json\n",
		"baseline save main --repalce": "deeds: unknown flag: --repalce\nhint: did you mean \"--replace\"?\n",
		"runs --zzzzzzzzzzzz":          "deeds: unknown flag: --zzzzzzzzzzzz\nhint: `deeds runs --help` lists the flags\n",
		"runs -z":                      "deeds: unknown flag: -z\nhint: `deeds runs --help` lists the flags\n",
		"--json runs":                  "deeds: unknown flag: --json\nhint: the verb comes first: deeds runs, and its flags behind it\n",
		"shwo --json":                  "deeds: there is no verb \"shwo\"\nhint: did you mean \"show\"?\n",
		"--jsn":                        "deeds: unknown flag: --jsn\nhint: `deeds --help` lists the flags\n",
		"show --attempt two":           "deeds: --attempt is \"two\", which is no whole number\nhint: --attempt 3, say\n",
		"compare --noise":              "deeds: flag needs an argument: --noise\nhint: `deeds compare --help` lists the flags\n",
		"docter":                       "deeds: there is no verb \"docter\"\nhint: did you mean \"doctor\"?\n",
		"baseline shwo":                "deeds: `deeds baseline` does not know \"shwo\"\nhint: did you mean \"show\"?\n",
		"init --pacakge evals":         "deeds: unknown flag: --pacakge\nhint: did you mean \"--package\"?\n",
		"doctor --modle NAME":          "deeds: unknown flag: --modle\nhint: did you mean \"--model\"?\n",
		"help docter":                  "deeds: there is no verb \"docter\"\nhint: did you mean \"doctor\"?\n",
	} {
		out, errs, status := m.deeds(strings.Fields(line)...)
		require.Empty(t, out, line)
		require.Equal(t, want, errs, line)
		require.Equal(t, 2, status, line)
	}
}
