// Package safefile replaces files whole: whoever reads one sees what was there
// before, or all of what came after, whenever the writer is killed.
package safefile

import (
	"os"
	"path/filepath"
	"strings"
)

// temporary is how the names of files begin that are not whole yet.
const temporary = ".tmp-"

// Write replaces the file at path. The data is safe on disk before it has the name.
func Write(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), temporary+"*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(0o644) // CreateTemp keeps files to their owner
	}
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return err
	}
	if d, err := os.Open(filepath.Dir(path)); err == nil {
		_ = d.Sync() // not every system can, and the content is safe already
		d.Close()
	}
	return nil
}

// Sweep removes what writers that were killed left behind in a folder. The caller sees
// to it that nobody writes there meanwhile.
func Sweep(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), temporary) {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}
