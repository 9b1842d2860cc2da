package sandbox

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// A File is one file, link or empty directory of a workspace. A repository is one
// too: its Data is the record that the package comment describes.
type File struct {
	Mode   fs.FileMode
	Link   string // target of a symbolic link
	Data   []byte // nil where the file is kept by digest alone
	Size   int64
	Digest string // SHA-256 in hex, where Data was left out because the file is large
}

const (
	// maxData is the size up to which a file's content is kept.
	maxData = 1 << 20
	// maxKept is how much content is kept of all files together. Beyond it the
	// files that are new are kept by digest.
	maxKept = 64 << 20
	// maxHashed is how much is read of the large files together. Sparse ones cost
	// nothing to make. Beyond it a digest is that of a file's size and both ends.
	maxHashed = 4 << 30
	// ends is how much is read of each end then.
	ends = 64 << 10
)

// A recorder reads the files of one snapshot.
type recorder struct {
	work   string // absolute path of the workspace
	files  map[string]File
	kept   map[string]bool // by name, whether the content is kept, now as before
	room   int64           // what is left of maxKept
	unread int64           // what is left of maxHashed
	asked  time.Duration   // how long git was at work
}

// Snapshot reads the whole workspace, by slash path. A directory that holds
// something is not listed. A repository is listed as one file whose content tells
// what is in it, however it is stored; the package comment says how. A name that is
// not UTF-8 has \xHH in it for each byte that is none.
//
// What commands do meanwhile may be in it or not. A directory that lies deeper than
// is looked into is kept by a digest of the names in it.
func (b *Box) Snapshot() (map[string]File, error) { return b.record("workspace", b.fs) }

// SnapshotHome reads the home directory like [Box.Snapshot], without the
// configuration of git that every box is furnished with as long as nobody changed it.
func (b *Box) SnapshotHome() (map[string]File, error) {
	files, err := b.record("home directory", b.home)
	if f, ok := files[".gitconfig"]; ok && f.Mode == 0o644 && string(f.Data) == b.config {
		delete(files, ".gitconfig")
	}
	return files, err
}

// SnapshotScratch reads the scratch directory like [Box.Snapshot].
func (b *Box) SnapshotScratch() (map[string]File, error) {
	files, err := b.record("scratch directory", b.temp)
	for _, shown := range []string{"/tmp", "/var/tmp"} {
		// Where commands have a view of their own and the box lies in the host's
		// temporary directory, this is where it is put into theirs.
		if rel, err := filepath.Rel(shown, b.spec.World); err == nil && filepath.IsLocal(rel) {
			if f, ok := files[filepath.ToSlash(rel)]; ok && f.Mode.IsDir() && f.Data == nil {
				delete(files, filepath.ToSlash(rel))
			}
		}
	}
	return files, err
}

// record reads one of the directories of the box.
func (b *Box) record(what string, f *rootFs) (map[string]File, error) {
	b.reading.Lock()
	defer b.reading.Unlock()
	if b.kept == nil {
		b.kept = make(map[*rootFs]map[string]bool)
	}
	if b.kept[f] == nil {
		b.kept[f] = make(map[string]bool)
	}
	r := &recorder{work: b.spec.Work, files: make(map[string]File), kept: b.kept[f], room: maxKept, unread: maxHashed}
	err := f.walk(func(name string, info fs.FileInfo, dir *os.Root, base string) error {
		var err error
		if info.IsDir() {
			err = r.directory(name, info, dir, base)
		} else {
			err = r.file(name, info, dir, base)
		}
		if vanished(err) {
			return nil
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("recording the %s: %w", what, err)
	}
	return r.files, nil
}

// readable is a name that JSON and people can hold, and no other name's: what is not
// UTF-8 in it would all come out the same.
func readable(name string) string {
	if utf8.ValidString(name) {
		return name
	}
	var b strings.Builder
	for i := 0; i < len(name); {
		r, n := utf8.DecodeRuneInString(name[i:])
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, `\x%02x`, name[i])
		} else {
			b.WriteString(name[i : i+n])
		}
		i += n
	}
	return b.String()
}

// directory records a directory where it is empty or a repository.
func (r *recorder) directory(name string, info fs.FileInfo, dir *os.Root, base string) error {
	if base == ".git" || looksBare(dir, base) {
		if r.repository(name, info, dir, base) {
			return fs.SkipDir
		}
	}
	return opened(dir, base, info, 0o500, func() error {
		f, err := dir.OpenFile(base, os.O_RDONLY|noFollow|noWait, 0)
		if err != nil {
			return failure("open", name, err)
		}
		defer f.Close()
		if strings.Count(name, "/") >= maxDepth {
			return r.deep(name, info, f)
		}
		if _, err := f.Readdirnames(1); err == io.EOF {
			r.files[readable(name)] = File{Mode: info.Mode()}
		}
		return nil
	})
}

