package behavior

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/gateway"
	"github.com/deeds-evals/deeds/internal/journal"
	"github.com/deeds-evals/deeds/internal/sandbox"
	"github.com/deeds-evals/deeds/internal/suite"
	"github.com/deeds-evals/deeds/results"
)

const oldRun = "20260101T000000Z-abcdef"

func pointer[T any](x T) *T { return &x }

// asked is what a run was asked for.
func asked() results.Settings {
	return results.Settings{
		Models: []string{"a", "b"}, Agent: "builtin", Repeat: 3, Jobs: 5, BaseURL: "http://127.0.0.1:1/v1",
		Temperature: pointer(0.0), Containment: "best", Worlds: []string{"big"}, Signals: []string{"tool-chain", "plan-safety"}, MaxTokens: 100,
	}
}

func adopt(t *testing.T, was results.Settings, flags, env map[string]string) (settings, error) {
	t.Helper()
	flags["resume"] = "last"
	r := &reader{flags: flagsOf(flags), getenv: envOf(env)}
	s, err := readSettings(r.flags, nil, r.getenv)
	require.NoError(t, err)
	return s.adopted(results.Plan{Kind: "live", Settings: was}, oldRun, r)
}

func TestResumeTakesTheSettingsOfTheRun(t *testing.T) {
	t.Parallel()
	s, err := adopt(t, asked(), map[string]string{}, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b"}, s.models)
	require.Equal(t, []any{3, 5, "http://127.0.0.1:1/v1", sandbox.Best, int64(100)}, []any{s.repeat, s.jobs, s.baseURL, s.containment, s.maxTokens})
	require.Equal(t, []string{"big"}, s.worlds)
	require.Equal(t, []Signal{"tool-chain", "plan-safety"}, s.signals)
	require.Zero(t, *s.temperature, "temperature 0 is a temperature")
	require.Nil(t, s.seed)
	require.Equal(t, "live", s.kind())

	s, err = adopt(t, asked(), map[string]string{"j": "2", "max-tokens": "500", "budget": "3", "signal": "tool-chain", "model": "a,b", "retries": "1"}, nil)
	require.NoError(t, err, "what may be given anew, what is played in part, and what is as it was")
	require.Equal(t, []any{2, int64(500), 3.0, []Signal{"tool-chain"}, 1}, []any{s.jobs, s.maxTokens, s.budget, s.signals, s.retries})

	s, err = adopt(t, asked(), map[string]string{}, map[string]string{"OPENAI_BASE_URL": "http://user:word@127.0.0.1:1/v1?key=x"})
	require.NoError(t, err)
	require.Equal(t, "http://user:word@127.0.0.1:1/v1?key=x", s.baseURL, "who asks is in no plan")
	s, err = adopt(t, asked(), map[string]string{}, map[string]string{"OPENAI_BASE_URL": "http://127.0.0.1:2/v1"})
	require.NoError(t, err)
	require.Equal(t, "http://127.0.0.1:1/v1", s.baseURL, "what holds for all runs is no flag")
}

// A variable of a shell that is not set is no run: the cases would be rehearsed, and green.
func TestRunThatIsNotNamed(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"resume", "replay", "regrade"} {
		for _, value := range []string{"", " "} {
			_, err := readSettings(flagsOf(map[string]string{name: value}), nil, envOf(nil))
			require.ErrorContains(t, err, "deeds: -"+name+"= names no run\nhint: ")
		}
	}
	_, err := readSettings(flagsOf(nil), nil, envOf(map[string]string{"DEEDS_RESUME": ""}))
	require.NoError(t, err, "a variable that is empty is as one that is not set")
}

// A record may come from somebody else: it does not say where a key is sent.
func TestResumeSendsTheKeyWhereTheEnvironmentSays(t *testing.T) {
	t.Parallel()
	was := asked()
	was.BaseURL = "https://there.example/v1"
	key := map[string]string{"OPENAI_API_KEY": "sk-0123456789"}
	const want = "deeds: the run 20260101T000000Z-abcdef was played at https://there.example/v1, and the key in OPENAI_API_KEY goes with "
	_, err := adopt(t, was, map[string]string{}, key)
	require.EqualError(t, err, want+"https://api.openai.com/v1\nhint: if the key is for that one, give -base-url=https://there.example/v1")
	key["OPENAI_BASE_URL"] = "https://me:word@here.example/v1"
	_, err = adopt(t, was, map[string]string{}, key)
	require.ErrorContains(t, err, want+"https://here.example/v1\nhint: ")
	for name, given := range map[string]struct{ flags, env map[string]string }{
		"a flag":           {map[string]string{"base-url": was.BaseURL}, key},
		"the environment":  {map[string]string{}, map[string]string{"OPENAI_API_KEY": "sk-0123456789", "OPENAI_BASE_URL": "https://there.example/v2"}},
		"there is no key":  {map[string]string{}, nil},
		"a twin of a flag": {map[string]string{}, map[string]string{"OPENAI_API_KEY": "sk-0123456789", "DEEDS_BASE_URL": was.BaseURL}},
	} {
		_, err := adopt(t, was, given.flags, given.env)
		require.NoError(t, err, name)
	}
}

