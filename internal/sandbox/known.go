package sandbox

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"
)

const (
	// maxKeyed is the size of a repository up to which its record is known again.
	maxKeyed = 8 << 20
	// maxKnown is how much is kept of all records together.
	maxKnown = 32 << 20
)

// A repositoryKey stands for all that a repository holds, byte by byte.
type repositoryKey [sha256.Size]byte

// known holds records of repositories by what the repositories hold. Telling what is
// in one takes several runs of git, and the same one is met again and again: at each
// word of the user, and at the beginning of every attempt of a case.
var known struct {
	sync.Mutex
	texts map[repositoryKey]string
	size  int
}

// knownRepository is the record of a repository that was met before.
func knownRepository(key repositoryKey) (text string, ok bool) {
	known.Lock()
	defer known.Unlock()
	text, ok = known.texts[key]
	return text, ok
}

// learnRepository keeps a record. When there is no room the others are forgotten.
func learnRepository(key repositoryKey, text string) {
	known.Lock()
	defer known.Unlock()
	if known.texts == nil || known.size+len(text) > maxKnown {
		known.texts, known.size = make(map[repositoryKey]string), 0
	}
	known.texts[key] = text
	known.size += len(text)
}

// errTooLarge says that a repository is not worth keying.
var errTooLarge = errors.New("the repository is too large to be known again")

// keyOf reads a repository whole. It reports false for one that is large, or changes
// meanwhile. A record says of worktrees where they lie, so that work is part of it.
func keyOf(parent *os.Root, name, work string) (key repositoryKey, ok bool) {
	dir, err := parent.OpenRoot(name)
	if err != nil {
		return key, false
	}
	defer dir.Close()
	h := sha256.New()
	add := func(b []byte) {
		var n [8]byte
		binary.LittleEndian.PutUint64(n[:], uint64(len(b)))
		h.Write(n[:])
		h.Write(b)
	}
	add([]byte(name))
	if _, err := dir.Lstat("worktrees"); err == nil {
		add([]byte(work))
	}
	var read int64
	err = fs.WalkDir(dir.FS(), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		add([]byte(p))
		var mode [4]byte
		binary.LittleEndian.PutUint32(mode[:], uint32(info.Mode()))
		add(mode[:])
		switch {
		case info.Mode().Type() == fs.ModeSymlink:
			link, err := dir.Readlink(p)
			add([]byte(link))
			return err
		case !info.Mode().IsRegular():
			return nil
		}
		if read += info.Size(); read > maxKeyed {
			return errTooLarge
		}
		f, err := dir.OpenFile(p, os.O_RDONLY|noFollow|noWait, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		b, err := io.ReadAll(io.LimitReader(f, info.Size()+1))
		add(b)
		if int64(len(b)) != info.Size() {
			return errTooLarge // it grows or shrinks
		}
		return err
	})
	if err != nil {
		return key, false
	}
	h.Sum(key[:0])
	return key, true
}
