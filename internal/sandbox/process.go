package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/deeds-evals/deeds/internal/tools"
)

// A holder starts commands and can end them all.
type holder interface {
	Start(script string, output *os.File) (command, error)
	Gone() <-chan struct{} // closed when it has ended, and everything with it
	Fault() error          // what to say when it has
	Close() error
}

// A command is a bash that a holder started.
type command interface {
	Exit() <-chan int // delivers the exit status, once
	Kill() error      // ends it and all that descends from it
}

// grace is how long the output of a command that has ended is still listened to
// while something that it left behind holds it open.
const grace = 100 * time.Millisecond

// A process is a command on its way, with its output.
type process struct {
	cmd  command
	done chan struct{} // closed when exit and err are set

	exit int
	err  error

	killing sync.Mutex
	ended   error // why it was ended, if a context did that
}

var _ tools.Process = (*process)(nil)

// start begins a command.
func start(ctx context.Context, h holder, script string, output io.Writer) (tools.Process, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("making a pipe: %w", err)
	}
	c, err := h.Start(script, w)
	err = errors.Join(err, w.Close())
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	p := &process{cmd: c, done: make(chan struct{})}
	exited, copied := make(chan struct{}), make(chan struct{})
	go relay(r, output, exited, copied)
	stop := context.AfterFunc(ctx, func() { _ = p.end(ctx.Err()) })
	go func() {
		select {
		case p.exit = <-c.Exit():
		case <-h.Gone():
			select {
			case p.exit = <-c.Exit():
			default:
				p.exit, p.err = -1, h.Fault()
			}
		}
		close(exited)
		_ = r.SetReadDeadline(time.Now()) // wakes the relay
		<-copied
		// Before anybody knows: a caller who cancels ctx as soon as Wait returns
		// does not mean what the command left running.
		stop()
		p.killing.Lock()
		if p.ended != nil {
			p.exit, p.err = -1, p.ended
		}
		p.killing.Unlock()
		close(p.done)
	}()
	return p, nil
}

// Wait returns the exit status when the command has ended.
func (p *process) Wait(ctx context.Context) (exit int, err error) {
	select {
	case <-p.done:
		return p.exit, p.err
	default:
	}
	select {
	case <-p.done:
		return p.exit, p.err
	case <-ctx.Done():
		if err := p.end(ctx.Err()); err != nil {
			return -1, errors.Join(ctx.Err(), err)
		}
		<-p.done
		return -1, ctx.Err()
	}
}

// Kill ends the command and all that descends from it.
func (p *process) Kill() error { return p.cmd.Kill() }

// end is Kill with a reason, which Wait will give.
func (p *process) end(reason error) error {
	p.killing.Lock()
	select {
	case <-p.done:
	default:
		p.ended = reason
	}
	p.killing.Unlock()
	return p.cmd.Kill()
}

// relay copies a command's output, whatever its size, through one buffer. When the
// command has exited it takes what is still in the pipe, waits a moment for those
// that hold it open, and closes copied; from then on output is not written to, but
// the pipe is emptied as long as somebody writes, so that they do not choke.
func relay(r *os.File, output io.Writer, exited <-chan struct{}, copied chan<- struct{}) {
	defer r.Close()
	buf := make([]byte, 32<<10)
	eof := copyUntil(r, output, buf, func() bool { return false })
	if !eof {
		<-exited // it was the deadline
		_ = r.SetReadDeadline(time.Time{})
		eof = copyBytes(r, output, buf, pending(r))
		if !eof {
			last := time.Now().Add(grace)
			_ = r.SetReadDeadline(last)
			eof = copyUntil(r, output, buf, func() bool { return time.Now().After(last) })
		}
	}
	<-exited
	close(copied)
	if !eof {
		_ = r.SetReadDeadline(time.Time{})
		copyUntil(r, io.Discard, buf, func() bool { return false })
	}
}

// copyUntil copies until there is no more, a deadline passes, or enough is true. It
// reports whether there is no more. A writer that fails is no reason to stop: the
// command must not notice who is not listening.
func copyUntil(r *os.File, output io.Writer, buf []byte, enough func() bool) (eof bool) {
	for {
		n, err := r.Read(buf)
		if n > 0 {
			if _, err := output.Write(buf[:n]); err != nil {
				output = io.Discard
			}
		}
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			return false
		case err != nil:
			return true
		case enough():
			return false
		}
	}
}

// copyBytes copies n bytes that are known to be there.
func copyBytes(r *os.File, output io.Writer, buf []byte, n int) (eof bool) {
	for n > 0 {
		m, err := r.Read(buf[:min(n, len(buf))])
		n -= m
		if m > 0 {
			if _, err := output.Write(buf[:m]); err != nil {
				output = io.Discard
			}
		}
		if err != nil {
			return true
		}
	}
	return false
}
