//go:build unix

package browser

import (
	"os/exec"
	"syscall"
)

// group is the process that leads those of the browser, which has many.
var group *exec.Cmd

func ownGroup(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
	group = cmd
}

// endGroup ends what is left of the browser.
func endGroup() {
	if group != nil && group.Process != nil {
		_ = syscall.Kill(-group.Process.Pid, syscall.SIGKILL)
	}
}
