//go:build linux || darwin

package cli

import "golang.org/x/sys/unix"

// room is how many bytes may be written where a folder lies.
func room(dir string) (free uint64, known bool) {
	var s unix.Statfs_t
	if unix.Statfs(dir, &s) != nil {
		return 0, false
	}
	return s.Bavail * uint64(s.Bsize), true
}
