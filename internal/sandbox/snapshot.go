package sandbox

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// A File is one file, link or empty directory of a workspace. A repository, that is
// a directory ".git", is one too: its Data is what [Box.Snapshot] says.
type File struct {
	Mode   fs.FileMode
	Link   string // target of a symbolic link
	Data   []byte // nil where the file is kept by digest alone
	Size   int64
	Digest string // SHA-256 in hex, where Data was left out because the file is large
}

// maxData is the size up to which a file's content is kept.
const maxData = 1 << 20

// Snapshot reads the whole workspace, by slash path. A directory that holds
// something is not listed. A directory ".git" is listed as one file whose content
// tells its head, its branches and tags, its index and its commits, whatever objects
// and logs they are stored in.
//
// What commands do meanwhile may be in it or not.
func (b *Box) Snapshot() (map[string]File, error) {
	files := make(map[string]File)
	err := b.fs.walk(func(name string, info fs.FileInfo, dir *os.Root, base string) error {
		if info.IsDir() {
			return snapshotDir(files, name, info, dir, base)
		}
		f, err := record(info, dir, base)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return failure("read", name, err)
		}
		files[name] = f
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("recording the workspace: %w", err)
	}
	return files, nil
}

// snapshotDir records a directory where it is empty or a repository.
func snapshotDir(files map[string]File, name string, info fs.FileInfo, dir *os.Root, base string) error {
	if base == ".git" {
		if text, ok := repository(dir, base); ok {
			files[name] = contents(info.Mode(), []byte(text))
			return fs.SkipDir
		}
	}
	return opened(dir, base, info, 0o500, func() error {
		f, err := dir.Open(base)
		if err != nil {
			return failure("open", name, err)
		}
		defer f.Close()
		if _, err := f.Readdirnames(1); err == io.EOF {
			files[name] = File{Mode: info.Mode()}
		}
		return nil
	})
}

// record reads one file or link.
func record(info fs.FileInfo, dir *os.Root, base string) (f File, err error) {
	f.Mode = info.Mode()
	switch info.Mode().Type() {
	case fs.ModeSymlink:
		f.Mode = fs.ModeSymlink | 0o777
		f.Link, err = dir.Readlink(base)
		return f, err
	case 0:
		err = opened(dir, base, info, 0o400, func() error {
			f, err = read(dir, base)
			return err
		})
		f.Mode = info.Mode()
		return f, err
	}
	return f, nil // a pipe, a socket: that it is there is all there is
}

// read reads a regular file.
func read(dir *os.Root, base string) (File, error) {
	src, err := dir.OpenFile(base, os.O_RDONLY|noFollow|noWait, 0)
	if err != nil {
		return File{}, err
	}
	defer src.Close()
	info, err := src.Stat()
	if err != nil {
		return File{}, err
	}
	if !info.Mode().IsRegular() {
		return File{Mode: info.Mode()}, nil // it was one a moment ago
	}
	data := make([]byte, 0, min(info.Size(), maxData)+1)
	for len(data) <= maxData {
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
		n, err := src.Read(data[len(data):min(cap(data), maxData+1)])
		data = data[:len(data)+n]
		if err == io.EOF {
			return contents(info.Mode(), data), nil
		}
		if err != nil {
			return File{}, err
		}
	}
	hash := sha256.New()
	hash.Write(data)
	n, err := io.Copy(hash, src)
	if err != nil {
		return File{}, err
	}
	return File{Mode: info.Mode(), Size: int64(len(data)) + n, Digest: hex.EncodeToString(hash.Sum(nil))}, nil
}

// contents is a file by its content.
func contents(mode fs.FileMode, data []byte) File {
	f := File{Mode: mode, Size: int64(len(data))}
	if len(data) > maxData {
		sum := sha256.Sum256(data)
		f.Digest = hex.EncodeToString(sum[:])
		return f
	}
	f.Data = data
	return f
}
