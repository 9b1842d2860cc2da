//go:build unix

package journal

import "golang.org/x/sys/unix"

// access fails where this process may not write to the directory.
func access(dir string) error {
	err := unix.Access(dir, unix.W_OK)
	if err == unix.EROFS {
		return unix.EACCES
	}
	return err
}
