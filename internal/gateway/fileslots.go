package gateway

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/deeds-evals/deeds/internal/filelock"
)

const (
	// lookEvery is how often a process that waits looks for a free slot.
	lookEvery = 10 * time.Millisecond
	// freshFor is how long what a process said of itself counts.
	freshFor = 2 * time.Second
)

// fileSlots are slots over processes: a slot is a file, and whoever holds its
// lock has it. The kernel frees the slots of a process that dies.
//
// A process that has its fair share leaves what is free to one that has less and
// waits; else a suite of one big package and many small ones would play them one
// after the other.
type fileSlots struct {
	dir    string
	id     string // of this process in the store
	store  store
	files  []*os.File // opened when first tried
	held   []bool
	count  int // of held
	hint   int // a slot that is likely free
	closed bool
}

func newFileSlots(dir string, n int, s store) *fileSlots {
	return &fileSlots{dir: dir, id: token(), store: s, files: make([]*os.File, n), held: make([]bool, n)}
}

func (f *fileSlots) poll() time.Duration { return lookEvery }

func (f *fileSlots) try(waiting int) (give func(), ok bool, err error) {
	if f.closed {
		return nil, false, errors.New("the limiter is closed")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	slot := -1
	e := f.store.update(ctx, func(s *shared) bool {
		if f.fair(s) {
			slot, err = f.take()
		}
		if slot >= 0 {
			f.held[slot] = true
			f.count++
			waiting--
		}
		return f.tell(s, waiting)
	})
	if slot < 0 {
		return nil, false, errors.Join(err, e)
	}
	return func() { f.give(slot) }, true, nil
}

func (f *fileSlots) give(slot int) {
	f.held[slot] = false
	f.count--
	f.hint = slot
	if !f.closed {
		// A lock that cannot be given back goes with the process.
		_ = filelock.Unlock(f.files[slot])
	}
}

// tell writes down how this process stands, and reports whether that is news.
func (f *fileSlots) tell(s *shared, waiting int) bool {
	now := time.Now()
	before, self := s.Procs[f.id], process{Held: f.count, Waiting: waiting, Seen: now}
	if before.Held == self.Held && (before.Waiting > 0) == (self.Waiting > 0) && now.Sub(before.Seen) < freshFor/4 {
		return false
	}
	if s.Procs == nil {
		s.Procs = make(map[string]process)
	}
	for id, p := range s.Procs {
		if now.Sub(p.Seen) > 5*freshFor {
			delete(s.Procs, id)
		}
	}
	s.Procs[f.id] = self
	return true
}

// fair reports whether this process may take another slot.
func (f *fileSlots) fair(s *shared) bool {
	now := time.Now()
	active := 1
	for id, p := range s.Procs {
		if id != f.id && now.Sub(p.Seen) < freshFor && (p.Held > 0 || p.Waiting > 0) {
			active++
		}
	}
	share := max(1, (len(f.files)+active-1)/active)
	if f.count < share {
		return true
	}
	for id, p := range s.Procs {
		if id != f.id && now.Sub(p.Seen) < freshFor && p.Waiting > 0 && p.Held < share {
			return false
		}
	}
	return true
}

// take locks a free slot and returns its number, or -1.
func (f *fileSlots) take() (int, error) {
	for i := range f.files {
		slot := (f.hint + i) % len(f.files)
		if f.held[slot] {
			continue
		}
		if f.files[slot] == nil {
			file, err := os.OpenFile(filepath.Join(f.dir, fmt.Sprintf("slot-%d", slot)), os.O_RDWR|os.O_CREATE, 0o600)
			if err != nil {
				return -1, fmt.Errorf("a slot of the run cannot be opened: %w", err)
			}
			f.files[slot] = file
		}
		switch err := filelock.Try(f.files[slot]); {
		case err == nil:
			return slot, nil
		case !errors.Is(err, filelock.ErrTaken):
			return -1, fmt.Errorf("a slot of the run cannot be locked: %w", err)
		}
	}
	return -1, nil
}

func (f *fileSlots) close() error {
	f.closed = true
	var errs []error
	for _, file := range f.files {
		if file != nil {
			errs = append(errs, file.Close())
		}
	}
	return errors.Join(errs...)
}
