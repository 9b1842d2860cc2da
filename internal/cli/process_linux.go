package cli

import "syscall"

// endWithUs has the system end the go command if this process is killed: its tests see
// that it is gone, and end the run, which would go on and cost money otherwise.
func endWithUs(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGTERM }
