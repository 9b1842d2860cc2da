package results

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// folder makes the folder of a run with these files.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "20261129T224301Z-3f9c1a")
	require.NoError(t, os.Mkdir(dir, 0o755))
	for name, content := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
	}
	return dir
}

func TestLoad(t *testing.T) {
	t.Parallel()
	r, err := Load(folder(t, map[string]string{
		"plan-core.json":        `{"schema":1,"package":"core","created":"2026-11-29T22:43:02Z"}`,
		"plan-core.2.json":      `{"schema":1,"package":"core","created":"2026-11-29T22:43:01Z","new":{"field":1}}`,
		"plan-chain.json":       `{"schema":1,"package":"chain"}`,
		"plan-broken.json":      `{"schema":1,`,
		"plan-later.json":       `{"schema":99,"slots":"of another kind"}`,
		"attempts-core.jsonl":   line("core/b", 2) + line("core/torn", 9)[:40] + "\n" + line("core/a", 1) + "\n\n" + `{"schema":1}` + "\n" + `{"schema":99,"case":"core/x"}` + "\n" + "\x00\x00",
		"attempts-core.2.jsonl": line("core/c", 3),
		"stopped.json":          `{"reason":"the budget is spent","at":"2026-11-29T22:43:02Z"}`,
		"attempts-core.txt":     "no record",
		".tmp-1":                "{",
	}))
	require.NoError(t, err)
	require.Equal(t, "20261129T224301Z-3f9c1a", r.ID)
	var packages, cases []string
	for _, p := range r.Plans {
		packages = append(packages, p.Package+" "+p.Created.Format("05"))
	}
	require.Equal(t, []string{"chain 00", "core 01", "core 02"}, packages)
	for _, a := range r.Attempts {
		cases = append(cases, a.Case)
	}
	require.Equal(t, []string{"core/a", "core/b", "core/c"}, cases, "in the order in which they started, over all files")
	require.Equal(t, 3, r.Torn, "half a line, one that names no case, and zeros")
	require.Equal(t, "the budget is spent", r.Stopped.Reason)
	require.Equal(t, []string{
		"attempts-core.jsonl: 1 attempt was written by a later deeds, and left out: this one reads schemas up to 1",
		"plan-broken.json is no plan: unexpected end of JSON input",
		"plan-later.json was written by a later deeds: its schema is 99, and this one reads up to 1",
	}, r.Problems)
}

// line is a line about an attempt that began at that second.
func line(id string, second int) string {
	return `{"schema":1,"case":"` + id + `","attempt":1,"outcome":"pass","started":"2026-11-29T22:43:0` + string(rune('0'+second)) + `Z"}` + "\n"
}

// A clock that is set back while a run goes on does not put a later play before the
// one that decided.
func TestClockThatGoesBack(t *testing.T) {
	t.Parallel()
	at := func(second, attempt int, outcome string) string {
		return fmt.Sprintf(`{"schema":1,"case":"core/a","attempt":%d,"outcome":%q,"started":"2026-11-29T22:43:%02dZ"}`+"\n", attempt, outcome, second)
	}
	r, err := Load(folder(t, map[string]string{
		"attempts-core.jsonl":   at(30, 1, Fail) + at(10, 1, Pass) + at(20, 2, Void) + at(5, 2, Pass),
		"attempts-core.2.jsonl": at(15, 2, Fail),
	}))
	require.NoError(t, err)
	slots := r.Slots()
	require.Len(t, slots, 2)
	for _, s := range slots {
		require.Equal(t, Fail, s.Outcome, "attempt %d", s.Attempt)
	}
}

func TestLoadOfNothing(t *testing.T) {
	t.Parallel()
	r, err := Load(folder(t, nil))
	require.NoError(t, err)
	require.Empty(t, r.Slots())
	_, err = Load(filepath.Join(t.TempDir(), "none"))
	require.ErrorContains(t, err, "read the run")
}

func TestLoadSaysWhatItCannotRead(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{"stopped.json": "{"})
	require.NoError(t, os.Mkdir(filepath.Join(dir, "attempts-core.jsonl"), 0o755))
	r, err := Load(dir)
	require.NoError(t, err)
	require.Len(t, r.Problems, 2)
	require.Contains(t, r.Problems[0], "attempts-core.jsonl: ")
	require.Contains(t, r.Problems[1], "stopped.json is not what it should be")
}

func TestLinesAreCountedHoweverTheyAreSplit(t *testing.T) {
	t.Parallel()
	data := []byte(strings.Repeat(line("core/a", 1)+"torn\n\n", 3000))
	for n := range 9 {
		var attempts, torn, bytes int
		for _, chunk := range split(data, n+1) {
			var l lines
			l.read(chunk)
			attempts += len(l.attempts)
			torn += l.torn
			bytes += len(chunk)
		}
		require.Equal(t, [3]int{3000, 3000, len(data)}, [3]int{attempts, torn, bytes})
	}
}

func TestEvidence(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{"damaged.zst": "no zstd", "empty.zst": ""})
	r := &Run{Dir: dir}
	for path, want := range map[string]string{
		"":              "no evidence",
		"../x":          "outside of the run",
		"/etc/passwd":   "outside of the run",
		"a/../../x":     "outside of the run",
		"none.json.zst": "no such file",
		"damaged.zst":   "read the evidence damaged.zst",
		"empty.zst":     "the file is empty",
	} {
		_, err := r.Evidence(Attempt{Slot: Slot{Case: "core/a"}, Evidence: path})
		require.ErrorContains(t, err, want, path)
	}
}

// Every schema that was ever written can be read. testdata/v1 is a record as it was
// written by the first release, of a run that was killed and stopped.
func TestKeptSamples(t *testing.T) {
	t.Parallel()
	r, err := Load(filepath.Join("testdata", "v1", "20261129T224301Z-3f9c1a"))
	require.NoError(t, err)
	require.Empty(t, r.Problems)
	require.Equal(t, 1, r.Torn)
	require.Equal(t, "the budget is spent", r.Stopped.Reason)
	require.Equal(t, "live", r.Kind())
	require.Equal(t, []string{"provider/model:free"}, r.Models())
	require.Equal(t, []string{"core"}, r.Missing())
	require.Equal(t, "A bounded edit is grounded in the file and changes only what was asked.", r.Claim("chain/read-before-edit"))
	require.Equal(t, []Totals{{
		Model: "provider/model:free", Agent: "builtin",
		Units: 2, NotMeasured: 2,
		Slots: 6, Pass: 2, Fail: 1, Void: 1, NotRun: 2,
		Rerolls: 1, Plays: 6, Reasons: map[string]int{"provider": 1},
	}}, r.Totals())
	cost := 0.0123
	require.Equal(t, Usage{Prompt: 1234, Completion: 56, Cached: 7, Reasoning: 8, Cost: &cost, CostSource: "reported"}, r.Attempts[0].Usage)
	require.Equal(t, []int{1, 2}, r.Attempts[1].Verdicts[0].Events)
	require.Equal(t, []string{"pass", "fail", "pass", "void", "void", "pass"}, outcomes(r))
	for _, a := range r.Attempts {
		data, err := r.Evidence(a)
		require.NoError(t, err)
		require.Contains(t, string(data), `"timeline":[`)
	}
}

func outcomes(r *Run) []string {
	var all []string
	for _, a := range r.Attempts {
		all = append(all, a.Outcome)
	}
	return all
}
