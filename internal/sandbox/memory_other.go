//go:build !linux

package sandbox

// limitMemory does nothing on this system.
func limitMemory(int, uint64) {}
