package journal

import (
	"crypto/rand"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// A Process is one process among all that ever ran: a process number alone is
// used again.
type Process struct {
	// Host says where the number counts: this boot of this machine, and the
	// process namespace within it.
	Host  string `json:"host"`
	Pid   int    `json:"pid"`
	Start string `json:"start"` // when it started, in units of the system's own
}

// invocation returns the process that stands for the whole run: the go command
// that started this process, else this process alone.
func invocation() Process {
	if parent, name, ok := inspect(os.Getppid()); ok && isGo(name) {
		return parent
	}
	if self, _, ok := inspect(os.Getpid()); ok {
		return self
	}
	return Process{Host: "unknown", Pid: os.Getpid(), Start: nonce()}
}

// alive reports whether the process still runs. known is false where that cannot
// be told from here.
func alive(p Process) (running, known bool) {
	self, _, ok := inspect(os.Getpid())
	if !ok || self.Host != p.Host {
		return false, false
	}
	now, _, ok := inspect(p.Pid)
	return ok && now == p, true
}

// isGo reports whether a program of that name is the go command.
func isGo(name string) bool {
	name = strings.TrimSuffix(filepath.Base(name), " (deleted)")
	return strings.TrimSuffix(name, ".exe") == "go"
}

// nonce stands in for the start time of this process where the system does not
// tell it.
var nonce = sync.OnceValue(func() string { return randomHex(8) })

// randomHex returns n random bytes in hex.
func randomHex(n int) string {
	b := make([]byte, n)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
