// Package filelock locks files between processes. The system drops a lock when
// its holder ends, however it ends.
package filelock

import (
	"errors"
	"os"
)

// ErrTaken says that another holder has the lock.
var ErrTaken = errors.New("the lock is taken")

// Lock waits for the lock on the file at path, which it creates if need be, and
// returns the function that gives it back.
func Lock(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if err := lock(f, true); err != nil {
		f.Close()
		return nil, &os.PathError{Op: "lock", Path: path, Err: err}
	}
	return func() {
		// Closing alone would not do while a child of this process is between its
		// fork and its exec: it has the file open too.
		_ = unlockFile(f)
		f.Close()
	}, nil
}

// Try takes the lock on an open file until it is closed. It returns [ErrTaken]
// where another holder has it.
func Try(f *os.File) error {
	if err := lock(f, false); err != nil {
		if errors.Is(err, ErrTaken) {
			return err
		}
		return &os.PathError{Op: "lock", Path: f.Name(), Err: err}
	}
	return nil
}

// Unlock gives back what [Try] took, and leaves the file open.
func Unlock(f *os.File) error { return unlockFile(f) }
