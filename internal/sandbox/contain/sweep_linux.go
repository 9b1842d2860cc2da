package contain

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// patience is how long a sweep goes on before it gives up.
const patience = 20 * time.Second

// kill ends one command and all that descends from it, and returns when it is gone.
func (s *server) kill(id uint64) error {
	mark, ok := s.run.marks[id]
	if !ok {
		return nil
	}
	want := strconv.FormatUint(mark, 10)
	return sweep(func() []int {
		if childless() {
			return nil
		}
		return slices.DeleteFunc(s.descendants(), func(pid int) bool { return markIn(pid) != want })
	})
}

// end ends everything, and returns when it is gone.
func (s *server) end() error {
	switch {
	case s.run == nil:
		return nil
	case s.spec.Level.Private():
		_ = unix.Kill(-1, unix.SIGKILL) // all of the PID namespace but ourselves, at one stroke
	case s.spec.UID != 0:
		// All of a user that nothing else runs as, at one stroke.
		s.run.do(func() { _ = unix.Kill(-1, unix.SIGKILL) })
	}
	return sweep(func() []int {
		if childless() {
			return nil
		}
		return s.descendants()
	})
}

// childless reports whether this process has no children, be they dead. As orphans
// become its children, it then has no descendants either.
func childless() bool {
	for {
		err := unix.Waitid(unix.P_ALL, 0, nil, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			return err == unix.ECHILD
		}
	}
}

// sweep ends what list finds until it finds nothing. Everything is stopped before
// anything is killed: a process that is stopped cannot fork away.
func sweep(list func() []int) error {
	began := time.Now()
	for wait := time.Millisecond; ; wait = min(2*wait, 20*time.Millisecond) {
		stopped := map[int]bool{}
		for {
			fresh := false
			for _, pid := range list() {
				if !stopped[pid] {
					stopped[pid], fresh = true, true
					_ = unix.Kill(pid, unix.SIGSTOP)
				}
			}
			if !fresh || time.Since(began) > patience {
				break
			}
		}
		if len(stopped) == 0 {
			return nil
		}
		for pid := range stopped {
			_ = unix.Kill(pid, unix.SIGKILL)
		}
		if time.Since(began) > patience {
			return fmt.Errorf("%d processes would not end", len(stopped))
		}
		time.Sleep(wait)
	}
}

// descendants lists the live processes that descend from this one, itself left out.
func (s *server) descendants() []int {
	self := os.Getpid()
	parents := map[int]int{}
	for _, pid := range pids() {
		if pid == self {
			continue
		}
		if parent, alive := parentOf(pid); alive {
			parents[pid] = parent
		}
	}
	var found []int
	for pid := range parents {
		// A PID namespace holds nothing else. Elsewhere orphans come to us too.
		if s.spec.Level.Private() || descends(pid, self, parents) {
			found = append(found, pid)
		}
	}
	return found
}

// descends follows the parents of a process up to another.
func descends(pid, ancestor int, parents map[int]int) bool {
	for range len(parents) + 1 {
		parent, ok := parents[pid]
		if parent == ancestor {
			return true
		}
		if !ok {
			return false
		}
		pid = parent
	}
	return false
}

// pids lists the processes in /proc.
func pids() []int {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	var found []int
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			found = append(found, pid)
		}
	}
	return found
}

// parentOf reads the parent of a process, and whether it still runs.
func parentOf(pid int) (parent int, alive bool) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false
	}
	// "pid (name) state parent …", and a name may hold anything.
	rest := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
	if len(rest) < 2 {
		return 0, false
	}
	switch rest[0][0] {
	case 'Z', 'X', 'x':
		return 0, false
	}
	parent, err = strconv.Atoi(string(rest[1]))
	return parent, err == nil
}

// markIn reads the mark of a process, "" if it is gone.
func markIn(pid int) string {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", pid))
	if err != nil {
		return ""
	}
	_, line, ok := bytes.Cut(b, []byte("Max file locks"))
	if !ok {
		return ""
	}
	fields := bytes.Fields(line)
	if len(fields) < 2 {
		return ""
	}
	return string(fields[1]) // the hard limit; the soft one may be moved
}

// processesOf lists the live processes of a user.
func processesOf(uid int) []int {
	return slices.DeleteFunc(pids(), func(pid int) bool {
		if !belongs(pid, uid) {
			return true
		}
		_, alive := parentOf(pid)
		return !alive
	})
}

// threadsOf counts the threads of a user.
func threadsOf(uid int) uint64 {
	var n uint64
	for _, pid := range pids() {
		if !belongs(pid, uid) {
			continue
		}
		if tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid)); err == nil {
			n += uint64(len(tasks))
		}
	}
	return n
}

// belongs reports whether a process is a user's.
func belongs(pid, uid int) bool {
	var st unix.Stat_t
	return unix.Stat(fmt.Sprintf("/proc/%d", pid), &st) == nil && int(st.Uid) == uid
}