// deep records a directory that is not looked into.
func (r *recorder) deep(name string, info fs.FileInfo, f *os.File) error {
	names, err := f.Readdirnames(-1)
	if err != nil {
		return failure("open", name, err)
	}
	slices.Sort(names)
	sum := sha256.Sum256([]byte(strings.Join(names, "\x00")))
	r.files[readable(name)] = File{Mode: info.Mode(), Digest: hex.EncodeToString(sum[:])}
	return nil
}

// repository records a repository, and those that lie in it, if it can.
func (r *recorder) repository(name string, info fs.FileInfo, dir *os.Root, base string) (ok bool) {
	if r.asked >= gitTime {
		return false
	}
	began := time.Now()
	text, ok := repository(dir, base, r.work)
	r.asked += time.Since(began)
	if !ok {
		return false
	}
	r.files[readable(name)] = r.contents(name, info.Mode(), []byte(text), maxText)
	if base != ".git" {
		return true
	}
	sub, err := dir.OpenRoot(base)
	if err != nil {
		return true
	}
	defer sub.Close()
	names, _ := list(sub)
	for _, inner := range names {
		if info, err := sub.Lstat(inner); err == nil && info.IsDir() && strings.HasSuffix(inner, ".git") && looksBare(sub, inner) {
			r.repository(path.Join(name, inner), info, sub, inner)
		}
	}
	return true
}

// file records one file or link.
func (r *recorder) file(name string, info fs.FileInfo, dir *os.Root, base string) error {
	f, err := r.record(name, info, dir, base)
	if err != nil {
		return failure("read", name, err)
	}
	r.files[readable(name)] = f
	return nil
}

// record reads one file or link.
func (r *recorder) record(name string, info fs.FileInfo, dir *os.Root, base string) (f File, err error) {
	f.Mode = info.Mode()
	switch info.Mode().Type() {
	case fs.ModeSymlink:
		f.Mode = fs.ModeSymlink | 0o777
		f.Link, err = dir.Readlink(base)
		f.Link = readable(f.Link)
		return f, err
	case 0:
		err = opened(dir, base, info, 0o400, func() error {
			f, err = r.read(name, dir, base)
			return err
		})
		f.Mode = info.Mode()
		return f, err
	}
	return f, nil // a pipe, a socket: that it is there is all there is
}

// read reads a regular file.
func (r *recorder) read(name string, dir *os.Root, base string) (File, error) {
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
			return r.contents(name, info.Mode(), data, maxData), nil
		}
		if err != nil {
			return File{}, err
		}
	}
	if r.unread -= info.Size(); r.unread < 0 {
		return byEnds(src, info)
	}
	hash := sha256.New()
	hash.Write(data)
	n, err := io.Copy(hash, io.LimitReader(src, maxHashed)) // it may grow meanwhile
	if err != nil {
		return File{}, err
	}
	return File{Mode: info.Mode(), Size: int64(len(data)) + n, Digest: hex.EncodeToString(hash.Sum(nil))}, nil
}

// byEnds is a file too large to be read like those before it.
func byEnds(src *os.File, info fs.FileInfo) (File, error) {
	hash := sha256.New()
	fmt.Fprintf(hash, "%d bytes\n", info.Size())
	buf := make([]byte, ends)
	for _, at := range []int64{0, max(info.Size()-ends, 0)} {
		n, err := src.ReadAt(buf, at)
		if err != nil && err != io.EOF {
			return File{}, err
		}
		hash.Write(buf[:n])
	}
	return File{Mode: info.Mode(), Size: info.Size(), Digest: hex.EncodeToString(hash.Sum(nil))}, nil
}

// contents is a file by its content. Whether that is kept is decided once for a name,
// so that a file that did not change looks the same ever after. What is longer than
// most never is.
func (r *recorder) contents(name string, mode fs.FileMode, data []byte, most int) File {
	f := File{Mode: mode, Size: int64(len(data))}
	keep, decided := r.kept[name]
	if !decided {
		keep = r.room >= f.Size
		r.kept[name] = keep
	}
	if keep && len(data) <= most {
		r.room -= f.Size
		f.Data = data
		return f
	}
	sum := sha256.Sum256(data)
	f.Digest = hex.EncodeToString(sum[:])
	return f
}
