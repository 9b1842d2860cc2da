package journal

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"github.com/deeds-evals/deeds/internal/safefile"
)

// A registry says which invocations write to which runs. It is read and written
// under the lock.
type registry struct {
	Entries []entry `json:"entries"`
}

type entry struct {
	Process Process   `json:"process"`
	Run     string    `json:"run"`
	Named   bool      `json:"named,omitempty"` // by DEEDS_RUN
	Since   time.Time `json:"since"`
}

// readRegistry takes what can be read: a registry that was lost costs the
// invocations under way a second directory, and nothing else.
func readRegistry(runs string) *registry {
	var r registry
	data, err := os.ReadFile(filepath.Join(runs, registryFile))
	if err != nil || json.Unmarshal(data, &r) != nil {
		return &registry{}
	}
	return &r
}

func (r *registry) write(runs string) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return safefile.Write(filepath.Join(runs, registryFile), append(data, '\n'))
}

// find returns the entry of the process: the one for the run of that id if it was
// named, else the one that was not named.
func (r *registry) find(p Process, id string, named bool) (entry, bool) {
	for _, e := range r.Entries {
		if e.Process == p && e.Named == named && (!named || e.Run == id) {
			return e, true
		}
	}
	return entry{}, false
}

// since returns when the process joined the run, zero if it is not known to have.
func (r *registry) since(p Process, run string) time.Time {
	for _, e := range r.Entries {
		if e.Process == p && e.Run == run {
			return e.Since
		}
	}
	return time.Time{}
}

// foreign is how long the entry of a process is kept that cannot be seen from
// here, such as one in a container that shares the results.
const foreign = 30 * 24 * time.Hour

// clean drops the entries of processes that have ended.
func (r *registry) clean(alive func(Process) (running, known bool), now time.Time) {
	kept := r.Entries[:0]
	for _, e := range r.Entries {
		running, known := alive(e.Process)
		if running || !known && now.Sub(e.Since) < foreign {
			kept = append(kept, e)
		}
	}
	r.Entries = kept
}
