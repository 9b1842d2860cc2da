package contain

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// namespaceFlags are the flags of clone that make namespaces.
const namespaceFlags = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC |
	unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET

// refused are calls that no command needs and that reach past the box: into other
// processes, the mounts, namespaces, keys and the kernel itself.
var refused = []uint32{
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PIDFD_GETFD, unix.SYS_KCMP,
	unix.SYS_PROCESS_MADVISE,
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE,
	unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR,
	unix.SYS_UNSHARE, unix.SYS_SETNS,
	unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_FANOTIFY_INIT,
	unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_QUOTACTL, unix.SYS_LOOKUP_DCOOKIE, unix.SYS_SYSLOG, unix.SYS_ACCT,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_KEXEC_LOAD,
	unix.SYS_REBOOT, unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_ADJTIMEX,
	unix.SYS_CLOCK_ADJTIME, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME,
}

// shared are calls that reach what all of the host has in common where there are no
// namespaces: memory, queues and semaphores that outlive the box.
var shared = []uint32{
	unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SHMCTL, unix.SYS_MSGGET, unix.SYS_MSGSND, unix.SYS_MSGRCV, unix.SYS_MSGCTL,
	unix.SYS_SEMGET, unix.SYS_SEMOP, unix.SYS_SEMTIMEDOP, unix.SYS_SEMCTL, unix.SYS_MQ_OPEN, unix.SYS_MQ_UNLINK,
}

// A selfish call takes a process as an argument, and is let pass only where that is
// 0, the caller itself: else a command could slow down or starve the processes of
// its user, which may be all of the run's.
type selfish struct {
	call uint32
	arg  uint32 // which argument it is
}

// starving lets a command bound the init of its own box, so that it is refused at
// every level.
var starving = []selfish{{unix.SYS_PRLIMIT64, 0}}

// slowing matters only where processes of the host can be named at all.
var slowing = []selfish{
	{unix.SYS_SCHED_SETAFFINITY, 0}, {unix.SYS_SCHED_SETSCHEDULER, 0}, {unix.SYS_SCHED_SETPARAM, 0}, {unix.SYS_SCHED_SETATTR, 0},
	{unix.SYS_SETPRIORITY, 1}, {unix.SYS_IOPRIO_SET, 1}, {unix.SYS_MIGRATE_PAGES, 0}, {unix.SYS_MOVE_PAGES, 0},
}

// absent are calls that pretend not to exist, since their callers then fall back:
// io_uring goes around any filter, and the flags of clone3 cannot be looked at.
var absent = []uint32{unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER, unix.SYS_CLONE3}

// filterCalls sets the seccomp filter of a box on the calling thread.
func filterCalls(spec Spec) error {
	if auditArch == 0 {
		return fmt.Errorf("no system call filter is known for this processor")
	}
	filter := callFilter(spec)
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if _, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&program))); errno != 0 {
		return fmt.Errorf("filtering system calls: %w", errno)
	}
	return nil
}

// callFilter writes the filter. Offsets are those of struct seccomp_data.
func callFilter(spec Spec) []unix.SockFilter {
	const (
		number   = 0
		arch     = 4
		firstArg = 16 // its low half, on little-endian machines
	)
	statement := func(code uint16, k uint32) unix.SockFilter { return unix.SockFilter{Code: code, K: k} }
	load := func(offset uint32) unix.SockFilter { return statement(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, offset) }
	// unless jumps over the next instruction if the accumulator is not k.
	unless := func(k uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jf: 1, K: k}
	}
	fail := func(errno unix.Errno) unix.SockFilter {
		return statement(unix.BPF_RET|unix.BPF_K, unix.SECCOMP_RET_ERRNO|uint32(errno))
	}
	allow := statement(unix.BPF_RET|unix.BPF_K, unix.SECCOMP_RET_ALLOW)

	f := []unix.SockFilter{
		load(arch),
		// Another architecture's calls have other numbers: 32-bit code would pass.
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: 1, K: auditArch},
		fail(unix.ENOSYS),
		load(number),
		// So has x32 on amd64: all its numbers have this bit.
		{Code: unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K, Jf: 1, K: 0x40000000},
		fail(unix.ENOSYS),
	}
	for _, nr := range absent {
		f = append(f, unless(nr), fail(unix.ENOSYS))
	}
	calls := append(refused[:len(refused):len(refused)], refusedHere...)
	named := starving
	if !spec.Level.Private() {
		calls = append(calls, shared...)
		named = append(named[:len(named):len(named)], slowing...)
	}
	for _, nr := range calls {
		f = append(f, unless(nr), fail(unix.EPERM))
	}
	for _, s := range named {
		f = append(f,
			unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jf: 4, K: s.call},
			load(firstArg+8*s.arg),
			unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jf: 1, K: 0},
			allow,
			fail(unix.EPERM),
		)
	}
	f = append(f,
		// clone: no namespaces.
		unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jf: 4, K: unix.SYS_CLONE},
		load(firstArg),
		unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, Jf: 1, K: namespaceFlags},
		fail(unix.EPERM),
		allow,
	)
	families := socketFamilies(spec)
	f = append(f, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jf: uint8(2*len(families) + 2), K: unix.SYS_SOCKET}, load(firstArg))
	for _, family := range families {
		f = append(f, unless(family), allow)
	}
	return append(f, fail(unix.EACCES), allow)
}

// socketFamilies are the kinds of sockets that can be made.
func socketFamilies(spec Spec) []uint32 {
	switch {
	case spec.Loopback:
		return []uint32{unix.AF_UNIX, unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK}
	case spec.Level.Private() || landlockABI() >= 9:
		return []uint32{unix.AF_UNIX}
	}
	// Without a view of its own a command would reach the sockets of the host's
	// daemons, which older Landlocks do not guard. Socket pairs still work.
	return nil
}
