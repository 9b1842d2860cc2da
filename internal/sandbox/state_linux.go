package sandbox

import (
	"io/fs"
	"syscall"
	"time"
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
