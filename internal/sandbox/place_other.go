//go:build !linux

package sandbox

// memory is a directory in memory; none is known on this system.
func memory() string { return "" }
