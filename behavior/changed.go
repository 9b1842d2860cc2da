package behavior

import (
	"slices"
	"sync"

	"github.com/deeds-evals/deeds/internal/sandbox"
)

// A ledger knows which files of the workspace the agent changed, and has told of. What
// the harness lays there itself is no deed of the agent.
type ledger struct {
	stamp func() sandbox.Stamp

	mu   sync.Mutex
	last sandbox.Stamp
	owed []string // changed before something was laid, and not told yet
}

// newLedger begins with the workspace as it is.
func newLedger(stamp func() sandbox.Stamp) *ledger { return &ledger{stamp: stamp, last: stamp()} }

// Changed is [Task.Changed].
func (l *ledger) Changed() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.look()
	changed := l.owed
	l.owed = nil
	return changed
}

// look notes what has changed until now.
func (l *ledger) look() {
	now := l.stamp()
	l.owed = append(l.owed, l.last.Changed(now)...)
	l.last = now
	slices.Sort(l.owed)
	l.owed = slices.Compact(l.owed)
}

// pass lays something in the workspace without its being told.
func (l *ledger) pass(lay func() error) error {
	if l == nil {
		return lay()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.look()
	err := lay()
	l.last = l.stamp()
	return err
}
