//go:build !linux

package sandbox

import (
	"io/fs"
	"time"
)

// stateOf reads a state off a directory entry.
func stateOf(info fs.FileInfo) state {
	return state{mode: info.Mode(), size: info.Size(), modified: info.ModTime()}
}

// fileClock is the clock that files are stamped with, as far as anybody knows.
func fileClock() time.Time { return time.Now() }
