package results

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
)

var (
	// ErrBaselineExists says that there is a baseline of that name. Nothing overwrites it.
	ErrBaselineExists = errors.New("there is a baseline of that name")
	// ErrNoBaseline says that there is none.
	ErrNoBaseline = errors.New("there is no such baseline")
)

var baselineName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// IsBaselineName reports whether a baseline may have the name: letters, digits, '.', '_'
// and '-', and nothing that a run could be meant by.
func IsBaselineName(name string) bool {
	return baselineName.MatchString(name) && !strings.HasSuffix(name, ".") && !IsRunID(name) && name != "last"
}

// A baseline is what its file holds: the plans of one or more runs, and their attempts
// without what only an eye would read.
type baseline struct {
	Schema   int               `json:"schema"`
	Name     string            `json:"name"`
	Kind     string            `json:"kind"`
	Runs     []string          `json:"runs"`
	Plans    []Plan            `json:"plans"`
	Attempts []json.RawMessage `json:"attempts"`
}

func baselinePath(root, name string) string { return filepath.Join(root, "baselines", name+".json") }

// SaveBaseline keeps runs under a name, in baselines/<name>.json below the results
// directory: every play of them, voids and rerolls too, but no evidence. The file
// appears as a whole or not at all, and an existing one is left alone.
func SaveBaseline(root, name string, runs []*Run) error {
	if !IsBaselineName(name) {
		return fmt.Errorf("%q is no name for a baseline: use letters, digits, '.', '_' and '-', and not the id of a run", name)
	}
	b := baseline{Schema: Schema, Name: name}
	var attempts []Attempt
	for _, r := range runs {
		for _, part := range apart(r) {
			if slices.Contains(b.Runs, part.ID) {
				return fmt.Errorf("run %s is given twice: its attempts would count twice", part.ID)
			}
			if len(b.Runs) > 0 && part.Kind() != b.Kind {
				return fmt.Errorf("run %s is %s and others are %s, and a baseline is of one kind", part.ID, orUnknown(part.Kind()), orUnknown(b.Kind))
			}
			if len(r.Problems) > 0 {
				return fmt.Errorf("the record of run %s cannot be read whole, and a baseline would hide that: %s", part.ID, r.Problems[0])
			}
			b.Kind = part.Kind()
			b.Runs = append(b.Runs, part.ID)
			for _, p := range part.Plans {
				p.Run = part.ID
				b.Plans = append(b.Plans, p)
			}
			for i := range part.Attempts {
				attempts = append(attempts, slim(part.Attempts[i], part.ID))
			}
		}
	}
	if len(attempts) == 0 {
		return errors.New("nothing was played: there is nothing to keep as a baseline")
	}
	path := baselinePath(root, name)
	_, missing := os.Stat(filepath.Dir(path))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("save the baseline: %w", err)
	}
	switch err := publish(path, func(w *bufio.Writer) error { return b.write(w, attempts) }); {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%w: %s; remove %s first, or take another", ErrBaselineExists, name, path)
	case err != nil:
		if missing != nil {
			_ = os.Remove(filepath.Dir(path)) // it was made for this
		}
		return fmt.Errorf("save the baseline: %w", err)
	}
	return nil
}

// slim leaves out what only an eye would read.
func slim(a Attempt, run string) Attempt {
	a.Run = run
	a.Detail, a.Evidence = "", ""
	a.Verdicts = slices.Clone(a.Verdicts)
	for i := range a.Verdicts {
		v := &a.Verdicts[i]
		v.Got, v.Where, v.Events = "", "", nil
	}
	return a
}

// write writes the file with one attempt a line, which is kind to version control.
func (b *baseline) write(w *bufio.Writer, attempts []Attempt) error {
	head, err := json.Marshal(b)
	if err != nil {
		return err
	}
	w.Write(bytes.TrimSuffix(head, []byte("null}")))
	before := "[\n"
	for i := range attempts {
		line, err := json.Marshal(&attempts[i])
		if err != nil {
			return err
		}
		w.WriteString(before)
		w.Write(line)
		before = ",\n"
	}
	_, err = w.WriteString("\n]}\n")
	return err
}

