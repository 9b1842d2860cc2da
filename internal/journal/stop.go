package journal

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/deeds-evals/deeds/internal/safefile"
	"github.com/deeds-evals/deeds/results"
)

// Stop marks the run as stopped, for the other processes of the run and for its
// readers. The first reason stays.
func (w *Writer) Stop(reason string) error {
	unlock, err := w.lockRun()
	if err != nil {
		return fmt.Errorf("stop the run: %w", err)
	}
	defer unlock()
	if reason == "" {
		reason = "no reason was given"
	}
	if w.Stopped() != "" {
		return nil
	}
	data, err := encode(results.Stop{Reason: reason, At: w.now().UTC()}, "\t")
	if err != nil {
		return fmt.Errorf("stop the run: %w", err)
	}
	if err := safefile.Write(filepath.Join(w.dir, results.StopFile), redactJSON(data, w.redact)); err != nil {
		return fmt.Errorf("stop the run: %w", err)
	}
	return nil
}

// Stopped returns why the run was stopped, "" if it was not. A stop from before
// this invocation joined the run, which was resumed since, does not count.
func (w *Writer) Stopped() string {
	data, err := os.ReadFile(filepath.Join(w.dir, results.StopFile))
	if err != nil {
		return ""
	}
	var s results.Stop
	if json.Unmarshal(data, &s) != nil || s.At.Before(w.since) {
		return ""
	}
	return s.Reason
}
