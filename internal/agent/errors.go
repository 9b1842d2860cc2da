package agent

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// A ModelError says that the model did not answer. It wraps the error of
// [Model.Next].
type ModelError struct{ Err error }

func (e *ModelError) Error() string { return "the model did not answer: " + e.Err.Error() }

func (e *ModelError) Unwrap() error { return e.Err }

// outgrown reports whether the model refused because the conversation no longer
// fits: the agent's own doing, unlike every other error of a model.
func outgrown(err error) bool {
	var e interface{ ContextExceeded() bool }
	return errors.As(err, &e) && e.ContextExceeded()
}

// A PanicError says that a tool, or the model's client, panicked: the harness is
// at fault, not the agent.
type PanicError struct {
	Where string // the tool's name, or "model"
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("%s panicked: %v", e.Where, e.Value) }

// A StuckError says that a tool went on running although it was told to stop.
type StuckError struct {
	Tool string
	For  time.Duration
}

func (e *StuckError) Error() string {
	return fmt.Sprintf("%s was still running %s after it was told to stop", e.Tool, e.For)
}

// errStopped is why a child ends when the user has stopped the work.
var errStopped = errors.New("the user has stopped the work")

// broken reports whether an error says more than that the work was stopped: the
// harness broke.
func broken(err error) bool {
	var (
		model *ModelError
		panic *PanicError
		stuck *StuckError
	)
	return errors.As(err, &model) || errors.As(err, &panic) || errors.As(err, &stuck)
}

// errOwnTime is why tools are stopped when the agent's own time is up.
var errOwnTime = errors.New("the agent's time is up")

// ended is the error of a context that has ended, with the cause if there is
// one to tell.
func ended(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if cause == nil || errors.Is(err, cause) || errors.Is(cause, err) {
		return err
	}
	return fmt.Errorf("%w: %w", err, cause)
}
