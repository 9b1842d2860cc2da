package journal

import (
	"os"
	"time"
)

// Orphaned calls f once the go command that started this process has ended before
// it. A go command that is killed, or told to terminate, leaves its tests running,
// and nobody is left to read what they find out. Where no go command started this
// process nothing is watched.
func Orphaned(f func()) {
	parent := os.Getppid()
	if _, name, ok := inspect(parent); !ok || !isGo(name) {
		return
	}
	go func() {
		// A process whose parent ends is given another one.
		for os.Getppid() == parent {
			time.Sleep(time.Second)
		}
		f()
	}()
}
