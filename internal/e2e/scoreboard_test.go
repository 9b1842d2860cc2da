package e2e

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/board"
	"github.com/deeds-evals/deeds/internal/cli"
	"github.com/deeds-evals/deeds/internal/gateway"
	"github.com/deeds-evals/deeds/internal/sandbox"
	"github.com/deeds-evals/deeds/results"
)

// A measured model is one on a scoreboard of its own: it can be played again, and it
// can be told to do other than it did.
type measured struct {
	root, url, key string
	bad            atomic.Bool
}

// measure serves a model that does the cases of core right until it is told not to.
func measure(t *testing.T) *measured {
	t.Helper()
	cases, err := suite()
	require.NoError(t, err)
	m := &measured{root: t.TempDir()}
	good, bad := standFor(t.Errorf, cases, nil, honest), standFor(t.Errorf, cases, nil, wrong)
	m.url, m.key = serve(t, gateway.UpstreamFunc(func(ctx context.Context, r *gateway.Request) (*gateway.Reply, error) {
		if m.bad.Load() {
			return bad.Complete(ctx, r)
		}
		return good.Complete(ctx, r)
	}))
	return m
}

func (m *measured) play(t *testing.T, run string, args ...string) played {
	t.Helper()
	return play(t, "core", m.root, []string{"OPENAI_API_KEY=" + m.key, "DEEDS_RUN=" + run},
		append([]string{"-model=m", "-base-url=" + m.url, "-containment=best", "-scoreboard"}, args...)...)
}

// entry is the only one of the scoreboard.
func (m *measured) entry(t *testing.T) *results.Entry {
	t.Helper()
	entries, err := results.Entries(m.root)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	return entries[0]
}

// verify is `deeds scoreboard`.
func (m *measured) verify(t *testing.T) (status int, out string) {
	t.Helper()
	module, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	var both bytes.Buffer
	status = cli.Run(t.Context(), cli.Config{
		Args: []string{"scoreboard"}, Stdin: strings.NewReader(""), Stdout: &both, Stderr: &both,
		Environ: append(cleanEnv(), "DEEDS_RESULTS="+m.root), Dir: module, Now: time.Now,
	})
	return status, both.String()
}

// A score that was published stays what it was found to be, however often the model is
// played again and whatever is left out.
func TestScoreboard(t *testing.T) {
	t.Parallel()
	m := measure(t)

	p := m.play(t, "part", "-test.run=^TestKnownPath$")
	require.NotZero(t, p.exit, "a part has nothing to merge into:\n%s", p.out)
	require.Contains(t, p.out, "deeds: -scoreboard: -run left a part of the suite out, and there is no entry yet to merge the rest into\n")
	require.NoFileExists(t, filepath.Join(m.root, "SCOREBOARD.md"))

	p = m.play(t, "first")
	require.Zero(t, p.exit, "%s", p.out)
	require.Contains(t, p.out, "core published m: unfinished: ")
	first := m.entry(t)
	core := units(casesOfPackage(t, "core"))
	require.Equal(t, core, first.Aggregates.Credited, "%s", p.out)
	require.Zero(t, first.Aggregates.Rerolls)
	require.False(t, first.Aggregates.Certified, "chain was not played")
	require.Contains(t, strings.Join(first.Aggregates.Why, "\n"), "chain")

	status, out := m.verify(t)
	require.Zero(t, status, "%s", out)

	m.bad.Store(true)
	p = m.play(t, "again", "-test.run=^TestKnownPath$")
	require.NotZero(t, p.exit, "the model fails now:\n%s", p.out)
	again := m.entry(t)
	require.Equal(t, core, again.Aggregates.Credited, "what is played after a pass never counts")
	require.Equal(t, 3, again.Aggregates.Rerolls, "and is never hidden")

	file := filepath.Join(m.root, "scoreboard", again.Key+".json")
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	edited := bytes.Replace(data, []byte(`"outcome": "fail"`), []byte(`"outcome": "pass"`), 1)
	require.NotEqual(t, data, edited)
	require.NoError(t, os.WriteFile(file, edited, 0o644))
	status, out = m.verify(t)
	require.Equal(t, 1, status, "an edited row:\n%s", out)
}

// Playing until it is green does not make it green.
func TestScoreboardKeepsTheFirstFailure(t *testing.T) {
	t.Parallel()
	m := measure(t)
	m.bad.Store(true)
	p := m.play(t, "first")
	require.NotZero(t, p.exit)
	require.Regexp(t, "core published m: unfinished: .*, 0 units have credit so far\n", p.out)

	m.bad.Store(false)
	p = m.play(t, "second")
	require.Zero(t, p.exit, "this time all is well:\n%s", p.out)
	a := m.entry(t).Aggregates
	require.Zero(t, a.Credited, "and it does not count")
	require.Equal(t, 3*units(casesOfPackage(t, "core")), a.Rerolls)
}

