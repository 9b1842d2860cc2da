package sandbox

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/afero"
)

// A file is an open file of the workspace. It differs from an os.File in the paths
// that it names.
type file struct {
	f    *os.File
	name string // relative to the workspace
}

var _ afero.File = (*file)(nil)

// fail puts the path of the workspace into an error.
func (f *file) fail(op string, err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return err
	}
	return failure(op, f.name, err)
}

func (f *file) Name() string { return f.name }
func (f *file) Close() error { return f.fail("close", f.f.Close()) }
func (f *file) Sync() error  { return f.fail("sync", f.f.Sync()) }

func (f *file) Read(b []byte) (int, error) {
	n, err := f.f.Read(b)
	return n, f.fail("read", err)
}

func (f *file) ReadAt(b []byte, off int64) (int, error) {
	n, err := f.f.ReadAt(b, off)
	return n, f.fail("read", err)
}

func (f *file) Write(b []byte) (int, error) {
	n, err := f.f.Write(b)
	return n, f.fail("write", err)
}

func (f *file) WriteAt(b []byte, off int64) (int, error) {
	n, err := f.f.WriteAt(b, off)
	return n, f.fail("write", err)
}

func (f *file) WriteString(s string) (int, error) {
	n, err := f.f.WriteString(s)
	return n, f.fail("write", err)
}

func (f *file) Seek(offset int64, whence int) (int64, error) {
	n, err := f.f.Seek(offset, whence)
	return n, f.fail("seek", err)
}

func (f *file) Truncate(size int64) error { return f.fail("truncate", f.f.Truncate(size)) }

func (f *file) Stat() (fs.FileInfo, error) {
	info, err := f.f.Stat()
	return info, f.fail("stat", err)
}

func (f *file) Readdir(count int) ([]fs.FileInfo, error) {
	infos, err := f.f.Readdir(count)
	return infos, f.fail("readdir", err)
}

func (f *file) Readdirnames(n int) ([]string, error) {
	names, err := f.f.Readdirnames(n)
	return names, f.fail("readdir", err)
}

// ReadDir makes a directory of the workspace an [fs.ReadDirFile].
func (f *file) ReadDir(n int) ([]fs.DirEntry, error) {
	entries, err := f.f.ReadDir(n)
	return entries, f.fail("readdir", err)
}
