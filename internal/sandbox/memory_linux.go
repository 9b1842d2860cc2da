package sandbox

import "golang.org/x/sys/unix"

// limitMemory bounds what a process can allocate, from now on. It is a second line:
// a process that has ended meanwhile needs no bound.
func limitMemory(pid int, bytes uint64) {
	_ = unix.Prlimit(pid, unix.RLIMIT_AS, &unix.Rlimit{Cur: bytes, Max: bytes}, nil)
}
