package progress

import (
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/deeds-evals/deeds/internal/filelock"
)

const (
	// quietAfter is how long the terminal is left alone after a process has ended:
	// the go command prints then what it has to say.
	quietAfter = 250 * time.Millisecond
	// quietMost is how long a process is waited for that has asked for quiet.
	quietMost = 3 * time.Second

	quietPattern = "quiet-*.lock"
)

// hush asks the other processes for quiet until this one has ended. What the go
// command prints of it would be written over their block, and where it is shorter
// than a line of that, the rest of the line would stay for good.
//
// The lock is never given back: the system does that.
func (s *shared) hush() {
	if s.dir == "" {
		return
	}
	f, err := os.CreateTemp(s.dir, quietPattern)
	if err != nil {
		return
	}
	if filelock.Try(f) != nil {
		_ = f.Close()
		return
	}
	hushed.Lock()
	hushed.files = append(hushed.files, f)
	hushed.Unlock()
}

// hushed keeps the files of hush open until the process ends: one that the garbage
// collector closes would say too early that it has.
var hushed struct {
	sync.Mutex
	files []*os.File
}

// silent reports whether somebody has asked for quiet.
func (s *shared) silent(now time.Time) bool {
	if s.dir == "" {
		return false
	}
	files, _ := filepath.Glob(filepath.Join(s.dir, quietPattern))
	for _, name := range files {
		since, known := s.quiet[name]
		if !known {
			since = now
			s.quiet[name] = now
		}
		switch {
		case now.Sub(since) > quietMost+quietAfter:
			continue // it may still be there, and nobody waits for it any more
		case now.Sub(since) <= quietMost && locked(name):
			return true
		}
		_ = os.Remove(name)
		s.until = now.Add(quietAfter)
	}
	return now.Before(s.until)
}

// locked reports whether a process holds the lock on a file.
func locked(name string) bool {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	return filelock.Try(f) != nil
}
