package journal

import (
	"fmt"
	"os"
	"strings"
)

// inspect looks a process up, and returns the name of the program it runs.
func inspect(pid int) (p Process, name string, ok bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return Process{}, "", false
	}
	// The second field is the name in parentheses, and may hold any byte: count
	// from its end. The start time is the 22nd field.
	open, end := strings.IndexByte(string(stat), '('), strings.LastIndexByte(string(stat), ')')
	if open < 0 || end < open {
		return Process{}, "", false
	}
	fields := strings.Fields(string(stat[end+1:]))
	if len(fields) < 20 || fields[0] == "Z" || fields[0] == "X" { // it has ended, and waits to be told of
		return Process{}, "", false
	}
	name = string(stat[open+1 : end])
	if exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid)); err == nil {
		name = exe
	}
	return Process{Host: host(), Pid: pid, Start: fields[19]}, name, true
}

func host() string {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		boot = nil
	}
	space, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		space = ""
	}
	return strings.TrimSpace(string(boot)) + " " + space
}