// Of two runs for one entry at once nobody could say whose attempts came first.
func TestScoreboardIsOneRunsAtATime(t *testing.T) {
	t.Parallel()
	m := measure(t)
	asked, answer := make(chan struct{}), make(chan struct{})
	once, end := sync.OnceFunc(func() { close(asked) }), sync.OnceFunc(func() { close(answer) })
	cases, err := suite()
	require.NoError(t, err)
	good := standFor(t.Errorf, cases, nil, honest)
	m.url, m.key = serve(t, gateway.UpstreamFunc(func(ctx context.Context, r *gateway.Request) (*gateway.Reply, error) {
		once()
		<-answer
		return good.Complete(ctx, r)
	}))
	t.Cleanup(end) // before the endpoint goes

	first := make(chan played, 1)
	go func() { first <- m.play(t, "first") }()
	select {
	case <-asked:
	case p := <-first:
		require.Fail(t, "the first run asked nothing", "%s", p.out)
	}
	p := m.play(t, "second")
	require.NotZero(t, p.exit, "%s", p.out)
	require.Regexp(t, `deeds: -scoreboard: m is being measured by another run, \S+-first\n`, p.out)

	end()
	p = <-first
	require.Zero(t, p.exit, "%s", p.out)
	require.Zero(t, m.entry(t).Aggregates.Rerolls, "the second has played nothing")
}

// A suite of two packages that all passes, three times of three and in one invocation
// of go test, is certified.
func TestScoreboardOfAWholeSuite(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it builds a module of its own")
	}
	if _, err := sandbox.Available(sandbox.Strict); err != nil {
		t.Skipf("nothing is certified here: %v", err)
	}
	m := measure(t)
	module := smallSuite(t)
	goTest := func(args ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), "go", append([]string{"test", "./evals/..."}, args...)...)
		cmd.Dir = module
		cmd.Env = append(cleanEnv(), "OPENAI_API_KEY="+m.key, "DEEDS_RESULTS="+m.root, "CI=1", "GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	out, err := goTest("-model=m", "-base-url="+m.url, "-scoreboard")
	require.NoError(t, err, "%s", out)
	e := m.entry(t)
	a := e.Aggregates
	require.True(t, a.Certified, "%v\n%s", a.Why, out)
	require.Equal(t, 2, a.Credited, "%s", out)
	require.Equal(t, 2, a.Units)
	require.Len(t, a.Runs, 1, "two packages, one run")
	require.Len(t, a.Packages, 2)
	page, err := os.ReadFile(filepath.Join(m.root, "SCOREBOARD.md"))
	require.NoError(t, err)
	require.Contains(t, string(page), "100.0 % (2/2)")

	// An edited case is another one: what was measured of it does not count any more.
	file := filepath.Join(module, "evals", "core", "known_path_test.go")
	src, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, append(src, "\n// edited\n"...), 0o644))
	now, err := board.Today(module, []*results.Entry{e})
	require.NoError(t, err)
	a = results.Aggregate(e, now...)
	require.False(t, a.Certified)
	require.Equal(t, []string{"core/known-path"}, a.Stale)
}

// smallSuite makes a module with a case in each of two packages.
func smallSuite(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	module := t.TempDir()
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	mod = bytes.Replace(mod, []byte("module github.com/deeds-evals/deeds\n"), []byte("module example.com/suite\n"), 1)
	mod = append(mod, "\nrequire github.com/deeds-evals/deeds v0.0.0\n\nreplace github.com/deeds-evals/deeds => "+root+"\n"...)
	write := func(name string, data []byte) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(module, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(module, name), data, 0o644))
	}
	write("go.mod", mod)
	for _, name := range []string{
		"go.sum",
		"evals/core/known_path_test.go", "evals/core/testdata/known-path.txtar",
		"evals/chain/read_before_edit_test.go", "evals/chain/testdata/read-before-edit.txtar",
	} {
		data, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		write(name, data)
	}
	return module
}

func casesOfPackage(t *testing.T, pkg string) []knownCase {
	t.Helper()
	cases, err := suite()
	require.NoError(t, err)
	var own []knownCase
	for _, k := range cases {
		if k.pkg() == pkg {
			own = append(own, k)
		}
	}
	return own
}
