package e2e

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/cli"
	"github.com/deeds-evals/deeds/internal/gateway"
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
