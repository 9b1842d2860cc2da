package behavior

import (
	"bytes"
	"context"
	"fmt"
	"sync"

	"github.com/deeds-evals/deeds/internal/sandbox"
)

// fromSnapshot puts a tree as the sandbox recorded it into the evidence.
func fromSnapshot(tree map[string]sandbox.File) Files {
	files := make(Files, len(tree))
	for p, f := range tree {
		files[p] = File{Mode: f.Mode, Link: f.Link, Data: f.Data, Size: f.Size, Digest: f.Digest}
	}
	return files
}

// maxShellOutput bounds what a [Shell] returns of one command's output.
const maxShellOutput = 1 << 20

// shellOf is the contained shell as an agent of one's own meets it.
func shellOf(box *sandbox.Box) Shell {
	return func(ctx context.Context, command string) (string, int, error) {
		out := &cappedBuffer{}
		p, err := box.Start(ctx, command, out)
		if err != nil {
			return "", -1, err
		}
		exit, err := p.Wait(ctx)
		return out.String(), exit, err
	}
}

// watchOf returns what notices which files a command changed.
func watchOf(box *sandbox.Box) func() func() []string {
	return func() func() []string {
		before := box.Stamp()
		return func() []string { return before.Changed(box.Stamp()) }
	}
}

// cappedBuffer keeps the first bytes that are written to it and counts the rest.
type cappedBuffer struct {
	mu      sync.Mutex
	kept    bytes.Buffer
	dropped int
}

func (b *cappedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	room := min(len(p), maxShellOutput-b.kept.Len())
	b.kept.Write(p[:room])
	b.dropped += len(p) - room
	return len(p), nil
}

func (b *cappedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.dropped > 0 {
		return fmt.Sprintf("%s\n[%d more bytes]", b.kept.String(), b.dropped)
	}
	return b.kept.String()
}
