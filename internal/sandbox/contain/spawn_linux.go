package contain

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// maxArgument is the longest argument that the kernel takes, less some room.
const maxArgument = 128<<10 - 64

// A spawner forks commands from one thread that was shut in for good: what holds
// that thread holds all that it starts. The other threads of the init stay free,
// and so does the process as seen from inside, since the first thread is another.
type spawner struct {
	spec  Spec
	tasks chan func()
	mark  uint64            // of the newest command
	marks map[uint64]uint64 // of each command, by id
}

// newSpawner starts the thread and shuts it in.
func newSpawner(spec Spec) (*spawner, error) {
	s := &spawner{spec: spec, tasks: make(chan func()), mark: firstMark, marks: make(map[uint64]uint64)}
	ready := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked
		ready <- confine(spec)
		for task := range s.tasks {
			task()
		}
	}()
	return s, <-ready
}

// do runs f on the spawner's thread.
func (s *spawner) do(f func()) {
	done := make(chan struct{})
	s.tasks <- func() { defer close(done); f() }
	<-done
}

// confine shuts the calling thread in.
func confine(spec Spec) error {
	if spec.Level == None {
		return nil
	}
	// Rules hold open descriptors, so they are made while everything can be opened.
	rules := -1
	if spec.Level.landlocked() {
		var err error
		if rules, err = landlockRules(spec); err != nil {
			return err
		}
		defer unix.Close(rules)
	}
	boundCapabilities()
	if spec.UID != 0 {
		if err := becomeUser(spec.UID); err != nil {
			return err
		}
	}
	if err := dropCapabilities(); err != nil {
		return err
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("giving up new privileges: %w", err)
	}
	if rules >= 0 {
		if _, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(rules), 0, 0); errno != 0 {
			return fmt.Errorf("entering Landlock: %w", errno)
		}
	}
	return filterCalls(spec)
}

// start forks one command. Its mark is in place before it can fork anything.
func (s *spawner) start(id uint64, scriptFD, outputFD int) (pid int, err error) {
	script, err := readAll(scriptFD)
	if err != nil {
		return 0, fmt.Errorf("reading the script: %w", err)
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		return 0, err
	}
	defer null.Close()
	files := []uintptr{null.Fd(), uintptr(outputFD), uintptr(outputFD)}
	if len(script) > maxArgument {
		if _, err := unix.Seek(scriptFD, 0, io.SeekStart); err != nil {
			return 0, err
		}
		files = append(files, uintptr(scriptFD))
		script = `eval "$(cat <&3)" 3<&-`
	}
	args := []string{"bash", "--noprofile", "--norc", "-c", script}
	attr := &syscall.ProcAttr{
		Dir:   s.spec.Work,
		Env:   s.spec.Env,
		Files: files,
		Sys:   &syscall.SysProcAttr{Setsid: true},
	}
	s.mark--
	s.marks[id] = s.mark
	s.do(func() {
		if err = setMark(s.mark); err != nil {
			return
		}
		if s.spec.Level != None {
			restore, e := ration()
			if err = e; err != nil {
				return
			}
			defer restore()
		}
		pid, err = syscall.ForkExec(s.spec.Shell, args, attr)
		if err != nil && unix.Access(s.spec.Work, unix.X_OK) != nil {
			// The workspace is closed or gone. It is for the shell to say so.
			attr.Dir = "/"
			args[len(args)-1] = "cd -- '" + strings.ReplaceAll(s.spec.Work, "'", `'\''`) + "' || exit 126"
			pid, err = syscall.ForkExec(s.spec.Shell, args, attr)
		}
	})
	if err != nil {
		return 0, fmt.Errorf("starting bash: %w", err)
	}
	return pid, nil
}

// readAll reads a file from its beginning, whatever its offset.
func readAll(fd int) (string, error) {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return "", err
	}
	b := make([]byte, st.Size)
	for n := 0; n < len(b); {
		m, err := unix.Pread(fd, b[n:], int64(n))
		switch {
		case err == unix.EINTR:
		case err != nil:
			return "", err
		case m == 0:
			return string(b[:n]), nil
		}
		n += max(m, 0)
	}
	return string(b), nil
}
