package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/deeds-evals/deeds/internal/filelock"
	"github.com/deeds-evals/deeds/results"
)

// A LocateConfig says where a run is looked for. Its zero value is the truth.
type LocateConfig struct {
	Dir    string              // the working directory
	Getenv func(string) string // the environment
	Now    func() time.Time
	// Resume is the folder of a run to go on with. DEEDS_RUN does not count then.
	Resume string
	// ID makes the short ids of new runs: six hex digits.
	ID func() string
	// Process stands for the whole invocation. Nil is the go command that started
	// this process, and this process itself where there is none.
	Process func() Process
	// Alive reports whether a process still runs, if that can be known.
	Alive func(Process) (running, known bool)
}

// Locate returns the directory of the run that this process is part of, and its
// id, which is the directory's name: 20261129T224301Z-3f9c1a. The first process to
// ask makes it. Processes started by the same go command get the same directory,
// two go commands never do, unless DEEDS_RUN names it: a run's id, its short id, or
// a new name. A run to go on with is located by its folder, and by one invocation at a
// time: the others get a [BusyError].
func Locate(c LocateConfig) (dir, id string, err error) {
	if c.Dir == "" {
		c.Dir = "."
	}
	if c.Getenv == nil {
		c.Getenv = os.Getenv
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.ID == nil {
		c.ID = func() string { return randomHex(3) }
	}
	if c.Process == nil {
		c.Process = invocation
	}
	if c.Alive == nil {
		c.Alive = alive
	}
	if c.Resume != "" {
		return rejoin(c)
	}
	name := c.Getenv("DEEDS_RUN")
	if name != "" && !runName.MatchString(name) {
		return "", "", fmt.Errorf("DEEDS_RUN is %q, which cannot name a run: letters, digits, '-', '_' and '.' can, up to 80 of them\nhint: write DEEDS_RUN=%s, or leave it out", name, fitting(name))
	}
	root, err := Root(c.Dir, c.Getenv)
	if err != nil {
		return "", "", err
	}
	runs := filepath.Join(root, "runs")
	if id, err = locate(c, runs, name); err != nil {
		return "", "", fmt.Errorf("make a directory for the run: %w%s", err, wayOut(err, runs))
	}
	return filepath.Join(runs, id), id, nil
}

// fitting is a name that can name a run, as like what was given as may be.
func fitting(name string) string {
	name = strings.Trim(unfit.ReplaceAllString(name, "-"), "-._")
	if name == "" {
		return "nightly"
	}
	return name[:min(len(name), 80)]
}

var unfit = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// wayOut is the hint for a folder that cannot be written to, or nothing where the disk
// says something else.
func wayOut(err error, runs string) string {
	var path *fs.PathError
	if !errors.As(err, &path) {
		return ""
	}
	return fmt.Sprintf("\nhint: runs are kept in %s: make it a folder that can be written to, or set DEEDS_RESULTS to another", runs)
}

var runName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$`)

// Files beside the runs.
const (
	lockFile     = ".lock"
	registryFile = ".invocations.json"
	ignoreFile   = ".gitignore"
)

func locate(c LocateConfig, runs, name string) (string, error) {
	if err := os.MkdirAll(runs, 0o777); err != nil {
		return "", err
	}
	unlock, err := filelock.Lock(filepath.Join(runs, lockFile))
	if err != nil {
		return "", err
	}
	defer unlock()
	if err := ignoreRuns(runs); err != nil {
		return "", err
	}
	var (
		reg     = readRegistry(runs)
		process = c.Process()
		now     = c.Now().UTC()
	)
	reg.clean(c.Alive, now)
	id := ""
	if name != "" {
		if id, err = named(runs, name); err != nil {
			return "", err
		}
	}
	if e, ok := reg.find(process, id, name != ""); ok && isDir(filepath.Join(runs, e.Run)) {
		return e.Run, nil
	}
	switch {
	case id != "":
	case name != "" && results.IsRunID(name):
		id = name
	case name != "":
		id = results.RunID(now, name)
	default:
		for id = results.RunID(now, c.ID()); isDir(filepath.Join(runs, id)); {
			id = results.RunID(now, randomHex(3))
		}
	}
	if err := os.Mkdir(filepath.Join(runs, id), 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	reg.Entries = append(reg.Entries, entry{Process: process, Run: id, Named: name != "", Since: now})
	if err := reg.write(runs); err != nil {
		return "", err
	}
	return id, nil
}

// named returns the id of the run of that id or short id, "" if there is none yet.
func named(runs, name string) (string, error) {
	if isDir(filepath.Join(runs, name)) && results.IsRunID(name) {
		return name, nil
	}
	list, err := os.ReadDir(runs)
	if err != nil {
		return "", err
	}
	var found []string
	for _, d := range list {
		if d.IsDir() && results.IsRunID(d.Name()) && results.ShortID(d.Name()) == name {
			found = append(found, d.Name())
		}
	}
	switch len(found) {
	case 0:
		return "", nil
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("DEEDS_RUN is %q, and that is the short id of several runs: %s\nhint: give the whole id, DEEDS_RUN=%s for the last", name, strings.Join(found, ", "), found[len(found)-1])
}

// ignoreRuns keeps runs out of the user's repository, whatever it ignores.
func ignoreRuns(runs string) error {
	path := filepath.Join(runs, ignoreFile)
	if _, err := os.Lstat(path); err == nil {
		return nil
	}
	return os.WriteFile(path, []byte("# Runs stay here; scoreboard and baselines are what is committed.\n*\n"), 0o666)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
