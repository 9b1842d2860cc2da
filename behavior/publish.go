package behavior

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deeds-evals/deeds/internal/board"
	"github.com/deeds-evals/deeds/internal/journal"
	"github.com/deeds-evals/deeds/results"
)

// publishable refuses what could not be published afterwards, before anything is left
// behind of it.
func publishable(p *process, address string, agents []string) error {
	if !p.settings.scoreboard {
		return nil
	}
	root, err := journal.Root(p.dir, os.Getenv)
	if err != nil {
		return err
	}
	err = results.Publishable(root, p.asked(address), agents...)
	var refused *results.RefusedError
	if errors.As(err, &refused) {
		return &usageError{"-scoreboard: " + refused.Why, "play the whole suite once, then a part may follow"}
	}
	return err
}

// claim makes sure that no other run is being played for the same entries of the
// scoreboard: of two at once nobody could say whose attempts came first.
func (r *run) claim(s settings, agents []string) error {
	if !s.scoreboard {
		return nil
	}
	for _, model := range s.models {
		for _, agent := range agents {
			err := journal.Claim(r.root(), results.BoardKey(agent, model, r.base.Settings.Board()), r.id)
			var taken *journal.ClaimedError
			if errors.As(err, &taken) {
				return &usageError{fmt.Sprintf("-scoreboard: %s is being measured by another run, %s", model, taken.Run), "wait until it has ended, or go on with it: -resume=" + results.ShortID(taken.Run)}
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// root is where the results lie that the run is one of.
func (r *run) root() string { return filepath.Dir(filepath.Dir(r.dir)) }

// publish puts what the package has played on the scoreboard, once all of it has
// ended, and fails the last case where that cannot be.
func (p *process) publish(t *testing.T) {
	t.Helper()
	if !p.settings.scoreboard || p.run.dir == "" || p.run.err != nil {
		return
	}
	record, err := results.Load(p.run.dir)
	if err != nil {
		t.Errorf("not published: %v", err)
		return
	}
	lines, err := board.Publish(p.run.root(), results.Publication{
		Run: record, Package: p.folder, Now: time.Now().UTC(),
		Suite: board.Suite(results.SuiteDir(p.source()), graderDigest(), p.suite),
	})
	for _, line := range lines {
		fmt.Fprintf(os.Stdout, "%s %s\n", p.folder, line)
	}
	if err != nil {
		for _, line := range strings.Split(err.Error(), "\n") {
			t.Error(p.run.clean(line))
		}
	}
}
