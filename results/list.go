package results

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// RunInfo names one run.
type RunInfo struct {
	ID      string
	Dir     string
	Created time.Time // as its id has it, to the second
}

// ErrNoRun says that there is no run, or none of that name.
var ErrNoRun = errors.New("there is no such run")

// List returns the runs under a results directory, the newest last. A folder in
// which nothing was planned or played is no run. A directory that does not exist
// has no runs.
func List(root string) ([]RunInfo, error) {
	all, err := folders(root)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(i RunInfo) bool { return !holdsRun(i.Dir) })
	sortRuns(all)
	return all, nil
}

// Last returns the newest run under a results directory.
func Last(root string) (RunInfo, error) {
	all, err := folders(root)
	if err != nil {
		return RunInfo{}, err
	}
	sortRuns(all)
	for _, i := range slices.Backward(all) {
		if holdsRun(i.Dir) {
			return i, nil
		}
	}
	return RunInfo{}, fmt.Errorf("%w: nothing was recorded under %s", ErrNoRun, root)
}

// Find returns the run of a name: its id, its short id, the beginning of either, the path of its folder, or
// "last" or nothing for the newest. A name that fits several runs is an error.
func Find(root, name string) (RunInfo, error) {
	if name == "" || name == "last" {
		return Last(root)
	}
	if strings.ContainsAny(name, `/\`) {
		return atPath(name)
	}
	all, err := List(root)
	if err != nil {
		return RunInfo{}, err
	}
	for _, fits := range []func(RunInfo) bool{
		func(i RunInfo) bool { return i.ID == name || ShortID(i.ID) == name },
		func(i RunInfo) bool {
			return strings.HasPrefix(i.ID, name) || strings.HasPrefix(ShortID(i.ID), name)
		},
	} {
		var found []RunInfo
		for _, i := range all {
			if fits(i) {
				found = append(found, i)
			}
		}
		switch {
		case len(found) == 1:
			return found[0], nil
		case len(found) > 1:
			return RunInfo{}, fmt.Errorf("%w: %q fits %d runs, %s among them", ErrNoRun, name, len(found), found[len(found)-1].ID)
		}
	}
	return RunInfo{}, fmt.Errorf("%w: %q", ErrNoRun, name)
}

func atPath(path string) (RunInfo, error) {
	dir, err := filepath.Abs(path)
	if err != nil {
		return RunInfo{}, err
	}
	if !holdsRun(dir) {
		return RunInfo{}, fmt.Errorf("%w: %s holds no record", ErrNoRun, path)
	}
	id := filepath.Base(dir)
	return RunInfo{ID: id, Dir: dir, Created: idTime(id)}, nil
}

// folders lists everything under runs/ that is named as a run.
func folders(root string) ([]RunInfo, error) {
	runs := filepath.Join(root, "runs")
	entries, err := os.ReadDir(runs)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the runs: %w", err)
	}
	var all []RunInfo
	for _, e := range entries {
		if IsRunID(e.Name()) {
			all = append(all, RunInfo{ID: e.Name(), Dir: filepath.Join(runs, e.Name()), Created: idTime(e.Name())})
		}
	}
	return all, nil
}

func holdsRun(dir string) bool {
	names, err := recordFiles(dir)
	return err == nil && slices.ContainsFunc(names, func(n string) bool { return n != StopFile })
}

// sortRuns orders runs by the time in their ids, and those of one second by when
// their folders were last changed.
func sortRuns(all []RunInfo) {
	slices.SortStableFunc(all, func(a, b RunInfo) int {
		if c := a.Created.Compare(b.Created); c != 0 {
			return c
		}
		if c := changed(a.Dir).Compare(changed(b.Dir)); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
}

func changed(dir string) time.Time {
	info, err := os.Stat(dir)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}
