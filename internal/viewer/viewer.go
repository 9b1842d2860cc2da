// Package viewer reads a trace on a terminal: folded, searched, and from one guilty event
// to the next.
package viewer

import (
	"context"
	"io"

	"github.com/deeds-evals/deeds/internal/trace"
)

// A Config says what to show, and where.
type Config struct {
	Trace trace.Trace
	// Against is a second attempt that is shown beside the first, nil for none.
	Against *trace.Trace

	In      io.Reader // the terminal; keys are read from it
	Out     io.Writer
	Colour  bool
	Find    string // what to look for at first
	Event   int    // the event to open at, by its N; 0 is the first guilty one
	Full    bool   // nothing is folded
	Environ []string
}

// Show returns when the reader has had enough, or the context ends.
func Show(ctx context.Context, c Config) error { return nil } // TODO(helper viewer)
