package e2e

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/internal/gateway"
	"github.com/deeds-evals/deeds/internal/zstd"
	"github.com/deeds-evals/deeds/results"
)

// The names of a run and of its replay.
const (
	playedID   = "20260101T000000Z-abcdef"
	replayedID = "20260102T000000Z-fedcba"
)

// record plays cases in some worlds and leaves one run below the root.
func record(t *testing.T, root string, cases []knownCase, worlds []string, m model, args ...string) *results.Run {
	t.Helper()
	url, key := endpoint(t, cases, worlds, m)
	for _, pkg := range packages {
		mine := inWorlds(cases, pkg, worlds)
		if len(mine) == 0 {
			continue
		}
		args := append([]string{"-model=m", "-base-url=" + url, "-containment=best", "-j=8", "-test.run=" + runPattern(mine)}, args...)
		if len(worlds) > 0 {
			args = append(args, "-worlds="+strings.Join(worlds, ","))
		}
		play(t, pkg, root, []string{"OPENAI_API_KEY=" + key, "DEEDS_RUN=" + playedID}, args...)
	}
	return load(t, root, playedID)
}

// inWorlds are the cases of a package that have one of the worlds, or those without
// any if none is named.
func inWorlds(cases []knownCase, pkg string, worlds []string) (mine []knownCase) {
	for _, k := range cases {
		if k.pkg() == pkg && (len(worlds) == 0 && len(k.Worlds) == 0 || slices.ContainsFunc(k.Worlds, func(w string) bool { return slices.Contains(worlds, w) })) {
			mine = append(mine, k)
		}
	}
	return mine
}

// named are the cases of these ids.
func named(t *testing.T, ids ...string) []knownCase {
	t.Helper()
	cases, err := suite()
	require.NoError(t, err)
	return slices.DeleteFunc(slices.Clone(cases), func(k knownCase) bool { return !slices.Contains(ids, k.ID) })
}

func load(t *testing.T, root, id string) *results.Run {
	t.Helper()
	run, err := results.Load(filepath.Join(root, "runs", id))
	require.NoError(t, err)
	return run
}

// edited builds the test binary of core from sources some of which were edited: old
// text and new, by file.
func edited(t *testing.T, edits map[string][2]string) string {
	t.Helper()
	module, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	dir := t.TempDir()
	replace := make(map[string]string)
	for file, edit := range edits {
		text, err := os.ReadFile(filepath.Join(module, file))
		require.NoError(t, err)
		require.Contains(t, string(text), edit[0], file)
		copied := filepath.Join(dir, filepath.Base(file))
		require.NoError(t, os.WriteFile(copied, []byte(strings.ReplaceAll(string(text), edit[0], edit[1])), 0o644))
		replace[filepath.Join(module, file)] = copied
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o644))
	binary := filepath.Join(dir, "core.test")
	cmd := exec.Command("go", "test", "-c", "-overlay="+filepath.Join(dir, "overlay.json"), "-o", binary, "./evals/core")
	cmd.Dir = module
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return binary
}

// drawing tells the cases whose own scripts draw a value while they run, so that it
// cannot be known without running them: a replay finds another one there, and says so.
var drawing = regexp.MustCompile(`urandom|RANDOM`)

// The whole suite, driven again without a model, asks what it asked, and is judged as
// it was; what is kept of it, judged again, is too.
func TestReplayOfTheSuite(t *testing.T) {
	t.Parallel()
	cases, err := suite()
	require.NoError(t, err)
	var diverged atomic.Int64
	t.Run("worlds", func(t *testing.T) {
		for _, worlds := range rounds(cases) {
			t.Run(strings.Join(worlds, ","), func(t *testing.T) {
				t.Parallel()
				root := t.TempDir()
				run := record(t, root, cases, worlds, honest)
				was := make(map[results.Slot]results.Attempt)
				for _, a := range run.Attempts {
					was[a.Slot] = a
				}
				require.NotEmpty(t, was)
				for _, pkg := range packages {
					if len(inWorlds(cases, pkg, worlds)) > 0 {
						p := play(t, pkg, root, []string{"DEEDS_RUN=" + replayedID}, "-replay="+playedID, "-j=8")
						require.Contains(t, p.out, "; 0 verdicts flipped, 0 outcomes", "%s", p.out)
						p = play(t, pkg, root, nil, "-regrade="+playedID)
						require.Zero(t, p.exit, "%s", p.out)
						require.Contains(t, p.out, ": 0 verdicts flip, 0 outcomes\n", "%s", p.out)
					}
				}
				again := load(t, root, replayedID)
				require.Equal(t, "replayed", again.Kind())
				require.Len(t, again.Attempts, len(was), "each once")
				for _, a := range again.Attempts {
					if a.Reason == "diverged" {
						diverged.Add(1)
						source, err := os.ReadFile(filepath.Join("..", "..", "evals", file(a.Case)))
						require.NoError(t, err)
						assert.Regexp(t, drawing, string(source), "%s @%s: %s", a.Case, a.World, a.Detail)
						continue
					}
					assert.Equal(t, was[a.Slot].Outcome, a.Outcome, "%s @%s: %s", a.Case, a.World, a.Detail)
				}
			})
		}
	})
	t.Logf("%d of %d units draw a value when they are run, and diverge", diverged.Load(), units(cases))
	require.Less(t, int(diverged.Load()), units(cases)/10)
}

