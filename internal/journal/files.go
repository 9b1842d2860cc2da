package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// writeTemp writes data to a new file in the directory, safe on disk, and returns
// its path.
func writeTemp(dir string, data []byte) (string, error) {
	path := filepath.Join(dir, ".tmp-"+randomHex(8))
	if err := write(path, data); err != nil {
		return "", err
	}
	return path, nil
}

// writeNew writes data to the first of the paths at which there is nothing yet, safe
// on disk. A writer that is killed meanwhile leaves part of a file there, which no
// line of the record names.
func writeNew(path func(n int) string, data []byte) (string, error) {
	for n := 1; ; n++ {
		p := path(n)
		err := write(p, data)
		if err == nil {
			return p, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", err
		}
	}
}

// write writes a file that must not exist, safe on disk, or not at all.
func write(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		os.Remove(path)
	}
	return err
}

// firstFree moves the file at temp to the first of the paths that does not exist.
// The caller holds the lock of the run, so that nobody else takes it meanwhile.
func firstFree(temp string, path func(n int) string) (string, error) {
	for n := 1; ; n++ {
		p := path(n)
		_, err := os.Lstat(p)
		switch {
		case err == nil:
			continue
		case !errors.Is(err, fs.ErrNotExist):
			os.Remove(temp)
			return "", err
		}
		if err := os.Rename(temp, p); err != nil {
			os.Remove(temp)
			return "", err
		}
		return p, nil
	}
}

// syncDir makes the names in a directory safe on disk, where the system can.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync() // not every system can, and the content is safe already
		d.Close()
	}
}
