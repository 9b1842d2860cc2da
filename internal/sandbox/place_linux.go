package sandbox

import (
	"os"

	"golang.org/x/sys/unix"
)

// What a directory in memory must have free to be used: containers often come with
// one of 64 MiB.
const (
	roomBytes = 512 << 20
	roomFiles = 100_000
)

// memory is a directory in memory with room, "" if there is none.
func memory() string {
	dirs := []string{"/dev/shm"}
	if os.Getuid() != 0 {
		// Root's is closed to the user that commands run as.
		dirs = append(dirs, os.Getenv("XDG_RUNTIME_DIR"))
	}
	for _, dir := range dirs {
		var st unix.Statfs_t
		if dir == "" || unix.Statfs(dir, &st) != nil || st.Type != unix.TMPFS_MAGIC {
			continue
		}
		const bad = unix.ST_RDONLY | unix.ST_NOEXEC
		if st.Flags&bad != 0 || st.Bavail*uint64(st.Bsize) < roomBytes || st.Files > 0 && st.Ffree < roomFiles {
			continue
		}
		if unix.Access(dir, unix.W_OK|unix.X_OK) == nil {
			return dir
		}
	}
	return ""
}
