package journal

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var epoch = time.Date(2026, 11, 29, 22, 43, 1, 0, time.UTC)

// world is what Locate finds around it.
type world struct {
	root    string
	run     string // DEEDS_RUN
	process Process
	now     time.Time
	ids     []string
	alive   func(Process) (running, known bool)
}

func (w *world) locate() (dir, id string, err error) {
	c := LocateConfig{
		Dir:     w.root,
		Getenv:  environ(map[string]string{"DEEDS_RESULTS": w.root, "DEEDS_RUN": w.run}),
		Now:     func() time.Time { return w.now },
		Process: func() Process { return w.process },
		Alive:   w.alive,
	}
	if w.alive == nil {
		c.Alive = func(Process) (bool, bool) { return true, true }
	}
	if w.ids != nil {
		c.ID = func() string {
			id := w.ids[0]
			w.ids = w.ids[1:]
			return id
		}
	}
	return Locate(c)
}

func newWorld(t *testing.T) *world {
	return &world{root: t.TempDir(), process: Process{Host: "h", Pid: 7, Start: "1"}, now: epoch}
}

func (w *world) mustLocate(t *testing.T) (dir, id string) {
	t.Helper()
	dir, id, err := w.locate()
	require.NoError(t, err)
	require.DirExists(t, dir)
	require.Equal(t, filepath.Join(w.root, "runs", id), dir)
	return dir, id
}

func TestLocateNamesTheRunByItsTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.ids = []string{"3f9c1a"}
	_, id := w.mustLocate(t)
	require.Equal(t, "20261129T224301Z-3f9c1a", id)
	ignored, err := os.ReadFile(filepath.Join(w.root, "runs", ".gitignore"))
	require.NoError(t, err)
	require.Contains(t, string(ignored), "\n*\n")
}

func TestLocateGivesOneInvocationOneRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, first := w.mustLocate(t)
	w.now = w.now.Add(time.Hour)
	_, again := w.mustLocate(t)
	require.Equal(t, first, again)
}

func TestLocateNeverSharesBetweenInvocations(t *testing.T) {
	t.Parallel()
	for name, other := range map[string]Process{
		"another number":                 {Host: "h", Pid: 8, Start: "1"},
		"the same number, used again":    {Host: "h", Pid: 7, Start: "2"},
		"the same number, another boot":  {Host: "i", Pid: 7, Start: "1"},
		"the same number, another space": {Host: "h pid:[2]", Pid: 7, Start: "1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			_, first := w.mustLocate(t)
			w.process = other
			_, second := w.mustLocate(t)
			require.NotEqual(t, first, second)
		})
	}
}

func TestLocateInOneSecondWithOneID(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.ids = []string{"aaaaaa", "aaaaaa"}
	_, first := w.mustLocate(t)
	w.process.Pid++
	_, second := w.mustLocate(t)
	require.NotEqual(t, first, second)
}

func TestLocateAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ids := make([]string, 32)
	var wg sync.WaitGroup
	for i := range ids {
		wg.Go(func() {
			mine := *w
			mine.process.Pid = i % 4
			_, id, err := mine.locate()
			if err != nil {
				id = err.Error()
			}
			ids[i] = id
		})
	}
	wg.Wait()
	seen := make(map[string]bool)
	for i, id := range ids {
		require.Equal(t, ids[i%4], id)
		seen[id] = true
	}
	require.Len(t, seen, 4)
}

func TestLocateByName(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.ids = []string{"3f9c1a", "77aa01"}
	_, first := w.mustLocate(t)
	w.process.Pid++
	w.now = w.now.Add(time.Hour)

	for _, name := range []string{first, "3f9c1a"} {
		w.run = name
		_, id := w.mustLocate(t)
		require.Equal(t, first, id, "by %s", name)
	}
	w.run = "nightly"
	_, id := w.mustLocate(t)
	require.Equal(t, "20261129T234301Z-nightly", id)
	w.process.Pid++
	w.now = w.now.Add(time.Hour)
	_, again := w.mustLocate(t)
	require.Equal(t, id, again, "another process of the same name")
	w.run = "20250101T000000Z-abc"
	_, id = w.mustLocate(t)
	require.Equal(t, "20250101T000000Z-abc", id, "a whole id that is new")
	w.run = ""
	_, id = w.mustLocate(t)
	require.NotContains(t, []string{first, again}, id, "without a name the process is known by itself")
}

func TestLocateRefusesNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"..", ".", "../x", "a/b", `a\b`, "/abs", "-x", "a b", "a\nb", ".hidden", "ü", string(make([]byte, 200))} {
		w := newWorld(t)
		w.run = name
		_, _, err := w.locate()
		require.ErrorContains(t, err, "cannot name a run", "%q", name)
		require.NoDirExists(t, filepath.Join(w.root, "runs"))
	}
}

func TestLocateRefusesAShortIDOfSeveralRuns(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, id := range []string{"20250101T000000Z-abc", "20260101T000000Z-abc"} {
		require.NoError(t, os.MkdirAll(filepath.Join(w.root, "runs", id), 0o755))
	}
	w.run = "abc"
	_, _, err := w.locate()
	require.ErrorContains(t, err, "several runs: 20250101T000000Z-abc, 20260101T000000Z-abc")
}

