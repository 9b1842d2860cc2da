package sandbox

import (
	"io/fs"
	"os"
	"slices"
	"time"
)

// A Stamp is the state of a workspace by what its directory entries tell: cheap, and
// moved by every change to a file.
type Stamp struct {
	files map[string]state
}

// A state is what tells one state of a file from another without reading it.
type state struct {
	mode     fs.FileMode
	size     int64
	modified time.Time
	changed  time.Time // of the inode, which nobody can set
	read     time.Time
	inode    uint64
}

// same compares all but the time it was last read.
func (s state) same(t state) bool {
	return s.mode == t.mode && s.size == t.size && s.inode == t.inode && s.modified.Equal(t.modified) && s.changed.Equal(t.changed)
}

// Stamp takes the state of the workspace. A repository counts as one file, with those
// in it.
func (b *Box) Stamp() Stamp {
	s := Stamp{make(map[string]state)}
	var newest time.Time
	// A file that goes away while one looks is not there.
	_ = b.fs.walk(func(name string, info fs.FileInfo, dir *os.Root, base string) error {
		st := stateOf(info)
		if st.changed.After(newest) {
			newest = st.changed
		}
		name = readable(name)
		if info.IsDir() {
			if base == ".git" || looksBare(dir, base) {
				st = repositoryState(dir, base)
				if st.changed.After(newest) {
					newest = st.changed
				}
				s.files[name] = st
				return fs.SkipDir
			}
			// What is in it tells all but its mode.
			st = state{mode: info.Mode(), inode: st.inode}
		}
		s.files[name] = st
		return nil
	})
	outlive(newest)
	return s
}

// outlive returns when the clock that files are stamped with has moved on from a
// time: a change in the same tick, which can be ten milliseconds, would not show.
func outlive(t time.Time) {
	for range 100 {
		if now := fileClock(); now.After(t) || t.Sub(now) > time.Second {
			return
		}
		time.Sleep(time.Millisecond / 4)
	}
}

// Changed lists the slash paths that were created, changed or removed from s to t,
// sorted. A directory is listed when it came, went or changed its mode.
func (s Stamp) Changed(t Stamp) []string {
	var paths []string
	for name, was := range s.files {
		if is, ok := t.files[name]; !ok || !was.same(is) {
			paths = append(paths, name)
		}
	}
	for name := range t.files {
		if _, ok := s.files[name]; !ok {
			paths = append(paths, name)
		}
	}
	slices.Sort(paths)
	return paths
}

// repositoryState folds the state of all in a .git into one.
func repositoryState(parent *os.Root, name string) state {
	dir, err := parent.OpenRoot(name)
	if err != nil {
		return state{mode: fs.ModeDir}
	}
	defer dir.Close()
	folded := state{mode: fs.ModeDir}
	_ = walkRoot(dir, "", 0, func(_ string, info fs.FileInfo, _ *os.Root, _ string) error {
		st := stateOf(info)
		if st.changed.After(folded.changed) {
			folded.changed = st.changed
		}
		folded.size += st.size + 1
		folded.inode += st.inode
		return nil
	})
	return folded
}
