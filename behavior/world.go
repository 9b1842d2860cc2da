package behavior

import (
	"bytes"
	"context"
	"fmt"
	"sync"

	"github.com/deeds-evals/deeds/internal/gateway"
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

// readWire puts what the gateway recorded into the evidence.
func readWire(e *Evidence, session *gateway.Session) {
	u := session.Usage()
	e.Usage.Requests, e.Usage.Retries = u.Requests, u.Retries
	e.Usage.Prompt, e.Usage.Completion = u.Prompt, u.Completion
	e.Usage.Cached, e.Usage.Reasoning = u.Cached, u.Reasoning
	if u.CostReported {
		e.Usage.Cost, e.Usage.CostSource = u.Cost, "reported"
	}
	e.Usage.FirstToken, e.Usage.Provider = u.FirstToken, session.Waited()
	e.Usage.Model, e.Usage.Fingerprint = u.Model, u.Fingerprint
	for _, x := range session.Exchanges() {
		out := Exchange{
			Request: x.Request, Response: x.Response, Finish: x.Finish, Status: x.Status,
			Tries: x.Tries, At: x.At, First: x.First, Took: x.Took,
		}
		if x.Fault != nil {
			out.Fault = x.Fault.Error()
		}
		e.Wire = append(e.Wire, out)
	}
}
