package progress

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/deeds-evals/deeds/internal/filelock"
)

// stale is after how long a process that says nothing is taken for dead. What it
// had finished still counts; what it was at does not.
const stale = 5 * time.Second

const pattern = "progress-*.json"

// shared is the directory in which the processes of a run meet: a lock for the one
// that draws, a lock for whoever writes to the terminal just now, and one file of
// counts a process, replaced whole. Without a directory a process is alone.
type shared struct {
	dir  string
	file string
	lock *os.File
	pen  *os.File
	held bool

	mu    sync.Mutex           // of those in this process who want the pen
	quiet map[string]time.Time // since when a process has asked for quiet
	until time.Time            // quiet is kept so long, whoever asked for it
}

// BuildDir is the directory in which the go command has built this test, and those of
// the other packages that it runs: it removes it when it is done. It is "" for a test
// that was built otherwise.
func BuildDir() string {
	self, err := os.Executable()
	if err != nil {
		return ""
	}
	if dir := filepath.Dir(filepath.Dir(self)); strings.HasPrefix(filepath.Base(dir), "go-build") {
		return dir
	}
	return ""
}

// join opens the directory. It must exist, or be "".
func join(dir string) (*shared, error) {
	s := &shared{dir: dir, quiet: make(map[string]time.Time)}
	if dir == "" {
		s.held = true
		return s, nil
	}
	var err error
	for name, f := range map[string]**os.File{"progress.lock": &s.lock, "progress.pen": &s.pen} {
		if *f, err = os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_RDWR, 0o644); err != nil {
			s.close()
			return nil, fmt.Errorf("progress: %w", err)
		}
	}
	file, err := os.CreateTemp(dir, pattern)
	if err != nil {
		s.close()
		return nil, fmt.Errorf("progress: %w", err)
	}
	_ = file.Close()
	s.file = file.Name()
	return s, nil
}

// own reports whether this process has the terminal, and takes it if it is free.
func (s *shared) own() bool {
	if !s.held {
		s.held = filelock.Try(s.lock) == nil
	}
	return s.held
}

// alone calls f while no other process writes to the terminal or leaves. One that
// holds the pen for long, because somebody has stopped the terminal, is not waited
// for.
func (s *shared) alone(f func()) {
	for range 20 {
		if s.take() {
			defer s.give()
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	f()
}

func (s *shared) take() bool {
	if !s.mu.TryLock() {
		return false
	}
	if s.pen != nil && filelock.Try(s.pen) != nil {
		s.mu.Unlock()
		return false
	}
	return true
}

func (s *shared) give() {
	if s.pen != nil {
		_ = filelock.Unlock(s.pen) // else it goes with the process
	}
	s.mu.Unlock()
}

// publish puts the counts where the others see them. A count that cannot be
// written is a line that is less complete, and no reason to trouble the run.
func (s *shared) publish(own status) {
	if s.dir == "" {
		return
	}
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
	if s.dir == "" {
		return nil
	}
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

// atWork reports whether one of the processes goes on.
func atWork(others []status) bool {
	for _, o := range others {
		if !o.Ended {
			return true
		}
	}
	return false
}

// close lets the terminal go.
func (s *shared) close() {
	for _, f := range []*os.File{s.lock, s.pen} {
		if f != nil {
			_ = f.Close()
		}
	}
}
