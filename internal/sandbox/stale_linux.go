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
		if !e.IsDir() || !strings.HasPrefix(e.Name(), worldPrefix) || !abandoned(world) {
			continue
		}
		if f, err := claim(world); err == nil {
			_ = removeAll(world)
			_ = f.Close()
		}
	}
}

// abandoned reports whether a directory looks like a world of ours that is old
// enough.
func abandoned(world string) bool {
	info, err := os.Lstat(world)
	if err != nil || time.Since(info.ModTime()) < youth {
		return false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok || os.Getuid() != 0 && int(st.Uid) != os.Getuid() {
		return false
	}
	for _, part := range []string{"project", "home", "tmp", "root"} {
		if info, err := os.Lstat(filepath.Join(world, part)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}
