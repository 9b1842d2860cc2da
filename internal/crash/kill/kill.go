//go:build unix

// Package kill ends runs without warning, for the tests of what is left then, and
// takes away what only memory would be left with.
package kill

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Apart makes the command start in a process group of its own, which [Group] ends.
func Apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// Group kills the process group of a command that was started by [Apart], and returns
// when the command was waited for by done. The worlds of the attempts that were under
// way are removed: they lie in memory, and nobody else can.
func Group(cmd *exec.Cmd, done <-chan error) error {
	// Frozen, it makes no more of them.
	if err := signal(cmd, syscall.SIGSTOP); err != nil {
		return err
	}
	time.Sleep(5 * time.Millisecond)
	worlds := held(cmd.Process.Pid)
	if err := signal(cmd, syscall.SIGKILL); err != nil {
		return err
	}
	<-done
	var errs []error
	for _, dir := range worlds {
		errs = append(errs, os.RemoveAll(dir))
	}
	return errors.Join(errs...)
}

func signal(cmd *exec.Cmd, s syscall.Signal) error {
	if cmd.SysProcAttr == nil || !cmd.SysProcAttr.Setpgid {
		return errors.New("the command has no process group of its own")
	}
	if err := syscall.Kill(-cmd.Process.Pid, s); err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("%v to the run: %w", s, err)
	}
	return nil
}

// world is the folder of an attempt, at the beginning of a path.
var world = regexp.MustCompile(`^/(dev/shm|run/user/\d+)/w-[0-9a-f]{8}`)

// held are the worlds that the processes of a group have open. Where processes cannot
// be looked at there are none.
func held(group int) (dirs []string) {
	seen := make(map[string]bool)
	all, _ := filepath.Glob("/proc/[0-9]*")
	for _, proc := range all {
		if groupOf(proc) != group {
			continue
		}
		files, _ := filepath.Glob(proc + "/fd/*")
		for _, f := range files {
			target, err := os.Readlink(f)
			if dir := world.FindString(target); err == nil && dir != "" && !seen[dir] {
				seen[dir] = true
				dirs = append(dirs, dir)
			}
		}
	}
	return dirs
}

// groupOf is the process group of the process in a folder of /proc, or 0.
func groupOf(proc string) int {
	stat, err := os.ReadFile(proc + "/stat")
	if err != nil {
		return 0
	}
	// The name may hold any byte; behind it come the state, the parent and the group.
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(fields) < 3 {
		return 0
	}
	group, err := strconv.Atoi(fields[2])
	if err != nil {
		return 0
	}
	return group
}
