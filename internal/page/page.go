// Package page is the report of a run as one HTML file: it asks the network for
// nothing, and what an agent wrote is text in it and nothing else.
package page

import (
	"io"

	"github.com/deeds-evals/deeds/results"
)

// A Config says what the page is about.
type Config struct {
	Info results.RunInfo
	Run  *results.Run
	// Comparisons are drawn with their intervals. Between the models of a run they are
	// made unasked.
	Comparisons []*results.Comparison
	// Most is how many traces are embedded; 0 is 2000. Failures come first.
	Most int
}

// Write writes the page.
func Write(w io.Writer, c Config) error { return nil } // TODO(helper page)
