package behavior

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/deeds-evals/deeds/internal/gateway"
	"github.com/deeds-evals/deeds/internal/sandbox"
)

// A world is all that one attempt is played in: its box, its wire, its user and its
// stubs.
type world struct {
	unit    unit
	box     *sandbox.Box
	session *gateway.Session
	log     *timeline
	talk    *talk
	office  *office
	faults  *faults
	servers []Server
	guest   *gateway.Session // the simulated user's wire; nil: there is none
	closers []func()
}

// world makes the world of a unit around a box and a wire.
func (s stage) world(u unit, box *sandbox.Box, session *gateway.Session) (*world, error) {
	w := &world{unit: u, box: box, session: session, log: &timeline{start: time.Now()}}
	w.talk = newTalk(u, box, w.log)
	w.log.watch = w.talk.notice
	w.office = &office{unit: u, log: w.log, turn: w.talk.turn}
	w.faults = newFaults(u, w.log)
	if err := w.serve(); err != nil {
		w.close()
		return nil, err
	}
	if u.c.User != nil && s.guest != nil {
		wire, err := s.gateway.Open(gateway.SessionConfig{Upstream: s.guest, Model: s.userModel})
		if err != nil {
			w.close()
			return nil, err
		}
		w.guest = wire
		w.closers = append(w.closers, func() { wire.Close() })
		w.talk.guest = newGuest(*u.c.User, u.facts, wire, s.userModel)
	}
	return w, nil
}

func (w *world) close() {
	for _, c := range slices.Backward(w.closers) {
		c()
	}
}

// task is the task as the agent is given it.
func (w *world) task(model string, limits Limits) Task {
	var changed func() []string
	if w.unit.c.Agent != nil { // the built-in one watches each command by itself
		w.talk.ledger = newLedger(w.box.Stamp)
		changed = w.talk.ledger.Changed
	}
	return Task{
		Prompt: w.unit.prompt, Mode: w.unit.mode, Draft: w.unit.c.Draft, Todos: w.unit.c.Todos,
		Dir: w.box.Dir(), Files: w.box.Fs(), Shell: shellOf(w.box), Changed: changed,
		Tools: w.office.tools(), Servers: w.servers,
		Scratch: w.box.Scratch(), Home: w.box.Home(), Background: w.unit.c.Background,
		Model: model, BaseURL: w.session.BaseURL(), Key: w.session.Key(),
		Limits: limits, Record: w.log.record,
		Next: w.talk.Next, Heard: w.talk.Heard,
		shell: w.box, watch: watchOf(w.box), scratch: w.box.ScratchFs(), home: w.box.HomeFs(),
		around: w.faults.around,
	}
}

// guestWaited is how long the simulated user has kept the agent waiting.
func (w *world) guestWaited() time.Duration {
	if w.guest == nil {
		return 0
	}
	return w.guest.Waited()
}

// guestWire is what the simulated user was asked and said.
func (w *world) guestWire() []Exchange {
	if w.guest == nil {
		return nil
	}
	return exchanges(w.guest)
}

// readBox puts what lies in the box in the end into the evidence.
func readBox(e *Evidence, box *sandbox.Box) error {
	for _, part := range []struct {
		into *Files
		read func() (map[string]sandbox.File, error)
	}{{&e.After, box.Snapshot}, {&e.Scratch, box.SnapshotScratch}, {&e.Home, box.SnapshotHome}} {
		tree, err := part.read()
		if err != nil {
			return err
		}
		*part.into = fromSnapshot(tree)
	}
	return nil
}

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