// What was changed since an attempt was recorded is a divergence which shows what was
// and what is. It is no pass, and it is not tried again.
func TestReplayDiverges(t *testing.T) {
	t.Parallel()
	kept := t.TempDir()
	record(t, kept, named(t, "core/known-path"), nil, honest)
	const known = "evals/core/known_path_test.go"
	for name, test := range map[string]struct {
		sources map[string][2]string
		tamper  func(*behavior.Evidence)
		want    string
	}{
		"prompt of the case":  {sources: map[string][2]string{known: {"What are the settings in", "Which settings has"}}, want: `request 1, message 2 differs from the recorded one:\nwas .*What are the settings in.*\nis  .*Which settings has`},
		"file of the case":    {sources: map[string][2]string{known: {"weight=37", "weight=38"}}, want: `request 2, message 4 differs from the recorded one:\nwas .*weight=37.*\nis  .*weight=38`},
		"prompt of the agent": {sources: map[string][2]string{"internal/agent/prompts/working.md": {"\n", "\n\n"}}, want: `request 1, message 1 differs from the recorded one:\nwas .*\nis  `},
		"a tool's words":      {sources: map[string][2]string{"internal/tools/ls.go": {"List a directory", "Show a folder"}}, want: `request 1 offers other tools than the recorded one:\nwas .*List a directory.*\nis  .*Show a folder`},
		"an answer": {tamper: func(e *behavior.Evidence) {
			e.Wire[0].Response = []byte(strings.Replace(string(e.Wire[0].Response), "regions.conf", "regions.conf.orig", 1))
		}, want: `request 2, message 3 differs from the recorded one:\nwas .*regions.conf\\+".*\nis  .*regions.conf.orig`},
		"the end is missing": {tamper: func(e *behavior.Evidence) { e.Wire = e.Wire[:1] }, want: `all answers on record are given, and one more is asked for; its last message\nis  .*eu-west-3`},
		"one too many": {tamper: func(e *behavior.Evidence) {
			more := e.Wire[1]
			more.Request, more.Repeats = []byte(`{"messages":[{"role":"user","content":"And?"}]}`), 4
			e.Wire = append(e.Wire, more)
		}, want: `1 of 3 requests on record did not come again; the first is request 3, with 5 messages, the last of them\n.*And\?`},
		"a damaged file": {want: `there is no recording to go by: the evidence .* is not what was recorded`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			require.NoError(t, os.CopyFS(root, os.DirFS(kept)))
			binary := filepath.Join(scratch, "core.test")
			switch {
			case test.sources != nil:
				binary = edited(t, test.sources)
			case test.tamper != nil:
				tamper(t, root, test.tamper)
			default:
				a := load(t, root, playedID).Attempts[0]
				require.NoError(t, os.WriteFile(filepath.Join(root, "runs", playedID, filepath.FromSlash(a.Evidence)), []byte("no"), 0o644))
			}
			p := start(t, binary, "core", root, []string{"DEEDS_RUN=" + replayedID}, "-replay="+playedID)
			require.Equal(t, 1, p.exit, "%s", p.out)
			run := load(t, root, replayedID)
			require.Len(t, run.Attempts, 1, "it is not played again")
			require.Equal(t, "void", run.Attempts[0].Outcome)
			require.Equal(t, "diverged", run.Attempts[0].Reason)
			require.Regexp(t, `(?s)^`+strings.ReplaceAll(test.want, `.*`, `[^\n]*`), run.Attempts[0].Detail)
			require.Contains(t, p.out, "void   diverged: ")
			require.Contains(t, p.out, "replayed 1 attempt of "+playedID+": 1 diverged; 0 verdicts flipped, 0 outcomes")
			require.Contains(t, p.out, "-replay="+playedID, "how to do it again")
		})
	}
}

