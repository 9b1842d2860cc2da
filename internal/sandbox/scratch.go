package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/spf13/afero"
)

// EmptyScratch removes everything in the scratch folder, and leaves the folder. What a
// command makes there meanwhile may be left.
func (b *Box) EmptyScratch() error {
	entries, err := afero.ReadDir(b.temp, ".")
	if errors.Is(err, fs.ErrPermission) {
		b.temp.unlock(".")
		entries, err = afero.ReadDir(b.temp, ".")
	}
	if vanished(err) {
		return nil // the folder itself was removed
	}
	if err != nil {
		return fmt.Errorf("emptying the scratch directory: %w", err)
	}
	var problems []error
	for _, e := range entries {
		problems = append(problems, b.temp.clear(e.Name()))
	}
	if err := errors.Join(problems...); err != nil {
		return fmt.Errorf("emptying the scratch directory: %w", err)
	}
	return nil
}

// clear removes a file or a directory with all that is in it, directories that are
// closed too. What comes in its place meanwhile is no error.
func (f *rootFs) clear(name string) error {
	err := f.RemoveAll(name)
	if errors.Is(err, fs.ErrPermission) && !escapes(err) {
		f.unlock(name)
		err = f.RemoveAll(name)
	}
	if vanished(err) || errors.Is(err, syscall.ENOTEMPTY) || errors.Is(err, syscall.EEXIST) {
		return nil
	}
	return err
}

// unlock opens the directories on the way to a file, and those in it, to their owner,
// as far as it can.
func (f *rootFs) unlock(name string) {
	open := func(name string, info fs.FileInfo, err error) {
		if err == nil && info.IsDir() && info.Mode()&0o700 != 0o700 {
			_ = f.Chmod(name, info.Mode()|0o700)
		}
	}
	if info, err := os.Lstat(f.dir); err == nil && info.IsDir() && info.Mode()&0o700 != 0o700 {
		_ = os.Chmod(f.dir, info.Mode()|0o700) // "." is closed too, as for walk
	}
	for i, c := range name {
		if c == filepath.Separator {
			info, _, err := f.LstatIfPossible(name[:i])
			open(name[:i], info, err)
		}
	}
	_ = afero.Walk(f, name, func(name string, info os.FileInfo, err error) error {
		open(name, info, err)
		return nil
	})
}
