package sandbox

import (
	"io/fs"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// stateOf reads a state off a directory entry.
func stateOf(info fs.FileInfo) state {
	s := state{mode: info.Mode(), size: info.Size(), modified: info.ModTime()}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		s.inode = st.Ino
		s.changed = time.Unix(st.Ctim.Unix())
		s.read = time.Unix(st.Atim.Unix())
	}
	return s
}

// fileClock is the clock that the kernel stamps files with.
func fileClock() time.Time {
	var ts unix.Timespec
	if unix.ClockGettime(unix.CLOCK_REALTIME_COARSE, &ts) != nil {
		return time.Now()
	}
	return time.Unix(ts.Unix())
}