func TestResumeRefusesWhatContradicts(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ value, want string }{
		"model":       {"a", "-model=a contradicts the run 20260101T000000Z-abcdef, which was asked for with -model=a,b"},
		"repeat":      {"5", "-repeat=5 contradicts the run 20260101T000000Z-abcdef, which was asked for with -repeat=3"},
		"worlds":      {"small", "with -worlds=big"},
		"limit":       {"2", "without -limit"},
		"signal":      {"mode-selection", "with -signal=tool-chain,plan-safety"},
		"temperature": {"1", "-temperature=1 contradicts the run 20260101T000000Z-abcdef, which was asked for with -temperature=0"},
		"seed":        {"7", "without -seed"},
		"reasoning":   {"high", "without -reasoning"},
		"user-model":  {"u", "without -user-model"},
		"containment": {"strict", "with -containment=best"},
		"base-url":    {"http://user:word@127.0.0.1:2/v1", "-base-url=http://127.0.0.1:2/v1 contradicts"},
		"scoreboard":  {"true", "without -scoreboard"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := adopt(t, asked(), map[string]string{name: test.value}, nil)
			require.ErrorContains(t, err, test.want)
			require.ErrorContains(t, err, "hint: leave it out, or start a new run, without -resume")
			require.NotContains(t, err.Error(), "word@")
		})
	}
	_, err := adopt(t, asked(), map[string]string{}, map[string]string{"DEEDS_REPEAT": "4"})
	require.ErrorContains(t, err, "DEEDS_REPEAT=4 contradicts the run")
}

// peers 59: reuse is decided by the same fingerprint that was written, slot by slot; a
// run of another size is another run.
func TestResumeRefusesARunThatWasAskedForInSeveralWays(t *testing.T) {
	t.Parallel()
	one := results.Plan{Kind: "live", Settings: asked(), Created: time.Unix(2, 0)}
	two := one
	two.Created, two.Settings.Jobs, two.Settings.MaxTokens = time.Unix(3, 0), 1, 900
	plan, err := askedFor(oldRun, []results.Plan{two, one})
	require.NoError(t, err)
	require.Equal(t, []any{5, int64(900)}, []any{plan.Settings.Jobs, plan.Settings.MaxTokens}, "the first plan, with the budget of the last")
	two.Settings.Repeat = 1
	_, err = askedFor(oldRun, []results.Plan{two, one})
	require.ErrorContains(t, err, "was asked for in several ways")
}

func TestResumeRefusesWhatChanged(t *testing.T) {
	t.Parallel()
	slots := []results.Slot{{Case: "core/a", Attempt: 1}, {Case: "core/b", Attempt: 1}}
	record := func() *results.Run {
		return &results.Run{
			Plans: []results.Plan{{Package: "core", Dir: "evals/core", Slots: slots, Suite: []results.SuiteCase{
				{Case: "core/a", Digest: "1"}, {Case: "core/b", Digest: "2"}, {Case: "chain/c", Digest: "3"},
			}}},
			Attempts: []results.Attempt{{Slot: slots[0], Digests: results.Digests{Case: "1", Grader: graderDigest()}}},
		}
	}
	check := func(run *results.Run, today ...suite.Case) error {
		return newResumption(results.RunInfo{ID: oldRun}, run, run.Plans[0]).same(run, today, "evals/core")
	}
	a, b := suite.Case{ID: "core/a", Digest: "1"}, suite.Case{ID: "core/b", Digest: "2"}
	require.NoError(t, check(record(), a, b, suite.Case{ID: "chain/c", Digest: "9"}), "of which nothing was planned")
	require.EqualError(t, check(record(), a, suite.Case{ID: "core/b", Digest: "9"}),
		"deeds: 1 case changed since the run 20260101T000000Z-abcdef was made, or went away: core/b\nhint: what is on record is about other cases: start a new run, without -resume, or put them back")
	require.ErrorContains(t, check(record()), "2 cases changed since the run 20260101T000000Z-abcdef was made, or went away: core/a, core/b")
	run := record()
	run.Attempts[0].Digests.Case = "0"
	require.ErrorContains(t, check(run, a, b), "core/a", "an attempt says what it was judged by")
	run.Attempts[0].Digests = results.Digests{Case: "1", Grader: "0"}
	require.ErrorContains(t, check(run, a, b), "was judged by another version of package behavior")
	run = record()
	run.Plans = append(run.Plans, results.Plan{Package: "far", Dir: "other/far", Slots: []results.Slot{{Case: "far/x"}}, Suite: []results.SuiteCase{{Case: "far/x", Digest: "4"}}})
	require.NoError(t, check(run, a, b), "another suite answers for its own")
}