// tamper changes what is on record of the one attempt, its sum included.
func tamper(t *testing.T, root string, change func(*behavior.Evidence)) {
	t.Helper()
	run := load(t, root, playedID)
	a := run.Attempts[0]
	data, err := run.Evidence(a)
	require.NoError(t, err)
	var e behavior.Evidence
	require.NoError(t, json.Unmarshal(data, &e))
	change(&e)
	data, err = json.Marshal(e)
	require.NoError(t, err)
	packed, err := zstd.Pack(data)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(run.Dir, filepath.FromSlash(a.Evidence)), packed, 0o644))
	sum := sha256.Sum256(packed)
	a.EvidenceSum = hex.EncodeToString(sum[:])
	line, err := json.Marshal(a)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(run.Dir, "attempts-core.jsonl"), append(line, '\n'), 0o644))
}

// Repeats of a unit have each the answers of its own attempt, whatever they have in
// common: they are never one answer several times.
func TestReplayKeepsRepeatsApart(t *testing.T) {
	t.Parallel()
	cases := named(t, "core/known-path")
	right, other := standFor(t.Errorf, cases, nil, honest), standFor(t.Errorf, cases, nil, wrong)
	var begun atomic.Int64 // attempts, which are played one by one
	address, key := serve(t, gateway.UpstreamFunc(func(ctx context.Context, r *gateway.Request) (*gateway.Reply, error) {
		n := begun.Load()
		if len(r.Tools) > 0 && first(r, "assistant") == "" {
			n = begun.Add(1)
		}
		if n == 2 {
			return other.Complete(ctx, r)
		}
		return right.Complete(ctx, r)
	}))
	root := t.TempDir()
	play(t, "core", root, []string{"OPENAI_API_KEY=" + key, "DEEDS_RUN=" + playedID}, "-test.run="+runPattern(cases), "-model=m", "-base-url="+address, "-repeat=3", "-j=1", "-containment=best")
	was := outcomes(load(t, root, playedID))
	require.Len(t, was, 3)
	failed := 0 // the attempt that was played second
	for s, o := range was {
		if o == results.Fail {
			require.Zero(t, failed)
			failed = s.Attempt
		}
	}
	require.NotZero(t, failed)

	p := play(t, "core", root, []string{"DEEDS_RUN=" + replayedID}, "-replay=last", "-j=3")
	require.Equal(t, 1, p.exit, "what failed then fails now:\n%s", p.out)
	require.Equal(t, was, outcomes(load(t, root, replayedID)))
	require.Contains(t, p.out, "replayed 3 attempts of "+playedID+": 0 diverged; 0 verdicts flipped, 0 outcomes")
	require.Equal(t, []string{"m"}, load(t, root, replayedID).Models())

	// The last run is the one that was played, now as before; and it can be narrowed.
	const third = "20260103T000000Z-000003"
	play(t, "core", root, []string{"DEEDS_RUN=" + third}, "-replay=last", fmt.Sprintf("-test.run=^TestKnownPath$/^attempt=%d$", failed))
	run := load(t, root, third)
	require.Equal(t, playedID, run.Plans[0].Settings.Replay)
	require.Len(t, run.Attempts, 1)
	require.Equal(t, failed, run.Attempts[0].Attempt)
	require.Equal(t, "fail", run.Attempts[0].Outcome)
}

// A replay is a run of its own: it adds nothing to the one that was played.
func TestReplayIsARunOfItsOwn(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	record(t, root, named(t, "core/known-path"), nil, honest)
	before := tree(t, root)
	p := play(t, "core", root, []string{"DEEDS_RUN=" + playedID}, "-replay="+playedID)
	require.Equal(t, 1, p.exit)
	require.Contains(t, p.out, "deeds: DEEDS_RUN names "+playedID+", which is no replay of "+playedID)
	require.Len(t, load(t, root, playedID).Attempts, 1)
	for name, sum := range before {
		require.Equal(t, sum, tree(t, root)[name], name)
	}
	p = play(t, "core", root, nil, "-replay=20250101")
	require.Equal(t, 1, p.exit)
	require.Contains(t, p.out, "deeds: there is no run \"20250101\" under")
}

