package sandbox

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/deeds-evals/deeds/internal/sandbox/contain"
)

// Available tells what a containment comes to on this machine. It tries for real,
// once in the life of the process; the error says what to do.
func Available(c Containment) (level string, err error) {
	if err := c.check(); err != nil {
		return "", err
	}
	switch c {
	case None:
		return string(contain.None), nil
	case Strict:
		if err := works(contain.Namespaces)(); err != nil {
			return "", &Unavailable{err}
		}
		return string(contain.Namespaces), nil
	}
	for _, l := range []contain.Level{contain.Namespaces, contain.Mounts, contain.Landlock} {
		if works(l)() == nil {
			return string(l), nil
		}
	}
	return string(contain.None), nil
}

// hint says how to get strict containment.
const hint = "it needs Linux 5.13 or later with Landlock and user namespaces; in a container allow the unshare and mount " +
	"system calls (docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined), " +
	"on Ubuntu set kernel.apparmor_restrict_unprivileged_userns=0; or give -containment=best and do without"

var (
	triesMu sync.Mutex
	tries   = map[contain.Level]func() error{}
)

// works returns the one try of a level.
func works(l contain.Level) func() error {
	triesMu.Lock()
	defer triesMu.Unlock()
	if tries[l] == nil {
		tries[l] = sync.OnceValue(func() error { return try(l) })
	}
	return tries[l]
}

// try runs a command at a level.
func try(l contain.Level) error {
	b, err := newBox(Config{}, l)
	if err != nil {
		return err
	}
	h, err := b.hold()
	if err == nil {
		err = runTrue(h)
	}
	return errors.Join(err, b.Close())
}

// runTrue starts a command and looks at its status.
func runTrue(h holder) error {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	c, err := h.Start("true", null)
	if err != nil {
		return err
	}
	select {
	case exit := <-c.Exit():
		if exit != 0 {
			return fmt.Errorf("a first command ended with status %d", exit)
		}
		return nil
	case <-h.Gone():
		return h.Fault()
	}
}

// ordinaryUser draws the user that commands run as where the run is root's, 0 where
// it is not. Each box has its own, so that none can signal or look into another, and
// its processes can be counted.
func ordinaryUser(l contain.Level) int {
	if l == contain.None || os.Getuid() != 0 {
		return 0
	}
	// Above what systemd gives to containers, below what does not fit 31 bits.
	const first, last = 0x70000000, 0x7ffd0000
	low, high := mappedUsers()
	if high > last {
		return first + rand.IntN(last-first)
	}
	// The run is in a user namespace with fewer users.
	if low = max(low, 1000); low >= high {
		return 0
	}
	return int(low + rand.Int64N(high-low))
}

// mappedUsers is the last range of users that exist in this user namespace.
func mappedUsers() (low, high int64) {
	b, err := os.ReadFile("/proc/self/uid_map")
	if err != nil {
		return 0, 1 << 16
	}
	for line := range strings.Lines(string(b)) {
		fields := strings.Fields(line)
		if len(fields) != 3 {
			continue
		}
		from, _ := strconv.ParseInt(fields[0], 10, 64)
		size, _ := strconv.ParseInt(fields[2], 10, 64)
		if from+size > high {
			low, high = from, from+size
		}
	}
	return low, high
}
