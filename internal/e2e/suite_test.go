package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/gateway"
	"github.com/deeds-evals/deeds/internal/script"
	"github.com/deeds-evals/deeds/results"
)

// packages are the folders of the suite.
var packages = []string{"core", "chain"}

// scratch is the folder of what the tests of this package build, once.
var scratch string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "suite")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	scratch = dir
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// binaries are the test binaries of the suite, as go test builds them.
var binaries = sync.OnceValues(func() (string, error) {
	args := []string{"test", "-c", "-o", scratch + "/"}
	for _, p := range packages {
		args = append(args, "./evals/"+p)
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = filepath.Join("..", "..")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%v\n%s", err, out)
	}
	return scratch, nil
})

// played is what one start of a test binary left behind.
type played struct {
	exit int
	out  string
	root string // of the results
}

// play starts the test binary of one package.
func play(t *testing.T, pkg, root string, env []string, args ...string) played {
	t.Helper()
	dir, err := binaries()
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(dir, pkg+".test"), append([]string{"-test.paniconexit0", "-test.timeout=10m"}, args...)...)
	cmd.Dir = filepath.Join("..", "..", "evals", pkg)
	cmd.Env = append(cleanEnv(), append(env, "DEEDS_RESULTS="+root, "CI=1")...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	require.NoError(t, ctx.Err(), "the run hangs:\n%s", out.String())
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		require.NoError(t, err)
	}
	return played{exit: cmd.ProcessState.ExitCode(), out: out.String(), root: root}
}

// cleanEnv is the environment without anything that steers a run.
func cleanEnv() []string {
	var env []string
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "DEEDS_") && !strings.HasPrefix(kv, "OPENAI_") {
			env = append(env, kv)
		}
	}
	return env
}

// run reads the one run that was recorded below the root.
func (p played) run(t *testing.T) *results.Run {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join(p.root, "runs", "2*"))
	require.NoError(t, err)
	require.Len(t, dirs, 1, "one run:\n%s", p.out)
	run, err := results.Load(dirs[0])
	require.NoError(t, err)
	return run
}

// A knownCase is a case as the suite lists itself, with its scripts.
type knownCase struct {
	ID      string   `json:"id"`
	Signals []string `json:"signals"`
	Worlds  []string `json:"worlds"`
	Units   []struct {
		World   string            `json:"world"`
		Variant string            `json:"variant"`
		Prompt  string            `json:"prompt"`
		Facts   map[string]string `json:"facts"`
	} `json:"units"`
	script string
}

// in returns the case's scripts in one world, with its facts filled in.
func (k knownCase) in(world string) []script.Section {
	text := k.script
	for _, u := range k.Units {
		if u.World == world {
			for name, value := range u.Facts {
				text = strings.ReplaceAll(text, "{"+name+"}", value)
			}
			break
		}
	}
	scripts, err := script.Parse([]byte(text))
	if err != nil {
		return nil
	}
	var sections []script.Section
	for _, s := range scripts.Sections {
		if s.World == "" || s.World == world {
			sections = append(sections, s)
		}
	}
	return sections
}

func (k knownCase) pkg() string  { return strings.Split(k.ID, "/")[0] }
func (k knownCase) name() string { return strings.Split(k.ID, "/")[1] }

// suite lists the cases, by rehearsing them.
var suite = sync.OnceValues(func() ([]knownCase, error) {
	dir, err := binaries()
	if err != nil {
		return nil, err
	}
	notes := filepath.Join(scratch, "notes")
	if err := os.Mkdir(notes, 0o755); err != nil {
		return nil, err
	}
	var all []knownCase
	for _, pkg := range packages {
		cmd := exec.Command(filepath.Join(dir, pkg+".test"))
		cmd.Dir = filepath.Join("..", "..", "evals", pkg)
		cmd.Env = append(cleanEnv(), "DEEDS_CASES="+notes, "CI=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("the rehearsal fails: %v\n%s", err, out)
		}
	}
	files, err := filepath.Glob(filepath.Join(notes, "*.json"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var cases []knownCase
		if err := json.Unmarshal(data, &cases); err != nil {
			return nil, err
		}
		for _, c := range cases {
			text, err := os.ReadFile(filepath.Join("..", "..", "evals", c.pkg(), "testdata", c.name()+".txtar"))
			if err != nil {
				return nil, err
			}
			c.script = string(text)
			all = append(all, c)
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].ID < all[j].ID })
	return all, nil
})

// A model answers one case in one world: with which messages, and which signals
// must fail by that; nil means that it has nothing to say about the case.
type model func(k knownCase, world string) (messages []script.Message, failing []string)

// section finds the first script of a kind for a world.
func section(k knownCase, kind script.Kind, world string) *script.Section {
	for _, s := range k.in(world) {
		if s.Kind == kind {
			return &s
		}
	}
	return nil
}

// endpoint serves a model for one world of every case. Cases are told apart by
// what the user asks.
func endpoint(t *testing.T, cases []knownCase, world string, m model) (baseURL string, key string) {
	t.Helper()
	byPrompt := make(map[string][]script.Message)
	for _, k := range cases {
		for _, u := range k.Units {
			if u.World == world || u.World == "" {
				if messages, _ := m(k, u.World); messages != nil {
					byPrompt[u.Prompt] = messages
				}
			}
		}
	}
	return serve(t, gateway.UpstreamFunc(func(ctx context.Context, r *gateway.Request) (*gateway.Reply, error) {
		for _, msg := range r.Messages {
			if messages, ok := byPrompt[msg.Text]; ok && msg.Role == "user" {
				return script.NewPlayer(messages).Complete(ctx, r)
			}
		}
		return script.NewPlayer(script.Silence()).Complete(ctx, r)
	}))
}

// serve answers on a loopback address until the test ends.
func serve(t *testing.T, up gateway.Upstream) (baseURL, key string) {
	t.Helper()
	gw, err := gateway.Start(gateway.Config{})
	require.NoError(t, err)
	t.Cleanup(gw.Close)
	s, err := gw.Open(gateway.SessionConfig{Upstream: up, Model: "m"})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s.BaseURL(), s.Key()
}

// worlds lists the worlds that some case has, and "" for the cases without any.
func worlds(cases []knownCase) []string {
	set := map[string]bool{"": true}
	for _, k := range cases {
		for _, w := range k.Worlds {
			set[w] = true
		}
	}
	var all []string
	for w := range set {
		all = append(all, w)
	}
	sort.Strings(all)
	return all
}

// skipPattern leaves the cases with worlds to the starts that name one.
func skipPattern(t *testing.T, cases []knownCase) string {
	t.Helper()
	var names []string
	for _, k := range cases {
		if len(k.Worlds) > 0 {
			names = append(names, testName(k))
		}
	}
	return "^(" + strings.Join(names, "|") + ")$"
}

func testName(k knownCase) string {
	var b strings.Builder
	b.WriteString("Test")
	for _, word := range strings.Split(k.name(), "-") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}