// Nothing is green because nothing happened: a package of whose record nothing is driven
// or judged again says so, unless the run never came there.
func TestNothingTakenUpIsRed(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	play(t, "core", root, []string{"DEEDS_RUN=" + playedID}, "-model=sim:1", "-seed=1", "-repeat=2", "-test.run=TestKnownPath")
	for name, test := range map[string]struct {
		pkg  string
		args []string
		env  []string
		exit int
		want string
	}{
		"replay, another case":    {"core", []string{"-replay=" + playedID, "-test.run=TestDeepRange"}, nil, 1, "deeds: nothing is driven again: " + playedID},
		"replay, another attempt": {"core", []string{"-replay=" + playedID, "-test.run=TestKnownPath/attempt=9"}, nil, 1, "deeds: nothing is driven again: " + playedID},
		"replay, another package": {"chain", []string{"-replay=" + playedID}, nil, 0, ""},
		"another case":            {"core", []string{"-regrade=" + playedID, "-test.run=TestDeepRange"}, nil, 1, "deeds: nothing was judged again: " + playedID},
		"no case":                 {"core", []string{"-test.run=TestNone"}, []string{"DEEDS_REGRADE=" + playedID}, 2, "deeds: -run and -skip select none"},
		"another package":         {"chain", []string{"-regrade=" + playedID}, nil, 0, "regraded 0 attempts"},
		"no run":                  {"core", []string{"-regrade="}, nil, 1, "deeds: -regrade= names no run\nhint: "},
	} {
		t.Run(name, func(t *testing.T) {
			p := play(t, test.pkg, root, test.env, test.args...)
			require.Equal(t, test.exit, p.exit, "%s", p.out)
			require.Contains(t, strings.ReplaceAll(p.out, "\n        ", "\n"), test.want)
		})
	}
}

// Under -count a package takes up the same once more, and does not add it to the first.
func TestCountTakesUpTheSame(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	play(t, "core", root, []string{"DEEDS_RUN=" + playedID}, "-model=sim:1", "-seed=1", "-repeat=2", "-test.run=TestKnownPath")
	for flag, want := range map[string]string{
		"-regrade=": "regraded 2 attempts of 1 case: 0 verdicts flip",
		"-replay=":  "replayed 2 attempts of " + playedID + ": 0 diverged",
	} {
		p := play(t, "core", root, nil, flag+playedID, "-test.count=2")
		require.Zero(t, p.exit, "%s", p.out)
		require.Equal(t, 2, strings.Count(p.out, want), "%s", p.out)
	}
}

// tree is what lies in the runs below a root, by path; locks excepted.
func tree(t *testing.T, root string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	dir := filepath.Join(root, "runs")
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), ".") || strings.Contains(path, "shared") {
			return err
		}
		data, err := os.ReadFile(path)
		all[path] = string(data)
		return err
	}))
	return all
}

// After a case was edited, judging the record again lists exactly what the edit
// changes, writes nothing at all (inspect_ai#5180), and says the same the next time
// (inspect_ai#841).
func TestRegradeListsTheFlips(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	cases := named(t, "core/known-path", "core/deep-range", "core/definition")
	run := record(t, root, cases, nil, honest, "-repeat=2")
	require.Len(t, run.Attempts, 2*len(cases))
	before := tree(t, root)

	same := play(t, "core", root, nil, "-regrade="+playedID)
	require.Zero(t, same.exit, "%s", same.out)
	require.Contains(t, same.out, "regraded 6 attempts of 3 cases: 0 verdicts flip, 0 outcomes\n")
	require.NotContains(t, same.out, "flip   ")

	binary := edited(t, map[string][2]string{"evals/core/known_path_test.go": {
		`expect.Answer("37"),`, `expect.Answer("38"),
				expect.Answer("standby"),`,
	}})
	var said []string
	for range 2 {
		p := start(t, binary, "core", root, nil, "-regrade="+playedID, "-test.parallel=1")
		require.Equal(t, 1, p.exit, "%s", p.out)
		require.Contains(t, p.out, "regraded 6 attempts of 3 cases: 2 verdicts flip, 2 outcomes\n")
		flips := regexp.MustCompile(`(?m)^ *flip   .*$`).FindAllString(p.out, -1)
		for i := range flips {
			flips[i] = strings.TrimSpace(flips[i])
		}
		require.Equal(t, []string{
			"flip   core/known-path/1  outcome  pass → fail", "flip   core/known-path/1  tool-result-integrity  pass → fail",
			"flip   core/known-path/2  outcome  pass → fail", "flip   core/known-path/2  tool-result-integrity  pass → fail",
		}, flips)
		require.Regexp(t, `(?m)^ *at +known_path_test.go:35\n *want +.*38.*\n *got +.*37`, p.out)
		require.Regexp(t, `(?m)^new +core/known-path  tool-result-integrity: .*standby.*: pass \(2 attempts\)$`, p.out)
		require.Regexp(t, `(?m)^absent +\d+ cases are not in the run: core/berth-rate, core/`, p.out)
		require.Contains(t, p.out, "FAIL: TestKnownPath")
		require.NotContains(t, p.out, "FAIL: TestDeepRange")
		said = append(said, p.out[strings.Index(p.out, "regraded"):])
	}
	require.Equal(t, said[0], said[1])
	require.Equal(t, before, tree(t, root), "nothing is written in place")
	runs, err := filepath.Glob(filepath.Join(root, "runs", "2*"))
	require.NoError(t, err)
	require.Len(t, runs, 1, "and no run is made")

	// A signal that was not asked for is judged and listed, and decides nothing.
	p := start(t, binary, "core", root, nil, "-regrade="+playedID, "-signal=required-tool", "-test.v")
	require.Contains(t, p.out, "flip   core/known-path/1  tool-result-integrity  pass → fail")
}

