package tools

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// A job is a command on its way, in the foreground or in the background. It outlives
// the call that started it, and is ended by its own context alone.
type job struct {
	command string
	begun   time.Time
	output  tail
	own     context.Context
	stop    context.CancelCauseFunc // ends own, and the command with it
	done    chan struct{}           // closed when end is set
	changed func() []string         // files that have changed since it was begun

	// Of what follows the mutex of the background takes care.
	id      string // in the background; "" is in the foreground
	ended   bool
	end     end
	seen    bool // the model knows how it ended
	waiting int  // calls that are about to learn it
}

// An end is how a job ended.
type end struct {
	exit int
	why  error // nil: it exited; else what it was ended for
}

// Why a job is ended before it exits, beside timedOut.
var (
	errKilled = errors.New("killed")
	errCut    = errors.New("cut")
)

// timedOut is the error of a job whose time is over.
type timedOut struct{ limit time.Duration }

func (t timedOut) Error() string { return "timed out after " + seconds(t.limit) }

// startJob starts a command. Its end is told to [Set.left] before done is closed.
func (s *Set) startJob(ctx context.Context, command string) (*job, error) {
	endless := context.WithoutCancel(ctx)
	own, stop := context.WithCancelCause(endless)
	j := &job{
		command: command, begun: time.Now(), own: own, stop: stop, done: make(chan struct{}),
		changed: s.watch(command),
	}
	process, err := s.env.Shell.Start(endless, command, &j.output) // Wait alone ends it
	if err != nil {
		stop(err)
		return nil, err
	}
	go func() {
		defer close(j.done)
		var e end
		e.exit, e.why = process.Wait(own)
		if e.why != nil {
			_ = process.Kill() // it has ended already; this is for a shell that broke its word
			if cause := context.Cause(own); cause != nil {
				e.why = cause
			}
		}
		stop(nil)
		s.left(j, e)
	}()
	return j, nil
}

// killAfter ends the job when the time is over, counted from its start.
func (j *job) killAfter(limit time.Duration) {
	timer := time.AfterFunc(time.Until(j.begun.Add(limit)), func() { j.stop(timedOut{limit}) })
	context.AfterFunc(j.own, func() { timer.Stop() })
}

// failed reports whether an end is a failure; a job that the model killed is none.
func (e end) failed() bool {
	return e.why != nil && !errors.Is(e.why, errKilled) || e.why == nil && e.exit != 0
}

// state is the state of the [Event] that tells of an end.
func (e end) state() string {
	switch {
	case errors.As(e.why, new(timedOut)):
		return "timed-out"
	case errors.Is(e.why, errKilled):
		return "killed"
	}
	return "ended"
}

// status is the exit status, if there is one.
func (e end) status() *int {
	if e.why != nil {
		return nil
	}
	return &e.exit
}

// String says how a job ended, as a predicate.
func (e end) String() string {
	switch {
	case errors.As(e.why, new(timedOut)), errors.Is(e.why, errKilled):
		return e.why.Error()
	case e.why != nil:
		return fmt.Sprintf("lost: %v", e.why)
	}
	return fmt.Sprintf("ended with exit status %d", e.exit)
}