func TestResumeFindsItsSlots(t *testing.T) {
	t.Parallel()
	first := results.Slot{Case: "core/a", Model: "m", Agent: "builtin", Attempt: 1}
	run := &results.Run{Plans: []results.Plan{{Package: "core", Slots: []results.Slot{first}, Suite: []results.SuiteCase{{Case: "core/a"}, {Case: "core/b"}}}}}
	plan := results.Plan{Settings: results.Settings{Run: "TestA/attempt=1"}}
	m := newResumption(results.RunInfo{ID: oldRun}, run, plan)
	require.True(t, m.asks("TestA/attempt=1", first))
	other := first
	other.Attempt = 2
	require.False(t, m.asks("TestA/attempt=2", other), "-run of the run left it out")
	require.True(t, m.asks("TestX", first), "a plan has it, whatever selected it")
	require.Empty(t, m.leaveOut("core/b", []suite.Case{{ID: "core/b"}}))
	require.Equal(t, "it came after the run 20260101T000000Z-abcdef was planned", m.leaveOut("core/new", []suite.Case{{ID: "core/new"}}))
	require.False(t, m.beyond("core/a", 5, 1), "the plan says which the first are")
	require.True(t, m.beyond("core/b", 0, 1))
	require.False(t, m.beyond("chain/c", 0, 1))
	require.True(t, m.beyond("chain/d", 1, 1))
	var none *resumption
	require.True(t, none.asks("TestA", first))
	require.Empty(t, none.leaveOut("x", nil))
	require.True(t, none.beyond("x", 1, 1))
}

// peers 58 and 65: what was void is played again, what passed or failed is not.
func TestResumeRestoresWhatWasDecided(t *testing.T) {
	t.Parallel()
	slotOf := func(n int) *slot { return &slot{Slot: results.Slot{Case: "core/a", Attempt: n}} }
	e := &entry{id: "core/a", slots: []*slot{slotOf(1), slotOf(2), slotOf(3), slotOf(4)}}
	past := make(map[results.Slot]results.SlotResult)
	for n, outcome := range []string{results.Pass, results.Fail, results.Void} {
		s := results.Slot{Case: "core/a", Attempt: n + 1}
		past[s] = results.SlotResult{Slot: s, Outcome: outcome, Decided: &results.Attempt{Slot: s, Outcome: outcome, Usage: results.Usage{Prompt: 3, Completion: 4}}}
	}
	p := &process{resumed: &resumption{}}
	p.restore(past, []*entry{e})
	require.Equal(t, []Outcome{Pass, Fail, "", ""}, []Outcome{e.slots[0].decided(), e.slots[1].decided(), e.slots[2].decided(), e.slots[3].decided()})
	require.Equal(t, 2, countSlots([]*entry{e}, ""))
	require.Equal(t, Void, e.slots[2].settled().outcome)
	require.Equal(t, 7, e.slots[0].settled().evidence.Usage.tokens())
	score := p.closing(e).Score
	require.Equal(t, "1 of 3 attempts passed, 1 void, 1 of 4 not run; a case passes on 4 of 4", score.String(), "what was before counts")
	fresh := slotOf(1)
	(&process{}).restore(past, []*entry{{slots: []*slot{fresh}}})
	require.Empty(t, fresh.decided(), "only a run that is gone on with has its slots decided")
}

func TestNearestRuns(t *testing.T) {
	t.Parallel()
	list := func() []results.RunInfo {
		return []results.RunInfo{{ID: "20260101T000000Z-abcdef"}, {ID: "20260102T000000Z-abc123"}, {ID: "20260103T000000Z-999999"}}
	}
	require.Equal(t, "did you mean 20260101T000000Z-abcdef?", nearestRuns("abcdefg", list()))
	require.Equal(t, "the newest is 20260103T000000Z-999999", nearestRuns("nothing-like-it", list()))
	require.Equal(t, "none was recorded there: a rehearsal leaves no record", nearestRuns("x", nil))
}

// Nothing is started past the budget, what is under way goes on, and all packages are
// told: the one clear error has the sum.
func TestBudgetThatIsUsedUp(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), oldRun)
	require.NoError(t, os.Mkdir(dir, 0o755))
	r := aRun(t, dir, "core", "evals/core")
	r.id, r.base.Settings = oldRun, results.Settings{MaxTokens: 10, Budget: 2}
	var err error
	r.limiter, err = gateway.NewLimiter(gateway.LimiterConfig{MaxTokens: 10, MaxCost: 2})
	require.NoError(t, err)
	require.NoError(t, r.spent(r.limiter.Budget(t.Context())))
	require.Equal(t, context.Canceled, r.spent(context.Canceled), "another error stays what it is")
	r.limiter.Spent(12, 0.5)
	err = r.spent(r.limiter.Budget(t.Context()))
	require.EqualError(t, err, "deeds: the budget of the run is used up: 12 tokens of -max-tokens=10\nhint: nothing that was played is lost: go on with -resume=20260101T000000Z-abcdef -max-tokens=24")
	require.NoError(t, r.ctx.Err(), "what is under way is not cut short")
	other, err := journal.Open(dir, "chain", nil)
	require.NoError(t, err)
	defer other.Close()
	require.Equal(t, "the budget of the run is used up: 12 tokens of -max-tokens=10", other.Stopped())
	r.limiter.Spent(0, 1.75)
	require.ErrorContains(t, r.spent(r.limiter.Budget(t.Context())), "the budget of the run is used up: $2.25 of -budget=2")
}
