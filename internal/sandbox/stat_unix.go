//go:build unix

package sandbox

import (
	"io/fs"
	"syscall"
)

// hardLinks is the number of names that a file has, 0 if that is not known.
func hardLinks(info fs.FileInfo) int {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(st.Nlink)
	}
	return 0
}

// owner is the user that a file belongs to, -1 if that is not known.
func owner(info fs.FileInfo) int {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(st.Uid)
	}
	return -1
}

// noWait keeps an open from waiting for the other end of a named pipe.
const noWait = syscall.O_NONBLOCK

// noFollow keeps an open from following a link at the end of the path.
const noFollow = syscall.O_NOFOLLOW
