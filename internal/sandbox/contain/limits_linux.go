package contain

import (
	"fmt"
	"os"
	"runtime"
	"sync"

	"golang.org/x/sys/unix"
)

// sacrifice has the kernel end this box first where memory runs out, not the run.
func sacrifice() { _ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0) }

// limit bounds this process and so all that it starts.
func limit(spec Spec) error {
	if spec.Level == None {
		return nil
	}
	set := func(name string, resource int, n uint64) error {
		if n == 0 && resource != unix.RLIMIT_CORE {
			return nil
		}
		var old unix.Rlimit
		if err := unix.Getrlimit(resource, &old); err != nil {
			return fmt.Errorf("reading the limit of %s: %w", name, err)
		}
		n = min(n, old.Max)
		if err := unix.Setrlimit(resource, &unix.Rlimit{Cur: n, Max: n}); err != nil {
			return fmt.Errorf("setting the limit of %s: %w", name, err)
		}
		return nil
	}
	if err := set("core files", unix.RLIMIT_CORE, 0); err != nil {
		return err
	}
	if err := set("file size", unix.RLIMIT_FSIZE, spec.Limits.FileSize); err != nil {
		return err
	}
	if err := set("open files", unix.RLIMIT_NOFILE, spec.Limits.Files); err != nil {
		return err
	}
	if spec.Limits.Processes == 0 {
		return nil
	}
	n := spec.Limits.Processes + reserve
	if !spec.Level.Private() && spec.UID == 0 {
		// The count is that of the user, over all of the machine.
		n += threadsOf(os.Getuid())
	}
	return set("processes", unix.RLIMIT_NPROC, n)
}

// reserve is how many more processes and threads the init can have than its
// commands, so that it still works when they have used up theirs.
const reserve = 32

// ration gives what is forked next a smaller limit of processes than the init has,
// and returns what takes it back.
func ration() (restore func(), err error) {
	var own unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NPROC, &own); err != nil {
		return nil, fmt.Errorf("reading the limit of processes: %w", err)
	}
	less := own
	if less.Cur > reserve && less.Cur == less.Max {
		less.Cur -= reserve
	}
	if err := unix.Setrlimit(unix.RLIMIT_NPROC, &less); err != nil {
		return nil, fmt.Errorf("setting the limit of processes: %w", err)
	}
	return func() { _ = unix.Setrlimit(unix.RLIMIT_NPROC, &own) }, nil
}

// hireThreads has the runtime make the threads that it may come to need while it
// still can: one that it cannot make is the end of the process.
func hireThreads() {
	const n = 12
	var all sync.WaitGroup
	all.Add(n)
	for range n {
		go func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			all.Done()
			all.Wait()
		}()
	}
	all.Wait()
}

// firstMark is the first of the values of an unused limit from which commands are
// told apart: it is inherited by all that descends from a command, it shows in
// /proc, and it cannot be raised again. Linux has not enforced RLIMIT_LOCKS since
// 2.4. Marks fall from command to command, because a limit can only fall.
const firstMark uint64 = 1 << 40

// setMark marks what is forked next.
func setMark(mark uint64) error {
	if err := unix.Setrlimit(unix.RLIMIT_LOCKS, &unix.Rlimit{Cur: mark, Max: mark}); err != nil {
		return fmt.Errorf("marking the command: %w", err)
	}
	return nil
}
