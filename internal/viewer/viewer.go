// Package viewer reads a trace on a terminal: folded, searched, and from one guilty event
// to the next.
//
// A result may have ten megabytes, so nothing is ever laid out that is not on the screen.
// A place in the document is a node, a line of its text and a row of that line, and the
// next place is found from it; how many rows there are in all is never known.
package viewer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	tea "charm.land/bubbletea/v2"

	"github.com/deeds-evals/deeds/internal/trace"
)

// A Config says what to show, and where.
type Config struct {
	Trace trace.Trace
	// Against is a second attempt that is shown beside the first, nil for none.
	Against *trace.Trace
	// Load gives another attempt of the unit that the head is of, nil where there is no
	// going from one attempt to the next.
	Load func(of trace.Head, attempt int) (trace.Trace, error)

	In      io.Reader // the terminal; keys are read from it
	Out     io.Writer
	Colour  bool
	Find    string // what to look for at first
	Event   int    // the event to open at, by its N; 0 is the first guilty one
	Full    bool   // nothing is folded
	Environ []string
}

// Show returns when the reader has had enough, or the context ends. However it ends,
// the terminal is left as it was found.
func Show(ctx context.Context, c Config) error {
	// Bubble Tea takes SIGTERM for a wish to leave, and leaves a terminal that hung up.
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	options := []tea.ProgramOption{
		tea.WithContext(ctx), tea.WithInput(c.In), tea.WithOutput(c.Out), tea.WithoutSignalHandler(),
	}
	if c.Environ != nil {
		options = append(options, tea.WithEnvironment(c.Environ))
	}
	_, err := tea.NewProgram(newModel(c), options...).Run()
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("reading was interrupted: %w", context.Cause(ctx))
	case errors.Is(err, tea.ErrProgramPanic):
		return errors.New("the viewer broke down; --plain prints the same without it")
	}
	return err
}
