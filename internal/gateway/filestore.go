package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/deeds-evals/deeds/internal/filelock"
)

// fileStore keeps what is shared in a file, under its lock. It is written in
// place, in one go: a process that is killed leaves the old or the new.
type fileStore struct {
	mu   sync.Mutex
	file *os.File
	// tokens and cost were spent and are not yet in the file.
	tokens int64
	cost   float64
}

func openStore(dir string) (*fileStore, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("the limits of the run have no place: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(dir, "limits.json"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("the limits of the run have no place: %w", err)
	}
	s := &fileStore{file: f}
	// Whether locks work here, and the file is sound, shows now or never.
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := s.update(ctx, func(*shared) bool { return false }); err != nil {
		return nil, fmt.Errorf("%w (closed: %v)", err, f.Close())
	}
	return s, nil
}

func (f *fileStore) update(ctx context.Context, do func(*shared) bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.lock(ctx); err != nil {
		return err
	}
	defer func() { _ = filelock.Unlock(f.file) }() // else it goes with the process
	var s shared
	old, err := io.ReadAll(io.NewSectionReader(f.file, 0, 1<<20))
	if err != nil {
		return fmt.Errorf("the limits of the run cannot be read: %w", err)
	}
	if len(bytes.TrimSpace(old)) > 0 {
		if err := json.Unmarshal(old, &s); err != nil {
			return fmt.Errorf("the limits of the run are damaged, remove %s: %w", f.file.Name(), err)
		}
	}
	pending := f.tokens != 0 || f.cost != 0
	s.Tokens += f.tokens
	s.Cost += f.cost
	if !do(&s) && !pending {
		return nil
	}
	b, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("the limits of the run cannot be written: %w", err)
	}
	// White space covers what is left of a longer one.
	b = append(b, bytes.Repeat([]byte(" "), max(0, len(old)-len(b)))...)
	if _, err := f.file.WriteAt(b, 0); err != nil {
		return fmt.Errorf("the limits of the run cannot be written: %w", err)
	}
	f.tokens, f.cost = 0, 0
	return nil
}

func (f *fileStore) spend(tokens int64, cost float64) {
	f.mu.Lock()
	f.tokens += tokens
	f.cost += cost
	f.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	// What cannot be written now is written with the next.
	_ = f.update(ctx, func(*shared) bool { return true })
}

// lock waits for the lock of the file. It is held for microseconds, so that
// looking often beats a wait in the kernel, which ctx could not end.
func (f *fileStore) lock(ctx context.Context) error {
	wait := 100 * time.Microsecond
	for {
		err := filelock.Try(f.file)
		if err == nil {
			return nil
		}
		if !errors.Is(err, filelock.ErrTaken) {
			return fmt.Errorf("the limits of the run cannot be locked: %w", err)
		}
		if err := sleep(ctx, wait); err != nil {
			return fmt.Errorf("the limits of the run are locked by another process: %w", err)
		}
		wait = min(2*wait, 5*time.Millisecond)
	}
}

func (f *fileStore) close() error { return f.file.Close() }
