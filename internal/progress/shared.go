package progress

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/deeds-evals/deeds/internal/filelock"
)

// stale is after how long a process that says nothing is taken for dead. What it
// had finished still counts; what it was at does not.
const stale = 5 * time.Second

const pattern = "progress-*.json"

// shared is the directory in which the processes of a run meet: one lock, and
// one file of counts a process, replaced whole.
type shared struct {
	dir  string
	file string
	lock *os.File
	held bool
}

// join opens the directory. It must exist.
func join(dir string) (*shared, error) {
	lock, err := os.OpenFile(filepath.Join(dir, "progress.lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("progress: %w", err)
	}
	file, err := os.CreateTemp(dir, pattern)
	if err != nil {
		_ = lock.Close()
		return nil, fmt.Errorf("progress: %w", err)
	}
	_ = file.Close()
	return &shared{dir: dir, file: file.Name(), lock: lock}, nil
}

// own reports whether this process has the terminal, and takes it if it is free.
func (s *shared) own() bool {
	if !s.held {
		s.held = filelock.Try(s.lock) == nil
	}
	return s.held
}

// publish puts the counts where the others see them. A count that cannot be
// written is a line that is less complete, and no reason to trouble the run.
func (s *shared) publish(own status) {
	own.At = time.Now()
	data, err := json.Marshal(own)
	if err != nil {
		return
	}
	// The name is not that of a count, so that nobody reads it half written.
	half := s.file + ".new"
	if os.WriteFile(half, data, 0o644) != nil || os.Rename(half, s.file) != nil {
		_ = os.Remove(half)
	}
}

// others reads what the other processes last said.
func (s *shared) others(now time.Time) []status {
	files, _ := filepath.Glob(filepath.Join(s.dir, pattern))
	var all []status
	for _, file := range files {
		if file == s.file {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		var o status
		if json.Unmarshal(data, &o) != nil {
			continue
		}
		if !o.Ended && now.Sub(o.At) > stale {
			o.Ended, o.Running = true, nil
		}
		if o.Ended {
			o.Total = o.done()
		}
		all = append(all, o)
	}
	return all
}

// leave says the last word of this process and frees the terminal. It is a
// no-op for a nil receiver.
func (s *shared) leave(own status) {
	if s == nil {
		return
	}
	s.publish(own)
	_ = s.lock.Close()
}
