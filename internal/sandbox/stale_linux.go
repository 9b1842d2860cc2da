package sandbox

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// claim marks a new world as in use for as long as the file it returns is open. The
// kernel ends the claim with the process, however that ends.
func claim(world string) (*os.File, error) {
	f, err := os.Open(world)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// youth is the age below which a world may be one that is not claimed yet.
const youth = time.Minute

var cleaned sync.Map // parents

// clean removes, once for each parent, the worlds that a killed process has left
// there. It is a courtesy: what goes wrong is passed over.
func clean(parent string) {
	if _, done := cleaned.LoadOrStore(parent, true); done {
		return
	}
	entries, err := os.ReadDir(parent)
	if err != nil {
		return
	}
	for _, e := range entries {
		world := filepath.Join(parent, e.Name())
		if !e.IsDir() || !strings.HasPrefix(e.Name(), worldPrefix) || !old(world) {
			continue
		}
		if !complete(world) {
			discard(world)
			continue
		}
		if f, err := claim(world); err == nil {
			_ = removeAll(world)
			_ = f.Close()
		}
	}
}

// old reports whether a directory is the run's user's and old enough to be abandoned.
func old(world string) bool {
	info, err := os.Lstat(world)
	if err != nil || time.Since(info.ModTime()) < youth {
		return false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && (os.Getuid() == 0 || int(st.Uid) == os.Getuid())
}

// parts are the directories that every world has.
var parts = []string{"project", "home", "tmp", "root"}

// complete reports whether a directory looks like a world of ours.
func complete(world string) bool {
	for _, part := range parts {
		if info, err := os.Lstat(filepath.Join(world, part)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

// discard removes a world whose making was cut short. It may be something else, and
// is removed only as far as nothing is in it.
func discard(world string) {
	for _, part := range parts {
		_ = unix.Rmdir(filepath.Join(world, part))
	}
	_ = unix.Rmdir(world)
}
