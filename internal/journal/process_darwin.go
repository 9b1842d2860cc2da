package journal

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// inspect looks a process up, and returns the name of the program it runs.
func inspect(pid int) (p Process, name string, ok bool) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(info.Proc.P_pid) != pid {
		return Process{}, "", false
	}
	boot, err := unix.Sysctl("kern.bootsessionuuid")
	if err != nil {
		return Process{}, "", false
	}
	start := info.Proc.P_starttime
	return Process{Host: boot, Pid: pid, Start: fmt.Sprintf("%d.%06d", start.Sec, start.Usec)},
		unix.ByteSliceToString(info.Proc.P_comm[:]), true
}
