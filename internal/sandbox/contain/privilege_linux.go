package contain

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// becomeUser makes the calling thread, and only it, that of an ordinary user.
func becomeUser(uid int) error {
	id := uintptr(uid)
	if _, _, errno := unix.RawSyscall(unix.SYS_SETGROUPS, 0, 0, 0); errno != 0 {
		return fmt.Errorf("leaving all groups: %w", errno)
	}
	if _, _, errno := unix.RawSyscall(unix.SYS_SETRESGID, id, id, id); errno != 0 {
		return fmt.Errorf("becoming group %d: %w", uid, errno)
	}
	if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, id, id, id); errno != 0 {
		return fmt.Errorf("becoming user %d: %w", uid, errno)
	}
	return nil
}

// boundCapabilities sees to it that the calling thread and what it starts never gain
// a capability. It comes before the thread loses those that it has.
func boundCapabilities() {
	for c := uintptr(0); c <= unix.CAP_LAST_CAP; c++ {
		_ = unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0) // refused to those who have none to drop
	}
}

// dropCapabilities takes all capabilities from the calling thread.
func dropCapabilities() error {
	_ = unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	if err := unix.Capset(&header, &none[0]); err != nil {
		return fmt.Errorf("dropping capabilities: %w", err)
	}
	return nil
}

// bytePtr returns the address of a string that ends in a zero byte.
func bytePtr(s string) unsafe.Pointer {
	return unsafe.Pointer(unsafe.StringData(s + "\x00"))
}

// raiseLoopback brings up the interface "lo" of the network namespace.
func raiseLoopback() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	ifr, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	ifr.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, ifr)
}