// publish writes a file that appears at path as a whole. It fails with fs.ErrExist
// where there is one.
func publish(path string, write func(*bufio.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".saving-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if err := fill(f, write); err != nil {
		return err
	}
	// A link fails where the name is taken, a rename does not. Not every file system
	// has links.
	err = os.Link(f.Name(), path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(err, fs.ErrExist)
	}
	return os.Rename(f.Name(), path)
}

// fill writes a file, whole and safely on disk, and closes it.
func fill(f *os.File, write func(*bufio.Writer) error) (err error) {
	w := bufio.NewWriterSize(f, 1<<16)
	// The first error is what happened, and the others follow from it.
	for _, step := range []func() error{func() error { return write(w) }, w.Flush, func() error { return f.Chmod(0o644) }, f.Sync} {
		if err == nil {
			err = step()
		}
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// LoadBaseline reads a baseline as a run, whose id is the baseline's name. Runs that were
// saved together keep their own ids in plans and attempts; the attempts of the second
// are numbered on from those of the first.
func LoadBaseline(root, name string) (*Run, error) {
	if !IsBaselineName(name) {
		return nil, fmt.Errorf("%w: %q", ErrNoBaseline, name)
	}
	b, err := readBaseline(baselinePath(root, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %q", ErrNoBaseline, name)
	}
	if err != nil {
		return nil, fmt.Errorf("read the baseline %s: %w", name, err)
	}
	r := &Run{ID: name, Dir: filepath.Join(root, "baselines"), Plans: b.Plans}
	if r.Attempts, err = b.decode(); err != nil {
		return nil, fmt.Errorf("read the baseline %s: %w", name, err)
	}
	r.renumber(b.Runs)
	return r, nil
}

func readBaseline(path string) (*baseline, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var b baseline
	err = json.Unmarshal(data, &b)
	switch {
	case b.Schema > Schema:
		return nil, fmt.Errorf("it was written by a later deeds: its schema is %d, and this one reads up to %d", b.Schema, Schema)
	case err != nil:
		return nil, err
	}
	return &b, nil
}

// decode reads the attempts, all processors at work.
func (b *baseline) decode() ([]Attempt, error) {
	all := make([]Attempt, len(b.Attempts))
	workers := runtime.GOMAXPROCS(0)
	failed := make([]error, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			in := make(interned)
			for i := w; i < len(all) && failed[w] == nil; i += workers {
				failed[w] = decodeAttempt(b.Attempts[i], &all[i], in)
			}
		})
	}
	wg.Wait()
	return all, errors.Join(failed...)
}

// renumber numbers the attempts of each run on from those of the runs before it.
func (r *Run) renumber(ids []string) {
	if len(ids) < 2 {
		return
	}
	most := make(map[string]int, len(ids))
	for _, p := range r.Plans {
		for _, s := range p.Slots {
			most[p.Run] = max(most[p.Run], s.Attempt)
		}
	}
	for i := range r.Attempts {
		a := &r.Attempts[i]
		most[a.Run] = max(most[a.Run], a.Attempt)
	}
	offset, sum := make(map[string]int, len(ids)), 0
	for _, id := range ids {
		offset[id] = sum
		sum += most[id]
	}
	for i := range r.Plans {
		p := &r.Plans[i]
		for j := range p.Slots {
			p.Slots[j].Attempt += offset[p.Run]
		}
	}
	for i := range r.Attempts {
		r.Attempts[i].Attempt += offset[r.Attempts[i].Run]
	}
}

// Baselines lists the baselines by name. One that cannot be read is listed with its
// problem.
func Baselines(root string) ([]BaselineInfo, error) {
	entries, err := os.ReadDir(filepath.Join(root, "baselines"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the baselines: %w", err)
	}
	var all []BaselineInfo
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".json")
		if !ok || !IsBaselineName(name) {
			continue
		}
		info := BaselineInfo{Name: name, Path: baselinePath(root, name)}
		r, err := LoadBaseline(root, name)
		if err != nil {
			info.Problem = err.Error()
			all = append(all, info)
			continue
		}
		info.Kind, info.Models, info.Attempts = r.Kind(), r.Models(), len(r.Attempts)
		for _, part := range apart(r) {
			info.Runs = append(info.Runs, part.ID)
		}
		units := make(map[unitKey]bool)
		for _, s := range r.Slots() {
			units[unitKey{s.Case, s.World, s.Variant}] = true
		}
		info.Units = len(units)
		all = append(all, info)
	}
	return all, nil
}