// Evidence that is damaged or gone is an error which is counted, and a case that is no
// more is named.
func TestRegradeSkipsNothingSilently(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	cases := named(t, "core/known-path", "core/deep-range", "core/definition")
	run := record(t, root, cases, nil, honest)
	evidence := func(i int) string { return filepath.Join(run.Dir, filepath.FromSlash(run.Attempts[i].Evidence)) }
	require.NoError(t, os.WriteFile(evidence(0), []byte("no"), 0o644))
	require.NoError(t, os.Remove(evidence(1)))
	record := filepath.Join(run.Dir, "attempts-core.jsonl")
	lines, err := os.ReadFile(record)
	require.NoError(t, err)
	written := strings.SplitAfter(string(lines), "\n")
	i := slices.IndexFunc(written, func(line string) bool { return strings.Contains(line, `"`+run.Attempts[2].Case+`"`) })
	other := strings.ReplaceAll(written[i], `"case":"`+run.Attempts[2].Case, `"case":"core/that-was`)
	require.NoError(t, os.WriteFile(record, append(lines, other...), 0o644))

	p := play(t, "core", root, nil, "-regrade=last")
	require.Equal(t, 1, p.exit, "%s", p.out)
	require.Contains(t, p.out, "regraded 1 attempt of 1 case: 0 verdicts flip, 0 outcomes; 2 could not be judged\n")
	require.Contains(t, p.out, "is not what was recorded: its SHA-256 is ")
	require.Contains(t, p.out, "no such file or directory")
	require.Contains(t, p.out, "gone   core/that-was: the suite has no such case\n")
}

// What was planned and is not on record is told, and is no case that the run has not.
func TestRegradeTellsWhatIsOpen(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	run := record(t, root, named(t, "core/known-path", "core/deep-range"), nil, honest, "-repeat=2")
	record := filepath.Join(run.Dir, "attempts-core.jsonl")
	lines, err := os.ReadFile(record)
	require.NoError(t, err)
	var kept []string
	for _, line := range strings.SplitAfter(string(lines), "\n") {
		if !strings.Contains(line, `"core/deep-range"`) && !strings.Contains(line, `"attempt":2`) {
			kept = append(kept, line)
		}
	}
	require.NoError(t, os.WriteFile(record, []byte(strings.Join(kept, "")), 0o644))
	p := play(t, "core", root, nil, "-regrade=last", "-test.run=TestKnownPath|TestDeepRange", "-test.v")
	require.Zero(t, p.exit, "%s", p.out)
	require.Contains(t, p.out, "has planned 2 attempts of it, and none is on record")
	require.Contains(t, p.out, "open   core/deep-range: planned and not run (2 attempts)\nopen   core/known-path: planned and not run (1 attempt)\n")
	require.Contains(t, p.out, "regraded 1 attempt of 1 case: 0 verdicts flip, 0 outcomes; 3 planned and not run\n")
	require.NotContains(t, p.out, "absent")
}

// A limit that was met stays met, and what was void for no matter of its expectations
// stays void, whatever they say today.
func TestRegradeKeepsLimitsAndVoids(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	record(t, root, named(t, "core/known-path"), nil, honest, "-repeat=2")
	file := filepath.Join(root, "runs", playedID, "attempts-core.jsonl")
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	lines := strings.SplitAfter(string(data), "\n")
	lines[0] = strings.Replace(lines[0], `"outcome":"pass"`, `"outcome":"fail","reason":"limit-turns"`, 1)
	lines[1] = strings.Replace(lines[1], `"outcome":"pass"`, `"outcome":"void","reason":"provider"`, 1)
	require.NoError(t, os.WriteFile(file, []byte(strings.Join(lines, "")), 0o644))
	p := play(t, "core", root, nil, "-regrade=last")
	require.Zero(t, p.exit, "%s", p.out)
	require.Contains(t, p.out, "regraded 1 attempt of 1 case: 0 verdicts flip, 0 outcomes; 1 void, and left so\n")
}
