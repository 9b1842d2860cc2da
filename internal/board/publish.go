package board

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/deeds-evals/deeds/internal/inert"
	"github.com/deeds-evals/deeds/internal/safefile"
	"github.com/deeds-evals/deeds/results"
)

// File is where the page is committed, under a results directory.
const File = "SCOREBOARD.md"

// Publish puts what a package of a run played on the scoreboard, and renders it. It
// returns a line for each model that was published; the error says why the others were
// not. See [results.Publish].
func Publish(root string, p results.Publication) ([]string, error) {
	published, refused := results.Publish(root, p)
	if len(published) == 0 {
		return nil, refused
	}
	if err := Render(root); err != nil {
		return nil, errors.Join(refused, err)
	}
	var lines []string
	for _, e := range published {
		lines = append(lines, "published "+Summary(e))
	}
	return lines, refused
}

// Summary says in a line how an entry stands; the page has every reason.
func Summary(e *results.Entry) string {
	a := e.Aggregates
	if a.Filled < a.Slots {
		return fmt.Sprintf("%s: unfinished: %d of %d attempts of the suite are made, %d units have credit so far", inert.Line(e.Model), a.Filled, a.Slots, a.Credited)
	}
	text := fmt.Sprintf("%s: %d of %d units have credit, ", inert.Line(e.Model), a.Credited, a.Units)
	switch {
	case a.Certified:
		return text + "certified"
	case len(a.Why) > 1:
		return fmt.Sprintf("%snot certified: %s, and %d more", text, inert.Line(a.Why[0]), len(a.Why)-1)
	}
	return text + "not certified: " + inert.Line(strings.Join(a.Why, "; "))
}

// Render writes the page from the entries that there are. Of several packages that
// publish at once the last to render has what all of them published before.
func Render(root string) error {
	unlock, err := results.LockBoard(root)
	if err != nil {
		return err
	}
	defer unlock()
	entries, err := results.Entries(root)
	if err != nil {
		return err
	}
	if err := safefile.Write(filepath.Join(root, File), New(entries).Markdown()); err != nil {
		return fmt.Errorf("render the scoreboard: %w", err)
	}
	return nil
}

// Rendered reports whether the page is what the entries render to.
func Rendered(root string, entries []*results.Entry) (bool, error) {
	data, err := os.ReadFile(filepath.Join(root, File))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read the scoreboard: %w", err)
	}
	return bytes.Equal(data, New(entries).Markdown()), nil
}
