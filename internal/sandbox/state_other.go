//go:build !linux

package sandbox

import "io/fs"

// stateOf reads a state off a directory entry.
func stateOf(info fs.FileInfo) state {
	return state{mode: info.Mode(), size: info.Size(), modified: info.ModTime()}
}
