package agent

import "sync"

// An inbox holds what the user has said while the agent worked, until the agent comes
// to hear it. Children look into it only to see whether they are to stop.
type inbox struct {
	heard func() []Word

	mu    sync.Mutex
	words []Word
}

// stopped reports whether the user has stopped the work.
func (b *inbox) stopped() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.poll()
	for _, w := range b.words {
		if w.Stop {
			return true
		}
	}
	return false
}

// take takes out what was said, up to a word that stops the work; that one is the
// last, and what was said after it stays.
func (b *inbox) take() (said []string, stop *Word) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.poll()
	for len(b.words) > 0 {
		w := b.words[0]
		b.words = b.words[1:]
		if w.Stop {
			return said, &w
		}
		said = append(said, w.Text)
	}
	return said, nil
}

// waiting reports whether there is anything to hear.
func (b *inbox) waiting() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.poll()
	return len(b.words) > 0
}

func (b *inbox) poll() {
	if b.heard != nil {
		b.words = append(b.words, b.heard()...)
	}
}
