package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/deeds-evals/deeds/internal/filelock"
	"github.com/deeds-evals/deeds/internal/safefile"
)

// claimsFile says which runs are about to put something on the scoreboard.
const claimsFile = ".claims.json"

// foreignClaim is how long a claim counts whose holder cannot be seen from here, such
// as one in a container that shares the results. A run takes hours, not days.
const foreignClaim = 24 * time.Hour

// A ClaimedError says that another run is being played for the same entry of the
// scoreboard. Of two at once nobody could say which attempts came first.
type ClaimedError struct {
	Key     string
	Run     string
	Process Process // that holds the claim: the go command of the other run
	Since   time.Time
}

func (e *ClaimedError) Error() string {
	return fmt.Sprintf("the run %s is being played for the same entry of the scoreboard, by process %d since %s: wait for it, or stop it",
		e.Run, e.Process.Pid, e.Since.UTC().Format(time.DateTime+" UTC"))
}

// A claim is one invocation that plays one run for one entry.
type claim struct {
	Process Process   `json:"process"`
	Key     string    `json:"key"`
	Run     string    `json:"run"`
	Since   time.Time `json:"since"`
}

// Claim claims an entry of the scoreboard for a run, over all packages of this
// invocation, until the go command that started it has ended. It fails with a
// [ClaimedError] while another run has it. The claims of processes that have ended, or
// were killed, are dropped.
func Claim(root, key, run string) error {
	return claimFor(root, claim{Process: invocation(), Key: key, Run: run, Since: time.Now().UTC()}, alive)
}

func claimFor(root string, c claim, alive func(Process) (running, known bool)) error {
	runs := filepath.Join(root, "runs")
	if err := os.MkdirAll(runs, 0o777); err != nil {
		return fmt.Errorf("claim the scoreboard: %w", err)
	}
	unlock, err := filelock.Lock(filepath.Join(runs, lockFile))
	if err != nil {
		return fmt.Errorf("claim the scoreboard: %w", err)
	}
	defer unlock()
	claims, err := readClaims(runs)
	if err != nil {
		return fmt.Errorf("claim the scoreboard: %w", err)
	}
	claims = slices.DeleteFunc(claims, func(old claim) bool {
		running, known := alive(old.Process)
		return known && !running || !known && c.Since.Sub(old.Since) > foreignClaim
	})
	for _, old := range claims {
		switch {
		case old.Key != c.Key:
		case old.Process == c.Process && old.Run == c.Run:
			return nil
		case old.Run != c.Run:
			return &ClaimedError{Key: c.Key, Run: old.Run, Process: old.Process, Since: old.Since}
		}
	}
	data, err := json.Marshal(append(claims, c))
	if err == nil {
		err = safefile.Write(filepath.Join(runs, claimsFile), append(data, '\n'))
	}
	if err != nil {
		return fmt.Errorf("claim the scoreboard: %w", err)
	}
	return nil
}

// readClaims takes no damaged file for an empty one: a claim that is lost lets two runs
// play at once.
func readClaims(runs string) ([]claim, error) {
	path := filepath.Join(runs, claimsFile)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var claims []claim
	if err := json.Unmarshal(data, &claims); err != nil {
		return nil, fmt.Errorf("%s is damaged, remove it if no run is being played: %w", path, err)
	}
	return claims, nil
}
