package contain

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Rights by what they are for.
const (
	readRights = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR

	// fileRights are those that a rule for a single file can have.
	fileRights = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE |
		unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV | unix.LANDLOCK_ACCESS_FS_RESOLVE_UNIX
)

// landlockABI is the version of Landlock that the kernel has, 0 if none.
func landlockABI() int {
	n, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(n)
}

// handled is what the kernel's Landlock can refuse.
func handled(abi int, loopback bool) unix.LandlockRulesetAttr {
	attr := unix.LandlockRulesetAttr{Handled_access_fs: unix.LANDLOCK_ACCESS_FS_MAKE_SYM<<1 - 1} // all of the first version
	if abi >= 2 {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if abi >= 3 {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if abi >= 4 && !loopback {
		attr.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	if abi >= 5 {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	if abi >= 6 {
		attr.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	if abi >= 9 {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_RESOLVE_UNIX
	}
	return attr
}

// landlockRules makes the rules of a box.
func landlockRules(spec Spec) (fd int, err error) {
	abi := landlockABI()
	if abi == 0 {
		return -1, fmt.Errorf("the kernel has no Landlock")
	}
	attr := handled(abi, spec.Loopback)
	n, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0)
	if errno != 0 {
		return -1, fmt.Errorf("making Landlock rules: %w", errno)
	}
	fd = int(n)
	unix.CloseOnExec(fd)
	defer func() {
		if err != nil {
			unix.Close(fd)
		}
	}()
	all := attr.Handled_access_fs
	allow := func(path string, rights uint64) error { return addRule(fd, path, rights&all) }

	for _, dir := range []string{spec.Work, spec.Home, spec.Temp} {
		if err := allow(dir, all); err != nil {
			return -1, err
		}
	}
	for _, dev := range devices {
		if err := allow("/dev/"+dev, readRights|unix.LANDLOCK_ACCESS_FS_WRITE_FILE|unix.LANDLOCK_ACCESS_FS_IOCTL_DEV); err != nil {
			return -1, err
		}
	}
	if spec.Level.Private() {
		// The view holds nothing but what may be seen.
		if err := allow("/", readRights); err != nil {
			return -1, err
		}
		for _, dir := range []string{"/tmp", "/var/tmp", "/dev/shm", "/dev/pts"} {
			if err := allow(dir, all); err != nil {
				return -1, err
			}
		}
		return fd, nil
	}
	for _, root := range spec.Visible {
		for _, path := range around(root, spec.Hidden) {
			if err := allow(path, readRights); err != nil {
				return -1, err
			}
		}
	}
	// Facts about the machine that programs ask for; nothing about its processes.
	for _, name := range []string{"cpuinfo", "meminfo", "stat", "uptime", "loadavg", "version", "filesystems", "sys/kernel", "sys/vm", "sys/fs"} {
		if err := allow("/proc/"+name, readRights); err != nil {
			return -1, err
		}
	}
	return fd, nil
}

// addRule grants rights on a path. A path that is not there needs none.
func addRule(ruleset int, path string, rights uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err == unix.ENOENT || err == unix.EACCES {
		return nil
	}
	if err != nil {
		return fmt.Errorf("opening %s: %w", path, err)
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return fmt.Errorf("looking at %s: %w", path, err)
	}
	if st.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &= fileRights
	}
	if rights == 0 {
		return nil
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(fd)}
	if _, _, errno := unix.RawSyscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0); errno != 0 {
		return fmt.Errorf("granting %s: %w", path, errno)
	}
	return nil
}

// around lists paths that cover root except the hidden directories below it: root
// itself where there are none, else its entries one by one.
func around(root string, hidden []string) []string {
	covers := false
	for _, h := range hidden {
		if root == h || strings.HasPrefix(root, h+"/") {
			return nil
		}
		covers = covers || strings.HasPrefix(h, strings.TrimSuffix(root, "/")+"/")
	}
	if !covers {
		return []string{root}
	}
	entries, _ := os.ReadDir(root)
	var paths []string
	for _, e := range entries {
		if e.Type()&os.ModeSymlink != 0 {
			continue // a rule would follow it; what it leads to has its own
		}
		paths = append(paths, around(filepath.Join(root, e.Name()), hidden)...)
	}
	return paths
}