func TestLocateForgetsWhatHasEnded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range 5 {
		w.process.Pid = 100 + i
		w.mustLocate(t)
	}
	w.process.Pid = 200
	w.now = w.now.Add(24 * time.Hour)
	w.alive = func(p Process) (bool, bool) {
		return p.Pid == 102, p.Pid != 103 // 103 cannot be seen from here
	}
	w.mustLocate(t)
	require.Equal(t, []int{102, 103, 200}, registered(w))
	w.now = w.now.Add(2 * foreign)
	w.process.Pid = 201
	w.mustLocate(t)
	require.Equal(t, []int{102, 201}, registered(w))
}

func registered(w *world) []int {
	var pids []int
	for _, e := range readRegistry(filepath.Join(w.root, "runs")).Entries {
		pids = append(pids, e.Process.Pid)
	}
	return pids
}

func TestLocateSurvivesADamagedRegistry(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustLocate(t)
	for _, content := range []string{"", "{", "\x00\x00", `{"entries": 3}`} {
		require.NoError(t, os.WriteFile(filepath.Join(w.root, "runs", registryFile), []byte(content), 0o644))
		_, id := w.mustLocate(t)
		_, again := w.mustLocate(t)
		require.Equal(t, id, again)
	}
}

func TestLocateMakesARemovedRunAnew(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	dir, _ := w.mustLocate(t)
	require.NoError(t, os.RemoveAll(dir))
	w.mustLocate(t)
}

func TestLocateSaysWhatIsInTheWay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.NoError(t, os.WriteFile(filepath.Join(w.root, "runs"), nil, 0o644))
	_, _, err := w.locate()
	require.ErrorContains(t, err, "make a directory for the run")
}

func TestRoot(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	for _, dir := range []string{"mod/a/b", "mod/nested/c", "cache/m@v1/x", "none"} {
		require.NoError(t, os.MkdirAll(filepath.Join(top, dir), 0o755))
	}
	for _, mod := range []string{"mod", "mod/nested", "cache/m@v1"} {
		require.NoError(t, os.WriteFile(filepath.Join(top, mod, "go.mod"), []byte("module m\n"), 0o644))
	}
	// As the go command leaves the module cache.
	require.NoError(t, os.Chmod(filepath.Join(top, "cache/m@v1"), 0o555))
	t.Cleanup(func() { os.Chmod(filepath.Join(top, "cache/m@v1"), 0o755) })

	for _, tt := range []struct{ dir, set, want string }{
		{"mod", "", "mod/results"},
		{"mod/a/b", "", "mod/results"},
		{"mod/nested/c", "", "mod/nested/results"},
		{"mod/a/b", "out", "mod/out"},
		{"mod/a/b", filepath.Join(top, "else"), "else"},
		{"none", "out", "none/out"},
		{"cache/m@v1/x", filepath.Join(top, "else"), "else"},
	} {
		got, err := Root(filepath.Join(top, tt.dir), environ(map[string]string{"DEEDS_RESULTS": tt.set}))
		require.NoError(t, err)
		require.Equal(t, filepath.Join(top, tt.want), got, "%s %s", tt.dir, tt.set)
	}
	for _, dir := range []string{"none", "cache/m@v1/x"} {
		_, err := Root(filepath.Join(top, dir), environ(nil))
		require.ErrorIs(t, err, ErrNoModule, dir)
	}
}

func TestIsGo(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"go": true, "/usr/local/go/bin/go": true, "/x/go (deleted)": true, "go.exe": true,
		"gopls": false, "deeds": false, "bash": false, "": false, "/go/bin/x.test": false,
	} {
		require.Equal(t, want, isGo(name), name)
	}
}

func TestAlive(t *testing.T) {
	t.Parallel()
	linuxOnly(t)
	self, _, ok := inspect(os.Getpid())
	require.True(t, ok)
	running, known := alive(self)
	require.True(t, running && known)

	used := self
	used.Start += "0"
	running, known = alive(used)
	require.True(t, known)
	require.False(t, running, "the number is in use again")

	far := self
	far.Host = "elsewhere"
	_, known = alive(far)
	require.False(t, known)
}

func TestProcessesOfOneGoCommandShareARun(t *testing.T) {
	t.Parallel()
	linuxOnly(t)
	self, err := os.Executable()
	require.NoError(t, err)
	dir := t.TempDir()
	// A copy of this binary plays the go command: its name is all that counts. It is
	// made by another process, since a file that is open for writing in a sibling
	// that was just forked cannot be started.
	for _, name := range []string{"go", "other"} {
		require.NoError(t, exec.Command("cp", self, filepath.Join(dir, name)).Run())
	}
	root := filepath.Join(dir, "results")
	run := func(name string) [2]string {
		cmd := role(t, "parent", self, root)
		cmd.Path = filepath.Join(dir, name)
		cmd.Env = append(cmd.Env, "RESULTS="+root)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		var ids [2]string
		var errs [2]string
		_, err = fmt.Sscan(string(out), &ids[0], &errs[0], &ids[1], &errs[1])
		require.NoError(t, err, string(out))
		require.Equal(t, [2]string{"<nil>", "<nil>"}, errs)
		return ids
	}
	first, second, alone := run("go"), run("go"), run("other")
	require.Equal(t, first[0], first[1], "one go command, one run")
	require.NotEqual(t, first[0], second[0], "two go commands, two runs")
	require.NotEqual(t, alone[0], alone[1], "without a go command each is a run of its own")
}
