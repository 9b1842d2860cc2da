//go:build unix && !linux

package cli

import "syscall"

// endWithUs does nothing: this system has no such thing.
func endWithUs(*syscall.SysProcAttr) {}
